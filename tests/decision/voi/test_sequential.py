"""Optimal stopping against exact rationals, an independent dynamic programme, and play of the decision table."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from simulator.decision import voi
from simulator.decision.voi import exact

NORMAL = exact.Normal(0.5, 2, 3)


def test_normal() -> None:
    plan = voi.optimal_stopping(NORMAL, [0, 0], [0, 1], cost=0.05, most=20)
    assert plan.net == pytest.approx(0.29370, rel=0.005)
    assert plan.net == pytest.approx(0.2936070, rel=2e-5)  # two other programmes agree on it as their grids grow
    assert plan.fixed_runs == 3
    assert plan.fixed_net == pytest.approx(0.2358311, rel=1e-6)


def test_free_runs_are_all_made() -> None:
    for model in (NORMAL, exact.LogNormal(1.2, 0.4, 0.5), exact.GammaPoisson(2, 4), exact.BetaBinomial(3, 2)):
        lines = [0.0, -model.prior.mean], [0.0, 1.1]
        plan = voi.optimal_stopping(model, *lines, cost=0, most=6)
        assert plan.net == pytest.approx(exact.evsi(model, *lines, 6), rel=1e-4)


def test_one_exact_run_tells_all_and_another_one_nothing() -> None:
    """theta ~ N(0.2, 1): knowing it is worth its unit normal loss, which a run without error buys whole."""
    loss = math.exp(-(0.2**2) / 2) / math.sqrt(2 * math.pi) - 0.2 * 0.5 * math.erfc(0.2 / math.sqrt(2))
    plan = voi.optimal_stopping(exact.Normal(0.2, 1.0, 0.0), [0, 0], [0, 1], cost=0.01, most=3)
    assert plan.net == pytest.approx(loss - 0.01, rel=1e-4)
    assert plan.expected_runs == 1


@pytest.mark.parametrize("model", [exact.Normal(0.2, 0.0, 1.0), exact.LogNormal(0.2, 0.0, 1.0)])
def test_nothing_is_learnt_of_what_is_known(model: exact.Normal | exact.LogNormal) -> None:
    plan = voi.optimal_stopping(model, [0, 0], [0, 1], cost=0.01, most=3)
    assert (plan.net, plan.expected_runs, plan.fixed_runs) == (0, 0, 0)


def _rational(cost: Fraction, most: int) -> Fraction:
    @cache
    def value(runs: int, wins: int) -> Fraction:
        p = Fraction(3 + wins, 5 + runs)
        stop = max(Fraction(0), 100 * p - 55)
        if runs == most:
            return stop
        return max(stop, p * value(runs + 1, wins + 1) + (1 - p) * value(runs + 1, wins) - cost)

    return value(0, 0) - 5


@pytest.mark.parametrize(
    ("cost", "known", "runs", "fixed"),
    [
        (Fraction(1, 10), Fraction(109339, 27300), 10, 3.6853147),
        (Fraction(3, 10), Fraction(69043, 23100), 5, 2.4285714),
        (Fraction(5, 10), Fraction(11377, 5005), 3, 1.7857143),
    ],
)
def test_bernoulli(cost: Fraction, known: Fraction, runs: int, fixed: float) -> None:
    assert _rational(cost, 10) == known
    plan = voi.optimal_stopping(exact.BetaBinomial(3, 2), [0, -55], [0, 100], cost=float(cost), most=10)
    assert plan.net == pytest.approx(float(known), abs=1e-9)
    assert (plan.fixed_runs, plan.fixed_net) == (runs, pytest.approx(fixed, abs=1e-7))


@pytest.mark.parametrize(
    ("model", "observe"),
    [
        (exact.GammaPoisson(2, 4), lambda rng, theta: rng.poisson(theta)),
        (exact.BetaBinomial(3, 2), lambda rng, theta: rng.random(len(theta)) < theta),
        (NORMAL, lambda rng, theta: theta + 3 * rng.standard_normal(len(theta))),
        (exact.LogNormal(1, 0.25, 0.2), lambda rng, theta: theta * np.exp(0.2 * rng.standard_normal(len(theta)))),
    ],
    ids=lambda v: type(v).__name__,
)
def test_table_played_earns_what_the_plan_says(model: exact.Normal, observe) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(1)
    count = 100_000
    theta = {
        exact.GammaPoisson: lambda: rng.gamma(2, 1 / 4, count),
        exact.BetaBinomial: lambda: rng.beta(3, 2, count),
        exact.Normal: lambda: rng.normal(0.5, 2, count),
        exact.LogNormal: lambda: np.exp(rng.normal(-(0.25**2) / 2, 0.25, count)),
    }[type(model)]()
    lines = [0.0, -model.prior.mean * 0.9], [0.0, 1.0]
    cost = 0.02 * exact.evpi(model, *lines)
    plan = voi.optimal_stopping(model, *lines, cost=cost, most=12, setup=cost, batch=2)
    total, runs, earned = np.zeros(count), np.zeros(count), np.zeros(count)
    live = np.ones(count, dtype=bool)
    for stage in plan.stages:
        states = np.array([_state(model, stage, t) for t in np.unique(total[live])])
        table = dict(zip(np.unique(total[live]), (stage.choice(s) for s in states), strict=True))
        choice = np.array([table[t] for t in total[live]])
        rows = np.flatnonzero(live)
        done = rows[choice != voi.RUN]
        picked = choice[choice != voi.RUN]
        earned[done] = np.asarray(lines[0])[picked] + np.asarray(lines[1])[picked] * theta[done]
        live[done] = False
        on = np.flatnonzero(live)
        for _ in range(2 * (len(on) > 0)):
            seen = observe(rng, theta[on])
            total[on] += np.log(seen) if isinstance(model, exact.LogNormal) else seen
        runs[on] += 2
    assert not live.any()
    net = earned - cost * runs - cost * (runs > 0) - max(0, 0.1 * model.prior.mean)
    assert abs(net.mean() - plan.net) < 4 * net.std() / math.sqrt(count)
    assert abs(runs.mean() - plan.expected_runs) < 4 * runs.std() / math.sqrt(count) + 1e-9
    assert plan.net >= plan.fixed_net


def _state(model: exact.Normal, stage: voi.Stage, total: float) -> float:
    """Posterior mean by hand; counts are the state themselves."""
    if stage.by_count:
        return total
    log = isinstance(model, exact.LogNormal)
    sd, obs, mean = (0.25, 0.2, -(0.25**2) / 2) if log else (2, 3, 0.5)
    precision = 1 / sd**2 + stage.runs / obs**2
    center = (mean / sd**2 + total / obs**2) / precision
    return math.exp(center + 0.5 / precision) if log else center


def test_a_dear_poc_is_not_made() -> None:
    plan = voi.optimal_stopping(NORMAL, [0, 0], [0, 1], cost=1, most=5, setup=1)
    assert (plan.net, plan.expected_runs, plan.fixed_net, plan.fixed_runs) == (0, 0, 0, 0)
    assert plan.stages[0].choice(0.5) == 1
    assert plan.stages[0].choice(-0.5) == 0


def test_borders_are_symmetric_about_the_tie() -> None:
    plan = voi.optimal_stopping(NORMAL, [0, 0], [0, 1], cost=0.05, most=20)
    for stage in plan.stages[:-1]:
        low, middle, high = stage.regions
        assert (low.choice, middle.choice, high.choice) == (0, voi.RUN, 1)
        assert middle.low == pytest.approx(-middle.high, abs=2e-5)
    assert [region.choice for region in plan.stages[-1].regions] == [0, 1]


def test_bad_arguments_are_refused() -> None:
    for wrong in ({"cost": -1, "most": 5}, {"cost": 1, "most": 0}, {"cost": 1, "most": 5, "batch": 6}):
        with pytest.raises(ValueError, match="expected"):
            voi.optimal_stopping(NORMAL, [0, 0], [0, 1], **wrong)
