"""Numbers of every locale; a guess that is wrong by a factor of a thousand is the mistake to catch."""

import pytest

from simulator.evidence.numerals import decimal_mark, missing, number


@pytest.mark.parametrize(
    ("text", "mark", "value"),
    [
        ("1,234.5", ".", 1234.5),
        ("1.234,5", ",", 1234.5),
        ("1 234,5", ",", 1234.5),
        ("1'234,5", ",", 1234.5),
        ("1\u202f234,5", ",", 1234.5),
        ("-0.5", ".", -0.5),
        ("1e-7", ".", 1e-7),
        ("20,0", ".", None),
        ("1,23,456", ".", None),
        ("12.34.56", ",", None),
        ("nan", ".", None),
        ("inf", ".", None),
        ("1e999", ".", None),
        ("", ".", None),
        ("two", ".", None),
    ],
)
def test_number(text: str, mark: str, value: float | None) -> None:
    assert number(text, mark) == value  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        (["20,0", "2.000,0"], ","),
        (["0,01", "1.000"], ","),
        (["2,000.5", "1,000"], "."),
        (["0.50", "1000.00"], "."),
        (["1,234"], "."),  # tells nothing
        (["7", ""], "."),
    ],
)
def test_decimal_mark(cells: list[str], mark: str) -> None:
    assert decimal_mark(cells) == mark


def test_missing() -> None:
    assert all(map(missing, ["", " ", "NULL", "null", "N/A", "NaN", "-", "\\N"]))
    assert not any(map(missing, ["0", "0.0", "none of it"]))
