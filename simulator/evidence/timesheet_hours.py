"""How long an entry of a timesheet took."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from simulator.evidence.durations import hours, moments, time_of_day
from simulator.evidence.numerals import Mark, missing, number
from simulator.evidence.timesheet_columns import Columns

LONG_ENTRY = 24.0  # hours; more in one entry is a sum of several, or a slip
LIFETIME = 1e5  # hours; 45 years of 2,200
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

    def span(self, cells: Sequence[str]) -> float | None:
        """Hours from start to end, breaks and all; None where the cells do not tell.

        Of the two readings of 03/04/2026 the first counts that does not go backwards. Without dates an entry may pass
        midnight once.
        """
        if not self.columns.spans:
            return None
        cell = self.columns.cell
        start, end, day, end_day = (cell(role, cells) for role in ("start", "end", "date", "end_date"))
        begin, finish = time_of_day(start), time_of_day(end)
        if begin is not None and finish is not None and end_day in ("", day):
            return _hours((finish - begin) % timedelta(days=1))
        pairs = zip(self._moments(day, start, begin), self._moments(end_day or day, end, finish), strict=False)
        return next((_hours(last - first) for first, last in pairs if last >= first), None)

    def _moments(self, day: str, clock: str, since_midnight: timedelta | None) -> list[datetime]:
        """A cell with a time of day needs its date beside it; a whole timestamp does not."""
        return moments(clock, "", self.zone) if since_midnight is None else moments(day, clock, self.zone)


def _hours(span: timedelta) -> float:
    return span / timedelta(hours=1)
