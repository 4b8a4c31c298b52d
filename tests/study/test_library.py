"""References into the shipped library and into a study's own."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from simulator.study import StudyError, load_study
from simulator.study.library import FILES, library
from tests.study.conftest import GOOD, spoiled

PRIORS = Path(__file__).parent.parent.parent / "priors"


def test_entries_cut_out_of_the_text_are_those_of_the_whole_file() -> None:
    whole = {name: table for file in FILES for name, table in tomllib.loads((PRIORS / file).read_text()).items()}

    assert {name: entry.table for name, entry in library().items()} == whole


def test_a_reference_takes_value_and_facts_and_may_be_noted_and_cut(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(
        spoiled(
            '{ dist = "beta", mean = 0.38, sd = 0.06 }',
            '{ prior = "trn2/utilization", note = "ours", max = 0.6, luck = true }',
        )
    )
    entry = library()["trn2/utilization"].table

    found = load_study(path).inputs["trn2.utilization"]

    assert found.provenance is not None
    assert (found.provenance.prior, found.provenance.note) == ("trn2/utilization", "ours")
    assert (found.provenance.source, found.provenance.as_of) == (entry["source"], entry["as_of"])
    assert found.value.support == (0, 0.6)  # type: ignore[union-attr]
    assert found.luck


def with_own(folder: Path, own: str, value: str) -> Path:
    (folder / "own.toml").write_text(own)
    path = folder / "study.toml"
    path.write_text(spoiled("price = 35", f"price = {value}") + '[priors]\nfiles = ["own.toml"]\n')
    return path


def test_own_entries_come_first_and_say_so(tmp_path: Path) -> None:
    own = '["trn2/price/spot"]\nvalue = 9.5\nunit = "USD/instance-hour"\n["mine"]\nvalue = 1\n'

    study = load_study(with_own(tmp_path, own, '{ prior = "trn2/price/spot" }'))

    assert study.inputs["trn2.price"].value == 9.5
    assert next((note.code, note.where) for note in study.notes) == ("prior_shadowed", "trn2/price/spot")


@pytest.mark.parametrize(
    ("own", "file", "line"),
    [
        ('["mine"]\nvalue = 1\n["mine"]\n', "own.toml", 3),
        ('["mine"]\nvalue = 1\n[x]\n\n\ny = \n', "own.toml", 6),
        ("mine = 3\n", "own.toml", 1),
        ('["mine"]\nvalue = -3\n', "own.toml", 2),
        ('["mine"]\nnote = "x"\ndist = "lognormal"\nmedian = -3\nsigma = 1\n', "own.toml", 4),
        ('["mine"]\nvalue = 3\nas_of = "2026"\n', "own.toml", 3),
        ('["mine"]\nvalue = 3\nunit = "hours"\n', "own.toml", 3),
        ('["other"]\nvalue = 3\n', "study.toml", 16),
    ],
)
def test_a_fault_of_an_own_entry_has_the_line_of_its_file(own: str, file: str, line: int, tmp_path: Path) -> None:
    with pytest.raises(StudyError) as caught:
        load_study(with_own(tmp_path, own, '{ prior = "mine" }'))

    assert next((Path(each.file).name, each.line) for each in caught.value.faults) == (file, line)


def test_the_facts_of_a_good_study_need_no_library(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(GOOD)

    assert all(each.provenance is None for each in load_study(path).inputs.values())
