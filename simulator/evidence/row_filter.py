"""Which rows of a table count: `project = Trainium and tag ~ migration`."""

import difflib
import re
from collections.abc import Callable, Collection, Mapping

Row = Mapping[str, str]
Test = Callable[[Row], bool]

_CONDITION = re.compile(r"\s*(?P<key>[^=~!<>]+?)\s*(?P<op>!=|!~|==|=|~)\s*(?P<value>.+?)\s*", re.DOTALL)
_OR = re.compile(r"\s+or\s+(?=[^=~!]+(?:=|~|!))|\s*\|\|\s*", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+(?=[^=~!]+(?:=|~|!))|\s*[,;]\s*(?=[^=~!,;]+(?:=|~|!))|\s*&&\s*", re.IGNORECASE)
ANYWHERE = "text"


class FilterError(ValueError):
    """A filter that names no column or compares nothing."""


def row_filter(expression: str, keys: Collection[str]) -> Test:
    """A test of rows from `KEY = VALUE`, `KEY != VALUE`, `KEY ~ PART`, `KEY !~ PART`, joined by `and` and `or`.

    Case does not matter; `and` binds before `or`; a cell with several values, as tags have, equals each of them. A bare
    word asks whether any cell contains it.
    """
    alternatives = [[_condition(part, keys) for part in _AND.split(side)] for side in _OR.split(expression)]
    return lambda row: any(all(test(row) for test in tests) for tests in alternatives)


def _condition(text: str, keys: Collection[str]) -> Test:
    match = _CONDITION.fullmatch(text)
    if match is None:
        word = _bare(text)
        if not word:
            raise FilterError(f"{text!r} is no condition; expected KEY = VALUE or KEY ~ PART")
        return lambda row: any(word in cell.lower() for cell in row.values())
    key, op, value = match["key"].strip().lower(), match["op"], _bare(match["value"])
    if key != ANYWHERE and key not in keys:
        nearest = difflib.get_close_matches(key, keys, n=1)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise FilterError(f"no column {key!r}{hint} (there are: {', '.join(sorted(keys))})")
    found = _contains(key, value) if op.endswith("~") or key == ANYWHERE else _equals(key, value)
    return (lambda row: not found(row)) if op.startswith("!") else found


def _contains(key: str, value: str) -> Test:
    if key == ANYWHERE:
        return lambda row: any(value in cell.lower() for cell in row.values())
    return lambda row: value in row.get(key, "").lower()


def _equals(key: str, value: str) -> Test:
    def test(row: Row) -> bool:
        cell = row.get(key, "").strip().lower()
        return cell == value or value in (part.strip() for part in re.split(r"[,;|]", cell))

    return test


def _bare(text: str) -> str:
    return text.strip().strip("\"'").strip().lower()
