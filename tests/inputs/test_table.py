"""The fast inverse against the exact one; catches a kink, a gap or a tail that the table smooths over."""

import numpy as np
import pytest

from simulator.inputs import (
    Bernoulli,
    Beta,
    Constant,
    Distribution,
    Gamma,
    LogNormal,
    Metalog,
    Mixture,
    NegativeBinomial,
    Normal,
    Pert,
    Poisson,
    StudentT,
    Triangular,
    Uniform,
    tabulated,
    truncate,
)

CONTINUOUS = [
    Beta(6.0, 9.0),
    Beta(0.3, 0.3),
    Pert(0.2, 0.4, 0.55),
    Gamma(3.2, 0.2),
    Gamma(0.31, 5.0),
    StudentT(2.5, 0.0, 1.0),
    truncate(Normal(150.0, 25.0), 80, 260),
    truncate(LogNormal(1.0, 1.0), 2, 3),
    truncate(Triangular(20.0, 40.0, 160.0), 30, 100),
    Metalog.through(((0.05, 12.0), (0.5, 32.0), (0.95, 86.0)), 0.0),
    Metalog.through(((0.05, 12.0), (0.5, 32.0), (0.95, 86.0)), 0.0, 100.0),
    Mixture((0.6, 0.4), (Uniform(0.2, 0.6), Constant(1.0))),
    Mixture((0.3, 0.4, 0.3), (Uniform(0.2, 0.6), Constant(0.4), Normal(0.0, 1.0))),
    Mixture((0.5, 0.5), (Uniform(0.0, 1.0), Uniform(3.0, 4.0))),
]
DISCRETE = [
    Poisson(0.02),
    Poisson(40.0),
    Poisson(1e6),
    NegativeBinomial(25.0, 2.0),
    truncate(NegativeBinomial(25.0, 2.0), 1, 60),
    Mixture((0.5, 0.5), (Poisson(3.0), Constant(7.5))),
    Mixture((0.5, 0.5), (Constant(3.0), Bernoulli(1e-4))),
]


@pytest.mark.parametrize("law", CONTINUOUS, ids=repr)
def test_curves_are_within_1e_9_sd(law: Distribution) -> None:
    z = np.concatenate([np.random.default_rng(5).uniform(-7.5, 7.5, 6000), [-np.inf, np.inf]])
    fast = tabulated(law)
    np.testing.assert_allclose(fast.at_score(z), law.at_score(z), atol=1e-9 * law.sd, rtol=0)
    assert (fast.mean, fast.sd, fast.support) == (law.mean, law.sd, law.support)


@pytest.mark.parametrize("law", CONTINUOUS, ids=repr)
def test_cdf_and_partial_mean_of_curves(law: Distribution) -> None:
    inner = law.at_score(np.random.default_rng(6).uniform(-7, 7, 400))
    x = np.concatenate([inner, [-np.inf, law.support[0], law.support[1], np.inf, *law.kinks]])
    fast = tabulated(law)
    np.testing.assert_allclose(fast.cdf(x), law.cdf(x), atol=1e-8, rtol=0)
    np.testing.assert_allclose(fast.sf(x), law.sf(x), atol=1e-8, rtol=0)
    np.testing.assert_allclose(fast.partial_mean(x), law.partial_mean(x), atol=1e-8 * (abs(law.mean) + law.sd), rtol=0)
    z = np.linspace(-4, 4, 33)
    if isinstance(law, Metalog):
        np.testing.assert_allclose(fast.score(law.at_score(z)), z, atol=1e-6)


@pytest.mark.parametrize("law", DISCRETE, ids=repr)
def test_steps_are_exact(law: Distribution) -> None:
    z = np.random.default_rng(5).uniform(-7.5, 7.5, 6000)
    np.testing.assert_array_equal(tabulated(law).at_score(z), law.at_score(z))


def test_few_draws_take_the_exact_path() -> None:
    smooth = [tabulated(law) for law in CONTINUOUS[:1] + CONTINUOUS[2:5]]
    assert not any(law.exact.any() for law in smooth)


def test_laws_without_a_table() -> None:
    for law in (LogNormal(1.0, 1.0), Normal(0.0, 1.0), Uniform(0.0, 1.0), Constant(3.0)):
        assert tabulated(law) is law
    endless = Mixture((0.5, 0.5), (Poisson(3.0), Normal(0.0, 1.0)))
    assert tabulated(endless) is endless


def test_any_shape() -> None:
    for law in (Beta(6.0, 9.0), Poisson(3.0)):
        fast = tabulated(law)
        z = np.zeros((2, 3))
        assert fast.at_score(z).shape == (2, 3)
        assert fast.at_score(np.empty(0)).shape == (0,)
        assert fast.at_score(np.float64(0.0)) == pytest.approx(float(law.at_score(np.array(0.0))), abs=1e-9)
