"""Counts against sums of their probabilities; catches an inverse that is one off."""

import mpmath
import numpy as np
import pytest
import scipy.stats

from simulator.inputs import Distribution, NegativeBinomial, Poisson
from simulator.inputs.counts import Count

COUNTS = [
    (Poisson(0.02), scipy.stats.poisson(0.02)),
    (Poisson(40.0), scipy.stats.poisson(40)),
    (Poisson(2e5), scipy.stats.poisson(2e5)),
    (NegativeBinomial(25.0, 2.0), scipy.stats.nbinom(2, 2 / 27)),
    (NegativeBinomial(3.0, 0.37), scipy.stats.nbinom(0.37, 0.37 / 3.37)),
]
IDS = [repr(law) for law, _ in COUNTS]


@pytest.mark.parametrize(("law", "other"), COUNTS, ids=IDS)
def test_moments_and_cdf(law: Count, other) -> None:
    assert (law.mean, law.sd) == pytest.approx((other.mean(), other.std()), rel=1e-12)
    x = np.array([-1.0, 0.0, 0.5, law.mode, law.mean + law.sd + 0.3, np.inf])
    np.testing.assert_allclose(law.cdf(x), other.cdf(x), rtol=1e-10)
    np.testing.assert_allclose(law.sf(x), other.sf(x), rtol=1e-10)
    assert other.pmf(law.mode) >= (1 - 1e-12) * max(other.pmf(law.mode - 1), other.pmf(law.mode + 1))
    assert law.discrete


@pytest.mark.parametrize(("law", "other"), COUNTS, ids=IDS)
def test_quantiles_are_the_first_count_to_reach(law: Count, other) -> None:
    u = np.array([1e-12, 1e-6, 0.01, 0.3, 0.5])
    k = law.lower(u)
    assert (law.cdf(k) >= u).all()
    assert (law.cdf(k - 1) < u).all()
    k = law.upper(u)
    assert (law.sf(k) <= u).all()
    assert (law.sf(k - 1) > u).all()
    middle = np.linspace(0.001, 0.999, 500)
    np.testing.assert_array_equal(law.ppf(middle), other.ppf(middle))


def test_lower_tail_by_summation() -> None:
    with mpmath.workdps(30):
        p = mpmath.mpf(2) / 27
        term, total = p**2, mpmath.mpf(0)
        for k in range(8):
            total += term
            assert float(NegativeBinomial(25.0, 2.0).cdf(np.array(k))) == pytest.approx(float(total), rel=1e-12)
            term *= (1 - p) * (k + 2) / (k + 1)


@pytest.mark.parametrize(("law", "other"), [pair for pair in COUNTS if pair[0].mean < 1e3], ids=str)
def test_partial_mean(law: Distribution, other) -> None:
    k = np.arange(0, 400.0)
    np.testing.assert_allclose(law.partial_mean(k + 0.2), np.cumsum(k * other.pmf(k)), rtol=1e-10, atol=1e-14)
    assert law.partial_mean(np.array(-0.5)) == 0


def test_atoms_are_those_likely_enough() -> None:
    law = Poisson(40.0)
    np.testing.assert_array_equal(law.atoms(0.01), [k for k in range(200) if scipy.stats.poisson.pmf(k, 40) >= 0.01])
    assert Poisson(1e6).atoms().size == 0
    assert 0 in NegativeBinomial(1e6, 0.1).atoms()


@pytest.mark.parametrize("law", [Poisson(3.0), NegativeBinomial(3.0, 1.5)])
def test_a_level_that_a_count_just_reaches_is_that_count(law: Poisson | NegativeBinomial) -> None:
    k = np.arange(0.0, 9.0)
    np.testing.assert_array_equal(law.lower(law.cdf(k)), k)
    np.testing.assert_array_equal(law.upper(law.sf(k)), k)
