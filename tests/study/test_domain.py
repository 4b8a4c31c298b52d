"""Laws against what their input can be."""

from __future__ import annotations

import math

import pytest
from scipy.special import ndtr

from simulator.inputs import Beta, Distribution, Gamma, LogNormal, Normal, Uniform
from simulator.study.domain import outside, power_at_zero
from simulator.study.scalars import COMMITMENT, OPTION, same_unit
from tests.study.conftest import Faults, Loads, spoiled

LAW = 'dist = "lognormal", median = 240, sigma = 0.75'


def test_the_mass_outside_is_that_of_both_tails() -> None:
    below, above = outside(Normal(0.4, 0.2), OPTION["utilization"])

    assert below == pytest.approx(ndtr(-2))
    assert above == pytest.approx(ndtr(-3))


@pytest.mark.parametrize("law", [Beta(2.0, 3.0), Uniform(0.1, 1.0), Uniform(0.0, 1.0)])
def test_nothing_lies_outside_at_an_end_that_is_allowed_or_never_met(law: Distribution) -> None:
    assert outside(law, COMMITMENT["resale"]) == (0, 0)
    assert sum(outside(law, OPTION["discount"])) < 1e-15  # to the last float below 1


def test_a_judgement_is_fitted_within_the_range_and_keeps_its_quantiles(load: Loads) -> None:
    study = load(spoiled(LAW, "p05 = 20, p50 = 240, p95 = 900"))
    law = study.inputs["trn2.engineer_hours"].value

    assert not isinstance(law, float)
    assert law.support[0] == 0
    assert [float(each) for each in law.ppf([0.05, 0.5, 0.95])] == pytest.approx([20, 240, 900])  # type: ignore[arg-type]
    assert "law_bounded" in [note.code for note in study.notes]


def test_a_law_is_cut_where_no_draw_would_see_it_and_refused_where_one_would(load: Loads, faults: Faults) -> None:
    cut = load(spoiled(LAW, 'dist = "normal", mean = 150, sd = 25'))
    (refused,) = faults(spoiled(LAW, 'dist = "normal", mean = 150, sd = 60'))

    law = cut.inputs["trn2.engineer_hours"].value
    assert not isinstance(law, float)
    assert law.support[0] == 0
    assert "law_cut" in [note.code for note in cut.notes]
    assert "0.0062" in refused.found  # ndtr(-2.5)
    assert "add min" in refused.expected


def test_min_and_max_make_a_law_right(load: Loads) -> None:
    study = load(spoiled(LAW, 'dist = "normal", mean = 150, sd = 60, min = 0'))

    assert study.inputs["trn2.engineer_hours"].value.support == (0, math.inf)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("law", "power"),
    [
        (Beta(0.7, 2.0), 0.7),
        (Beta(6.0, 9.0), math.inf),
        (Uniform(0.0, 0.8), 1),
        (Gamma(1.5, 2.0), 1.5),
        (LogNormal(0.4, 0.5), math.inf),
        (Normal(0.4, 0.05), math.inf),
    ],
    ids=str,
)
def test_power_at_zero_is_the_shape_of_the_law(law: Distribution, power: float) -> None:
    assert power_at_zero(law) == pytest.approx(power, abs=2e-3)


def test_a_cost_without_a_spread_is_a_warning(load: Loads) -> None:
    study = load(spoiled('"beta", mean = 0.38, sd = 0.06', '"beta", alpha = 1.5, beta = 3'))

    assert next((note.code, note.severity) for note in study.notes) == ("wild_cost", "warning")


@pytest.mark.parametrize(
    ("given", "expected", "same"),
    [
        ("share of dense BF16 peak", "share", True),
        ("share", "probability", True),
        ("USD / hour", "USD/hour", True),
        ("wall-clock hours", "hours", True),
        ("engineer-hours / month", "hours/month", True),
        ("hours", "minutes", False),
        ("EUR/instance-hour", "USD/instance-hour", False),
        ("price in a year / price today", "USD/instance-hour", False),
        ("minutes", "share", False),
    ],
)
def test_units_are_compared_without_their_description(given: str, expected: str, same: bool) -> None:
    assert same_unit(given, expected) is same
