"""Would catch: a pattern whose work grows with the square of a line's length, with which one line stops a reader."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest

from simulator.evidence import EvidenceError, read
from tests.hardening.samples import SAMPLES

LENGTH = 200_000
PIECES = (
    "x",
    "1",
    " ",
    "a ",
    "1 ",
    "=",
    ":",
    "a:",
    "a=1 ",
    ",",
    '"',
    "(",
    "[",
    "{",
    "|",
    "-",
    "1:",
    "1.",
    "é",
    "%",
    "/",
    "| ",
)


def slowest(text: str, path: Path) -> float:
    path.write_text(text, "utf-8")
    start = time.process_time()
    with contextlib.suppress(EvidenceError):
        read(path)
    return time.process_time() - start


@pytest.mark.parametrize("name", SAMPLES)
def test_a_long_line_takes_time_as_its_length(name: str, tmp_path: Path) -> None:
    """A line broken in three places, with every kind of piece: work of a square takes minutes."""
    sample = SAMPLES[name]
    line = sample.splitlines()[min(1, sample.count("\n") - 1)]
    for piece in PIECES:
        for at in (len(line) // 3, len(line)):
            long = line[:at] + piece * (LENGTH // len(piece)) + line[at:]
            taken = slowest(f"{sample}\n{long}\n", tmp_path / "file")
            assert taken < 3, f"{piece!r} at {at}: {taken:.1f} s"
