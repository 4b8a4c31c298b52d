"""Rules on faults and waste, and the tails that they rest on."""

from __future__ import annotations

import math

import pytest

from simulator.audit.losses import at_least, tails
from simulator.inputs import distribution
from tests.audit.clean_study import Find

FAULTS = "[reported.h100]\nfaults = {}\nexposure_hours = {}\n"


def test_poisson_tail() -> None:
    assert at_least(2, 0.158) == pytest.approx(1 - math.exp(-0.158) * (1 + 0.158), rel=1e-12)
    assert at_least(0, 0.158) == 1


def test_tails_under_a_gamma_prior_are_negative_binomial() -> None:
    shape, mean, exposure = (0.688 / 0.455) ** 2, 0.688, 1000
    law = distribution({"dist": "gamma", "mean": 0.688, "sd": 0.455}, lambda *_: pytest.fail())
    p = shape / (shape + mean * exposure / 1000)
    none, one = p**shape, shape * p**shape * (1 - p)
    many, few = tails(2, law, exposure)
    assert many == pytest.approx(1 - none - one, abs=2e-4)
    assert few == pytest.approx(none + one + shape * (shape + 1) / 2 * p**shape * (1 - p) ** 2, abs=2e-4)


def test_fault_count_out_of_line(find: Find) -> None:
    assert find(more=FAULTS.format(2, 1000))["fault_count_out_of_line"].severity == "warning"
    assert find(more=FAULTS.format(40, 1000))["fault_count_out_of_line"].severity == "error"
    assert "fault_count_out_of_line" not in find(more=FAULTS.format(1, 1000))


def test_too_few_faults_are_out_of_line_too(find: Find) -> None:
    assert "fault_count_out_of_line" in find(more=FAULTS.format(0, 100_000))
    assert "fault_count_out_of_line" not in find(more=FAULTS.format(0, 1000))


def test_waste_contradicts_faults(find: Find) -> None:
    waste = "[reported.trn2]\nfaults = 2\nexposure_hours = 1000\nwaste_share = {}\n"
    assert "90 h" in find(more=waste.format(0.18))["waste_contradicts_faults"].message
    assert "waste_contradicts_faults" not in find(more=waste.format(0.008))


def test_waste_contradicts_hours_lost(find: Find) -> None:
    waste = "[reported.trn2]\nfaults = 2\nexposure_hours = 1000\nwaste_share = 0.008\nhours_lost_per_fault = {}\n"
    assert "waste_contradicts_hours_lost" in find(more=waste.format(1))
    assert "waste_contradicts_hours_lost" not in find(more=waste.format(4))


TOTAL = """[reported.trn2]\nprice = 24.69\nhours = 1000\nutilization = 0.67\nengineer_hours = 200\nengineer_rate = 150
total_cost = {}\n"""


def test_waste_counted_twice(find: Find) -> None:
    assert "66,850.75" in (find(more=TOTAL.format(66851))["waste_counted_twice"].arithmetic or "")
    assert "waste_counted_twice" not in find(more=TOTAL.format(54690))
