"""Durations and times of day as timesheets write them."""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from simulator.evidence.numerals import Mark, number

DAYS_PER_WEEK = 5  # of work, as Jira counts "1w"
HOURS_PER_DAY = 8.0  # Jira's default for "1d"

_CLOCK = re.compile(r"(?:(\d+) days?,? )?(\d+):([0-5]?\d)(?::([0-5]?\d(?:[.,]\d+)?))?")
_ISO = re.compile(r"P(?:(\d+)D)?T?(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?", re.IGNORECASE)
_WORDS = re.compile(r"(\d+(?:[.,]\d+)?)\s*([a-z]+)\.?[\s,]*", re.IGNORECASE)
_WORD_HOURS = {
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden"), 1.0),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes", "minuten"), 1 / 60),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "sek", "sekunden"), 1 / 3600),
}
_DAYS = ("d", "day", "days", "tag", "tage")
_WEEKS = ("w", "wk", "week", "weeks", "woche", "wochen")

_TIME = re.compile(r"(\d{1,2})[:.](\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([ap])?\.?(?:m\.?)?", re.IGNORECASE)
_DAY = re.compile(r"(\d{1,4})[-/.](\d{1,2}|[a-z]{3,9})[-/.](\d{1,4})", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def hours(text: str, mark: Mark, hours_per_unit: float | None, hours_per_day: float = HOURS_PER_DAY) -> float | None:
    """Hours in "01:00:01", "2h 30m", "1d", "PT90M", or in a bare number of `hours_per_unit`; None for anything else.

    >>> hours("01:30", ".", 1.0), hours("1d 2h", ".", 1.0), hours("PT90M", ".", None), hours("0,25", ",", 1.0)
    (1.5, 10.0, 1.5, 0.25)
    """
    bare = text.strip()
    if clock := _CLOCK.fullmatch(bare):
        days, h, m, s = (float((part or "0").replace(",", ".")) for part in clock.groups())
        return 24 * days + h + m / 60 + s / 3600
    value = number(bare, mark)
    if value is not None:
        return None if hours_per_unit is None else value * hours_per_unit
    if (iso := _ISO.fullmatch(bare)) and any(iso.groups()):
        days, h, m, s = (float(part or 0) for part in iso.groups())
        return 24 * days + h + m / 60 + s / 3600
    return _spelled(bare.lower(), hours_per_day)


def _spelled(text: str, hours_per_day: float) -> float | None:
    units = {
        **_WORD_HOURS,
        **dict.fromkeys(_DAYS, hours_per_day),
        **dict.fromkeys(_WEEKS, DAYS_PER_WEEK * hours_per_day),
    }
    parts = _WORDS.findall(text)
    if not parts or _WORDS.sub("", text).strip() or any(unit not in units for _, unit in parts):
        return None
    return sum(float(value.replace(",", ".")) * units[unit] for value, unit in parts)


def moments(day: str, clock: str, zone: tzinfo | None) -> list[datetime]:
    """Every moment that a date and a time of day may mean: US order before European; none if it is impossible.

    A cell that holds both goes into `day`. Times without a zone are in `zone`, or all in one unknown zone (UTC here).
    """
    both = f"{day} {clock}".strip()
    try:
        moment = datetime.fromisoformat(both)
    except ValueError:
        pass
    else:
        return [moment if moment.tzinfo else moment.replace(tzinfo=zone or UTC)]
    found = _DAY.match(both)
    if not found:
        return []
    at = _time(both[found.end() :].strip(" ,T"))
    if at is None:
        return []
    return [datetime.combine(on, at, zone or UTC) for on in _dates(*found.groups())]


def time_of_day(text: str) -> timedelta | None:
    """Time since midnight of "10:23 AM", "22:05" or "9:00:01"."""
    at = _time(text.strip())
    return None if at is None or not text.strip() else timedelta(hours=at.hour, minutes=at.minute, seconds=at.second)


def _time(text: str) -> time | None:
    if not text:
        return time()
    found = _TIME.fullmatch(text)
    if not found:
        return None
    hour, minute, second = (int(part or 0) for part in found.groups()[:3])
    if half := found[4]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (half.lower() == "p")
    return time(hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None


def _dates(first: str, second: str, third: str) -> list[date]:
    """Year-month-day, month/day/year, day/month/year and day/Mon/year, as far as the calendar has them."""
    if second.isalpha():
        if second[:3].lower() not in _MONTHS:
            return []
        second = str(_MONTHS.index(second[:3].lower()) + 1)
        orders = [(third, second, first)]
    elif len(first) == 4:
        orders = [(first, second, third)]
    else:
        orders = [(third, first, second), (third, second, first)]
    found: dict[date, None] = {}
    for year, month, day in orders:
        try:
            found[date(int(year) + 2000 * (len(year) <= 2), int(month), int(day))] = None
        except ValueError:
            continue
    return list(found)
