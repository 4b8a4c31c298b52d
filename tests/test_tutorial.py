"""docs/tutorial.md as a reader follows it: files are written as shown, commands run, every line shown is printed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial.md"
NUMBER = re.compile(r"-?\d[\d,]*\.?\d*")


def blocks() -> Iterator[tuple[str, str]]:
    """Fenced blocks of the page: their language and text."""
    for found in re.finditer(r"^```(\w+)\n(.*?)^```$", TUTORIAL.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        yield found[1], found[2]


def write(text: str) -> None:
    """A file as the first line of its block says: whole, continued, with more, or with a value exchanged."""
    head, _, body = text.partition("\n")
    match head.removeprefix("# ").split(" ", 1):
        case [name]:
            Path(name).write_text(body, "utf-8")
        case ["move.toml,", "continued"]:
            Path("move.toml").write_text(Path("move.toml").read_text("utf-8") + body, "utf-8")
        case [name, "move.toml and"]:
            Path(name.rstrip(",")).write_text(Path("move.toml").read_text("utf-8") + body, "utf-8")
        case [name, rest] if found := re.fullmatch("move.toml with (.*) as", rest):
            old = Path("move.toml").read_text("utf-8")
            assert old.count(found[1]) == 1
            Path(name.rstrip(",")).write_text(old.replace(found[1], body.strip()), "utf-8")
        case _:
            pytest.fail(f"no file in {head!r}")


def same(shown: str, printed: str) -> bool:
    """Whether a line is the one shown: words alike, numbers to 1 % or one unit of their last digit."""
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", printed).split():
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed), strict=True)
    return all(abs(value(one) - value(other)) <= allowed(one) for one, other in pairs)


def value(text: str) -> float:
    return float(text.replace(",", ""))


def allowed(text: str) -> float:
    digits = len(text.partition(".")[2])
    return max(1.01 * 10**-digits, 0.01 * abs(value(text)))


def run(text: str) -> None:
    """A command, and the lines that are shown of its output, in their order; `...` stands for any others."""
    command, *shown = text.splitlines()
    result = CliRunner().invoke(main, shlex.split(command.removeprefix("$ simulate ")), catch_exceptions=False)
    printed = iter(result.output.splitlines())
    for line in shown:
        if line != "...":
            assert any(same(line, other) for other in printed), f"{command}: {line!r} is not printed"


def test_the_tutorial_runs_as_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for language, text in blocks():
        {"toml": write, "console": run}[language](text)
    assert CliRunner().invoke(main, ["check", "slide.toml", "--strict"]).exit_code == 1
