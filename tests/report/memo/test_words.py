"""Catches a text that one language lacks, a place that is not filled, a key that is misspelt or no longer used."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from simulator.engine import Figure
from simulator.report.memo import LANGUAGES, Wording
from simulator.report.memo.charts.money import PARTS
from simulator.report.memo.wording import catalogue
from simulator.study.scalars import OPTION
from tests.report.memo.example import TURNED

MEMO = Path(__file__).parents[3] / "simulator" / "report" / "memo"
SOURCES = [path for suffix in ("py", "j2", "js") for path in MEMO.rglob(f"*.{suffix}")]
USED = re.compile(r'(?:words|self|\bt)\(\s*f?"([a-z_0-9.{}]+)["\']')
NAMED = re.compile(r'["\']([a-z_]+\.[a-z_0-9]+)["\']')


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("key", catalogue())
def test_every_text_is_there_in_every_language_with_the_same_places(key: str) -> None:
    texts = catalogue()[key]

    assert set(texts) == set(LANGUAGES)
    assert len({frozenset(places(text)) for text in texts.values()}) == 1
    assert all(text or key == "number.sentence" for text in texts.values())


def test_chinese_is_chinese() -> None:
    same = {
        key
        for key, texts in catalogue().items()
        if texts["en"] == texts["zh"] and re.search("[a-z]{4}", re.sub(r"\{.*?\}", "", texts["zh"]))
    }
    half_width = {key for key, texts in catalogue().items() if re.search(r"[\u4e00-\u9fff] ?[,;:()]", texts["zh"])}

    assert same == set()
    assert half_width == set()


def test_every_key_that_is_asked_for_exists_and_every_text_is_asked_for() -> None:
    text = "\n".join(path.read_text("utf-8") for path in SOURCES)
    asked = {key for key in USED.findall(text) if "{" not in key and "." in key.rstrip(".")}
    assert asked - catalogue().keys() == set()

    groups = {
        "unit",
        "input",
        "part",
        "step",
        "section",
        "table",
        "findings",
        "said",
        "change",
        "kind",
    }  # asked for by computed names
    others = {key for key in catalogue() if key.split(".")[0] not in groups}
    mentioned = set(NAMED.findall(text)) | asked
    computed = ("number.", "inputs.basis_", "whatif.answer_", "whatif.chart_", "mark.", "poc.kind_")
    assert {key for key in others - mentioned if not key.startswith(computed)} == set()


def test_every_input_and_unit_has_words() -> None:
    for key, scalar in OPTION.items():
        assert f"input.{key}" in catalogue()
        assert f"unit.{scalar.unit}" in catalogue()
    assert {f"part.{key}" for key in PARTS} <= catalogue().keys()


@pytest.mark.parametrize(
    ("value", "mcse", "text"),
    [
        (38_215.0, 0.0, "38.2 thousand USD"),
        (38_215.0, 30.0, "38.2 thousand USD"),
        (38_215.0, 60.0, "38 thousand USD"),
        (38_215.0, 600.0, "40 thousand USD"),
        (551_056.0, 161.0, "551 thousand USD"),
        (160_000.0, 4_000.0, "160 thousand USD"),
        (9_876.0, 1.0, "9,880 USD"),
        (1_234_567.0, 100.0, "1.23 million USD"),
        (300.0, 900.0, "no more than the simulation error of 900 USD"),
        (float("nan"), 0.0, "–"),
    ],
)
def test_an_amount_has_the_digits_that_its_error_supports(value: float, mcse: float, text: str) -> None:
    assert Wording("en", "USD").money(Figure(value, mcse)) == text
    assert Wording("en", "USD").money(Figure(-value, mcse)) == text


def test_chinese_counts_by_ten_thousands() -> None:
    words = Wording("zh", "CNY")

    assert words.money(551_056.0) == "55.1 万 CNY"
    assert words.money(123_456_789.0) == "1.23 亿 CNY"
    assert words.scale(551_056.0) == ("万 CNY", 1e4)


@pytest.mark.parametrize(
    ("p", "mcse", "text"),
    [
        (0.3208, 4e-4, "32 of 100 cases"),
        (0.0042, 1e-4, "4 of 1,000 cases"),
        (0.0, 0.0, "none of the cases drawn"),
        (2e-4, 1e-4, "fewer than 1 of 2,000 cases"),
        (1.0, 0.0, "all of the cases drawn"),
        (0.9999, 1e-4, "all but fewer than 1 of 2,000 cases"),
    ],
)
def test_a_probability_is_never_more_certain_than_its_error(p: float, mcse: float, text: str) -> None:
    assert Wording("en", "USD").cases(Figure(p, mcse)) == text


def test_a_chance_in_a_cell_is_never_none_or_all() -> None:
    words = Wording("en", "USD")

    assert [words.chance(Figure(p, 0.0)) for p in (0.0, 0.4567, 1.0)] == ["< 0.1 %", "45.7 %", "> 99.9 %"]


def test_what_is_filled_in_cannot_turn_the_text() -> None:
    text = Wording("en", "USD")("verdict.stay", option=TURNED)

    assert not set(text) & {"\u202e", "\u2066", "\u200f"}


@pytest.mark.parametrize(
    ("value", "text"), [(13e9, "1.3 × 10¹⁰"), (2e-5, "2 × 10⁻⁵"), (20_000.0, "20,000"), (-0.25, "−0.25")]
)
def test_numbers_have_no_exponents_of_programs(value: float, text: str) -> None:
    assert Wording("en", "USD").number(value) == text
