"""Catches a page that needs something else, lets a study's text act, or shows a section that has nothing to say."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from simulator.report.memo import LANGUAGES, Wording, assemble, document
from simulator.report.memo.assemble import logo
from simulator.report.memo.charts import pictures
from simulator.report.memo.content import Logo
from simulator.study import StudyError, load_study
from tests.report.memo.conftest import Saved
from tests.report.memo.example import Made, fixed

Html = Callable[..., str]

OUTSIDE = re.compile(r"""(?:src|href|action|data|poster)\s*=\s*["']?(?!#|data:|&#)[^"'>\s]""")


class Page(HTMLParser):
    """Elements, and the text inside them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._inside = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self._inside, []).append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture
def html(saved: Saved) -> Html:
    """The page as text, made once a memo and language."""
    return lambda made, lang="en": saved(made, lang).read_text("utf-8")


def test_it_is_small_and_complete(html: Html, made: Made) -> None:
    text = html(made)
    page = Page(text)

    assert len(text) < 2_000_000
    assert page.all("link") + page.all("iframe") + page.all("img") == []
    assert OUTSIDE.findall(re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)) == []
    assert "@import" not in text and "url(http" not in text


def test_its_policy_lets_its_own_script_and_style_be_and_nothing_else(html: Html, made: Made) -> None:
    text = html(made)
    policy = next(each["content"] for each in Page(text).all("meta") if each.get("http-equiv"))
    assert policy is not None
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    script = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)[-1]
    assert style is not None

    for part in (style[1], script):
        assert base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert all("style" not in attributes for _, attributes in Page(text).elements)
    assert not [key for _, attributes in Page(text).elements for key in attributes if key.startswith("on")]


def test_the_same_run_gives_the_same_bytes(made: Made) -> None:
    again = assemble(made.study, made.result)
    bare = replace(made.content, drivers=None, break_even=None, poc=None, calibration=None)

    words = Wording("en", "USD")
    assert document(again, words, "html") == document(bare, words, "html")


def test_sections_that_do_not_apply_are_left_out(html: Html, made: Made, tmp_path: Path) -> None:
    text = html(fixed(tmp_path))
    whole, bare = ({attributes["id"] for attributes in Page(each).all("section")} for each in (html(made), text))

    assert {"drivers", "break_even", "scenarios", "poc", "calibration", "saving"} <= whole
    assert bare & {"drivers", "break_even", "scenarios", "poc", "calibration", "saving"} == set()
    assert {"recommendation", "money", "timeline", "findings", "inputs", "method"} <= bare
    assert "arithmetic" in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_hostile_text_is_text(html: Html, wicked: Made, lang: str) -> None:
    text = html(wicked, lang)
    page = Page(text)

    assert len(page.all("script")) == 3
    assert page.all("img") == []
    assert not [key for _, attributes in page.elements for key in attributes if key.startswith("on")]
    assert not set(text) & {"\u202e", "\u2066", "\u200f"}
    assert "49" not in "".join(page.texts["h1"])  # {{ 7 * 7 }} was not computed
    assert "{{ 7 * 7 }}" in "".join(page.texts["h1"])
    shown = "".join("".join(parts) for tag, parts in page.texts.items() if tag != "script")
    assert "<script>window.pwned=1</script>" in shown


def test_what_makes_it_again_is_in_it(html: Html, made: Made) -> None:
    text = html(made)

    assert f"--seed {made.result.run.seed} --draws {made.result.run.draws}" in text
    assert made.study.sha256 in text
    assert "version of NumPy" in text


def test_a_command_with_a_hostile_file_name_is_one_argument(wicked: Made) -> None:
    import shlex

    assert wicked.study.path in shlex.split(wicked.content.origin.command)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_chart_stands_alone(made: Made, lang: str) -> None:
    words = Wording(lang, "USD")
    found = [each for section in pictures(made.content, words).values() for each in section]

    assert len({each.key for each in found}) == len(found) == 13
    identifiers: list[str] = []
    for each in found:
        assert each.title and each.alt and each.rows
        assert {len(row) for row in each.rows} == {len(each.head)}
        assert "{" not in each.title + each.alt
        svg = each.svg()
        assert 'style="' not in svg and "<script" not in svg
        identifiers += re.findall(r'\bid="([^"]+)"', svg)
        assert "e+" not in svg  # ticks are plain numbers
    assert len(set(identifiers)) == len(identifiers)


def test_a_logo_is_carried(made: Made) -> None:
    pixel = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    with_logo = replace(made, content=replace(made.content, logo=Logo("image/png", pixel)))

    (image,) = Page(document(with_logo.content, Wording("en", "USD"), "html").decode()).all("img")

    assert image["src"] == "data:image/png;base64," + base64.b64encode(pixel).decode()


@pytest.mark.parametrize(
    ("data", "found"), [(b"#!/bin/sh", "no image"), (b"\x89PNG\r\n\x1a\n" + bytes(300_000), "more than 200 kB")]
)
def test_an_unfit_logo_is_refused(tmp_path: Path, data: bytes, found: str) -> None:
    text = Path("tests/data/study-a.toml").read_text("utf-8") + '\n[memo]\nlogo = "logo.png"\n'
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    (tmp_path / "logo.png").write_bytes(data)
    study = load_study(str(tmp_path / "study.toml"))

    with pytest.raises(StudyError) as error:
        logo(study)

    (fault,) = error.value.faults
    assert fault.key == "memo.logo"
    assert found in fault.found
