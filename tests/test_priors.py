"""Every entry of priors/: it parses, says where it comes from, and its law has the quantiles that it states."""

from __future__ import annotations

import tomllib
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulator.inputs import Distribution
from simulator.study.entries import value_of
from simulator.study.library import library
from simulator.study.reading import BASES, PRICE_KINDS
from simulator.study.scalars import OPTION, same_unit

FILES = sorted((Path(__file__).parents[1] / "priors").glob("*.toml"))
DIGITS: dict[str, dict[str, Any]] = {
    name: table for file in FILES for name, table in tomllib.loads(file.read_text("utf-8"), parse_float=Decimal).items()
}
"""The tables with numbers as they are printed, so that a test knows to how many digits they are."""
UNCERTAIN = sorted(name for name, table in DIGITS.items() if table.get("dist", "bernoulli") != "bernoulli")
TODAY = date(2026, 11, 30)


def law(name: str) -> Distribution:
    value = value_of(library()[name])
    assert value is not None and not isinstance(value, float)
    return value


def test_the_library_holds_every_table_of_its_files() -> None:
    assert dict.fromkeys(library()) == dict.fromkeys(library()) | dict.fromkeys(DIGITS)
    assert len(library()) == len(DIGITS) > 120


@pytest.mark.parametrize("name", sorted(DIGITS))
def test_an_entry_says_what_it_is_and_where_it_comes_from(name: str) -> None:
    table = library()[name].table
    for key in ("unit", "source", "note"):
        assert isinstance(table[key], str) and len(table[key]) > 1, key
    assert table["basis"] in BASES
    assert type(table["as_of"]) is date and table["as_of"] <= TODAY
    assert sum(key in table for key in ("value", "dist", "absent")) == 1
    if "/price/" in name:
        assert table["kind"] in PRICE_KINDS and table["region"] and table["instance"]
        for old in table.get("history", ()):
            assert old.keys() >= {"value", "as_of", "source"} and old["as_of"] <= table["as_of"]


@pytest.mark.parametrize("name", [name for name in DIGITS if len(name.split("/")) > 1 and name.split("/")[1] in OPTION])
def test_an_entry_for_an_input_has_the_unit_and_the_range_of_that_input(name: str) -> None:
    scalar, table = OPTION[name.split("/")[1]], library()[name].table
    assert same_unit(table["unit"], scalar.unit_in("USD"))
    if "value" in table:
        assert scalar.holds(float(table["value"]))
    elif "dist" in table:
        low, high = law(name).support
        assert scalar.low <= low and high <= scalar.high


@pytest.mark.parametrize("name", UNCERTAIN)
def test_stated_quantiles_are_those_of_the_distribution(name: str) -> None:
    """To half a unit of the last printed digit, and a little for halves rounded either way."""
    stated = DIGITS[name]["quantiles"]
    assert list(stated) == ["p05", "p50", "p95"]
    got = law(name).ppf(np.array([0.05, 0.5, 0.95]))
    for value, said in zip(got, stated.values(), strict=True):
        half = 0.5 * 10.0 ** said.as_tuple().exponent if isinstance(said, Decimal) else 0.5
        assert abs(value - float(said)) <= 1.02 * half


@pytest.mark.parametrize("hardware", ["h100", "trn2"])
def test_every_input_of_an_option_has_a_prior(hardware: str) -> None:
    of_the_study = {
        "unworkable",
        "tokens_per_second",
    }  # the one for all hardware, the other is utilization said otherwise
    named = {name.split("/")[1] for name in DIGITS if name.startswith(f"{hardware}/")}
    assert OPTION.keys() - of_the_study <= named
    assert {"unworkable", "engineer_rate", "delay_week_rate", "commitment.resale"} <= DIGITS.keys()
