"""Likelihoods of what a PoC run shows: laws that add up, discrepancies that cap, defaults that agree with evidence."""

import numpy as np
import pytest
from scipy.special import gammaincinv, ndtri

from simulator.calibration import discrepancy
from simulator.decision import voi
from simulator.decision.measure import WAYS, Joint, Shifted
from tests.decision.problems import unl

U = (np.arange(2**13) + 0.5) / 2**13
GAMMA = gammaincinv(2, U) / 4  # voi-problem: rate ~ Gamma(2, 4), INB = 30 - 50 rate


@pytest.mark.parametrize("key", sorted(WAYS))
def test_discrepancies_are_those_with_which_evidence_is_read(key: str) -> None:
    if key in discrepancy.DEFAULTS:
        assert WAYS[key].discrepancy == discrepancy.default(key)
    else:
        assert WAYS[key].discrepancy == discrepancy.OTHERWISE[0]


@pytest.mark.parametrize("odds", [False, True])
def test_chances_add_up(odds: bool) -> None:
    x = np.linspace(0.05, 0.95, 7)
    law = Shifted(voi.Binomial() if odds else voi.Poisson(3.0), 0.5, odds)
    (chances,) = law.chances((x,), 4, 200)
    assert chances.sum(axis=1) == pytest.approx(1)
    assert np.all(chances >= 0)


def test_without_discrepancy_it_is_the_count_itself() -> None:
    benefits = np.stack([np.zeros_like(GAMMA), 30 - 50 * GAMMA], axis=1)
    plain = voi.evsi(benefits, GAMMA, voi.Poisson(1.0), [1, 4])
    same = voi.evsi(benefits, GAMMA, Shifted(voi.Poisson(1.0), 0.0), [1, 4])
    capped = voi.evsi(benefits, GAMMA, Shifted(voi.Poisson(1.0), 0.5), [1, 4, 1000])
    assert [each.value for each in same] == [each.value for each in plain]
    assert plain[0].value == pytest.approx(1.4, rel=0.01)  # negative binomial sum
    assert capped[1].value < plain[1].value  # at one run the counts of a spread-out rate may even tell more
    assert capped[2].value < 0.97 * voi.evppi(benefits, GAMMA).value


def test_discrepancy_of_a_count_by_simulation() -> None:
    """Mean and variance of a count whose rate is x exp(0.5 e): x exp(1/8), that and its square times exp(1/4) - 1."""
    (chances,) = Shifted(voi.Poisson(1.0), 0.5).chances((np.array([2.0]),), 1, 400)
    counts = np.arange(chances.shape[1])
    mean = float(chances[0] @ counts)
    assert mean == pytest.approx(2 * np.exp(1 / 8), rel=1e-4)
    variance = float(chances[0] @ (counts - mean) ** 2)
    assert variance == pytest.approx(mean + mean**2 * (np.exp(1 / 4) - 1), rel=1e-3)


def test_measured_together_is_worth_more_than_alone() -> None:
    """Two independent normals on the log scale, each seen with noise: the sum of the variances learnt."""
    rng = np.random.default_rng(1)
    z = ndtri(rng.permuted(np.tile(U, (2, 1)), axis=1))
    x = np.exp(0.3 * z).T
    inb = np.log(x[:, 0]) - np.log(x[:, 1]) + 0.1
    benefits = np.stack([np.zeros_like(inb), inb], axis=1)
    both = Joint((voi.LogNormal(0.3), voi.LogNormal(0.6)))
    (joint,) = voi.evsi(benefits, x, both, [1])
    learnt = np.sqrt(0.3**4 / (2 * 0.3**2) + 0.3**4 / (0.3**2 + 0.6**2))
    assert joint.value == pytest.approx(unl(0.1, learnt), rel=0.03)


def test_simulated_statistics_follow_the_law() -> None:
    u = np.random.default_rng(2).random((20_000, 2))
    x = np.full((20_000, 1), 2.0)
    shown = Shifted(voi.Poisson(1.0), 0.5).statistic(x, 1, u)
    assert shown.mean() == pytest.approx(2 * np.exp(1 / 8), rel=0.02)
