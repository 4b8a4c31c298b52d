"""Catches a sentence of the program that the memo says in English to a Chinese reader, or says differently."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest

from simulator.audit import check
from simulator.report.memo import Wording, document
from simulator.report.memo.assemble import findings
from simulator.report.memo.wording import BETWEEN, catalogue, sentences
from simulator.study import load_study
from simulator.study.library import library
from simulator.study.said import Said, Series
from tests.report.memo.example import Made

SIMULATOR = Path(__file__).parents[3] / "simulator"
ENGLISH = re.compile(r"(?:[A-Za-z][a-z'-]* ){3}[A-Za-z]+")  # four words in a row
SAMPLE = 0.5


def templates() -> Iterator[str]:
    """First arguments of `Said(...)` in the program, as literals."""
    for path in SIMULATOR.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Said":
                yield from literals(node.args[0])


def literals(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from literals(one)
            yield from literals(other)
        case _:
            raise AssertionError(f"no literal: {ast.unparse(node)}")


def test_every_sentence_of_the_program_is_in_the_catalogue_and_no_other() -> None:
    assert set(templates()) == sentences().keys()
    assert len(sentences()) == sum(key.startswith("said.") for key in catalogue())


@pytest.mark.parametrize("template", sentences())
def test_it_is_said_in_chinese_alone(template: str) -> None:
    fields = {name: spec for _, name, spec, _ in Formatter().parse(template) if name}
    said = Said(template, **{name: 7 if spec == "," else SAMPLE if spec else "x" for name, spec in fields.items()})

    chinese = Wording("zh", "USD").say(said)

    assert Wording("en", "USD").say(said) == said
    assert not ENGLISH.search(chinese)
    words = re.sub(r"\{.*?\}", "", template)
    assert re.search(r"[\u4e00-\u9fff]", chinese) or not re.search(r"[a-z]{3}", words)


def test_places_are_filled_alike_in_both_languages() -> None:
    for texts in sentences().values():
        english, chinese = (
            {(name, spec) for _, name, spec, _ in Formatter().parse(text) if name} for text in texts.values()
        )
        assert english == chinese


def test_parts_of_a_series_are_said_one_by_one() -> None:
    said = Said("on record: {quotes}", quotes=Series(", ", (Said("dense {precision}", precision="BF16"), "as it is")))

    assert Wording("zh", "USD").say(said) == "在案报价：稠密 BF16、as it is"
    assert set(BETWEEN) == {"; ", ", ", " and ", " or "}


def without(text: str, own: Iterable[str | None]) -> str:
    """A text without what the study's author or the library wrote."""
    for each in sorted({each for each in own if each}, key=len, reverse=True):
        text = text.replace(each, "")
    return text


def written(made: Made) -> Iterator[str | None]:
    """Texts of a study, and of the library that it refers to."""
    study = made.study
    yield from (study.title, study.path, made.content.origin.command)
    yield from (claim.source for claim in study.claims)
    for option in study.options.values():
        yield from (option.label, *(cost.label for cost in option.other_costs))
    for each in made.content.inputs:
        yield from (each.source, each.note)
    yield from (each.source for each in made.content.findings)
    for entry in map(library().__getitem__, library()):
        yield from (entry.table.get("absent"), entry.table.get("source"))


@pytest.fixture(params=["studies/h100-to-trainium2.toml", "studies/article.toml"])
def audited(request: pytest.FixtureRequest, made: Made) -> Made:
    """A memo with every section, with the findings of a study among them the one that has most."""
    other = load_study(request.param)
    found = (*findings(other, made.result), *check(other).findings)
    return replace(made, content=replace(made.content, findings=found))


def test_a_chinese_memo_has_no_english_sentence(audited: Made) -> None:
    text = document(audited.content, Wording("zh", "USD"), "md").decode().replace("\\", "")
    text = without(text, written(audited))

    assert len(audited.content.findings) > 10
    assert [found[0] for found in ENGLISH.finditer(text)] == []
