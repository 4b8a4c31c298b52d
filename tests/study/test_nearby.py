"""Columns of files: nothing outside the study's folder is read, and no cell is skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.study import Fault, StudyError, load_study
from tests.study.conftest import GOOD

LINE = 'engineer_hours = { dist = "lognormal", median = 240, sigma = 0.75 }'


def study(folder: Path, file: str, column: str = "hours") -> Path:
    spec = f'engineer_hours = {{ dist = "empirical", file = "{file}", column = "{column}" }}'
    path = folder / "study.toml"
    path.write_text(GOOD.replace(LINE, spec))
    return path


def refused(path: Path) -> list[Fault]:
    with pytest.raises(StudyError) as caught:
        load_study(path)
    return list(caught.value.faults)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b"who,hours\nx,120\n\ny,240.5\n"),
        ("b.csv", b'\xef\xbb\xbfwho, hours\r\n"a\r\nb",120\r\ny, 240.5\r\n'),
        ("c.tsv", b"hours\twho\n120\tx\n2.405e2\ty\n"),
    ],
)
def test_the_numbers_of_a_column(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)

    law = load_study(study(tmp_path, name)).inputs["trn2.engineer_hours"].value

    assert law.mean == pytest.approx((120 + 240.5) / 2)  # type: ignore[union-attr]


def test_cells_that_are_no_numbers_are_told_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('who,hours\n"two\nlines",1\nx,\ny,n/a\nz,inf\nshort\nw,1_0\n')

    found = refused(study(tmp_path, "a.csv"))

    assert {each.file for each in found} == {str(tmp_path / "a.csv")}
    assert [(each.line, each.found) for each in found] == [
        (4, '""'),
        (5, '"n/a"'),
        (6, '"inf"'),
        (7, '""'),
        (8, '"1_0"'),
    ]


def test_many_wrong_cells_are_summed_up(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("hours\n" + "x\n" * 100)

    assert [each.found for each in refused(study(tmp_path, "a.csv"))][-1] == "95 more such cells"


@pytest.mark.parametrize("file", ["../a.csv", "/etc/passwd", "sub/../../a.csv", "link.csv", "links/a.csv"])
def test_a_file_outside_the_folder_is_refused(file: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "sub").mkdir(parents=True)
    (tmp_path / "a.csv").write_text("hours\n1\n2\n")
    (home / "link.csv").symlink_to(tmp_path / "a.csv")
    (home / "links").symlink_to(tmp_path)

    (found,) = refused(study(home, file))

    assert (found.line, found.key) == (19, "options.trn2.engineer_hours.file")
    assert "outside" in found.found


def test_a_missing_file_a_missing_column_and_an_empty_one_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "times.csv").write_text("hours_total,who\n")

    (file,) = refused(study(tmp_path, "time.csv"))
    (column,) = refused(study(tmp_path, "times.csv", "hours_totl"))
    (empty,) = refused(study(tmp_path, "times.csv", "who"))

    assert (file.key, file.nearest) == ("options.trn2.engineer_hours.file", "times.csv")
    assert (column.key, column.nearest) == ("options.trn2.engineer_hours.column", "hours_total")
    assert "empty" in empty.found


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"hours\n\xff\xfe\n")

    (found,) = refused(study(tmp_path, "a.csv"))

    assert "UTF-8" in found.found
