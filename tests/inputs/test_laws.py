"""Every continuous family against mpmath's arithmetic and scipy.stats; catches a lost tail and a wrong moment."""

import math
import pickle

import mpmath
import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from simulator.inputs import Beta, Distribution, Gamma, LogNormal, Normal, Pert, StudentT, Triangular, Uniform

PAIRS = [
    (Normal(150.0, 25.0), scipy.stats.norm(150, 25)),
    (LogNormal(2.0, 0.75), scipy.stats.lognorm(0.75, scale=2)),
    (Gamma(2.3, 0.3), scipy.stats.gamma(2.3, scale=0.3)),
    (Gamma(0.31, 5.0), scipy.stats.gamma(0.31, scale=5)),
    (Beta(6.0, 9.0), scipy.stats.beta(6, 9)),
    (Beta(0.4, 3.0), scipy.stats.beta(0.4, 3)),
    (Pert(0.2, 0.4, 0.55), scipy.stats.beta(1 + 4 * 0.2 / 0.35, 1 + 4 * 0.15 / 0.35, 0.2, 0.35)),
    (Pert(1.0, 1.0, 3.0, 2.0), scipy.stats.beta(1, 3, 1, 2)),
    (Triangular(20.0, 40.0, 160.0), scipy.stats.triang(20 / 140, 20, 140)),
    (Triangular(0.0, 0.0, 1.0), scipy.stats.triang(0, 0, 1)),
    (Triangular(0.0, 1.0, 1.0), scipy.stats.triang(1, 0, 1)),
    (Uniform(-2.0, 5.0), scipy.stats.uniform(-2, 7)),
    (StudentT(3.5, 1.0, 2.0), scipy.stats.t(3.5, 1, 2)),
]
TAILS = np.array([1e-12, 1e-9, 1e-4, 0.01, 0.3, 0.5])


@pytest.mark.parametrize(("law", "other"), PAIRS, ids=[repr(law) for law, _ in PAIRS])
def test_moments_and_functions(law: Distribution, other) -> None:
    x = other.ppf(np.array([0.001, 0.2, 0.5, 0.7, 0.999]))
    assert (law.mean, law.sd) == pytest.approx((other.mean(), other.std()), rel=1e-12)
    assert law.support == pytest.approx(other.support())
    np.testing.assert_allclose(law.cdf(x), other.cdf(x), rtol=1e-11)
    np.testing.assert_allclose(law.sf(x), other.sf(x), rtol=1e-11)
    np.testing.assert_allclose(law.ppf(np.array([0.001, 0.2, 0.5, 0.7, 0.999])), x, rtol=1e-10)
    assert not law.discrete


@pytest.mark.parametrize("law", [law for law, _ in PAIRS], ids=repr)
def test_both_tails_invert(law: Distribution) -> None:
    for inverse, tail, sign in ((law.lower, law.cdf, 1), (law.upper, law.sf, -1)):
        x = inverse(TAILS)
        slack = sign * (1e-9 * np.abs(x) + 1e-300)
        assert (tail(x - slack) <= TAILS).all()
        assert (tail(x + slack) >= TAILS).all()
    z = np.array([-3.0, -0.5, 0.5, 3.0])
    np.testing.assert_allclose(law.score(law.at_score(z)), z, rtol=1e-9)
    np.testing.assert_allclose(law.ppf(scipy.stats.norm.cdf(z)), law.at_score(z), rtol=1e-9)
    high = law.at_score(np.array([7.0]))  # there the value itself may be within a rounding of the upper end
    assert high <= law.support[1]
    assert law.at_score(np.array([6.9])) <= high


@pytest.mark.parametrize(("law", "other"), PAIRS, ids=[repr(law) for law, _ in PAIRS])
def test_partial_mean(law: Distribution, other) -> None:
    start = other.ppf(1e-13)
    for x in other.ppf([0.01, 0.4, 0.9]):
        by_integration = quad(lambda t: t * other.pdf(t), start, x, epsrel=1e-10)[0]
        assert law.partial_mean(np.array(x)) == pytest.approx(by_integration, abs=1e-8 * law.sd)
    assert law.partial_mean(np.array(math.inf)) == pytest.approx(law.mean)
    assert law.partial_mean(np.array(-math.inf)) == pytest.approx(0, abs=1e-12)


def beta_cdf(a: float, b: float, x: float) -> mpmath.mpf:
    return mpmath.betainc(a, b, 0, x, regularized=True)


@pytest.mark.parametrize(("a", "b"), [(0.3, 4), (6, 9), (22, 30), (400, 300), (1.2, 90)])
def test_beta_quantiles_to_1e_9(a: float, b: float) -> None:
    for u in TAILS:
        for tail, inverse in ((beta_cdf, Beta(a, b).lower), (lambda a, b, x: 1 - beta_cdf(a, b, x), Beta(a, b).upper)):
            with mpmath.workdps(40):
                x = mpmath.mpf(float(inverse(u)))
                density = x ** (a - 1) * (1 - x) ** (b - 1) / mpmath.beta(a, b)
                assert abs((tail(a, b, x) - u) / density) < 1e-9 * x


@pytest.mark.parametrize("shape", [0.3, 1.8, 3.24, 60.0])
def test_gamma_quantiles_to_1e_9(shape: float) -> None:
    for u in TAILS:
        for bounds, inverse in (((0, None), Gamma(shape, 1.0).lower), ((None, mpmath.inf), Gamma(shape, 1.0).upper)):
            with mpmath.workdps(40):
                x = mpmath.mpf(float(inverse(u)))
                low, high = (x if end is None else end for end in bounds)
                tail = mpmath.gammainc(shape, low, high, regularized=True)
                density = mpmath.exp((shape - 1) * mpmath.log(x) - x - mpmath.loggamma(shape))
                assert abs((tail - u) / density) < 1e-9 * x


@pytest.mark.parametrize("df", [2.1, 5.0, 40.0, 1e4])
def test_student_t_quantiles_to_1e_9(df: float) -> None:
    for u in TAILS[:-1]:
        t = float(StudentT(df, 0.0, 1.0).lower(u))
        with mpmath.workdps(40):
            tail = beta_cdf(mpmath.mpf(df) / 2, 0.5, df / (df + mpmath.mpf(t) ** 2)) / 2
            density = (1 + mpmath.mpf(t) ** 2 / df) ** (-(mpmath.mpf(df) + 1) / 2)
            density /= mpmath.sqrt(df) * mpmath.beta(mpmath.mpf(df) / 2, 0.5)
            assert abs((tail - u) / density) < 1e-9 * abs(t)
        assert float(StudentT(df, 0.0, 1.0).upper(u)) == -t


def test_outside_the_support() -> None:
    x = np.array([-1.0, 0.0, 1.0, 2.0])
    for law in (Beta(2.0, 3.0), Pert(0.0, 0.5, 1.0), Triangular(0.0, 0.5, 1.0), Uniform(0.0, 1.0)):
        np.testing.assert_array_equal(law.score(x), [-np.inf, -np.inf, np.inf, np.inf])
        np.testing.assert_allclose(law.partial_mean(x), [0, 0, law.mean, law.mean])
    for law in (Gamma(2.0, 3.0), LogNormal(1.0, 1.0)):
        np.testing.assert_array_equal(law.score(np.array([-1.0, 0.0, np.inf])), [-np.inf, -np.inf, np.inf])


@given(st.sampled_from([law for law, _ in PAIRS]), st.floats(-8, 8), st.floats(0, 4))
def test_quantiles_rise(law: Distribution, z: float, step: float) -> None:
    low, high = law.at_score(np.array([z, z + step]))
    assert low <= high or high == pytest.approx(low, rel=1e-12)


def test_laws_are_values() -> None:
    law = Pert(0.2, 0.4, 0.55)
    assert pickle.loads(pickle.dumps(law)) == law
    assert hash(law) == hash(Pert(0.2, 0.4, 0.55))
    assert law.stated == ()
    assert law.residuals.size == 0
