"""Simulation-based calibration (Talts et al., 2018): truth from the prior, data from the model, its rank uniform.

Would catch: a posterior too narrow or too wide, a bias, hidden parameters or a discrepancy that are treated unlike they
arise. Each quantity's model with its own discrepancy. The fast version sees gross errors; the slow one is the claim.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from simulator.calibration.discrepancy import DEFAULTS, Discrepancy
from simulator.calibration.models import Counts, Durations, Effort, Means, Model, Shares
from simulator.calibration.models.means import RECORDED
from simulator.inputs import Beta, Distribution, Gamma, LogNormal

from .cases import posterior

LOG = "log"
QUANTITIES: dict[str, tuple[Distribution, Model, Discrepancy]] = {
    "utilization": (
        Beta(6.0, 9.0),
        Means((0.0, 0.0, 0.0), (40.0, 20.0, 40.0), between=0.08, noise=0.02, known=True),
        Discrepancy(DEFAULTS["utilization"][0]),
    ),
    "compile_minutes": (
        LogNormal(32.0, 0.6),
        Durations((1.0, 1.0, 1.0, 1.0, 25.0), (False, False, False, False, True), (1.0,) * 5),
        Discrepancy(DEFAULTS["compile_minutes"][0]),
    ),
    "recompiles": (Gamma(2.0, 12.5), Counts((0,), (0.5,), 0.6), Discrepancy(DEFAULTS["recompiles"][0])),
    "faults_per_1000h": (LogNormal(1.14, 0.93), Counts((0,), (0.6,)), Discrepancy(DEFAULTS["faults_per_1000h"][0])),
    "hours_lost_per_fault": (
        LogNormal(3.0, 0.8),
        Durations((1.0, 1.0), (False, False), (2.0, 1.0)),
        Discrepancy(DEFAULTS["hours_lost_per_fault"][0]),
    ),
    "engineer_hours": (LogNormal(240.0, 0.75), Effort(1.0, 0.5), Discrepancy(DEFAULTS["engineer_hours"][0])),
    "price": (
        LogNormal(36.0, 0.1),
        Means((0.0,), (1.0,), noise=RECORDED, known=True),
        Discrepancy(DEFAULTS["price"][0]),
    ),
    "blocked": (Beta(2.0, 8.0), Shares(0, 12), Discrepancy(DEFAULTS["blocked"][0], "log_odds")),
}


def rank(name: str, rng: np.random.Generator) -> float:
    """Posterior probability below a truth that was drawn from the prior; uniform if all is right."""
    law, model, discrepancy = QUANTITIES[name]
    truth = float(law.ppf(np.asarray(rng.random())))
    if isinstance(model, Effort):  # how much is spent is known: some share of a migration of unknown length
        model = replace(model, spent=float(rng.uniform(20, 60)))
        truth = model.spent + float(law.ppf(np.asarray(rng.random())))
        law, discrepancy = _beyond(law, model.spent), replace(discrepancy, offset=model.spent)
    hidden = {key: abs(rng.normal(0, scale)) for key, scale in model.hidden.items()}
    poc = float(discrepancy.poc(truth, rng.standard_normal()))
    got = posterior(law, model.simulate(poc, hidden, rng), discrepancy)
    return float(got.cdf(np.asarray(truth)))


def _beyond(law: Distribution, spent: float) -> Distribution:
    """The law of spent + X, by a fine list of its quantiles: a prior that is never below what is spent."""
    from simulator.inputs import Metalog

    stated = tuple((p, spent + float(law.ppf(np.asarray(p)))) for p in (0.05, 0.5, 0.95))
    return Metalog.through(stated, low=spent)


def check(name: str, simulations: int, seed: int, least: float) -> None:
    rng = np.random.default_rng(seed)

    ranks = np.array([rank(name, rng) for _ in range(simulations)])

    counts = np.histogram(ranks, bins=10, range=(0, 1))[0]
    assert stats.chisquare(counts).pvalue > least
    inside = np.mean((ranks > 0.05) & (ranks < 0.95))
    print(f"SBC {name}: chi-square p {stats.chisquare(counts).pvalue:.3f}, 90 % intervals hold {inside:.1%}")
    assert 0.86 - 2 * (simulations < 200) * 0.07 <= inside <= 0.94 + 2 * (simulations < 200) * 0.03


@pytest.mark.parametrize("name", QUANTITIES)
def test_ranks_are_uniform(name: str) -> None:
    check(name, 30, 5, 1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUANTITIES)
def test_ranks_are_uniform_in_200_simulations(name: str) -> None:
    check(name, 200, 1, 0.01)
