"""Closed-form posteriors, and brute force for priors of any family.

Would catch: a wrong exposure unit, a discrepancy squared or dropped, a prior replaced by a convenient one, atoms lost.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from simulator.calibration.discrepancy import Discrepancy
from simulator.calibration.facts import runs_model
from simulator.calibration.models import Counts, Durations, Effort, Means, Shares
from simulator.calibration.models.means import of_moments, of_values
from simulator.inputs import Beta, Discrete, Distribution, Gamma, LogNormal, Mixture, NegativeBinomial, Normal, truncate

from .cases import posterior

ADDITIVE = Discrepancy(0.0, "additive")


@pytest.mark.parametrize(("events", "exposure"), [(0, 0.1), (3, 5.0), (40, 8.0)])
def test_gamma_poisson(events: int, exposure: float) -> None:
    got = posterior(Gamma(2.0, 0.25), Counts((events,), (exposure,)))

    exact = stats.gamma(2 + events, scale=1 / (4 + exposure))
    assert (got.mean, got.sd) == pytest.approx((exact.mean(), exact.std()), rel=1e-3)
    assert got.ppf(np.array([0.05, 0.95])) == pytest.approx(exact.ppf([0.05, 0.95]), rel=2e-3)


@pytest.mark.parametrize(("successes", "trials"), [(0, 5), (3, 20), (90, 100)])
def test_beta_binomial(successes: int, trials: int) -> None:
    got = posterior(Beta(2.0, 8.0), Shares(successes, trials))

    exact = stats.beta(2 + successes, 8 + trials - successes)
    assert (got.mean, got.sd) == pytest.approx((exact.mean(), exact.std()), rel=1e-3)


def test_normal_with_known_sd_and_a_discrepancy() -> None:
    model = Means((3.0,), (4.0,), scale="natural", noise=1.5, known=True)

    got = posterior(Normal(1.0, 2.0), model, Discrepancy(0.4, "additive"))

    data = 1.5**2 / 4 + 0.4**2  # the discrepancy adds to the noise of the mean, once
    precision = 1 / 4 + 1 / data
    assert got.mean == pytest.approx((1 / 4 + 3 / data) / precision, rel=1e-3)
    assert got.sd == pytest.approx(precision**-0.5, rel=1e-3)


def test_normal_gamma_of_unknown_noise() -> None:
    """m0 = 0.3, kappa0 = 2, alpha0 = 3, beta0 = 6: the prior as pseudo-data under flat priors, three data more."""
    m0, kappa, alpha, beta = 0.3, 2.0, 3.0, 6.0
    x = np.array([1.2, 0.1, 2.0])
    squares = float(np.sum((x - x.mean()) ** 2))
    model = Means(
        (m0, float(x.mean())), (kappa, 3.0), 2 * beta + squares, 2 * alpha + 1 + 2, scale="natural", noise=1e3
    )

    got = posterior(Normal(0.0, 50.0), model, ADDITIVE)

    kappa_n, alpha_n = kappa + 3, alpha + 1.5
    beta_n = beta + squares / 2 + kappa * 3 * (x.mean() - m0) ** 2 / (2 * kappa_n)
    assert got.mean == pytest.approx((kappa * m0 + x.sum()) / kappa_n, rel=0.01)
    assert got.sd == pytest.approx(math.sqrt(beta_n / (alpha_n - 1) / kappa_n), rel=0.01)


PRIORS: dict[str, Distribution] = {
    "mixture": Mixture((0.7, 0.3), (LogNormal(1.0, 0.4), LogNormal(5.0, 0.3))),
    "truncated": truncate(LogNormal(1.14, 0.93), 0.5, 4.0),
    "counts": NegativeBinomial(6.0, 2.0),
    "values": Discrete(np.array([0.5, 1.0, 4.0]), np.array([0.2, 0.5, 0.3])),
}


@pytest.mark.parametrize("name", PRIORS)
def test_any_prior_is_used_as_declared(name: str) -> None:
    """Against weights on two million draws of the prior itself."""
    law, model = PRIORS[name], Counts((4,), (1.5,))
    draws = law.ppf((np.arange(2_000_000) + 0.5) / 2_000_000)
    weight = stats.poisson(1.5 * draws).pmf(4)
    mean = np.average(draws, weights=weight)

    got = posterior(law, model)

    assert got.mean == pytest.approx(mean, rel=6e-3)
    assert got.sd == pytest.approx(math.sqrt(np.average((draws - mean) ** 2, weights=weight)), rel=6e-3)
    assert got.support == law.support


def test_zero_faults_in_100_hours_barely_move_the_prior() -> None:
    law = LogNormal(1.14, 0.93)

    got = posterior(law, Counts((0,), (0.1,)), Discrepancy(0.5))

    assert got.ppf(np.array([0.5]))[0] == pytest.approx(law.median, rel=0.15)
    assert got.sd > 0.7 * law.sd


def test_one_long_run_leaves_three_per_cent_of_throughput() -> None:
    """5,000 steps of one node with 2 % noise: 0.03 % by their own noise, at least 3 % for production."""
    one_run = runs_model([(math.log(0.31), 5000 / 20, 0.02)])

    got = posterior(Beta(6.0, 9.0), one_run, Discrepancy(0.05))

    assert got.sd / got.mean > 0.03
    without = posterior(Beta(6.0, 9.0), one_run, Discrepancy(0.0))
    assert without.sd / without.mean > 0.03  # one run does not tell how runs differ


def test_more_runs_tell_more() -> None:
    spreads = [
        posterior(
            Beta(6.0, 9.0), of_values(np.full(n, 0.31) * np.exp(0.02 * np.linspace(-1, 1, n)), "log", 0.08, 0.3)
        ).sd
        for n in (2, 4, 16)
    ]
    assert spreads == sorted(spreads, reverse=True)


def test_a_compilation_cut_off_is_no_short_one() -> None:
    law, values = LogNormal(32.0, 0.6), (20.0, 25.0, 31.0, 10.0)

    def mean(cut: bool, values: tuple[float, ...]) -> float:
        count = len(values)
        model = Durations(values, (False,) * 3 + (cut,) * (count - 3), (1.0,) * count)
        return posterior(law, model).mean

    assert mean(False, values) < mean(True, values)  # seen for 10 minutes: at least 10
    assert mean(True, values) == pytest.approx(mean(True, values[:3]), rel=0.05)  # which says next to nothing
    assert mean(True, (*values[:3], 60.0)) > 1.15 * mean(True, values)  # while 60 minutes and going does


def test_engineer_hours_are_never_below_what_is_spent() -> None:
    got = posterior(LogNormal(240.0, 0.75), Effort(300.0, 0.5), Discrepancy(0.2, "log", 300.0))
    low, middle = got.ppf(np.array([1e-4, 0.5]))

    assert low > 300
    assert 550 < middle < 700  # 600 by the team's own word, 690 with the planning fallacy, less by the prior

    unknown = posterior(LogNormal(240.0, 0.75), Effort(300.0), Discrepancy(0.2, "log", 300.0))
    assert unknown.ppf(np.array([1e-6]))[0] >= 299.9


def test_mean_and_sd_say_what_the_values_say() -> None:
    values = np.array([30.0, 34.0, 38.0, 33.0])
    by_values = posterior(LogNormal(40.0, 0.3), of_values(values, "log", 0.0, 0.3))
    moments = of_moments(float(values.mean()), float(values.std(ddof=1)), 4, "log", 0.3)

    got = posterior(LogNormal(40.0, 0.3), moments)

    assert got.mean == pytest.approx(by_values.mean, rel=0.01)
    assert got.sd == pytest.approx(by_values.sd, rel=0.1)
