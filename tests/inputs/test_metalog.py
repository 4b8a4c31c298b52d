"""Quantile judgements as metalogs, against their closed forms; catches a density that turns negative unseen."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.inputs import BadSpec, Metalog
from simulator.inputs.quadrature import density

JUDGED = ((0.05, 12.0), (0.5, 32.0), (0.95, 86.0))


def test_two_terms_are_the_logistic_law() -> None:
    law = Metalog.through(((0.1, 1.0), (0.9, 3.0)))
    scale = 1 / math.log(9)
    assert (law.mean, law.sd) == pytest.approx((2.0, scale * math.pi / math.sqrt(3)), rel=1e-11)
    x = np.array([-4.0, 0.3, 2.0, 9.0])
    np.testing.assert_allclose(law.cdf(x), 1 / (1 + np.exp(-(x - 2) / scale)), rtol=1e-9)


def test_three_terms() -> None:
    """Keelin 2016: the mean is a1 + a3 / 2."""
    law = Metalog.through(JUDGED)
    assert law.mean == pytest.approx(law.coefficients[0] + law.coefficients[2] / 2, rel=1e-11)


@pytest.mark.parametrize("bounds", [(-math.inf, math.inf), (0, math.inf), (-math.inf, 100), (0, 100)])
def test_the_stated_quantiles_hold_whatever_the_bounds(bounds: tuple[float, float]) -> None:
    law = Metalog.through(JUDGED, *bounds)
    np.testing.assert_allclose(law.ppf(np.array([0.05, 0.5, 0.95])), [12, 32, 86], rtol=1e-11)
    np.testing.assert_allclose(law.residuals, 0, atol=1e-9)
    assert law.stated == JUDGED
    assert law.support == bounds
    z = np.array([-6.0, -1.0, 0.0, 1.0, 6.0])
    x = law.at_score(z)
    assert bounds[0] <= x[0]
    assert x[-1] <= bounds[1]
    np.testing.assert_allclose(law.score(x[1:-1]), z[1:-1], atol=1e-9)


@pytest.mark.parametrize("slope", [0.2, 0.45])
def test_log_metalog_moments(slope: float) -> None:
    """x = e^(a + b L): E x^k = e^(k a) pi k b / sin(pi k b)."""
    law = Metalog((1.0, slope), low=0.0)
    first, second = (math.exp(k) * math.pi * k * slope / math.sin(math.pi * k * slope) for k in (1, 2))
    assert law.mean == pytest.approx(first, rel=1e-9)
    assert law.sd == pytest.approx(math.sqrt(second - first**2), rel=1e-9)


def test_logit_metalog_is_the_uniform_at_slope_one() -> None:
    law = Metalog((0.0, 1.0), 2.0, 5.0)
    assert (law.mean, law.sd) == pytest.approx((3.5, 3 / math.sqrt(12)), rel=1e-12)
    np.testing.assert_allclose(law.partial_mean(np.array([2.0, 3.0, 5.0])), [0, 2.5 / 3, 3.5], rtol=1e-9, atol=1e-12)


def test_partial_mean_by_plain_summation() -> None:
    law = Metalog.through(JUDGED)
    z = np.linspace(-9, 0.7, 400_001)
    by_sum = np.trapezoid(law.at_score(z) * density(z), z)
    assert law.partial_mean(law.at_score(np.array(0.7))) == pytest.approx(by_sum, rel=1e-8)


@settings(max_examples=30, deadline=None)
@given(st.floats(-1.9, 1.9))
def test_three_terms_are_feasible_up_to_the_known_ratio(ratio: float) -> None:
    """Keelin 2016: a2 > 0 and |a3 / a2| < 1.66711."""
    if abs(abs(ratio) - 1.66711) < 1e-4:
        return
    p = np.array([0.1, 0.5, 0.9])
    odds = np.log(p / (1 - p))
    x = 5 + odds + ratio * (p - 0.5) * odds
    stated = tuple(zip(p.tolist(), x.tolist(), strict=True))
    if abs(ratio) < 1.66711:
        assert Metalog.through(stated).coefficients[2] == pytest.approx(ratio, abs=1e-9)
    else:
        with pytest.raises(BadSpec):
            Metalog.through(stated)


def test_infeasible_quantiles_are_refused_with_a_way_out() -> None:
    with pytest.raises(BadSpec) as refused:
        Metalog.through(((0.05, 1.0), (0.5, 1.05), (0.95, 10.0)))
    assert refused.value.path == ("p50",)
    assert "negative" in refused.value.found
    assert "between 2.158 and 8.842" in refused.value.expected
    assert Metalog.through(((0.05, 1.0), (0.5, 2.158), (0.95, 10.0)))


def test_a_tail_without_a_standard_deviation_is_refused() -> None:
    with pytest.raises(BadSpec, match="a max as well"):
        Metalog.through(((0.05, 1.0), (0.5, 10.0), (0.95, 100.0)), low=0.0)
    with pytest.raises(BadSpec, match="a min as well"):
        Metalog.through(((0.05, -100.0), (0.5, -10.0), (0.95, -1.0)), high=0.0)
    assert math.isfinite(Metalog.through(((0.05, 1.0), (0.5, 10.0), (0.95, 100.0)), 0.0, 1000.0).sd)


def test_a_lower_bound_that_is_not_zero_is_read_backwards() -> None:
    law = Metalog.through(((0.05, 12.0), (0.5, 20.0), (0.95, 40.0)), low=10.0)
    z = np.array([-4.0, -1.0, 0.0, 2.0, 5.0])
    np.testing.assert_allclose(law.score(law.at_score(z)), z, atol=1e-9)
    assert law.cdf(np.array([10.0, 20.0])) == pytest.approx([0.0, 0.5])
