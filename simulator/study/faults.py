"""Faults of a study file as values, and the one function that words them."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from simulator.study.values import Path

SHOWN = 80  # characters of a wrong value that a message repeats

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: where (line 0: in no line of a file), what was found, what was expected instead."""

    file: str
    line: int
    key: str
    found: str
    expected: str
    nearest: str | None = None


class StudyError(ValueError):
    """A study that cannot be run, with every fault of it in order of line; its text is the report for a reader."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(dict.fromkeys(faults), key=attrgetter("line")))
        super().__init__(render(self.faults))


class UnableError(RuntimeError):
    """Something that is needed is not installed, or failed; the message says what to do."""


class Problem(NamedTuple):
    """A fault that knows its path in the document; whoever holds the document adds the place."""

    path: Path
    found: str
    expected: str
    nearest: str | None = None


def render(faults: Sequence[Fault]) -> str:
    """Every fault by place, and what was done about it: nothing."""
    count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    return printable("\n".join([*map(_worded, faults), f"{count}, nothing was run."]), keep="\n")


def _worded(fault: Fault) -> str:
    place = f"{fault.file}:{fault.line}" if fault.line else fault.file
    hint = "" if fault.nearest is None else f"; did you mean {_quoted(fault.nearest)}?"
    return f"{place}: {fault.key}".rstrip(": ") + f"\n    {fault.found}; expected {fault.expected}{hint}"


def _quoted(text: str) -> str:
    try:
        float(text)
    except ValueError:
        return f'"{text}"'
    return text


def nearest(word: object, known: Collection[str]) -> str | None:
    """The known word most like this one, letter case aside; None when none is near."""
    folded = {each.casefold(): each for each in known}
    close = difflib.get_close_matches(str(word).casefold(), folded, n=1)
    return folded[close[0]] if close else None


def dotted(path: Path) -> str:
    """A path as TOML writes it, places in arrays as numbers: `options.trn2.other_costs.0.amount`."""
    return ".".join(part if _BARE.fullmatch(part) else json.dumps(part, ensure_ascii=False) for part in map(str, path))


def shown(value: object) -> str:
    """A value as its file would write it, cut when long."""
    if isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
    elif isinstance(value, dict):
        text = "a table {" + ", ".join(map(str, value)) + "}"
    elif isinstance(value, list):
        text = f"an array of {len(value)}"
    else:
        text = str(value)
    text = printable(text)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028-\u202e\u2066-\u2069]")
"""Controls, lone surrogates, separators of lines and paragraphs, and marks that turn the reading direction."""


def unsafe(text: str, keep: str = "") -> str | None:
    """The first character that would move a cursor, colour a terminal or turn the reading direction; None if none."""
    return next((c for c in _STEERING.findall(text) if c not in keep), None)


def printable(text: str, keep: str = "") -> str:
    """The text with steering characters spelled out (`\\u001b`), safe for a terminal."""
    return _STEERING.sub(lambda found: found[0] if found[0] in keep else f"\\u{ord(found[0]):04x}", text)
