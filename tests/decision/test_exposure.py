"""Risk figures of normal savings, where all of them have closed forms, and of a move that may be blocked."""

import json
import math
from pathlib import Path

import pytest
from scipy import stats

from simulator.decision.exposure import RiskReport, risk_report
from simulator.engine import run
from simulator.study import load_study
from tests.decision.linear import linear, normal

MEAN, SD = 10e3, 30e3


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> RiskReport:
    """Saving ~ N(10, 30) thousand."""
    study = linear(tmp_path_factory.mktemp("risk"), {"a": normal(50e3 - MEAN, SD)})
    return risk_report(study, loss=20e3, tolerance=100e3)


def test_closed_forms(report: RiskReport) -> None:
    got = report.options["new"]
    z = stats.norm.ppf(0.05)
    below = stats.norm(MEAN, SD).cdf(0)
    density = stats.norm.pdf(MEAN / SD)
    square = (MEAN**2 + SD**2) * below - MEAN * SD * density
    known = {
        "mean": MEAN,
        "sd": SD,
        "cvar": MEAN - SD * stats.norm.pdf(z) / 0.05,
        "p_loss": stats.norm(MEAN, SD).cdf(-20e3),
        "downside": math.sqrt(square),
        "regret": SD * density - MEAN * below,
        "certain": MEAN - SD**2 / (2 * 100e3),
    }
    for name, value in known.items():
        figure = getattr(got, name)
        assert abs(figure.value - value) < 5 * figure.mcse + 2e-3 * abs(value), name
    assert report.options["old"].cvar.value == 0


def test_caution_flips_the_choice_where_the_premium_eats_the_mean(report: RiskReport) -> None:
    """mean - sd^2 / 2T is 0 at T = sd^2 / 2 mean."""
    (flip,) = report.flips
    assert (flip.below, flip.above) == ("old", "new")
    assert flip.tolerance.value == pytest.approx(SD**2 / (2 * MEAN), rel=0.01)
    assert report.best == "new"


def test_the_error_of_that_tolerance_is_the_certainty_equivalents_over_its_slope(tmp_path: Path) -> None:
    """d(mean - sd^2 / 2T) / d(log T) is the mean where it is 0."""
    at = SD**2 / (2 * MEAN)
    found = risk_report(linear(tmp_path, {"a": normal(50e3 - MEAN, SD)}), tolerance=at)
    (flip,) = found.flips
    certain = found.options["new"].certain
    assert certain is not None
    assert flip.tolerance.mcse / at == pytest.approx(certain.mcse / MEAN, rel=0.05)


def test_neither_dominates_for_all_tastes(report: RiskReport) -> None:
    assert {each.by_first_order.verdict for each in report.pairs} == {"does not"}


def test_dominance_is_found(tmp_path: Path) -> None:
    law = '{ dist = "uniform", low = 10e3, high = 40e3 }'
    pairs = {(each.first, each.second): each for each in risk_report(linear(tmp_path, {"a": law}), draws=2**12).pairs}
    assert pairs["new", "old"].by_first_order.verdict == "dominates"
    assert pairs["old", "new"].by_second_order.verdict == "does not"


def test_being_blocked_counts_as_in_the_run() -> None:
    study = load_study(Path(__file__).parents[1] / "data" / "study-a.toml")
    got, theirs = risk_report(study, draws=2**14).options["trn2"], run(study, 2**14).options["trn2"]
    assert theirs.cvar05 is not None
    for figure, known in ((got.mean, theirs.saving.mean), (got.sd, theirs.saving.sd), (got.cvar, theirs.cvar05)):
        assert abs(figure.value - known.value) < 5 * math.hypot(figure.mcse, known.mcse)


def test_document(report: RiskReport) -> None:
    document = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert document["schema"] == "switchodds/risk/1"
    assert document["options"]["new"]["certain"]["value"] == pytest.approx(5.5e3, rel=0.02)
