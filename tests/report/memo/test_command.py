"""Catches a verb that writes something else than it says, or half of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from simulator.report.memo import pdf

STUDY = Path("tests/data/study-a.toml").resolve()
FEW = ["--draws", "256"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def memo(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["memo", str(STUDY), *FEW, *arguments])


def test_it_is_written_beside_a_name_of_the_study_and_replaces_a_former_one(here: Path) -> None:
    (here / "study-a.memo.html").write_text("a former memo")

    done = memo()

    assert done.exit_code == 0, done.output
    assert [each.name for each in here.iterdir()] == ["study-a.memo.html"]
    assert (here / "study-a.memo.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert "study-a.memo.html is written" in done.output


def test_charts_are_written_and_linked(here: Path) -> None:
    done = memo("--format", "md", "--lang", "zh", "--out", "memo.md", "--charts", "slides")

    assert done.exit_code == 0, done.output
    text = (here / "memo.md").read_text("utf-8")
    svgs = sorted(each.name for each in (here / "slides").glob("*.svg"))
    assert svgs == sorted(each.with_suffix(".svg").name for each in (here / "slides").glob("*.png"))
    assert len(svgs) >= 6
    assert all(f"](<slides/{name}>)" in text for name in svgs)
    assert (here / "slides" / "components.png").read_bytes().startswith(b"\x89PNG")
    assert "--lang zh --format md --seed 1 --draws 256" in text


def test_settings_are_repeated_in_the_command_that_makes_it_again(here: Path) -> None:
    done = memo("--format", "md", "--set", "options.trn2.price=20")

    assert done.exit_code == 0, done.output
    assert "--set options.trn2.price=20" in (here / "study-a.memo.md").read_text("utf-8")


def test_the_language_of_the_study_holds_unless_another_is_asked_for(here: Path) -> None:
    own = here / "own.toml"
    own.write_text(STUDY.read_text("utf-8") + '\n[memo]\nlang = "zh"\ncompany = "示例公司"\n', encoding="utf-8")
    runner = CliRunner()

    command = ["memo", str(own), *FEW, "--format", "md"]
    assert runner.invoke(main, command).exit_code == 0
    chinese = (here / "own.memo.md").read_text("utf-8")
    assert runner.invoke(main, [*command, "--lang", "en"]).exit_code == 0
    english = (here / "own.memo.md").read_text("utf-8")

    assert "## 什么会改变结论" in chinese and "示例公司" in chinese
    assert "## What would change our mind" in english and "示例公司" in english


def test_where_nothing_prints_nothing_is_run(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf.shutil, "which", lambda _: None)
    monkeypatch.setattr(pdf, "find_spec", lambda _: None)

    done = memo("--format", "pdf")

    assert done.exit_code == 2
    assert "install Chromium" in done.output
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [["--out", "no/such/folder/memo.html"], ["--lang", "fr"], ["--charts", "/dev/null/x"]]
)
def test_what_cannot_be_done_is_said_without_a_traceback(here: Path, arguments: list[str]) -> None:
    done = memo(*arguments)

    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert not list(here.glob(".*"))
