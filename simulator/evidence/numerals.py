"""Numbers as people and their locales write them; a missing one is never 0."""

import math
import re
from collections.abc import Iterable
from typing import Literal

Mark = Literal[".", ","]

MISSING = frozenset({"", "null", "(null)", "none", "nil", "n/a", "na", "#n/a", "nan", "\\n", "-", "--", "–", "—"})

_POINT = re.compile(r"[+-]?(\d+|\d{1,3}(?:,\d{3})+)?(\.\d*)?(e[+-]?\d+)?", re.IGNORECASE)
_COMMA = re.compile(r"[+-]?(\d+|\d{1,3}(?:[.' ]\d{3})+)?(,\d*)?(e[+-]?\d+)?", re.IGNORECASE)
_SPACES = dict.fromkeys(map(ord, "\u00a0\u202f\u2009"), " ")


def missing(text: str) -> bool:
    """Whether a cell says that there is no value, in any of the spellings that exports use."""
    return text.strip().lower() in MISSING


def number(text: str, mark: Mark = ".") -> float | None:
    """The number that a cell holds under a decimal mark; None where it is no finite number.

    >>> number("2.000,5", ","), number("2,000.5"), number("20,0"), number("nan")
    (2000.5, 2000.5, None, None)
    """
    bare = text.translate(_SPACES).strip()
    grammar, thousands = (_POINT, ",") if mark == "." else (_COMMA, ".' ")
    if not any(c.isdigit() for c in bare) or not grammar.fullmatch(bare):
        return None
    for separator in thousands:
        bare = bare.replace(separator, "")
    value = float(bare.replace(",", "."))
    return value if math.isfinite(value) else None


def decimal_mark(cells: Iterable[str]) -> Mark:
    """The decimal mark that a column's cells agree on; a point where none of them tells.

    "2.000,0" and "20,0" tell a comma, "0.50" and "2,000.5" a point; "1,234" and "1.234" tell nothing.
    """
    votes = {".": 0, ",": 0}
    for cell in cells:
        if told := _told(cell.translate(_SPACES).strip()):
            votes[told] += 1
    return "," if votes[","] > votes["."] else "."


def _told(bare: str) -> Mark | None:
    as_point, as_comma = number(bare, "."), number(bare, ",")
    if as_point is None and as_comma is not None:
        return ","
    if as_comma is None and as_point is not None:
        return "."
    return None
