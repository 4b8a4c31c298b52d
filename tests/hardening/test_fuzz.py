"""A few of the files of benchmarks/fuzz.py: no traceback, no steering characters, an exit code that was promised."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from tests.hardening.attempt import complaint, evidence_commands, study_commands
from tests.hardening.mutations import mutated
from tests.hardening.samples import SAMPLES

ROOT = Path(__file__).parents[2]
STUDIES = [
    path.read_bytes()
    for folder in ("tests/data", "simulator/study/templates", "simulator/verification/studies")
    for path in sorted((ROOT / folder).glob("*.toml"))
]
EVIDENCE = [text.encode() for text in SAMPLES.values()]


@pytest.mark.parametrize("batch", range(4))
def test_mutated_studies(batch: int, tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    for number in range(20 * batch, 20 * (batch + 1)):
        path.write_bytes(mutated(STUDIES, number))
        for words in study_commands(path, number):
            assert complaint(words) == "", number


@pytest.mark.parametrize("batch", range(4))
def test_mutated_evidence(batch: int, tmp_path: Path) -> None:
    path = tmp_path / "file.log"
    for number in range(25 * batch, 25 * (batch + 1)):
        path.write_bytes(mutated(EVIDENCE, number))
        for words in evidence_commands(path, number):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert complaint(words) == "", number
