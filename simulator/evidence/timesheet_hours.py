"""How long an entry of a timesheet took."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import product

from simulator.evidence.durations import hours, moments, time_of_day
from simulator.evidence.numerals import Mark, missing, number
from simulator.evidence.timesheet_columns import Columns

LONG_ENTRY = 24.0  # hours; more in one entry is a sum of several, or a slip
LIFETIME = 1e5  # hours; 45 years of 2,200
_BREAK_UNITS = (("min", 1 / 60), ("hour", 1.0), ("(h", 1.0), ("stunde", 1.0))
JIRA_UNIT = 1 / 3600  # Jira exports its time fields in seconds


@dataclass(frozen=True, slots=True)
class Rules:
    """What a sheet's cells must be read by."""

    columns: Columns
    mark: Mark
    hours_per_day: float
    zone: tzinfo | None

    def spent(self, cells: Sequence[str]) -> float | str:
        """Hours of an entry: its duration as it stands, else end less start; or why there are none."""
        reason = ""
        for index, unit in self.columns.times:
            text = cells[index].strip()
            if missing(text):
                continue
            found = self._duration(text, unit, self.columns.names[index])
            if not isinstance(found, str):
                return found
            reason = reason or found
        if reason:
            return reason
        span = self.span(cells)
        if span is None:
            return "neither a duration nor a start and an end"
        if (rest := self._break(cells)) is None:
            return f"a break that is no duration: {self.columns.cell('break', cells)[:40]!r}"
        if rest > span:
            return "the break is longer than the entry"
        span -= rest
        return "end less start is longer than a working life" if span > LIFETIME else span

    def _duration(self, text: str, unit: float | None, name: str) -> float | str:
        bare = number(text, self.mark) is not None
        if bare and unit is None and self.columns.jira:
            unit = JIRA_UNIT
        value = hours(text, self.mark, unit or 1.0, self.hours_per_day)
        if value is None:
            return f"{name} is no duration: {text[:40]!r}"
        if value < 0:
            return f"{name} is negative: {text[:40]!r}"
        if value > LIFETIME:
            return f"{name} is longer than a working life: {text[:40]!r}"
        if bare and unit is None and value > LONG_ENTRY:
            return f"{name} = {text[:40]} has no unit: hours, minutes or seconds?"
        return value

    def _break(self, cells: Sequence[str]) -> float | None:
        """Hours of the break; a bare number has a unit only where the column's title tells it."""
        text = self.columns.cell("break", cells)
        if missing(text):
            return 0.0
        title = self.columns.names[self.columns.roles["break"]].lower()
        return hours(
            text, self.mark, next((unit for word, unit in _BREAK_UNITS if word in title), None), self.hours_per_day
        )

    def span(self, cells: Sequence[str]) -> float | None:
        """Hours from start to end, breaks and all; None where the cells do not tell.

        Of the two readings of 03/04/2026 the one counts that makes the shorter entry and does not go backwards. Without
        dates an entry may pass midnight once.
        """
        if not self.columns.spans:
            return None
        cell = self.columns.cell
        start, end, day, end_day = (cell(role, cells) for role in ("start", "end", "date", "end_date"))
        begin, finish = time_of_day(start), time_of_day(end)
        if begin is not None and finish is not None and end_day in ("", day):
            return _hours((finish - begin) % timedelta(days=1))
        firsts, lasts = self._moments(day, start, begin), self._moments(end_day or day, end, finish)
        # 04/04/2026 reads one way, 03/04/2026 two: where the numbers of readings differ, any may go with any.
        pairs = zip(firsts, lasts, strict=True) if len(firsts) == len(lasts) else product(firsts, lasts)
        # In UTC: two times of one zone are subtracted as the wall shows them, a change of the clocks left out.
        spans = (last.astimezone(UTC) - first.astimezone(UTC) for first, last in pairs)
        return min((_hours(span) for span in spans if span >= timedelta(0)), default=None)

    def _moments(self, day: str, clock: str, since_midnight: timedelta | None) -> list[datetime]:
        """A cell with a time of day needs its date beside it; a whole timestamp does not."""
        return moments(clock, "", self.zone) if since_midnight is None else moments(day, clock, self.zone)


def _hours(span: timedelta) -> float:
    return span / timedelta(hours=1)
