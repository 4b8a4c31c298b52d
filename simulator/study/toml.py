"""Pieces of TOML outside a file: a dotted key, and a value given on the command line."""

from __future__ import annotations

import re
import tomllib
from typing import Any

_PLAIN = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


def key_path(text: str) -> list[str]:
    """The parts of a dotted key, unquoted as TOML does; tomllib.TOMLDecodeError when it is none."""
    if _PLAIN.fullmatch(text):
        return text.split(".")
    table: object = tomllib.loads(_one_line(text) + " = 0")
    names: list[str] = []
    while isinstance(table, dict) and len(table) == 1:
        ((name, table),) = table.items()
        names.append(name)
    if table != 0:
        raise tomllib.TOMLDecodeError("no key alone")
    return names


def value_of(text: str) -> Any:
    """A TOML value; tomllib.TOMLDecodeError when the text is none."""
    return tomllib.loads("value = " + _one_line(text))["value"]


def _one_line(text: str) -> str:
    if "\n" in text or "\r" in text:
        raise tomllib.TOMLDecodeError("a line break")
    return text
