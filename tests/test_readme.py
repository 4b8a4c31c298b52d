"""What these would catch: a README that shows what is no longer printed, links a file that is gone, or hides a verb."""

import re
from pathlib import Path

from click.testing import CliRunner

import cli

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_screen_is_what_the_main_command_prints(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(ROOT)
    shown = re.search(r"```text\n(Move the training.*?)```", README, re.DOTALL)
    assert shown is not None
    printed = CliRunner().invoke(cli.main, ["studies/h100-to-trainium2.toml"], catch_exceptions=False).output
    ours, theirs = shown[1].split("\n\n"), printed.split("\n\n")
    assert [part.splitlines()[0] for part in ours] == [part.splitlines()[0] for part in theirs]
    assert ours[:3] == theirs[:3]  # title, question, answer


def test_every_verb_and_no_other_is_named() -> None:
    named = set(re.findall(r"`(?:simulate )?(\w+) (?:STUDY|FILE|A B|\[NAME\])", README)) | {"verify"}
    assert set(cli.main.commands) - {"run", "init", "schema"} == named - {"simulate"}


def test_every_file_that_it_links_is_there() -> None:
    links = [target for target in re.findall(r"\]\(([^)#]+)", README) if not target.startswith("http")]
    assert [target for target in links if not (ROOT / target).exists()] == []
