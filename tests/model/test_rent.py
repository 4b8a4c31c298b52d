"""What these would catch: a commitment billed twice or not at all, a Poisson sum that is off by a term."""

import numpy as np
import pytest
from scipy.stats import poisson

from simulator.model import excess, expected_excess, stranded
from simulator.model.rent import rent


@pytest.mark.parametrize(
    ("hours", "used", "unused"),
    [
        (1000.0, 1000 * 6.0, 1500 * 6.0 * 0.4),  # 1,500 of 2,500 hours unused, 60 % of their price recovered
        (2500.0, 2500 * 6.0, 0.0),
        (3000.0, 2500 * 6.0 + 500 * 10, 0.0),  # beyond the commitment at list price
    ],
)
def test_rent_under_a_commitment(hours: float, used: float, unused: float) -> None:
    h, committed = np.array(hours), np.array(2500.0)
    got = rent(h, excess(h, committed), np.array(10.0), np.array(0.4), committed, np.array(0.6))
    assert got.used == pytest.approx(used)
    assert got.unused == pytest.approx(unused)


def test_a_commitment_not_used_at_all_is_stranded() -> None:
    zero, committed = np.array(0.0), np.array(100.0)
    got = rent(zero, zero, np.array(10.0), np.array(0.4), committed, np.array(0.25))
    assert got.used + got.unused == pytest.approx(450.0)
    assert stranded(np.array(10.0), np.array(0.4), committed, np.array(0.25)) == pytest.approx(450.0)


@pytest.mark.parametrize("mean", [0.0, 0.02, 0.9, 7.3, 60.0])
@pytest.mark.parametrize("committed", [0.0, 90.0, 100.0, 100.5, 107.0, 116.0, 131.0, 400.0, 5000.0])
@pytest.mark.parametrize("per_fault", [16.0, 0.25])
def test_expected_excess_is_the_poisson_sum(mean: float, committed: float, per_fault: float) -> None:
    count = np.arange(400)
    by_hand = (poisson.pmf(count, mean) * np.maximum(100 + per_fault * count - committed, 0)).sum()
    got = expected_excess(np.array(100.0), np.array(per_fault), np.array(mean), np.array(committed))
    assert got == pytest.approx(by_hand, rel=1e-10, abs=1e-10)


def test_a_fault_that_costs_nothing_leaves_the_excess_certain() -> None:
    got = expected_excess(np.array([100.0, 100.0]), np.array(0.0), np.array(3.0), np.array([90.0, 110.0]))
    assert got.tolist() == [10.0, 0.0]
