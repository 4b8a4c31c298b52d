"""Inputs that are learned together: PyMC against sums over a fine grid, and the example PoC against its true values.

Would catch: a correlation or a Jacobian forgotten, a prior with atoms smoothed away, a floor that bends what is above,
an example that does not converge. Slow: the model is compiled.
"""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest

from simulator.calibration import with_posterior
from simulator.calibration.calibrate import calibrate
from simulator.calibration.discrepancy import Discrepancy
from simulator.calibration.fit import Fit, Group
from simulator.calibration.influence import without
from simulator.calibration.likelihood import curve
from simulator.calibration.models import Counts, Effort, Means
from simulator.calibration.observation import Observation, Quantity
from simulator.calibration.sampler import bend_of_draws, cubic, sample, tabulated_at_score
from simulator.inputs import Distribution, LogNormal, NegativeBinomial, truncate
from simulator.study import load_study

EXAMPLE = Path(__file__).parents[2] / "studies" / "poc"
LAWS: dict[str, Distribution] = {"count": NegativeBinomial(25.0, 2.0), "hours": LogNormal(240.0, 0.75)}
RHO = 0.5
PER_DAY = Quantity("count", "recompiles/day", ("count", "hours"), lambda v: 8 * v["count"] / v["hours"])
COUNTED = Observation(0, "counted", PER_DAY, Counts((9,), (12.0,), 0.6), Discrepancy(0.3))
SPENT = Observation(1, "spent", Quantity.input("hours", "hours"), Effort(96.0, 0.4), Discrepancy(0.2, "log", 96.0))
CURVES = {COUNTED.key: curve(COUNTED, 1e-3, 1e3), SPENT.key: curve(SPENT, 1.0, 2e4)}
PEARSON = np.array([[1.0, RHO], [RHO, 1.0]])


def exact(observations: tuple[Observation, ...]) -> dict[str, tuple[float, float]]:
    """Mean and sd of both inputs by sums over 1,500 x 1,500 scores, with the likelihoods' own curves."""
    z = np.linspace(-6, 6, 1500)
    a, b = np.meshgrid(z, z, indexing="ij")
    values = {"count": LAWS["count"].at_score(z)[:, None], "hours": LAWS["hours"].at_score(z)[None, :]}
    log = -(a * a - 2 * RHO * a * b + b * b) / (2 * (1 - RHO**2))
    for each in observations:
        log = log + curve(each, 1e-3 if each is COUNTED else 1.0, 1e3 if each is COUNTED else 2e4)(
            each.quantity.of(values)
        )
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    found = {}
    for name, x in values.items():
        mean = float(np.sum(weight * x))
        found[name] = mean, float(np.sqrt(np.sum(weight * (x - mean) ** 2)))
    return found


def group(observations: tuple[Observation, ...]) -> Group:
    return Group(("count", "hours"), (), LAWS, PEARSON, observations)


@pytest.fixture(scope="module")
def fit() -> Fit:
    (found,) = sample([group((COUNTED, SPENT))], seed=1)
    return found


@pytest.mark.slow
def test_joint_posterior_is_that_of_a_grid(fit: Fit) -> None:
    truth = exact((COUNTED, SPENT))

    assert fit.divergences == 0
    assert fit.effective > 1000
    for name, draws in fit.values().items():
        mean, sd = truth[name]
        assert abs(draws.mean() - mean) < 4.5 * sd / fit.effective**0.5  # right code fails once in 100,000 seeds
        assert draws.std() == pytest.approx(sd, rel=0.12)
    assert fit.values()["hours"].min() > 96
    assert np.all(fit.values()["count"] % 1 == 0)


@pytest.mark.slow
def test_leaving_out_is_what_a_grid_without_it_gives(fit: Fit) -> None:
    for place, kept in ((0, SPENT), (1, COUNTED)):
        learned = without(fit, CURVES, place, seed=2)
        assert learned is not None
        for name, (mean, sd) in exact((kept,)).items():
            bend = learned.bends[learned.names.index(name)]
            z = np.random.default_rng(3).standard_normal(200_000)
            x = LAWS[name].at_score(np.interp(z, np.linspace(-8, 8, bend.size), bend))
            assert x.mean() == pytest.approx(mean, abs=0.12 * sd)


@pytest.mark.slow
def test_the_example_finds_its_true_values_again(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "poc", ignore=shutil.ignore_patterns("*.nc"))
    study = load_study(tmp_path / "poc" / "study.toml")
    truth = runpy.run_path(str(EXAMPLE / "make.py"))["TRUE"]

    found = calibrate(study)

    assert found.ok, found.problems
    for name, value in truth.items():
        low, high = found.posterior(name).ppf(np.array([0.02, 0.98]))
        assert low <= value <= high, name
    for told in found.to_json()["inputs"].values():
        if told["rhat"] is not None:
            assert told["rhat"] < 1.01
            assert min(told["ess_bulk"], told["ess_tail"]) > 1000
    assert with_posterior(study).posterior is not None
    assert calibrate(study).kept == len(found.fits)


@pytest.mark.parametrize(
    "law", [LogNormal(240.0, 0.75), truncate(LogNormal(1.0, 0.5), 0.5, 2.0)], ids=["lognormal", "truncated"]
)
def test_the_curve_is_the_law(law: Distribution) -> None:
    z = np.linspace(-5, 5, 1001)

    assert tabulated_at_score(law, z) == pytest.approx(np.asarray(law.at_score(z)), rel=1e-3, abs=1e-4 * law.sd)
    assert np.all(cubic(law)[:, 1] >= 0)  # it never falls


def test_the_curve_of_counts_passes_through_their_middles() -> None:
    law = NegativeBinomial(25.0, 2.0)
    middle = (law.score(np.array([19.0])) + law.score(np.array([20.0]))) / 2

    assert tabulated_at_score(law, middle) == pytest.approx(20, abs=0.1)


def test_the_bend_of_draws_is_the_law_of_the_draws() -> None:
    rng = np.random.default_rng(1)

    bend = bend_of_draws(1.2 + 0.4 * rng.standard_normal(4000))

    z = np.linspace(-8, 8, bend.size)
    inner = np.abs(z) < 2
    assert bend[inner] == pytest.approx(1.2 + 0.4 * z[inner], abs=4 * 0.4 * 2 / 4000**0.5)
    assert np.all(np.diff(bend) > 0)


def test_a_single_value_says_what_its_discrepancy_allows() -> None:
    model = Means((3.0,), (1.0,), noise=0.005, known=True)
    blurred = model.blurred(0.2)
    assert blurred is not None
    x = np.exp(np.array([2.8, 3.2]))

    wide, narrow = blurred.log_likelihood(x, {}), model.log_likelihood(x, {})

    assert wide == pytest.approx(wide[0])
    assert narrow[0] < wide[0] - 100
