"""The rule for stopping, held to the conjugate models of `voi`, which the array library solves by other means."""

import numpy as np
import pytest
from scipy.special import betaincinv, gammaincinv, ndtri

from simulator.decision import voi
from simulator.decision.beliefs import Belief, belief
from simulator.decision.stopping import RUN, decision_at, optimal
from simulator.decision.voi import exact

U = (np.arange(2**14) + 0.5) / 2**14


def lognormal(discrepancy: float = 0.1) -> tuple[Belief, exact.LogNormal]:
    x = np.exp(-0.045 + 0.3 * ndtri(U))
    gains = np.stack([np.zeros_like(x), 1e5 * (x - 1.05)], axis=1)
    return belief("runs", x, gains, 0.25, discrepancy, 1.0), exact.LogNormal(1.0, 0.3, 0.25, discrepancy)


def test_lognormal_runs() -> None:
    known, model = lognormal()
    got = optimal(known, cost=300, setup=500, most=8)
    truth = voi.optimal_stopping(model, [0, -1.05e5], [0, 1e5], cost=300, setup=500, most=8)
    assert got.net == pytest.approx(truth.net, rel=2e-3)
    assert got.expected_runs == pytest.approx(truth.expected_runs, rel=0.02)
    assert got.best_fixed[0] == truth.fixed_runs
    assert got.best_fixed[1] == pytest.approx(truth.fixed_net, rel=2e-3)


def test_the_table_of_means_is_that_of_the_posterior() -> None:
    known, model = lognormal()
    look = optimal(known, cost=300, setup=500, most=8).looks[1]
    truth = voi.optimal_stopping(model, [0, -1.05e5], [0, 1e5], cost=300, setup=500, most=8).stages[2]
    assert [each.choice for each in look.regions] == [each.choice for each in truth.regions] == [0, RUN, 1]
    for got, known_region in zip(look.regions[:-1], truth.regions[:-1], strict=True):
        assert got.high == pytest.approx(model.data_mean(known_region.high, 2), rel=0.01)


def test_threshold_after_a_fixed_number_of_runs() -> None:
    known, model = lognormal()
    stay, switch = decision_at(known, 4)
    assert (stay.choice, switch.choice) == (0, 1)
    assert stay.high == switch.low == pytest.approx(model.data_mean(1.05, 4), rel=2e-3)


@pytest.mark.parametrize(
    ("cost", "net"), [(0.1, 109339 / 27300), (0.3, 69043 / 23100), (0.5, 11377 / 5005)], ids=["0.1", "0.3", "0.5"]
)
def test_trials(cost: float, net: float) -> None:
    """p ~ Beta(3, 2), 100 p - 55, at most 10 trials: exact rationals."""
    p = betaincinv(3, 2, U)
    known = belief("trials", p, np.stack([0 * p, 100 * p - 55], axis=1), 0.0, 0.0, 1.0)
    assert optimal(known, cost, 0.0, 10).net == pytest.approx(net, abs=0.001)


def test_counts() -> None:
    rate = gammaincinv(2, U) / 4
    known = belief("counts", rate, np.stack([0 * rate, 30 - 50 * rate], axis=1), 0.0, 0.0, 1.0)
    got = optimal(known, cost=0.2, setup=0.3, most=12)
    truth = voi.optimal_stopping(exact.GammaPoisson(2, 4), [0, 30], [0, -50], cost=0.2, setup=0.3, most=12)
    assert got.net == pytest.approx(truth.net, abs=0.005)
    assert got.best_fixed[1] == pytest.approx(truth.fixed_net, abs=0.005)
    regions = {each.choice: (each.low, each.high) for each in got.looks[0].regions}
    theirs = {each.choice: (each.low, each.high) for each in truth.stages[1].regions}
    assert regions[RUN][0] == theirs[RUN][0]


def test_it_stops_to_look_where_counts_are_not_told_apart() -> None:
    """Rates of 100 to 300 a run: after three runs some lie beyond the last state, and little is left to learn."""
    rate = 100 + 200 * U
    known = belief("counts", rate, np.stack([0 * rate, rate - 210], axis=1), 0.0, 0.0, 1.0)
    got = optimal(known, cost=1e-3, setup=0.0, most=8)
    perfect = float(np.maximum(rate - 210, 0).mean())
    assert 0.97 * perfect < got.net < perfect
    assert len(got.fixed) == 2
    assert [each.choice for each in decision_at(known, 8)] == [0, 1]


def test_where_no_run_pays_none_is_made() -> None:
    known, _ = lognormal()
    got = optimal(known, cost=1e6, setup=0, most=3)
    assert (got.net, got.expected_runs, got.looks) == (0, 0, ())
    assert got.best_fixed == (0, 0.0)


def test_noise_free_runs_need_no_second_look() -> None:
    x = np.exp(0.3 * ndtri(U))
    known = belief("runs", x, np.stack([0 * x, x - 1.1], axis=1), 0.0, 0.0, 1.0)
    got = optimal(known, cost=1e-4, setup=0, most=3)
    assert got.expected_runs == pytest.approx(1, abs=0.05)
    assert got.net + 1e-4 == pytest.approx(float(np.maximum(x - 1.1, 0).mean()), rel=0.01)
