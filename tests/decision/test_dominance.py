"""Stochastic dominance between normals, where it is known."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtri

from simulator.decision import dominance


def normals(seed: int, count: int = 2**14, replicates: int = 16) -> tuple[np.ndarray, np.ndarray]:
    nets = [
        stats.qmc.Sobol(2, rng=np.random.default_rng([seed, r])).random(count // replicates) for r in range(replicates)
    ]
    return tuple(ndtri(np.concatenate(nets)).T)


def test_shifted_up_dominates() -> None:
    a, b = normals(1)
    first = dominance.first_order(0.3 + a, b, replicates=16)
    assert first.verdict == "dominates"
    assert first.violation == 0
    assert first.best == pytest.approx(0.3, abs=0.1)
    assert dominance.first_order(b, 0.3 + a, replicates=16).verdict == "does not"
    second = dominance.second_order(0.3 + a, b, replicates=16)
    assert second.verdict == "dominates"
    assert second.best == pytest.approx(0.3, abs=0.01)  # the lead of the mean


def test_less_spread_dominates_at_second_order_alone() -> None:
    a, b = normals(2)
    assert dominance.first_order(0.05 + a, 1.5 * b, replicates=16).verdict == "does not"
    assert dominance.second_order(0.05 + a, 1.5 * b, replicates=16).verdict == "dominates"
    assert dominance.second_order(1.5 * b, 0.05 + a, replicates=16).verdict == "does not"
    assert dominance.first_order(a, 1.5 * b, replicates=16).violation == pytest.approx(0.5, abs=0.01)


def test_the_error_is_the_jackknife_of_the_replicates() -> None:
    """A lead of 1 in one replicate and of 3 in the other: half of their difference."""
    b = np.tile(np.linspace(0, 100, 50), 2)
    a = b + np.repeat([1.0, 3.0], 50)
    assert dominance.first_order(a, b, replicates=2).worst_se == pytest.approx(1.0)


def test_equal_laws_are_not_told_apart() -> None:
    verdicts = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        a, b = rng.standard_normal((2, 2000))
        verdicts += [dominance.first_order(a, b).verdict, dominance.second_order(a, b).verdict]
    assert set(verdicts) <= {"undecided", "does not"}
    assert verdicts.count("does not") <= 8  # 5 % of them wrong at most, over all levels
    assert dominance.first_order(a, a).verdict == "equal"


def test_error_of_the_violation_is_its_spread() -> None:
    got = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        a, b = rng.standard_normal((2, 4000))
        got.append(dominance.first_order(0.2 + a, 1.2 * b))
    assert np.std([d.violation for d in got]) == pytest.approx(np.mean([d.violation_se for d in got]), rel=0.4)


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        dominance.first_order([1.0, np.nan], [1.0, 2.0])
    with pytest.raises(ValueError, match="replicates is 3"):
        dominance.first_order(np.ones(10), np.ones(10), replicates=3)
