"""EVSI from draws against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simulator.decision import voi
from tests.decision import problems
from tests.decision.problems import REPLICATES, columns, learnt, ratio_value, unl

DRAWS = 2**15


@pytest.mark.parametrize("replicates", [REPLICATES, None])
def test_lognormal(replicates: int | None) -> None:
    nb, inputs = problems.COST_RATIO.sobol(DRAWS, seed=1, replicates=replicates or 1)
    sizes = [1, 2, 4, 8, 16, 64]
    got = voi.evsi(nb, inputs["x1"], voi.LogNormal(problems.RUN_SIGMA), sizes, replicates=replicates)
    for size, estimate in zip(sizes, got, strict=True):
        truth = ratio_value(learnt(problems.SIGMA1, problems.RUN_SIGMA, size))
        assert estimate.value == pytest.approx(truth, rel=0.002)
        assert estimate.low < truth < estimate.high
        assert estimate.bound == pytest.approx(ratio_value(problems.SIGMA1), rel=0.005)


def test_discrepancy_caps_the_value() -> None:
    """An endless PoC with a shared error of 0.1 is worth four runs without one, less than EVPPI."""
    nb, inputs = problems.COST_RATIO.sobol(DRAWS, seed=2)
    likelihood = voi.LogNormal(problems.RUN_SIGMA, discrepancy=0.1)
    got = voi.evsi(nb, inputs["x1"], likelihood, [64, math.inf], replicates=REPLICATES)
    assert got[1].value == pytest.approx(67_264.978, rel=0.003)
    assert got[0].value < got[1].value < 0.92 * ratio_value(problems.SIGMA1)


@pytest.mark.parametrize(("name", "prior", "obs"), [("p1", 1, 1), ("p2", 2, 4)])
def test_normal(name: str, prior: float, obs: float) -> None:
    nb, inputs = problems.TWO_NORMALS.sobol(DRAWS, seed=3)
    sizes = [1, 10, 100, 1000, math.inf]
    for size, got in zip(sizes, voi.evsi(nb, inputs[name], voi.Normal(obs), sizes, replicates=REPLICATES), strict=True):
        truth = unl(1, learnt(prior, obs, size) if size < math.inf else prior)
        assert got.value == pytest.approx(truth, rel=0.005)
        assert abs(got.value - truth) < 4 * got.se + 0.002 * truth


def test_events() -> None:
    nb, inputs = problems.EVENTS.sobol(DRAWS, seed=4)
    got = voi.evsi(nb, inputs["rate"], voi.Poisson(1), problems.EVENTS_EVSI, replicates=REPLICATES)
    assert [e.value for e in got] == pytest.approx(list(problems.EVENTS_EVSI.values()), rel=0.005)
    twice = voi.evsi(nb, inputs["rate"], voi.Poisson(2), [1, 2, 0.5], replicates=REPLICATES)
    assert [e.value for e in twice] == pytest.approx([problems.EVENTS_EVSI[n] for n in (2, 4, 1)], rel=0.005)


def test_trials() -> None:
    """The Gaussian approximation says 1.5146 of one trial, which is worth 2."""
    nb, inputs = problems.TRIALS.sobol(2**14, seed=5)
    got = voi.evsi(nb, inputs["p"], voi.Binomial(), problems.TRIALS_EVSI, replicates=REPLICATES)
    assert [e.value for e in got] == pytest.approx(list(problems.TRIALS_EVSI.values()), rel=0.002)
    assert got[0].low > 1.9


def test_three_options() -> None:
    nb, inputs = problems.THREE_OPTIONS.sobol(DRAWS, seed=6)
    got = voi.evsi(nb, inputs["x"], voi.Normal(3), [1, 4, 16], replicates=REPLICATES)
    assert [e.value for e in got] == pytest.approx([0.3104033, 0.5007197, 0.6077001], rel=0.005)
    assert got[-1].bound == pytest.approx(voi.evppi(nb, inputs["x"], replicates=REPLICATES).value, rel=0.005)
    assert not any(e.exceeds_bound for e in got)


def test_unknown_noise() -> None:
    """Taking the noise as known says 8 to 9 % more."""
    nb, inputs = problems.UNKNOWN_NOISE.sobol(DRAWS, seed=7)
    x = columns(inputs, ("mean", "sd"))
    sizes = list(problems.UNKNOWN_NOISE_EVSI)
    got = voi.evsi(nb, x, voi.NormalUnknownSd(), sizes, replicates=REPLICATES)
    for size, estimate in zip(sizes, got, strict=True):
        assert estimate.value == pytest.approx(problems.UNKNOWN_NOISE_EVSI[size], rel=0.005)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("problem", "truth"),
    [
        (problems.NINETEEN, [76.261, 169.906, 199.942, 241.706]),
        (problems.NINETEEN_INDEPENDENT, [123.787, 244.600, 276.701, 313.846]),
    ],
    ids=str,
)
def test_two_arms(problem: problems.Problem, truth: list[float]) -> None:
    nb, inputs = problem.sobol(2**16, seed=8, replicates=1)
    got = voi.evsi(nb, columns(inputs, ("t5", "t14")), voi.Normal([0.45, 0.45]), [10, 50, 100, 1000])
    assert [e.value for e in got] == pytest.approx(truth, rel=0.005)


def test_two_binary_arms() -> None:
    nb, inputs = problems.SIDE_EFFECTS.sobol(DRAWS, seed=9)
    sizes = [50, 100, 200, 500, 1000]
    got = voi.evsi(nb, columns(inputs, ("p1", "p2")), voi.Binomial(), sizes, replicates=REPLICATES)
    assert [e.value for e in got] == pytest.approx([203.4, 239.7, 270.4, 299.5, 312.9], rel=0.015)
    one = voi.evsi(nb, inputs["p2"], voi.Binomial(), [100, 1000], replicates=REPLICATES)
    assert [e.value for e in one] == pytest.approx([220.3, 255.3], rel=0.015)


def test_three_columns_are_simulated() -> None:
    """Three arms with their own noise: the posterior mean of their sum is normal."""
    problem = problems.Problem(
        "three arms", 3, lambda z: (problems.two_options(0.5 + z.sum(axis=1)), {"x": z}), unl(0.5, math.sqrt(3))
    )
    nb, inputs = problem.sobol(DRAWS, seed=10)
    noise = [1.0, 2.0, 0.5]
    got = voi.evsi(nb, inputs["x"], voi.Normal(noise), [1, 8], replicates=REPLICATES)
    for size, estimate in zip((1, 8), got, strict=True):
        truth = unl(0.5, math.sqrt(sum(learnt(1, sd, size) ** 2 for sd in noise)))
        assert estimate.value == pytest.approx(truth, rel=0.01)
        assert not estimate.exceeds_bound


@pytest.mark.parametrize("likelihood", [voi.Poisson(3.0), voi.Binomial()], ids=["Poisson", "Binomial"])
def test_simulated_counts_have_their_law(likelihood: voi.Likelihood) -> None:
    u = (np.arange(100_000) + 0.5) / 100_000
    for x in (0.02, 0.4, 0.97):
        counts = likelihood.statistic(np.full((len(u), 1), x), 7, u[:, None])[:, 0]
        mean, variance = (21 * x, 21 * x) if isinstance(likelihood, voi.Poisson) else (7 * x, 7 * x * (1 - x))
        assert counts.mean() == pytest.approx(mean, abs=1e-3)
        assert counts.var() == pytest.approx(variance, rel=0.01)


def test_does_not_depend_on_the_number_of_draws() -> None:
    values = []
    for draws in (2**12, 2**14, 2**16):
        nb, inputs = problems.COST_RATIO.sobol(draws, seed=11)
        values.append(voi.evsi(nb, inputs["x1"], voi.LogNormal(0.2), [1], replicates=REPLICATES)[0].value)
    assert values == pytest.approx([53_406.037] * 3, rel=0.01)


def test_grows_with_size_and_stays_below_evppi() -> None:
    nb, inputs = problems.COST_RATIO.plain(3000, seed=12)
    got = voi.evsi(nb, inputs["x1"], voi.LogNormal(0.2), [1, 3, 10, 30, 1000])
    values = [e.value for e in got]
    assert values == sorted(values)
    assert got[-1].value <= got[-1].bound * (1 + 1e-3)
    assert not any(e.exceeds_bound for e in got)


def test_standard_error_of_independent_draws() -> None:
    """The spread of estimates over seeds is what each says of itself."""
    got = []
    for seed in range(40):
        nb, inputs = problems.COST_RATIO.plain(2000, seed=seed)
        got.append(voi.evsi(nb, inputs["x1"], voi.LogNormal(0.2), [2])[0])
    assert np.std([e.value for e in got]) == pytest.approx(np.mean([e.se for e in got]), rel=0.3)


def test_bad_arguments_are_refused() -> None:
    nb = np.zeros((100, 2))
    x = np.linspace(-0.5, 1.5, 100)
    for likelihood, sizes, message in (
        (voi.LogNormal(0.2), [1], "row 0, column 0 is -0.5; expected a median"),
        (voi.Poisson(1), [1], "expected a rate"),
        (voi.Binomial(), [1], "expected a probability"),
        (voi.Binomial(), [1.5], "size is 1.5; expected a whole number"),
        (voi.Normal(1), [0], "size is 0"),
        (voi.Normal(-1), [1], "sd is -1"),
        (voi.Normal([1, 2]), [1], "sd is"),
        (voi.Poisson(0), [1], "exposure is 0"),
        (voi.NormalUnknownSd(), [1], "x has 1 columns"),
    ):
        with pytest.raises(ValueError, match=message):
            voi.evsi(nb, x, likelihood, sizes)


class Seismic:
    """Three readings, whose chances given a dry, wet or soaking well (0, 1, 2) are known."""

    def check(self, x: np.ndarray, _size: float) -> None: ...

    def chances(self, axes: tuple[np.ndarray, ...], _size: float, _cells: int) -> tuple[np.ndarray, ...]:
        table = np.array([[0.6, 0.3, 0.1], [0.3, 0.4, 0.3], [0.1, 0.4, 0.5]])
        return (table[axes[0].astype(int)],)


def test_oil_wildcatter() -> None:
    """The textbook's 20, 35 and 12.5 (Raiffa, 1968), with a likelihood of one's own and draws in exact proportion."""
    well = np.tile(np.repeat([0, 1, 2], [5, 3, 2]), 100)
    nb = problems.two_options(np.array([-70.0, 50, 200])[well])
    assert nb.mean(axis=0).max() == pytest.approx(20)
    assert voi.evpi(nb).value == pytest.approx(35)
    assert voi.evppi(nb, well).value == pytest.approx(35)
    (seismic,) = voi.evsi(nb, well, Seismic(), [1])
    assert seismic.value == pytest.approx(12.5)
    assert voi.enbs(seismic, cost=10).value == pytest.approx(2.5)
