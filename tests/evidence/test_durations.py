"""Durations and dates against the calendar and the clock."""

from datetime import UTC, date, datetime

import pytest

from simulator.evidence.durations import hours, moments, time_of_day


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("01:00:01", 1 + 1 / 3600),
        ("0:30", 0.5),
        ("125:30:00", 125.5),
        ("2h 30m", 2.5),
        ("2h30m", 2.5),
        ("1w 1d", 48.0),
        ("90 min", 1.5),
        ("2 Std. 30 Min.", 2.5),
        ("1 day, 2:00:00", 26.0),
        ("PT2H30M", 2.5),
        ("1.5", 1.5),
        ("1:75", None),
        ("soon", None),
        ("2h 3x", None),
        ("P", None),
    ],
)
def test_hours(text: str, expected: float | None) -> None:
    assert hours(text, ".", 1.0) == (None if expected is None else pytest.approx(expected))


def test_a_bare_number_needs_a_unit() -> None:
    assert hours("5400", ".", None) is None
    assert hours("5400", ".", 1 / 3600) == 1.5


@pytest.mark.parametrize(
    ("day", "clock", "expected"),
    [
        ("2026-03-02", "10:23:52", [datetime(2026, 3, 2, 10, 23, 52, tzinfo=UTC)]),
        ("2026-03-02T10:00:00+02:00", "", [datetime(2026, 3, 2, 8, tzinfo=UTC)]),
        ("12/31/2026", "11:00 PM", [datetime(2026, 12, 31, 23, tzinfo=UTC)]),
        ("31.12.2026", "12:05 am", [datetime(2026, 12, 31, 0, 5, tzinfo=UTC)]),
        ("02/Mar/26 9:00 AM", "", [datetime(2026, 3, 2, 9, tzinfo=UTC)]),
        ("13/15/2026", "9:00", []),
        ("2026-02-30", "", []),
        ("03/02/2026", "13:00 PM", []),
    ],
)
def test_moments(day: str, clock: str, expected: list[datetime]) -> None:
    assert moments(day, clock, None) == expected


def test_an_ambiguous_date_is_two() -> None:
    assert [m.date() for m in moments("03/04/2026", "", None)] == [date(2026, 3, 4), date(2026, 4, 3)]


def test_noon_and_midnight() -> None:
    assert [str(time_of_day(t)) for t in ("12:00 AM", "12:00 PM", "1:05 p.m.")] == ["0:00:00", "12:00:00", "13:05:00"]
    assert time_of_day("25:00") is None
