"""Values of information against problems with known ones: from draws, in closed form, run by run, after delay."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from simulator.decision import voi
from simulator.decision.voi import exact
from simulator.verification import problems
from simulator.verification.check import Check, Checks
from simulator.verification.problems import REPLICATES, Problem, learnt, ratio_value, unit_normal_loss

DRAWS: Final = 2**15
SAMPLED: Final = 0.01  # of the value, of estimates from that many draws; the problems' own errors are below 0.2 %
LEAST: Final = 0.002  # of the EVPI, where a value is small
EXACT: Final = 1e-6  # the figures quoted have seven digits
TABLED: Final = "quadrature"
Values = Mapping[float, float]
"""Value of information by the number of observations."""
NINE: Final = "sum over nine cases"

IN_GENERAL: Final = (
    problems.TWO_NORMALS,
    problems.CORRELATED,
    problems.COST_RATIO,
    problems.THREE_OPTIONS,
    problems.NINETEEN,
    problems.SIDE_EFFECTS,
    problems.QUADRATIC,
    problems.INTERACTION,
    problems.EXCHANGE,
)


def perfect_information() -> Checks:
    """EVPI and EVPPI from draws."""
    for problem in IN_GENERAL:
        nb, inputs = problem.draws(DRAWS)
        yield Check.relative(f"EVPI, {problem.name}", problem.evpi, voi.evpi(nb, replicates=REPLICATES).value, SAMPLED)
        for names, expected in problem.evppi.items():
            x = np.stack([inputs[name] for name in names], axis=1)
            got = voi.evppi(nb, x, replicates=REPLICATES).value
            tolerance = max(SAMPLED * expected, LEAST * problem.evpi)
            yield Check(f"EVPPI of {' and '.join(names)}, {problem.name}", expected, got, tolerance)
    nb, inputs = problems.NULL.draws(2**14)
    got = voi.evppi(nb, inputs["x"], replicates=REPLICATES).value
    yield Check(f"EVPPI, {problems.NULL.name}", 0.0, got, 0.01 * problems.NULL.evpi)
    yield from _wildcatter()


def _wildcatter() -> Checks:
    """The oil wildcatter's well and seismic test, by plain sums over its nine cases (Raiffa, 1968)."""
    prior, payoff = np.array([0.5, 0.3, 0.2]), np.array([-70.0, 50.0, 200.0])
    sounding = np.array([[0.6, 0.3, 0.1], [0.3, 0.4, 0.3], [0.1, 0.4, 0.5]])
    counts = np.rint(10_000 * prior[:, None] * sounding).astype(int)  # each case as often as it is likely
    state, outcome = np.repeat(np.argwhere(counts), counts.ravel(), axis=0).T
    nb = problems.against_nothing(payoff[state])
    yield Check("EVPI, oil wildcatter", 35.0, voi.evpi(nb).value, 1e-9, NINE)
    yield Check.relative("EVSI of a seismic test, oil wildcatter", 12.5, voi.evppi(nb, outcome).value, 1e-4, NINE)


def sample_information() -> Checks:
    """EVSI from draws, against preposterior laws in closed form."""
    sizes = (1, 4, 16, 64)
    x1: Values = {n: ratio_value(learnt(problems.SIGMAS[0], problems.RUN_SIGMA, n)) for n in sizes}
    yield from _sampled(problems.COST_RATIO, ("x1",), voi.LogNormal(problems.RUN_SIGMA), x1)
    endless = ratio_value(problems.SIGMAS[0] ** 2 / math.hypot(problems.SIGMAS[0], 0.1))
    capped = voi.LogNormal(problems.RUN_SIGMA, discrepancy=0.1)
    yield from _sampled(problems.COST_RATIO, ("x1",), capped, {math.inf: endless}, " under a discrepancy")
    for name, prior, noise in (("p1", 1.0, 1.0), ("p2", 2.0, 4.0)):
        values: Values = {n: unit_normal_loss(1, learnt(prior, noise, n)) for n in (1, 10, 100)}
        yield from _sampled(problems.TWO_NORMALS, (name,), voi.Normal(noise), values)
    yield from _sampled(problems.THREE_OPTIONS, ("x",), voi.Normal(3), THREE_OPTIONS)
    yield from _sampled(problems.EVENTS, ("rate",), voi.Poisson(1), EVENTS)
    yield from _sampled(problems.TRIALS, ("p",), voi.Binomial(), TRIALS)
    yield from _sampled(problems.UNKNOWN_NOISE, ("mean", "sd"), voi.NormalUnknownSd(), UNKNOWN_NOISE)


THREE_OPTIONS: Final[Values] = {1: 0.3104033, 4: 0.5007197, 16: 0.6077001}
EVENTS: Final[Values] = {1: 1.4, 2: 65 / 27, 4: 3.125, 26: 4.5362401}
TRIALS: Final[Values] = {1: 2.0, 2: 17 / 7, 3: 23 / 7, 10: 4.6853147, 200: 6.0318593}
UNKNOWN_NOISE: Final[Values] = {1: 0.1442434, 3: 0.2276739, 10: 0.2879346}


def _sampled(
    problem: Problem, names: Sequence[str], likelihood: voi.Likelihood, values: Values, under: str = ""
) -> Checks:
    nb, inputs = problem.draws(DRAWS)
    x = np.stack([inputs[name] for name in names], axis=1)
    found = voi.evsi(nb, x, likelihood, values, replicates=REPLICATES)
    for (size, expected), got in zip(values.items(), found, strict=True):
        name = f"EVSI of {size:g} of {' and '.join(names)}, {problem.name}{under}"
        yield Check.relative(name, expected, got.value, SAMPLED)


def conjugate_models() -> Checks:
    """The closed forms themselves, against sums and integrals."""
    losses, gains = (0.0, 30.0), (0.0, -50.0)
    events = exact.GammaPoisson(2, 4)
    for size, expected in EVENTS.items():
        yield Check.relative(
            f"EVSI of {size} weeks, rate of events, exact", expected, exact.evsi(events, losses, gains, size), EXACT,
            "negative binomial sum",
        )  # fmt: skip
    trials = exact.BetaBinomial(3, 2)
    for size, expected in TRIALS.items():
        got = exact.evsi(trials, (0, -55), (0, 100), size)
        yield Check.relative(f"EVSI of {size:g} trials, successes, exact", expected, got, EXACT, "sum in fractions")
    noisy = exact.NormalUnknownSd(0.3, 2, 3, 6)
    for size, expected in {**UNKNOWN_NOISE, math.inf: 0.3263536}.items():
        got = exact.evsi(noisy, (0, 0), (0, 1), size)
        yield Check.relative(f"EVSI of {size:g}, noise unknown, exact", expected, got, EXACT, TABLED)
    ratio = exact.LogNormal(1.0, problems.SIGMAS[0], problems.RUN_SIGMA)
    for size in (1, 8):
        expected = ratio_value(learnt(problems.SIGMAS[0], problems.RUN_SIGMA, size))
        got = exact.evsi(ratio, (0, problems.COST), (0, -problems.COST * problems.SHARE), size)
        yield Check.relative(f"EVSI of {size}, lognormal cost ratio, exact", expected, got, 1e-9)


def stopping_and_delay() -> Checks:
    """Sequential PoCs against dynamic programs done in fractions or on finer grids, and what delay leaves."""
    normal = exact.Normal(0.5, 2, 3)
    plan = voi.optimal_stopping(normal, (0, 0), (0, 1), cost=0.05, most=20)
    yield Check.relative("stopping run by run, normal", 0.29365, plan.net, 1e-3, "two other dynamic programs")
    yield Check.relative("best fixed number of runs, normal", 0.2358311, plan.fixed_net, EXACT)
    fractions = {0.1: 109339 / 27300, 0.3: 69043 / 23100, 0.5: 11377 / 5005}
    for cost, expected in fractions.items():
        plan = voi.optimal_stopping(exact.BetaBinomial(3, 2), (0, -55), (0, 100), cost=cost, most=10)
        yield Check.relative(f"stopping run by run, successes at {cost} a run", expected, plan.net, 1e-9, "fractions")
    worth = exact.evsi(normal, (0, 0), (0, 1), 8)
    left = voi.enbs(worth, cost=0.1, now=0.5, delay=3, horizon=36)
    yield Check.relative("PoC of 8 runs after 3 of 36 months", 0.3010185, left, EXACT)
    until = voi.break_even_delay(worth, cost=0.1, now=0.5, horizon=36)
    yield Check.relative("delay at which it breaks even, months", 14.02487, until or math.nan, EXACT)
