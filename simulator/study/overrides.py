"""Values that replace others: `--set KEY=VALUE` and the quoted keys of a scenario, by one rule.

A key is the dotted path of the file or the canonical name of an input. What it names is replaced whole and nothing else
is: another way to give the same thing stays, and two ways are a fault.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.study.faults import Fault, Problem, StudyError, nearest, shown
from simulator.study.findings import Findings
from simulator.study.names import file_path, heads, options_of
from simulator.study.toml import value_of
from simulator.study.values import Path

OF_SCENARIOS = ("options", "workload", "rates", "hurdle", "correlations")
"""Sections that a scenario may change; the rest says what the decision is, and is one for all scenarios."""


@dataclass(frozen=True, slots=True)
class Changed:
    """Data with replaced values, and by which key each path was; tables that no key touches are the same objects."""

    data: Mapping[str, Any]
    origins: Mapping[Path, str]

    def origin(self, path: Path) -> tuple[str, Path] | None:
        """The key that replaced this path or a table around it, and what of the path is below that."""
        for length in range(len(path), 0, -1):
            if (key := self.origins.get(path[:length])) is not None:
                return key, path[length:]
        return None


def change(
    data: Mapping[str, Any], values: Mapping[str, Any], where: Path, findings: Findings, allowed: Sequence[str] = ()
) -> Changed:
    """The data with values replaced by dotted keys; a key that names nothing is a problem at its place in `where`."""
    origins: dict[Path, str] = {}
    for key, value in values.items():
        try:
            path = _path(key, value, data, allowed)
            data = _with(data, path, value, key)
            origins[path] = key
        except _RefusedError as refused:
            findings.add((*where, key), *refused.args)
    return Changed(data, origins)


def settings(overrides: Sequence[str]) -> dict[str, Any]:
    """`KEY=VALUE` of the command line as values by key: TOML, or else the text itself.

    Raises
    ------
    StudyError
        When one has no `=`, or begins like a TOML table, array or text and is none, or a key is set twice.
    """
    values: dict[str, Any] = {}
    faults: list[Fault] = []
    for each in overrides:
        key, equals, text = (part.strip() for part in each.partition("="))
        if not equals or not key:
            faults.append(Fault("--set", 0, each, "no KEY=VALUE", "such as trn2.price=15.09"))
            continue
        if key in values:
            faults.append(Fault("--set", 0, key, "set twice", "one value a key"))
        try:
            values[key] = value_of(text)
        except tomllib.TOMLDecodeError as error:
            if not text or text[0] in "{[\"'":
                faults.append(Fault("--set", 0, key, f"{shown(text)} ({error})", "a TOML value"))
            values[key] = text
    if faults:
        raise StudyError(faults)
    return values


class _RefusedError(ValueError):
    """Found, expected and nearest of an override that cannot be."""


def _path(key: str, value: object, data: Mapping[str, Any], allowed: Sequence[str]) -> Path:
    try:
        path = file_path(key, data)
    except tomllib.TOMLDecodeError:
        raise _RefusedError("no dotted key", 'a key such as "trn2.price"') from None
    if path is None:
        raise _RefusedError(
            "names nothing of this study", "an input, or a path in the file", nearest(key.split(".")[0], heads(data))
        )
    if allowed and path[0] not in allowed:
        raise _RefusedError(f"a scenario cannot change {path[0]}", ", ".join(allowed))
    options = options_of(data)
    if path[0] == "options" and len(path) > 1 and path[1] not in options:
        raise _RefusedError(f"no option {shown(path[1])}", "an option of this study", nearest(path[1], options))
    if path in {("options",), ("rates",)} or (
        len(path) == 2 and path[0] == "options" and not key.startswith("options")
    ):
        raise _RefusedError("names a whole section", "one quoted, dotted key a value", _first_leaf(key, value))
    return path


def _first_leaf(key: str, value: object) -> str | None:
    """What was meant by a dotted key that lost its quotes, so that TOML made tables of it."""
    while isinstance(value, dict) and len(value) > 0 and not value.keys() & {"dist", "prior", "value"}:
        inner, value = next(iter(value.items()))
        key = f"{key}.{inner}"
    return key


def _with(data: Any, path: Path, value: Any, key: str) -> Any:
    """A copy of the data with one value replaced; shares everything beside the path."""
    if not path:
        return value
    step, *rest = path
    if isinstance(data, dict):
        return {**data, step: _with(data.get(step, {}), tuple(rest), value, key)}
    if isinstance(data, list) and isinstance(step, int) and step < len(data):
        return [*data[:step], _with(data[step], tuple(rest), value, key), *data[step + 1 :]]
    inside = f"an array of {len(data)}" if isinstance(data, list) else shown(data)
    raise _RefusedError(f"{shown(step)} within {inside}", "a key that is there")


def moved(problem: Problem, changed: Changed, where: Path) -> Problem:
    """A problem of changed data at the key, in `where`, that brought it in; as it is when no key did."""
    if origin := changed.origin(problem.path):
        return problem._replace(path=(*where, origin[0], *origin[1]))
    return problem
