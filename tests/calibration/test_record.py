"""The posterior file: whole or not there, opened by ArviZ, taken up again, never used once something changed.

Would catch: a digest that forgets an evidence file or a correlation, a fit made twice, an answer that is silently old.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from simulator.calibration import record, with_posterior
from simulator.calibration.calibrate import Calibration, calibrate
from simulator.study import Study, StudyError, load_study

STUDY = """
title = "t"
baseline = "a"
currency = "USD"
[workload]
pflop_hours = 50_000
[rates]
engineer = 100
[[correlations]]
between = ["b.utilization", "b.engineer_hours"]
spearman = -0.5
[options.a]
price = 50
peak_pflops = 8
utilization = { dist = "beta", alpha = 22, beta = 30 }
[options.b]
price = 36
peak_pflops = 10
utilization = { dist = "beta", alpha = 6, beta = 9 }
engineer_hours = { dist = "lognormal", median = 240, sigma = 0.75 }
faults_per_1000h = { dist = "lognormal", median = 1.14, sigma = 0.93 }
hours_lost_per_fault = 2
[[evidence]]
input = "b.utilization"
values = [0.31, 0.33, 0.3]
[[evidence]]
input = "b.faults_per_1000h"
events = 2
exposure_hours = 340
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Calibration:
    path = tmp_path_factory.mktemp("poc") / "study.toml"
    path.write_text(STUDY)
    return calibrate(load_study(path))


def moved(made: Calibration, folder: Path, text: str = STUDY) -> Study:
    """The study and its posterior in another folder, the study with another text."""
    (folder / "study.toml").write_text(text)
    (folder / "study.posterior.nc").write_bytes(made.path.read_bytes())
    return load_study(folder / "study.toml")


def test_a_run_answers_with_the_posterior_and_says_so(made: Calibration, tmp_path: Path) -> None:
    used = with_posterior(moved(made, tmp_path))

    assert used.posterior is not None
    assert used.posterior["sha256"] == record.read(made.path).sha256
    assert used.inputs["b.utilization"].value.mean == pytest.approx(made.posterior("b.utilization").mean)
    assert [note.code for note in used.notes if "posterior" in note.code] == ["posterior_used"]


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("events = 2", "events = 3", "[[evidence]] 2 changed"),
        ("alpha = 6", "alpha = 7", "the prior of b.utilization changed"),
        ("spearman = -0.5", "spearman = -0.4", "the correlations of b.utilization, b.engineer_hours changed"),
        (
            "exposure_hours = 340",
            "exposure_hours = 340\n[[evidence]]\ninput='b.utilization'\nvalues=[0.3]",
            "3 [[evidence]]",
        ),
    ],
)
def test_a_stale_posterior_is_not_used_and_says_what_changed(
    made: Calibration, tmp_path: Path, old: str, new: str, named: str
) -> None:
    study = moved(made, tmp_path, STUDY.replace(old, new))

    used = with_posterior(study)

    assert used.posterior is None
    assert used.inputs == study.inputs
    assert named in used.notes[-1].message


def test_what_does_not_bear_on_the_posterior_leaves_it_fresh(made: Calibration, tmp_path: Path) -> None:
    assert with_posterior(moved(made, tmp_path, STUDY.replace("price = 36", "price = 37"))).posterior is not None


def test_a_changed_evidence_file_is_named(tmp_path: Path) -> None:
    text = STUDY + '[[evidence]]\noption = "b"\nfiles = ["hours.csv"]\nshare_done = 0.5\n'
    (tmp_path / "hours.csv").write_text("User,Project,Start date,Duration\nx,p,2026-03-02,40:00:00\n")
    (tmp_path / "study.toml").write_text(text.replace('"b.utilization", "b.eng', '"a.utilization", "b.eng'))
    study = load_study(tmp_path / "study.toml")
    calibrate(study)
    assert with_posterior(study).posterior is not None

    (tmp_path / "hours.csv").write_text("User,Project,Start date,Duration\nx,p,2026-03-02,41:00:00\n")

    assert "hours.csv changed" in with_posterior(study).notes[-1].message


def test_arviz_opens_it(made: Calibration) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ArviZ's notice at import
        import arviz as az

        draws = np.asarray(az.from_netcdf(made.path)["posterior"]["b.utilization"])

    assert draws.shape == (4, 1000)
    assert draws.mean() == pytest.approx(made.posterior("b.utilization").mean, rel=2e-3)


def test_fits_of_the_file_are_not_made_again(made: Calibration, tmp_path: Path) -> None:
    study = moved(made, tmp_path, STUDY.replace("events = 2", "events = 3"))

    again = calibrate(study)

    assert again.kept == 1  # utilization; the faults are new
    assert again.posterior("b.utilization").mean == pytest.approx(made.posterior("b.utilization").mean, rel=1e-9)
    assert not list(tmp_path.glob(".*"))


def test_only_one_input(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    study = load_study(tmp_path / "study.toml")

    calibrate(study, only="options.b.faults_per_1000h")

    assert [told["title"] for told in record.read(record.path_of(study)).told["fits"]] == ["b.faults_per_1000h"]
    with pytest.raises(StudyError, match="no evidence bears on it"):
        calibrate(study, only="a.utilization")


def test_a_contradiction_is_not_used(tmp_path: Path) -> None:
    text = STUDY.replace("alpha = 6, beta = 9", "alpha = 300, beta = 450").replace(
        "[0.31, 0.33, 0.3]", "[0.12, 0.11, 0.12]"
    )
    (tmp_path / "study.toml").write_text(text)
    study = load_study(tmp_path / "study.toml")

    found = calibrate(study)

    assert not found.ok
    assert any("one of them is wrong" in problem for problem in found.problems)
    used = with_posterior(study)
    assert used.inputs["b.utilization"] == study.inputs["b.utilization"]
    assert used.inputs["b.faults_per_1000h"] != study.inputs["b.faults_per_1000h"]


def test_the_document(made: Calibration) -> None:
    document = json.loads(json.dumps(made.to_json()))

    assert document["schema"] == "switchodds/calibration/1"
    assert document["ok"] is True
    told = document["inputs"]["b.utilization"]
    assert {"prior", "posterior", "rhat", "ess_bulk", "ess_tail", "conflict", "evidence"} <= told.keys()
    assert told["prior"].keys() == {"mean", "sd", "p05", "p50", "p95"}
    assert document["effect"]["b"]["p_beats"].keys() == {"prior", "posterior"}
    assert document["moved_by"][0]["evidence"].startswith("b.utilization")


def test_an_input_that_was_not_measured_moves_with_the_one_that_was(made: Calibration) -> None:
    """Utilization came in below its prior; hours correlate with it at -0.5, so they rise as the copula says."""
    z = made.prior("b.utilization").score(np.asarray(made.posterior("b.utilization").ppf(np.asarray(0.5))))
    slope = 2 * np.sin(np.pi / 6 * -0.5)

    middle = made.posterior("b.engineer_hours").ppf(np.asarray(0.5))

    assert made.prior("b.engineer_hours").score(middle) == pytest.approx(slope * z, abs=0.01)


@pytest.mark.parametrize(
    ("evidence", "line"),
    [
        ('input = "b.price"\nvalues = [30]', "give it a distribution"),
        ('input = "b.utilization"\nevents = 1\nexposure_hours = 5', "faults_per_1000h or recompiles"),
        ('input = "b.engineer_hours"\nsuccesses = 1\ntrials = 5', "a share or a probability"),
        ('input = "b.utilization"\nvalues = [-1]', "values above 0"),
        ('option = "b"\nfiles = ["gone.csv"]', "files that can be read"),
    ],
)
def test_evidence_that_does_not_fit_is_refused_at_its_line(tmp_path: Path, evidence: str, line: str) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY + "[[evidence]]\n" + evidence + "\n")

    with pytest.raises(StudyError, match=line) as caught:
        calibrate(load_study(path))

    (fault,) = caught.value.faults
    assert fault.line > STUDY.count("\n")
