"""EVPI and EVPPI against problems with known answers, and against the wrong answers that are known from elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simulator.decision import voi
from tests.decision import problems
from tests.decision.problems import REPLICATES, Problem, columns, two_options

SMALL = [
    problems.TWO_NORMALS,
    problems.CORRELATED,
    problems.COST_RATIO,
    problems.THREE_OPTIONS,
    problems.QUADRATIC,
    problems.INTERACTION,
    problems.EXCHANGE,
    problems.SIDE_EFFECTS,
    problems.TRIALS,
    problems.EVENTS,
]
GROUPS = [(problem, group) for problem in SMALL for group in problem.evppi]


@pytest.mark.parametrize("problem", [*SMALL, problems.NULL], ids=str)
def test_evpi(problem: Problem) -> None:
    nb, _ = problem.sobol(2**15, seed=1)
    got = voi.evpi(nb, replicates=REPLICATES)
    assert got.value == pytest.approx(problem.evpi, rel=0.005)
    assert got.bound is None
    assert got.se < 0.005 * problem.evpi


@pytest.mark.parametrize(("problem", "group"), GROUPS, ids=str)
def test_evppi(problem: Problem, group: tuple[str, ...]) -> None:
    nb, inputs = problem.sobol(2**15, seed=2)
    got = voi.evppi(nb, columns(inputs, group), replicates=REPLICATES)
    truth = problem.evppi[group]
    tolerance = 0.002 if problem is problems.CORRELATED else 0.005 * truth
    assert abs(got.value - truth) < tolerance
    assert abs(got.value - truth) < 4 * got.se + 0.002 * truth
    assert not got.exceeds_bound
    assert got.low <= got.value <= got.high


@pytest.mark.parametrize(("problem", "group"), GROUPS, ids=str)
def test_evppi_of_independent_draws(problem: Problem, group: tuple[str, ...]) -> None:
    nb, inputs = problem.plain(20_000, seed=3)
    got = voi.evppi(nb, columns(inputs, group))
    assert abs(got.value - problem.evppi[group]) < 4 * got.se + 1e-3 * problem.evpi
    assert got.se < 0.05 * problem.evpi


@pytest.mark.slow
@pytest.mark.parametrize("problem", [problems.NINETEEN, problems.NINETEEN_INDEPENDENT], ids=str)
def test_nineteen_correlated_inputs(problem: Problem) -> None:
    # One net of 2^16: sixteen of 2^12 leave errors of 2 % in some inputs, which is what their standard errors say.
    nb, inputs = problem.sobol(2**16, seed=1, replicates=1)
    assert voi.evpi(nb).value == pytest.approx(problem.evpi, rel=0.005)
    for group, truth in problem.evppi.items():
        assert voi.evppi(nb, columns(inputs, group)).value == pytest.approx(truth, rel=0.01, abs=0.4), group
    for group in (("t8", "t9", "t10", "t17", "t18", "t19"), ("t4",), ("t1", "t2", "t3")):
        nothing = voi.evppi(nb, columns(inputs, group))
        assert abs(nothing.value) < 0.4
        assert nothing.note == "not distinguishable from 0"


def test_correlation_is_not_ignored() -> None:
    """The values of independent inputs, 490 times too high for x1, must not come out."""
    nb, inputs = problems.CORRELATED.sobol(2**14, seed=4)
    x1 = voi.evppi(nb, inputs["x1"], replicates=REPLICATES)
    x2 = voi.evppi(nb, inputs["x2"], replicates=REPLICATES)
    assert x1.high < 0.01 < 0.19780
    assert x2.high < 0.36 < 0.57269
    assert voi.evpi(nb, replicates=REPLICATES).high < 0.43 < 0.66427


def test_single_inputs_of_an_interaction_are_worth_nothing_and_the_pair_everything() -> None:
    nb, inputs = problems.INTERACTION.sobol(2**14, seed=5)
    for name in ("x1", "x2"):
        assert not voi.evppi(nb, inputs[name], replicates=REPLICATES).distinguishable
    assert voi.evppi(nb, columns(inputs, ("x1", "x2")), replicates=REPLICATES).low > 0.31


def test_interactions_are_found_among_many_columns() -> None:
    rng = np.random.default_rng(6)
    x = rng.standard_normal((20_000, 30))
    got = voi.evppi(two_options(x[:, 3] * x[:, 17] + 0.01 * rng.standard_normal(20_000)), x)
    assert got.value == pytest.approx(1 / math.pi, rel=0.05)
    assert got.policy == pytest.approx(1 / math.pi, rel=0.05)


def test_product_of_three() -> None:
    z = problems.Problem("cube", 3, lambda z: (two_options(z.prod(axis=1)), {"z": z}), 0)
    nb, inputs = z.sobol(2**14, seed=7)
    got = voi.evppi(nb, inputs["z"], replicates=REPLICATES)
    assert got.value == pytest.approx(math.sqrt(2 / math.pi) ** 3 / 2, rel=0.02)


def test_discrete_inputs_are_not_smoothed() -> None:
    """Levels without order, alone and crossed: parity of two, which no smooth function of either shows."""
    a, b = np.meshgrid(np.arange(6), np.arange(4), indexing="ij")
    a, b = np.tile(a.ravel(), 500), np.tile(b.ravel(), 500)
    payoff = np.array([5.0, -3, 4, -6, 2, -2])[a]
    assert voi.evppi(two_options(payoff), a).value == pytest.approx(11 / 6, rel=1e-6)
    parity = np.where((a + b) % 2, 1.0, -1.0)
    assert voi.evppi(two_options(parity), a).value == pytest.approx(0, abs=1e-9)
    assert voi.evppi(two_options(parity), np.stack([a, b], axis=1)).value == pytest.approx(0.5, rel=1e-6)


def test_unused_and_constant_inputs() -> None:
    nb, _ = problems.TWO_NORMALS.plain(5000, seed=8)
    assert voi.evppi(nb, np.full(5000, 3.0)).value == 0
    assert voi.evppi(nb[:, :1], np.arange(5000)).value == 0
    assert voi.evpi(nb[:, :1]) == voi.Estimate(0.0, 0.0, 0.0, 0.0, 0.0)
    assert voi.evpi(np.repeat(nb[:, :1], 3, axis=1)).value == 0


def test_null_input_is_worth_nothing() -> None:
    """A regression without a penalty finds 4 to 24 % of EVPI here."""
    shares = []
    for seed in range(20):
        nb, inputs = problems.NULL.plain(16_384, seed=seed)
        got = voi.evppi(nb, inputs["x"])
        shares.append(got.value / problems.NULL.evpi)
        assert not got.distinguishable
    assert np.mean(np.abs(shares)) < 0.002
    assert np.quantile(np.abs(shares), 0.9) < 0.01


def test_group_of_null_inputs_is_not_distinguishable() -> None:
    rng = np.random.default_rng(9)
    nb = two_options(rng.standard_normal(5000))
    got = voi.evppi(nb, rng.standard_normal((5000, 3)))
    assert got.value < 0.04 * problems.NULL.evpi
    assert not got.distinguishable
    assert "not distinguishable" in got.note


def test_bracket_opens_to_both_sides_of_nothing() -> None:
    """Fits to noise: the plug-in is not below nothing, what the fitted rules earn is below it on the average."""
    estimates = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        estimates.append(voi.evppi(two_options(rng.standard_normal(500)), rng.standard_normal((500, 3))))
    assert min(e.value for e in estimates) >= 0
    policies = [e.policy for e in estimates]
    assert np.mean(policies) < -2 * np.std(policies) / math.sqrt(40)


def test_nothing_is_clipped() -> None:
    """A policy that loses on held-out draws shows its loss."""
    nothing = [voi.evppi(*_null_draws(seed)).policy for seed in range(30)]
    assert min(nothing) < 0


def _null_draws(seed: int) -> tuple[np.ndarray, np.ndarray]:
    nb, inputs = problems.NULL.plain(500, seed=seed)
    return nb, inputs["x"]


def test_invariances() -> None:
    nb, inputs = problems.THREE_OPTIONS.sobol(2**12, seed=10)
    x = inputs["x"]
    base = voi.evppi(nb, x, replicates=REPLICATES)
    turned = voi.evppi(nb[:, ::-1], x, replicates=REPLICATES)
    scaled = voi.evppi(1000 * nb + 7, x, replicates=REPLICATES)
    moved = voi.evppi(nb, 5 - 3 * x, replicates=REPLICATES)
    for other, unit in ((turned, 1), (scaled, 1000), (moved, 1)):
        for name in ("value", "se", "low", "high", "policy"):
            assert getattr(other, name) == pytest.approx(unit * getattr(base, name), rel=1e-6, abs=1e-9 * unit)


def test_near_a_tie_the_interval_allows_for_the_bias_of_evpi() -> None:
    estimates = [voi.evpi(problems.NULL.plain(1000, seed=seed)[0]) for seed in range(200)]
    bias = np.mean([e.value for e in estimates]) - problems.NULL.evpi
    assert bias == pytest.approx(-0.4 / math.sqrt(1000), rel=0.25)  # E max(mean, 0) of a mean N(0, 1 / 1000)
    covered = np.mean([e.low <= problems.NULL.evpi <= e.high for e in estimates])
    assert covered > 0.85


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_missing_values_are_refused_with_their_row(bad: float) -> None:
    nb, inputs = problems.TWO_NORMALS.plain(100, seed=11)
    wrong = nb.copy()
    wrong[17, 1] = bad
    with pytest.raises(ValueError, match="nb: row 17, column 1"):
        voi.evpi(wrong)
    x = inputs["p1"].copy()
    x[3] = bad
    with pytest.raises(ValueError, match="x: row 3, column 0"):
        voi.evppi(nb, x)


def test_shapes_that_do_not_fit_are_refused() -> None:
    nb = np.zeros((100, 2))
    for call, message in (
        (lambda: voi.evpi(np.zeros(100)), r"\(draws, options\)"),
        (lambda: voi.evppi(nb, np.zeros(99)), "x has 99 rows and nb 100"),
        (lambda: voi.evppi(nb, np.zeros((100, 2, 2))), "expected"),
        (lambda: voi.evpi(nb, replicates=3), "replicates is 3 for 100 draws"),
        (lambda: voi.evpi(nb, replicates=1), "replicates is 1"),
        (lambda: voi.evpi(nb[:5]), "5 draws"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_a_cliff_that_the_fit_smooths_over_shows_in_the_policy() -> None:
    """INB is 1 above 0.7 and -0.5 below, of which 0.3 is to be had; splines find a tenth less, the rule more."""
    rng = np.random.default_rng(12)
    x = rng.random(20_000)
    got = voi.evppi(two_options(np.where(x > 0.7, 1.0, -0.5) + 0.5 * rng.standard_normal(20_000)), x)
    assert 0.25 < got.value < got.policy <= got.high
    assert got.policy < 0.3 + 4 * got.se
