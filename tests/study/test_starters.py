"""Starters load as they are, and never take the place of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.study import StudyError, load_study
from simulator.study.starters import template, templates, write_starter


@pytest.mark.parametrize("kind", templates())
def test_a_starter_is_a_study_without_a_fault_and_teaches(kind: str, tmp_path: Path) -> None:
    path = write_starter(kind, tmp_path / "mine.toml")

    study = load_study(path)

    assert len(study.options) == 2
    assert [note.code for note in study.notes if note.severity == "warning"] == []
    assert template(kind).count("#") > 8


def test_a_folder_gets_a_study_of_the_usual_name(tmp_path: Path) -> None:
    assert write_starter("minimal", tmp_path) == tmp_path / "study.toml"


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("mine")

    with pytest.raises(StudyError, match="there already"):
        write_starter("minimal", path)

    assert path.read_text() == "mine"


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="cannot be written"):
        write_starter("minimal", tmp_path / "no" / "folder.toml")
    with pytest.raises(StudyError, match='did you mean "price-bases"'):
        write_starter("price-base", tmp_path / "a.toml")
