"""`simulate calibrate`, and `simulate run` after it.

Would catch: a failing fit that exits with 0, a library's warning on the user's terminal, an interrupted fit half there,
a run that does not say on what it rests, a line beyond 80 columns.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import cli
from simulator.calibration import calibrate as module

from .test_record import STUDY

ROOT = Path(__file__).parents[2]


def simulate(*words: str) -> Result:
    return CliRunner().invoke(cli.main, list(words), catch_exceptions=False)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    return path


def test_calibrate_then_run(study: Path) -> None:
    made = simulate("calibrate", str(study), "-q")

    assert made.exit_code == 0
    assert max(map(len, made.stdout.splitlines())) <= 80
    words = " ".join(made.stdout.split())
    for expected in ("before", "after", "is still prior", "beats a in", "What is left to learn", "P(beats) would be"):
        assert expected in words
    result = json.loads(simulate("run", str(study), "--draws", "1024", "--json").stdout)
    assert result["study"]["posterior"]["path"] == str(study.with_suffix(".posterior.nc"))
    assert "posterior_used" in {each["code"] for each in result["findings"]}


def test_prior_only_shows_the_answer_with_the_posterior_beside(study: Path) -> None:
    before = json.loads(simulate("run", str(study), "--draws", "1024", "--json").stdout)
    simulate("calibrate", str(study), "-q")

    result = json.loads(simulate("run", str(study), "--draws", "1024", "--json", "--prior-only").stdout)

    assert result["study"]["posterior"] is None
    assert result["options"] == before["options"]
    (beside,) = [each["message"] for each in result["findings"] if each["code"] == "prior_only"]
    assert "P(beats)" in beside


@pytest.mark.parametrize(
    ("verb", "figure"),
    [
        ("drivers", lambda told: told["saving"]["value"]),
        ("breakeven", lambda told: told["gain"]["value"]),
        ("voi", lambda told: told["evpi"]["value"]),
        ("risk", lambda told: told["options"]["b"]["mean"]["value"]),
        ("poc", lambda told: told["evpi"]["value"]),
    ],
)
def test_every_analysis_answers_with_the_posterior(
    study: Path, verb: str, figure: Callable[[dict[str, Any]], float]
) -> None:
    study.write_text(STUDY + "[poc]\ncost_per_run = 1000\nhours_per_run = 48\n")
    simulate("calibrate", "-q", str(study))

    after, before = (simulate(verb, str(study), "--json", "--draws", "4096", *more) for more in ((), ("--prior-only",)))

    assert "learned from a PoC" in after.stderr
    assert "learned from a PoC" not in before.stderr
    told, old = (json.loads(each.stdout) for each in (after, before))
    assert told["study"]["posterior"]["path"] == str(study.with_suffix(".posterior.nc"))
    assert old["study"]["posterior"] is None
    assert figure(told) != pytest.approx(figure(old), rel=0.02)


def test_a_stale_posterior_is_told_of_by_an_analysis(study: Path) -> None:
    simulate("calibrate", "-q", str(study))
    study.write_text(STUDY.replace("events = 2", "events = 3"))

    made = simulate("risk", str(study), "--json", "--draws", "1024")

    assert "is out of date, priors are used" in made.stderr
    assert json.loads(made.stdout)["study"]["posterior"] is None


def test_a_study_with_a_posterior_does_not_differ_from_itself(study: Path) -> None:
    simulate("calibrate", "-q", str(study))

    compared = json.loads(simulate("compare", str(study), str(study), "--json", "--draws", "1024").stdout)

    assert compared["changes"] == []
    assert compared["a"]["posterior"] is not None


def test_a_saved_run_keeps_its_posterior_where_the_evidence_is_not(study: Path, tmp_path: Path) -> None:
    (tmp_path / "hours.csv").write_text("User,Project,Start date,Duration\nx,p,2026-03-02,40:00:00\n")
    study.write_text(
        STUDY.replace('"b.utilization", "b.eng', '"a.utilization", "b.eng')
        + '[[evidence]]\noption = "b"\nfiles = ["hours.csv"]\nshare_done = 0.5\n'
    )
    simulate("calibrate", "-q", str(study))
    alone = json.loads(simulate("run", str(study), "--json", "--save", str(tmp_path / "kept")).stdout)
    study.with_suffix(".posterior.nc").unlink()

    compared = json.loads(simulate("compare", str(tmp_path / "kept"), str(study), "--json").stdout)

    assert compared["a"]["posterior"]["sha256"] == alone["study"]["posterior"]["sha256"]
    assert compared["b"]["posterior"] is None
    assert {each["where"] for each in compared["changes"]} >= {"options.b.engineer_hours", "options.b.utilization"}


def test_a_batch_answers_with_the_posterior(study: Path, tmp_path: Path) -> None:
    import duckdb

    simulate("calibrate", "-q", str(study))
    alone = json.loads(simulate("run", str(study), "--json", "--draws", "1024").stdout)
    table = tmp_path / "table.parquet"

    simulate("run", str(study), "--table", str(table), "--draws", "1024")

    query = f"SELECT posterior, p_beats FROM '{table}' WHERE option = 'b'"
    (row,) = duckdb.connect().execute(query).fetchall()
    assert row == (alone["study"]["posterior"]["sha256"], alone["options"]["b"]["p_beats"]["value"])


def test_a_failed_fit_exits_with_1(study: Path) -> None:
    study.write_text(STUDY.replace("alpha = 6, beta = 9", "alpha = 300, beta = 450").replace("0.31, 0.33", "0.1, 0.11"))

    made = simulate("calibrate", str(study), "--json", "-q")

    assert made.exit_code == 1
    assert json.loads(made.stdout)["ok"] is False


def test_a_study_without_evidence_is_refused(study: Path) -> None:
    study.write_text(STUDY.split("[[evidence]]")[0])

    made = simulate("calibrate", str(study))

    assert made.exit_code == 2
    assert "[[evidence]]" in made.stderr


def test_charts_are_svg(study: Path, tmp_path: Path) -> None:
    simulate("calibrate", str(study), "-q", "--charts", str(tmp_path / "charts"))

    written = {path.name: path.read_text() for path in (tmp_path / "charts").iterdir()}
    assert {"b.utilization.svg", "b.engineer_hours.svg", "b.faults_per_1000h.svg"} == written.keys()
    assert all(text.startswith("<svg") and "before" in text for text in written.values())


def test_interrupted_while_sampling(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What quadrature fitted is kept; the next calibration makes the rest."""
    both = STUDY + '[[evidence]]\ninput = "b.engineer_hours"\nvalues = [200, 260]\n'
    study.write_text(both)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "sample", interrupt)
    made = simulate("calibrate", str(study))

    assert made.exit_code == 130
    assert "are kept" in made.stderr
    assert {path.name for path in study.parent.iterdir()} == {"study.toml", "study.posterior.nc"}


JOINT = STUDY + '[[evidence]]\ninput = "b.engineer_hours"\nvalues = [200, 260]\n'


def test_without_a_sampler_it_says_what_to_install(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study.write_text(JOINT)
    monkeypatch.setitem(sys.modules, "pymc", None)  # import pymc fails

    made = simulate("calibrate", str(study))

    assert made.exit_code == 2
    assert "pip install" in made.stderr
    assert study.with_suffix(".posterior.nc").exists()  # with what quadrature fitted


def test_inputs_are_learned_together_without_a_c_compiler(study: Path) -> None:
    study.write_text(JOINT)
    words = [sys.executable, str(ROOT / "cli.py"), "calibrate", str(study), "--json"]

    made = subprocess.run(
        words, capture_output=True, text=True, check=True, env=os.environ | {"PYTENSOR_FLAGS": "cxx="}
    )

    assert json.loads(made.stdout)["inputs"]["b.engineer_hours"]["method"] == "sampler"
    assert made.stderr == ""


def test_no_warning_of_a_library_reaches_the_user(study: Path) -> None:
    words = [sys.executable, str(ROOT / "cli.py"), "calibrate", str(study)]
    made = subprocess.run(words, capture_output=True, text=True, check=True, cwd=study.parent)

    assert made.stderr == ""  # no terminal, no progress


def test_calibration_is_light_until_it_is_asked_for() -> None:
    heavy = "pymc arviz xarray h5py scipy.stats pandas vl_convert"
    code = f"import sys, simulator.calibration; print([m for m in '{heavy}'.split() if m in sys.modules])"

    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)

    assert made.stdout.strip() == "[]"


def test_a_learned_law_is_told_by_its_quantiles(study: Path, tmp_path: Path) -> None:
    simulate("calibrate", "-q", str(study))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "study.toml").write_text(STUDY)

    made = simulate("compare", str(study), str(tmp_path / "other" / "study.toml"), "--json", "--draws", "256")

    told = {each["where"]: each["before"] for each in json.loads(made.stdout)["changes"]}
    assert told["options.b.utilization"].startswith("learned, p05 0.")
    assert "learned from a PoC" in made.stderr
