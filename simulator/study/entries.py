"""The value of a library entry by itself, without the input that it would be used for."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from simulator.study.faults import Fault, Problem, StudyError, shown
from simulator.study.library import Entry
from simulator.study.nearby import NotNearbyError, column

if TYPE_CHECKING:
    from simulator.inputs import BadSpec, Distribution, Floats


def value_of(entry: Entry) -> float | Distribution | None:
    """A number, a law, or None for a price that is on record as not existing.

    Raises
    ------
    StudyError
        When the entry is none of these; with its place in a file of the user's own.
    """
    from simulator.inputs import BadSpec, distribution

    if "absent" in entry.table:
        return None
    if "value" in entry.table:
        return _number(entry)
    try:
        return distribution(entry.spec, partial(_column, entry))
    except BadSpec as error:
        raise StudyError([_fault(entry, _of(entry, bad)) for bad in error]) from None
    except NotNearbyError as bad:
        problem = Problem((entry.name, bad.key), bad.found, bad.expected, bad.nearest)
        raise StudyError([_fault(entry, problem)]) from None


def _of(entry: Entry, bad: BadSpec) -> Problem:
    return Problem((entry.name, *bad.path), bad.found, bad.expected, bad.nearest)


def _number(entry: Entry) -> float:
    raw = entry.table["value"]
    if isinstance(raw, int | float) and not isinstance(raw, bool) and math.isfinite(raw):
        return float(raw)
    raise StudyError([_fault(entry, Problem((entry.name, "value"), shown(raw), "a finite number"))])


def _column(entry: Entry, file: str, header: str) -> Floats:
    if entry.document is None:
        raise NotNearbyError(f"a column of {shown(file)}", "an entry of the shipped library names no file")
    return column(entry.document.folder, file, header)


def _fault(entry: Entry, problem: Problem) -> Fault:
    if entry.document is not None:
        return entry.document.fault(problem)
    return Fault(entry.file, 0, ".".join(map(str, problem.path)), problem.found, problem.expected, problem.nearest)
