"""Would catch: a number in a file of evidence that stops the reader. Each was found by fuzzing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.corpus import megatron, torchtitan
from tests.hardening.attempt import complaint
from tests.hardening.samples import SAMPLES, SLURM

STRANGE = {
    "a step of hundreds of digits": megatron(1, 5).replace("iteration        3/", "iteration 3" + "0" * 400 + "/"),
    "a step of thousands of digits": torchtitan(1, 5).replace("step:  3", "step: 3" + "0" * 5000),
    "hours of thousands of digits": SLURM.replace("|3600|", "|36" + "0" * 5000 + "|"),
    "hours beyond all floats": SLURM.replace("|3600|", "|36" + "0" * 400 + "|"),
    "nodes in another script": SLURM.replace("|2|billing", "|²|billing"),
    "a JSON number of thousands of digits": SAMPLES["monitor"].replace("30", "3" + "0" * 5000),
    "JSON nested without end": SAMPLES["trainer_state"].replace('"epoch"', '"x": ' + "[" * 100_000 + ', "epoch"', 1),
    "a number that is none": SAMPLES["trainer_state"].replace('"global_step": 40', '"global_step": 4-0'),
    "an escape": megatron(1, 3) + "\x1b]0;title\x07 iteration 4/ x\x9b31m\n",
    "a formula": "User,Project,Start date,Duration\n=cmd|'/c calc'!A1,Port,2026-03-02,01:30:00\n",
}


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("way", ["--rejected", "--json"])
def test_a_strange_file_is_read_or_refused_in_words(name: str, way: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(STRANGE[name], "utf-8")
    assert complaint(["evidence", str(path), way]) == ""


@pytest.mark.parametrize("name", ["\x1b[31mred.log", "\u202egol.exe", "[bold]x.log"])
def test_a_strange_name_of_a_file_does_not_steer(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(megatron(1, 30), "utf-8")
    assert complaint(["evidence", str(path)]) == ""
    assert complaint(["evidence", str(path.with_suffix(".absent"))]) == ""


def test_an_archive_that_expands_without_measure_is_refused(tmp_path: Path) -> None:
    """100 MB of blanks in 100 kB: no more than the floor is unpacked before it is told."""
    import gzip

    path = tmp_path / "bomb.log.gz"
    with gzip.open(path, "wb", compresslevel=9) as file:
        for _ in range(100):
            file.write(b" " * 2**20)
    assert complaint(["evidence", str(path)]) == ""


def test_files_of_a_study_stay_in_its_folder(tmp_path: Path) -> None:
    """By a path, an absolute one, or a link."""
    from simulator.study import StudyError, load_study
    from tests.hardening.test_studies_refused import STUDY

    (tmp_path / "secret.csv").write_text("x\n1\n2\n3\n", "utf-8")
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    for name in ("../secret.csv", str(tmp_path / "secret.csv"), "link.csv"):
        law = f'{{ dist = "empirical", file = "{name}", column = "x" }}'
        (folder / "study.toml").write_text(STUDY.replace("price = 40", f"price = {law}"), "utf-8")
        with pytest.raises(StudyError, match="folder"):
            load_study(folder / "study.toml")
