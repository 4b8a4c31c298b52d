"""One command on one file: what must never happen, whatever the file holds."""

from __future__ import annotations

import re
import traceback
from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner

import cli

STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that move a cursor, colour a terminal or turn text."""


def complaint(words: Sequence[str]) -> str:
    """What is wrong with how the command went; empty if nothing is."""
    done = CliRunner().invoke(cli.main, list(words))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        return "".join(traceback.format_exception(done.exception))
    if done.exit_code not in (0, 1, 2):
        return f"exit code {done.exit_code}"
    if "Traceback (most recent call last)" in done.stderr:
        return f"a traceback was printed: {done.stderr[-400:]}"
    if steers := STEERING.search(done.output):
        at = steers.start()
        return f"steering character {steers.group()!r} in the output: {done.output[max(0, at - 80) : at + 40]!r}"
    if done.exit_code == 2 and not done.stderr.strip():
        return "refused without a word"
    return ""


def study_commands(path: Path, number: int) -> list[list[str]]:
    """What is tried on a study: to run it, or to check it, in turn."""
    return [["check", str(path)] if number % 2 else ["run", str(path), "--draws", "256", "-q"]]


def evidence_commands(path: Path, number: int) -> list[list[str]]:
    """What is tried on a file of evidence: for a reader, or for a program."""
    return [["evidence", str(path), "--json" if number % 4 == 3 else "--rejected"]]
