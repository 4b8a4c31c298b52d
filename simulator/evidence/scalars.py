"""Numbers, durations, sizes and clock times as logs spell them."""

import math
import re
from datetime import UTC, datetime

SENTINEL = 9e18  # near 2^63: "blank" in DCGM and friends, never a measurement

_THOUSANDS = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def number(text: str | None) -> float | None:
    """A finite number, thousands separators and units stripped; None for nan, blanks and sentinels."""
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        bare = text.strip().rstrip("%")
        if _THOUSANDS.fullmatch(bare):
            bare = bare.replace(",", "")
        try:
            value = float(bare)
        except ValueError:
            return None
    return value if math.isfinite(value) and abs(value) < SENTINEL else None


def whole(text: str | None) -> int | None:
    """A whole number such as a step or a batch."""
    value = number(text)
    return int(value) if value is not None and value == int(value) else None


def positive(text: str | None) -> float | None:
    """A number above zero: a rate or a duration; a rate of 0 is a counter that has not started."""
    value = number(text)
    return value if value is not None and value > 0 else None


_CLOCK_DURATION = re.compile(r"(?:(\d+) days?,? )?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)")


def duration(text: str | None) -> float | None:
    """Seconds of "1:02:03.5", "02:59", "2 days, 1:00:00" or a plain number."""
    if not text:
        return None
    if match := _CLOCK_DURATION.fullmatch(text.strip()):
        days, hours, minutes, seconds = match.groups()
        return int(days or 0) * 86400 + int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
    return number(text)


BINARY = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def binary_size(amount: str, unit: str) -> float | None:
    """Bytes of "15.855" "GB", where the writer (CUDA, Neuron) means powers of 1,024."""
    value = number(amount)
    return None if value is None else value * 1024.0 ** BINARY[unit.strip().lower()[:1].replace("b", "")]


_MONTHS = {
    name: i + 1
    for i, name in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"))
}
_ISO = re.compile(r"(\d{4})[-/](\d\d|[A-Z][a-z]{2})[-/](\d\d)[ T](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?")
_UNIX_DATE = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (?:[A-Z]{3,4} )?(\d{4})")
_US_DATE = re.compile(r"(?<!\d)(\d\d)/(\d\d)/(\d{4}) (\d\d):(\d\d):(\d\d)")


def clock(text: str) -> float | None:
    """Seconds since 1970 of the first date and time in the text, taken as UTC; only differences have a meaning.

    A fraction of four or six digits below 1,000 is milliseconds padded with zeros, as Neuron's tools write it.
    """
    if match := _ISO.search(text):
        year, month, day, hour, minute, second, digits = match.groups()
    elif match := _UNIX_DATE.search(text):
        month, day, hour, minute, second, year = match.groups()
        digits = None
    elif match := _US_DATE.search(text):
        month, day, year, hour, minute, second = match.groups()
        digits = None
    else:
        return None
    in_year = int(month) if month.isdigit() else _MONTHS.get(month.lower(), 0)
    try:
        whole_seconds = datetime(
            int(year), in_year, int(day), int(hour), int(minute), int(second), tzinfo=UTC
        ).timestamp()
    except ValueError:
        return None
    return whole_seconds + _fraction(digits)


def _fraction(digits: str | None) -> float:
    if not digits:
        return 0.0
    if len(digits) in (4, 6) and int(digits) < 1000:
        return int(digits) / 1000
    return int(digits) / 10.0 ** len(digits)
