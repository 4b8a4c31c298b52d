"""Catches Markdown in which a study's text is markup, or a table that is none."""

from __future__ import annotations

import re

import pytest

from simulator.report.memo import Wording, document
from simulator.report.memo.markdown import escaped
from tests.report.memo.example import Made


def markdown(made: Made, **more: str) -> str:
    return document(made.content, Wording("en", made.study.currency), "md", **more).decode()


def unescaped(text: str) -> str:
    """What is left of a line when its escaped characters are taken away."""
    return re.sub(r"\\[^\w\s]", "", text)


def test_tables_have_as_many_cells_in_every_row(made: Made) -> None:
    tables = re.findall(r"(?:^\|.*\n)+", markdown(made), re.MULTILINE)

    assert len(tables) > 15
    for table in tables:
        lines = table.splitlines()
        assert re.fullmatch(r"\|( --- \|)+", lines[1])
        assert len({unescaped(line).count("|") for line in lines}) == 1


def test_charts_are_linked_only_where_they_were_written(made: Made) -> None:
    assert "![" not in markdown(made)
    assert "](<charts of mine/tornado.svg>)" in markdown(made, folder="charts of mine")


def test_hostile_text_is_text(wicked: Made) -> None:
    fenced = markdown(wicked)
    prose, command, rest = re.split(r"^`{3,}$", fenced, flags=re.MULTILINE)
    bare = unescaped(prose + rest)

    assert not re.search(r"<[a-z/!]", bare)
    assert "**bold**" not in bare and "`code`" not in bare
    assert not re.search(r"\]\(", bare)
    assert not re.search(r"(?<!&#8203;)@everyone|@everyone", bare)
    assert "https://" not in bare
    assert not set(fenced) & {"\u202e", "\u2066", "\u200f"}
    assert "\n" not in command.strip("\n")


@pytest.mark.parametrize("text", ["a | b", "*x*", "# no heading", "<b>", "a\nb"])
def test_escaped_text_stays_in_its_line_and_is_no_markup(text: str) -> None:
    assert "\n" not in escaped(text)
    assert not re.search(r"(?<!\\)[|*#<]", escaped(text))
