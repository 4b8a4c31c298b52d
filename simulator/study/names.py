"""Names of inputs: canonical ones (`trn2.price`, `engineer_rate`) and paths in the file (`options.trn2.price`)."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from typing import Any

from simulator.study.faults import Fault, StudyError, nearest
from simulator.study.scalars import OPTION, RATE_NAMES
from simulator.study.schema import RATES, STUDY, WORKLOAD
from simulator.study.toml import key_path
from simulator.study.values import Input, Path, Study

_RATE_KEYS = {name: key for key, name in RATE_NAMES.items()}


def canonical(name: str) -> str:
    """The canonical form of an input's name, which may be given as its path in the file, spelled as TOML allows."""
    try:
        parts = key_path(name)
    except tomllib.TOMLDecodeError:
        return name
    match parts:
        case ["options", *rest] if rest:
            return ".".join(rest)
        case ["rates", key] if key in RATE_NAMES:
            return RATE_NAMES[key]
        case ["workload", key]:
            return key
    return ".".join(parts)


def named(study: Study, name: str) -> Input:
    """The input of a study that a user names; StudyError with the nearest name when there is none."""
    inputs = study.inputs
    if (found := inputs.get(canonical(name))) is None:
        fault = Fault(study.path, 0, name, "no such input", "the name of an input", nearest(canonical(name), inputs))
        raise StudyError([fault])
    return found


def file_path(name: str, data: Mapping[str, Any]) -> Path | None:
    """The path in a study's data of a dotted name; None when its head is nothing that a study has."""
    parts = tuple(key_path(name))
    match parts:
        case (head, *_) if head in STUDY.keys:
            path = parts
        case (head, *_) if head in options_of(data):
            path = ("options", *parts)
        case (rate, *rest) if rate in _RATE_KEYS:
            path = ("rates", _RATE_KEYS[rate], *rest)
        case (head, *_) if head in WORKLOAD.keys:
            path = ("workload", *parts)
        case (head, *_) if head in RATES.keys:
            path = ("rates", *parts)
        case _:
            return None
    return _with_places(path, data)


def options_of(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The tables of the options; none when there is no such section."""
    options = data.get("options")
    return options if isinstance(options, dict) else {}


def heads(data: Mapping[str, Any]) -> Collection[str]:
    """What a dotted name may begin with."""
    return [*options_of(data), *STUDY.keys, *_RATE_KEYS, *WORKLOAD.keys]


def _with_places(path: tuple[str, ...], data: Mapping[str, Any]) -> Path:
    """The path with numbers where the data has arrays."""
    found: Path = ()
    value: Any = data
    for part in path:
        step = int(part) if isinstance(value, list) and part.isdecimal() else part
        found = (*found, step)
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            value = None
    return found


def given_names(data: Mapping[str, Any]) -> list[str]:
    """Names of the options' values that the data has, right or wrong."""
    tables = {name: raw for name, raw in options_of(data).items() if isinstance(raw, dict)}
    return [f"{name}.{key}" for name, raw in tables.items() for key in raw if key in OPTION]


def given(name: str, data: Mapping[str, Any]) -> bool:
    """Whether the data has a value under this name, right or wrong."""
    try:
        path = file_path(name, data)
    except tomllib.TOMLDecodeError:
        return False
    value: Any = data if path else None
    for step in path or ():
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return False
    return path is not None
