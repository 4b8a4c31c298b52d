"""Would catch: a line with two verdicts or none, a fact that is not a number, a report without bounds."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.evidence import reading
from simulator.evidence.lines import Line
from simulator.evidence.reading import Fact, Ledger


class Origin:
    path, sha256, bytes, notes = "log", "0" * 64, 3, ("UTF-16",)


@given(st.lists(st.tuples(st.integers(1, 3), st.lists(st.sampled_from("umir"), min_size=1, max_size=4))))
def test_totals_balance_whatever_the_verdicts(lines: list[tuple[int, list[str]]]) -> None:
    ledger, number = Ledger(), 1
    for span, verdicts in lines:
        line = Line(number, "text", span)
        for verdict in verdicts:
            match verdict:
                case "u":
                    ledger.use(line)
                case "m":
                    ledger.merge(line)
                case "i":
                    ledger.ignore(line)
                case _:
                    ledger.reject(line, "why")
        number += span
    got = ledger.close(Origin(), "test", [])
    assert got.used + got.merged + got.ignored + got.rejected_count == got.lines == number - 1
    assert got.used == sum(span for span, verdicts in lines if "u" in verdicts)


def test_rejects_are_bounded_and_all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "KEEP_REJECTED", 2)
    ledger = Ledger()
    for number in (1, 2, 3):
        ledger.reject(Line(number, "x" * 1000), "cut")
    got = ledger.close(Origin(), "test", [])
    assert got.rejected_count == 3
    assert [(r.line, r.text) for r in got.rejected] == [(n, "x" * 200 + "... (1000 characters)") for n in (1, 2)]


def test_a_missing_value_is_no_fact() -> None:
    with pytest.raises(ValueError, match="missing"):
        Fact("steps", math.nan, "steps")
    with pytest.raises(ValueError, match="quantity"):
        Fact("utilisation", 1.0, "")


def test_json_has_the_contract_s_keys() -> None:
    ledger = Ledger()
    ledger.use(Line(1, ""))
    fact = Fact("steps", 4.0, "steps", lines=(1, 1), group={"run": "1"})
    got = reading.document([ledger.close(Origin(), "test", [fact], ["a note"])])
    assert got["schema"] == "switchodds/evidence/1"
    (file,) = got["files"]
    assert {
        "path",
        "sha256",
        "reader",
        "bytes",
        "lines",
        "used",
        "merged",
        "ignored",
        "rejected",
        "notes",
        "facts",
    } <= set(file)
    assert file["notes"] == ["UTF-16", "a note"]
    assert file["facts"] == [
        {
            "quantity": "steps",
            "value": 4.0,
            "unit": "steps",
            "count": 1,
            "sd": None,
            "censored": False,
            "lines": [1, 1],
            "basis": "",
            "group": {"run": "1"},
        }
    ]
