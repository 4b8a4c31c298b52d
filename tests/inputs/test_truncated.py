"""Conditioning on an interval; catches moments of the untruncated law and bounds that lose their atoms."""

import math

import numpy as np
import pytest
import scipy.stats

from simulator.inputs import (
    BadSpec,
    Bernoulli,
    Beta,
    Constant,
    Discrete,
    LogNormal,
    Mixture,
    Normal,
    Poisson,
    Triangular,
    Uniform,
    truncate,
)


@pytest.mark.parametrize(("low", "high"), [(80, 260), (-math.inf, 120), (140, math.inf), (230, 400), (-math.inf, 45)])
def test_normal(low: float, high: float) -> None:
    law = truncate(Normal(150.0, 25.0), low, high)
    other = scipy.stats.truncnorm((low - 150) / 25, (high - 150) / 25, 150, 25)
    assert (law.mean, law.sd) == pytest.approx((other.mean(), other.std()), rel=1e-9)
    u = np.array([1e-12, 1e-6, 0.1, 0.5])
    base = scipy.stats.norm(150, 25)
    mass = base.cdf(high) - base.cdf(low) if low < 150 else base.sf(low) - base.sf(high)
    np.testing.assert_allclose(law.lower(u), other.ppf(u), rtol=1e-9)
    np.testing.assert_allclose(law.upper(u), base.isf(base.sf(high) + u * mass), rtol=1e-9)
    x = np.array([low - 1, 0.5 * (law.ppf(0.1) + law.ppf(0.6)), high + 1])
    np.testing.assert_allclose(law.cdf(x), other.cdf(x), rtol=1e-9)
    assert law.partial_mean(np.array(math.inf)) == pytest.approx(law.mean, rel=1e-9)


def test_lognormal_closed_form() -> None:
    """E[X^k; a < X < b] = exp(k mu + (k sigma)^2 / 2) (Phi(sb - k sigma) - Phi(sa - k sigma)) / mass."""
    law = truncate(LogNormal(3.0, 0.8), 1.0, 20.0)
    a, b = (math.log(x / 3) / 0.8 for x in (1, 20))
    phi = scipy.stats.norm.cdf
    first, second = (
        3**k * math.exp((0.8 * k) ** 2 / 2) * (phi(b - 0.8 * k) - phi(a - 0.8 * k)) / (phi(b) - phi(a)) for k in (1, 2)
    )
    assert law.mean == pytest.approx(first, rel=1e-12)
    assert law.sd == pytest.approx(math.sqrt(second - first**2), rel=1e-12)


def test_beta_and_triangular_by_integration() -> None:
    for base, density in (
        (Beta(6.0, 9.0), scipy.stats.beta(6, 9).pdf),
        (Triangular(0.0, 0.4, 1.0), scipy.stats.triang(0.4).pdf),
    ):
        law = truncate(base, 0.25, 0.7)
        x, step = np.linspace(0.25, 0.7, 90_001, retstep=True)
        x = x[:-1] + step / 2
        weight = density(x) / density(x).sum()
        assert law.mean == pytest.approx(weight @ x, rel=1e-8)
        assert law.sd == pytest.approx(math.sqrt(weight @ (x - weight @ x) ** 2), rel=1e-8)
        assert law.support == (0.25, 0.7)


def test_counts_keep_their_bounds() -> None:
    law = truncate(Poisson(4.0), 2, 6)
    k = np.arange(2, 7)
    weight = scipy.stats.poisson.pmf(k, 4) / scipy.stats.poisson.pmf(k, 4).sum()
    assert law.mean == pytest.approx(weight @ k, rel=1e-12)
    assert law.sd == pytest.approx(math.sqrt(weight @ (k - weight @ k) ** 2), rel=1e-12)
    np.testing.assert_allclose(law.cdf(k), np.cumsum(weight), rtol=1e-12)
    np.testing.assert_array_equal(law.ppf(np.cumsum(weight) - 1e-9), k)
    np.testing.assert_allclose(law.partial_mean(k), np.cumsum(weight * k), rtol=1e-12)


def test_simplest_form() -> None:
    assert truncate(Uniform(0.0, 4.0), 1, 9) == Uniform(1.0, 4.0)
    assert truncate(Bernoulli(0.3), 0.5, 2) == Discrete(np.array([1.0]), np.array([1.0]))
    law = truncate(Mixture((0.5, 0.3, 0.2), (Uniform(0.0, 4.0), Constant(2.0), Constant(9.0))), 1, 3)
    assert law == Mixture((0.25, 0.3), (Uniform(1.0, 3.0), Constant(2.0)))


def test_an_interval_without_probability_is_refused() -> None:
    with pytest.raises(BadSpec) as refused:
        truncate(Normal(0.0, 1.0), 6, math.inf)
    assert refused.value.path == ("min",)
    assert "-1.64485 and 1.64485" in refused.value.expected
    with pytest.raises(BadSpec):
        truncate(Normal(0.0, 1.0), 2, 1)


def test_a_value_at_a_bound_is_kept() -> None:
    law = truncate(Discrete(np.array([1.0, 2.0, 3.0]), np.array([0.2, 0.3, 0.5])), 2.0, 3.0)
    np.testing.assert_allclose(law.atoms(), [2.0, 3.0])
    assert law.mean == pytest.approx((2 * 0.3 + 3 * 0.5) / 0.8)


def test_both_tails_keep_their_digits() -> None:
    """Near an end the probability beyond is a difference of small numbers, not of numbers next to 1."""
    low, high = 2.0, 9.0
    law, base = truncate(Normal(0.0, 1.0), low, high), scipy.stats.norm
    x = np.array([2.0 + 1e-9, 8.9, 8.999999])
    mass = base.sf(low) - base.sf(high)
    np.testing.assert_allclose(law.sf(x), (base.sf(x) - base.sf(high)) / mass, rtol=1e-6)
    mirrored = truncate(Normal(0.0, 1.0), -high, -low)
    np.testing.assert_allclose(mirrored.cdf(-x), law.sf(x), rtol=1e-7)  # -8.999999 is not 9 less 1e-6 exactly
