"""Catches a memo that tells of a PoC otherwise than the posterior file does, or of a stale one."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.calibration import with_posterior
from simulator.calibration.calibrate import calibrate
from simulator.engine import run
from simulator.report.memo import make_memo
from simulator.report.memo.learned import learned
from simulator.study import load_study

EVIDENCE = """
[[evidence]]
input = "trn2.faults_per_1000h"
events = 2
exposure_hours = 4000
discrepancy = 0
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("poc") / "study.toml"
    path.write_text(Path("tests/data/study-a.toml").read_text("utf-8") + EVIDENCE, encoding="utf-8")
    calibrate(load_study(str(path)))
    return path


def test_the_memo_tells_what_was_learned(study: Path) -> None:
    prior = load_study(str(study))
    used = with_posterior(prior)
    assert used.posterior is not None
    result = run(used, draws=2048)

    found = learned(prior, used, result)

    (moved,) = found.inputs
    assert moved.input == "trn2.faults_per_1000h"
    before, after = prior.inputs[moved.input].value, used.inputs[moved.input].value
    assert not isinstance(before, float) and not isinstance(after, float)
    assert (moved.prior.mean, moved.posterior.mean) == (before.mean, after.mean)
    assert moved.posterior.p95 - moved.posterior.p05 < moved.prior.p95 - moved.prior.p05
    (shift,) = found.moved_by
    effect = found.effect["trn2"]
    # all the evidence there is: what it moved is what calibration moved, within the errors of the runs
    error = 4 * (shift.p_beats.mcse + effect.p_beats_prior.mcse)
    assert shift.p_beats.value == pytest.approx(effect.p_beats.value - effect.p_beats_prior.value, abs=error)


def test_the_page_names_the_posterior_it_rests_on(study: Path, tmp_path: Path) -> None:
    (page,) = make_memo(load_study(str(study)), out=tmp_path / "memo.html", draws=1024)

    text = page.read_text("utf-8")
    assert 'id="calibration"' in text
    assert "SHA-256 of the posterior" in text


def test_a_stale_posterior_is_left_out_and_said_so(study: Path, tmp_path: Path) -> None:
    text = study.read_text("utf-8").replace("events = 2", "events = 3")
    study.write_text(text, encoding="utf-8")

    (page,) = make_memo(load_study(str(study)), out=tmp_path / "memo.html", draws=1024)

    text = page.read_text("utf-8")
    assert 'id="calibration"' not in text
    assert "study.posterior.nc is out of date" in text
