"""Shipped studies are found from any folder; a file of one's own comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.study import StudyError, load_study
from simulator.study.shipped import folder, shipped_studies, studies_using


@pytest.mark.parametrize("name", ["studies/article.toml", "article.toml"])
def test_a_shipped_study_is_found_from_any_folder(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_study(name).path == str(folder() / "article.toml")


def test_a_file_of_ones_own_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("article.toml").write_text(shipped_studies()["article.toml"].replace("title =", "title = 'Mine' #"), "utf-8")
    assert load_study("article.toml").title == "Mine"


@pytest.mark.parametrize("name", ["other/article.toml", "articles.toml"])
def test_other_names_are_not_guessed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StudyError, match="no such file"):
        load_study(name)


def test_every_prior_that_a_shipped_study_uses_is_told() -> None:
    assert "h100-to-trainium2.toml" in studies_using("trn2/utilization")
    assert not studies_using("trn2/util")
