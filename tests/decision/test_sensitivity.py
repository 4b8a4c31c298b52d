"""Sobol' indices and Shapley effects where they are known."""

import math

import numpy as np
import pytest
from scipy import stats

from simulator.decision import sensitivity


def halves(inputs: int, draws: int, replicates: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    nets = [
        stats.qmc.Sobol(2 * inputs, rng=np.random.default_rng([seed, r])).random(draws // replicates)
        for r in range(replicates)
    ]
    whole = np.concatenate(nets)
    return whole[:, :inputs], whole[:, inputs:]


def test_ishigami() -> None:
    """sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1 on (-pi, pi)^3."""
    a, b = (math.pi * (2 * u - 1) for u in halves(3, 2**14, 16))
    got = sensitivity.sobol_indices(
        lambda x: np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0]), a, b, replicates=16
    )
    variance = 49 / 8 + 0.1 * math.pi**4 / 5 + 0.01 * math.pi**8 / 18 + 0.5
    first = np.array([0.5 * (1 + 0.1 * math.pi**4 / 5) ** 2, 49 / 8, 0]) / variance
    total = first + np.array([1, 0, 1]) * 0.01 * math.pi**8 * (1 / 18 - 1 / 50) / variance
    assert got.variance == pytest.approx(variance, rel=0.01)
    assert np.all(np.abs(got.first - first) < 4.5 * got.first_se)  # t with 15 degrees of freedom: 1 in 2,000
    assert np.all(np.abs(got.total - total) < 4.5 * got.total_se)
    assert np.all(got.first_se < 0.01)
    assert np.all(got.total_se < 0.01)


def test_g_function_of_independent_draws() -> None:
    weights = np.array([0.0, 1, 4.5, 9, 99])
    rng = np.random.default_rng(2)
    a, b = rng.random((2, 40_000, 5))
    got = sensitivity.sobol_indices(lambda x: np.prod((np.abs(4 * x - 2) + weights) / (1 + weights), axis=1), a, b)
    parts = 1 / (3 * (1 + weights) ** 2)
    variance = np.prod(1 + parts) - 1
    assert np.all(np.abs(got.first - parts / variance) < 5 * got.first_se)
    total = parts * np.prod(1 + parts) / (1 + parts) / variance
    assert np.all(np.abs(got.total - total) < 5 * got.total_se)


def test_shapley_of_independent_inputs_are_the_sobol_indices() -> None:
    got = sensitivity.shapley_effects([1, 2, 0], np.diag([1.0, 0.25, 9]))
    assert got == pytest.approx([0.5, 0.5, 0])


def test_shapley_of_two_correlated_inputs() -> None:
    """Owen & Prieur (2017), section 3: b1^2 s1^2 (1 - rho^2 / 2) + rho b1 b2 s1 s2 + b2^2 s2^2 rho^2 / 2."""
    b1, b2, s1, s2, rho = 1.0, -2.0, 1.5, 0.7, 0.6
    sigma = np.array([[s1**2, rho * s1 * s2], [rho * s1 * s2, s2**2]])
    own, other, both = (b1 * s1) ** 2, (b2 * s2) ** 2, rho * b1 * b2 * s1 * s2
    variance = own + other + 2 * both
    known = (own * (1 - rho**2 / 2) + both + other * rho**2 / 2) / variance
    assert sensitivity.shapley_effects([b1, b2], sigma) == pytest.approx([known, 1 - known])


def test_random_orders_agree_with_all_subsets() -> None:
    rng = np.random.default_rng(3)
    root = rng.standard_normal((9, 9))
    beta, sigma = rng.standard_normal(9), root @ root.T
    exact = sensitivity.shapley_effects(beta, sigma)
    assert exact.sum() == pytest.approx(1)
    sampled = sensitivity._over_orders(beta, sigma, seed=1) / (beta @ sigma @ beta)
    assert sampled.sum() == pytest.approx(1)
    assert sampled == pytest.approx(exact, abs=0.02)


def test_bad_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected \(2, 2\)"):
        sensitivity.shapley_effects([1, 2], np.eye(3))
