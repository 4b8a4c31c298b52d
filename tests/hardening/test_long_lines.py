"""Would catch: a pattern whose work grows with the square of a line's length, with which one line stops a reader."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest

from simulator.evidence import EvidenceError, read
from tests.hardening.samples import SAMPLES

LENGTH = 50_000
SECONDS = 8  # of the processor, for all of a file's long lines; one with work of a square takes more alone
PIECES = ("x", "1", " ", "a ", "1 ", "a:", "a=1 ", ",", '"', "[", "{", "é", "1.", "| ")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_long_line_takes_time_as_its_length(name: str, tmp_path: Path) -> None:
    """A line broken in its middle by each kind of piece."""
    sample = SAMPLES[name]
    line = sample.splitlines()[min(1, sample.count("\n") - 1)]
    middle = len(line) // 3
    long = [line[:middle] + piece * (LENGTH // len(piece)) + line[middle:] for piece in PIECES]
    path = tmp_path / "file"
    path.write_text(sample + "\n".join(["", *long, ""]), "utf-8")
    start = time.process_time()
    with contextlib.suppress(EvidenceError):
        read(path)
    assert time.process_time() - start < SECONDS
