"""`simulate evidence`: the table within 80 columns, the document of the contract, rejects, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main

LOG = "".join(
    f"[titan] 2026-02-24 19:46:{i:02d},508 - root - INFO - step: {i}  loss: 7.{i}  memory: 66.91GiB(37.51%)"
    f"  tps: 10,05{i}  tflops: 314.71  mfu: 13.99%\n"
    for i in range(4, 9)
)


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ["evidence", *args], catch_exceptions=False)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "train.log"
    path.write_text(LOG + "[titan] 2026-02-24 19:46:09,508 - root - INFO - step: 9  loss: 7.0", "utf-8")
    return path


def test_the_table_says_from_which_lines_and_under_which_assumption(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    got = run(str(log), "--devices-per-instance", "8", "--parameters", "8e9", "--peak-pflops", "18")
    assert got.exit_code == 0
    assert "6 lines or records = 5 used + 0 merged + 0 ignored + 1 rejected" in " ".join(got.stdout.split())
    assert "lines 1 to 5; run 1; mean of steady steps" in " ".join(got.stdout.split())
    assert "80448" in got.stdout  # 8 devices of 10,056
    assert "--rejected shows each rejected line" in got.stdout
    shown = [line for line in got.stdout.splitlines() if not line.startswith(str(log.parent))]
    assert max(map(len, shown)) <= 80


def test_rejected_lines_are_shown_when_asked(log: Path) -> None:
    assert "line 6: cut before 'tps'" in run(str(log), "--rejected").stdout


def test_the_document_stands_alone_on_stdout(log: Path) -> None:
    got = run(str(log), "--json")
    document = json.loads(got.stdout)
    assert document["schema"] == "switchodds/evidence/1"
    (file,) = document["files"]
    assert file["used"] + file["merged"] + file["ignored"] + file["rejected_count"] == file["lines"]
    assert file["rejected"] == [{"line": 6, "reason": "cut before 'tps'", "text": file["rejected"][0]["text"]}]


def test_files_that_cannot_be_read_end_in_2_and_the_others_are_shown(log: Path, tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("dear diary", "utf-8")
    got = run(str(log), str(tmp_path / "diary.txt"), str(tmp_path / "none.log"))
    assert got.exit_code == 2
    assert "tokens_per_second" in got.stdout
    assert "diary.txt: no line that a reader knows; expected one of" in got.stderr
    assert "none.log: no such file" in got.stderr


def test_a_wrong_reader_is_named_with_the_nearest(log: Path) -> None:
    got = run(str(log), "--reader", "torchtitn")
    assert got.exit_code == 2
    assert "did you mean 'torchtitan'?" in got.stderr
