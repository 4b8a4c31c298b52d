"""What these would catch: a count off by one, at small and large means, in either tail."""

import numpy as np
from scipy.stats import poisson

from simulator.sampling import poisson_quantile


def test_quantiles_are_those_of_the_definition() -> None:
    rng = np.random.default_rng(8)
    mean = np.exp(rng.uniform(-6, 9, 20_000))
    u = (rng.integers(0, 2**32, mean.size) + 0.5) / 2**32
    got = poisson_quantile(mean, u)
    assert np.array_equal(got, poisson.ppf(u, mean))


def test_no_expected_faults_is_no_fault() -> None:
    assert np.array_equal(poisson_quantile(np.zeros(3), np.array([1e-10, 0.5, 1 - 1e-10])), np.zeros(3))


def test_extreme_levels_end() -> None:
    u = np.array([2.0**-33, 1 - 2.0**-33])
    for mean in (1e-12, 0.3, 12.0, 63.9, 64.1, 1e6):
        got = poisson_quantile(np.full(2, mean), u)
        assert np.array_equal(got, poisson.ppf(u, mean))
