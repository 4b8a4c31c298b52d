"""Which rows of a table count: `project = Trainium and tag ~ migration`."""

import difflib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

Row = Mapping[str, str]
Test = Callable[[Row], bool]

_CONDITION = re.compile(r"\s*(?P<key>[^=~!<>]+?)\s*(?P<op>!=|!~|==|=|~)\s*(?P<value>.+?)\s*", re.DOTALL)
_OR = re.compile(r"\s+or\s+(?=[^=~!]+(?:=|~|!))|\s*\|\|\s*", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+(?=[^=~!]+(?:=|~|!))|\s*[,;]\s*(?=[^=~!,;]+(?:=|~|!))|\s*&&\s*", re.IGNORECASE)
ANYWHERE = "text"
SHOWN = 40  # columns named in a complaint


class FilterError(ValueError):
    """A filter that names no column or compares nothing."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of one cell, or of any cell where the key is `text`; value and cell in lower case."""

    key: str
    part: bool  # the cell contains the value, instead of being it
    value: str
    negated: bool

    def holds(self, row: Row) -> bool:
        cells = row.values() if self.key == ANYWHERE else (row.get(self.key, ""),)
        found = any(self.value in cell.lower() if self.part else self.value in _values(cell) for cell in cells)
        return found != self.negated


Alternatives = Sequence[Sequence[Condition]]  # any of which must hold, each with all its conditions


def conditions(expression: str, keys: Collection[str]) -> Alternatives:
    """`KEY = VALUE`, `KEY != VALUE`, `KEY ~ PART`, `KEY !~ PART`, joined by `and` and `or`; `and` binds before `or`.

    Case does not matter; a cell with several values, as tags have, equals each of them. A bare word asks whether any
    cell contains it. `keys` are the columns there are, in lower case.
    """
    return [[_condition(part, keys) for part in _AND.split(side)] for side in _OR.split(expression)]


def row_filter(expression: str, keys: Collection[str]) -> Test:
    """A test of rows by `conditions`."""
    alternatives = conditions(expression, keys)
    return lambda row: any(all(condition.holds(row) for condition in every) for every in alternatives)


def _condition(text: str, keys: Collection[str]) -> Condition:
    match = _CONDITION.fullmatch(text)
    if match is None:
        if not _bare(text):
            raise FilterError(f"{text!r} is no condition; expected KEY = VALUE or KEY ~ PART")
        return Condition(ANYWHERE, part=True, value=_bare(text), negated=False)
    key, op = match["key"].strip().lower(), match["op"]
    if key != ANYWHERE and key not in keys:
        nearest = difflib.get_close_matches(key, keys, n=1)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise FilterError(f"no column {key!r}{hint} (there are: {', '.join(sorted(keys)[:SHOWN])})")
    part = op.endswith("~") or key == ANYWHERE
    return Condition(key, part=part, value=_bare(match["value"]), negated=op.startswith("!"))


def _values(cell: str) -> set[str]:
    """A cell, and each of the values that it may list."""
    whole = cell.strip().lower()
    return {whole, *(part.strip() for part in re.split(r"[,;|]", whole))}


def _bare(text: str) -> str:
    return text.strip().strip("\"'").strip().lower()
