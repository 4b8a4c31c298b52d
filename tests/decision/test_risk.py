"""Risk measures against closed forms of the normal."""

import math

import numpy as np
import pytest
from scipy import stats

from simulator.decision import risk

X = 1 + math.sqrt(5) * stats.norm.ppf((np.arange(40_000) + 0.5) / 40_000)


def test_normal_tail() -> None:
    assert risk.value_at_risk(X) == pytest.approx(-2.6780045, abs=3e-3)
    assert risk.conditional_value_at_risk(X) == pytest.approx(-3.6123661, abs=3e-3)
    assert risk.probability_of_loss(X) == pytest.approx(1 - 0.6726396, abs=3e-5)
    assert risk.probability_of_loss(X, beyond=2) == pytest.approx(stats.norm.cdf(-3 / math.sqrt(5)), abs=3e-5)


def test_tail_mean_counts_the_edge_in_part() -> None:
    assert risk.conditional_value_at_risk([1.0, 2, 3, 4, 5], 0.5) == pytest.approx((1 + 2 + 0.5 * 3) / 2.5)
    assert risk.conditional_value_at_risk([5.0, 1, 3], 1.0) == 3
    assert risk.conditional_value_at_risk([5.0, 1, 3], 0.1) == 1


def test_downside_deviation() -> None:
    assert risk.downside_deviation(X, target=1) == pytest.approx(math.sqrt(2.5), rel=1e-3)
    assert risk.downside_deviation([3.0, -1, 2], target=0) == pytest.approx(math.sqrt(1 / 3))


def test_certainty_equivalent() -> None:
    """Of a normal: mean - variance / (2 T)."""
    assert risk.certainty_equivalent(X, 5) == pytest.approx(0.5, abs=2e-3)
    assert risk.certainty_equivalent(X, math.inf) == pytest.approx(1)
    assert risk.certainty_equivalent(X, 1e9) == pytest.approx(1, abs=1e-6)
    assert risk.certainty_equivalent([-1e6, 5e6], 1.0) == pytest.approx(-1e6 + math.log(2))


def test_tolerance_at_which_the_choice_flips() -> None:
    """A normal beats 0 from T = variance / (2 mean) on."""
    nb = np.stack([np.zeros_like(X), X], axis=1)
    ((tolerance, below, above),) = risk.flip_tolerances(nb)
    assert tolerance == pytest.approx(2.5, rel=3e-3)
    assert (below, above) == (0, 1)
    assert risk.flip_tolerances(np.stack([X, X + 1], axis=1)) == []
    assert risk.flip_tolerances(np.ones((5, 2))) == []


def test_regret() -> None:
    nb = np.array([[0.0, 4, 1], [0, -2, 1], [0, 1, -3]])
    assert risk.expected_regret(nb) == pytest.approx([2, 1, 7 / 3])
    assert risk.maximum_regret(nb) == pytest.approx([4, 3, 4])
    assert risk.maximum_regret(nb, level=0.5) == pytest.approx([1, 0, 3])


def test_bad_input_is_refused() -> None:
    for call, message in (
        (lambda: risk.value_at_risk([1, np.nan]), "row 1 is nan"),
        (lambda: risk.value_at_risk([[1.0]]), "shape"),
        (lambda: risk.conditional_value_at_risk([1.0], 0), "level is 0"),
        (lambda: risk.certainty_equivalent([1.0], 0), "tolerance is 0"),
        (lambda: risk.expected_regret([1.0]), "shape"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
