"""Summaries with sums inside: a row for a person, below it those of the person's projects, below them their tasks."""

from collections.abc import Sequence
from typing import NamedTuple

from simulator.evidence.tables import Broken, Record
from simulator.evidence.timesheet_hours import Rules

ALIKE = 0.02  # hours by which two accounts of one entry may differ: rounding to 0.01 h, and a second
LONGEST_SUMMARY = 100_000  # rows; a summary is short
_LEVELS = ("person", "first_name", "client", "project", "task", "tag", "description")


class _Row(NamedTuple):
    line: int
    hours: float
    depth: int  # place of the last column of groups that is filled
    opens: bool  # the columns of the groups above are empty


def subtotals(records: Sequence[Record | Broken], rules: Rules, header: int) -> frozenset[int]:
    """Lines of the rows that add up the deeper rows below them.

    All rows but the deepest must do so. Where the deeper rows repeat their groups' names, two rows like that may also
    be two entries of the same length, so one sum must be of several rows.
    """
    places = sorted(rules.columns.roles[role] for role in _LEVELS if role in rules.columns.roles)
    rows = [
        row
        for record in records
        if isinstance(record, Record) and record.number > header and (row := _row(record, rules, places))
    ]
    found, several, named = set[int](), False, False
    deepest = max((row.depth for row in rows), default=0)
    for index, row in enumerate(rows):
        if row.depth == deepest:
            continue
        below = _below(rows, index)
        if not below or abs(sum(each.hours for each in below) - row.hours) > 0.005 * row.hours + ALIKE:
            return frozenset()
        found.add(row.line)
        several |= len(below) > 1
        named |= not all(each.opens for each in below)
    return frozenset(found) if several or not named else frozenset()


def _row(record: Record, rules: Rules, places: Sequence[int]) -> _Row | None:
    spent = rules.spent(record.cells)
    filled = [place for place in places if record.cells[place].strip()]
    if isinstance(spent, str) or not filled:
        return None
    return _Row(record.number, spent, filled[-1], len(filled) == 1 and filled[0] > places[0])


def _below(rows: Sequence[_Row], index: int) -> list[_Row]:
    """The rows one level deeper, up to the next one that is not deeper."""
    deeper: list[_Row] = []
    for row in rows[index + 1 :]:
        if row.depth <= rows[index].depth:
            break
        deeper.append(row)
    next_level = min((row.depth for row in deeper), default=0)
    return [row for row in deeper if row.depth == next_level]
