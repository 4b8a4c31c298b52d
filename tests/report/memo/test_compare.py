"""Catches a page that tells other figures than the comparison, lets a study's text act, or needs something else."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from simulator.decision.compare import compare
from simulator.report.memo import LANGUAGES, Wording, pdf
from simulator.report.memo.compare import Source, comparison, inputs
from simulator.study import load_study
from tests.report.memo.conftest import Opened
from tests.report.memo.example import ATTACKS
from tests.report.memo.test_page import OUTSIDE, Page

FIXED = """
title = {title}
baseline = "a"
currency = "USD"
[workload]
pflop_hours = 1000
[rates]
engineer = 100
[options.a]
price = 10
peak_pflops = 2
utilization = 0.5
[options.b]
label = {label}
price = 8
peak_pflops = 2
utilization = 0.4
engineer_hours = 10
"""


def study(folder: Path, name: str, title: str = "Then", label: str = "Bee", **replaced: str) -> Path:
    """A study in which staying costs 10,000; moving costs 8 x 1000 / (2 x 0.4) + 1000 = 11,000."""
    text = FIXED.format(title=json.dumps(title), label=json.dumps(label))
    for before, after in replaced.values():
        assert before in text
        text = text.replace(before, after)
    (path := folder / name).write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two studies that differ in the price of b and the work: 6 x 2000 / 0.8 + 1000 = 16,000 against 20,000."""
    monkeypatch.chdir(tmp_path)
    study(tmp_path, "a.toml")
    changes = {"price": ("price = 8", "price = 6"), "work": ("pflop_hours = 1000", "pflop_hours = 2000")}
    study(tmp_path, "b.toml", "Now", **changes)
    return tmp_path


def page(*arguments: str, a: str = "a.toml", b: str = "b.toml") -> Result:
    return CliRunner().invoke(main, ["compare", a, b, "--draws", "64", "--memo", *arguments])


def test_it_has_the_figures_of_the_comparison(here: Path) -> None:
    """By itself the price saves 2 x 1250, the work nothing but its share: -1000 -> -1000; last, 5,000 and 2,500."""
    assert page("--format", "md").exit_code == 0
    text = (here / "b.compare.md").read_text("utf-8").replace("\\", "")

    assert "| study | Then | Now |" in text
    assert "better choice has turned: before “Stay on a”, now “Switch to Bee”" in text
    assert "| Bee: mean saving | −1,000 USD | 4,000 USD |" in text
    assert "| Bee: beats the hurdle | none of the cases drawn | all of the cases drawn |" in text
    assert "| b price | USD/instance-hour | 8 | 6 |" in text
    assert "| work | PFLOP/s-hours | 1,000 | 2,000 |" in text
    assert "### What moved the mean saving of Bee most: b prices, +3,800 USD" in text  # 3,750
    assert "| b prices | +2,500 USD | +5,000 USD | +3,800 USD |" in text
    assert re.search(r"\| the work \| 0 USD \| \+2,500 USD \| \+1,[23]00 USD \|", text)  # 1,250


def test_its_command_makes_it_again(here: Path) -> None:
    page("--format", "md", "--lang", "zh", "--out", "first.md")
    first = (here / "first.md").read_text("utf-8")
    (command,) = re.findall(r"^```\n(.*)\n```$", first, re.MULTILINE)

    simulate, *arguments = shlex.split(command)

    assert simulate == "simulate"
    assert CliRunner().invoke(main, arguments).exit_code == 0
    assert (here / "b.compare.md").read_text("utf-8") == first


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_needs_no_network_and_its_policy_lets_its_style_alone_be(here: Path, lang: str) -> None:
    assert page("--lang", lang).exit_code == 0
    text = (here / "b.compare.html").read_text("utf-8")
    parsed = Page(text)

    assert parsed.all("link") + parsed.all("iframe") + parsed.all("img") + parsed.all("script") == []
    assert OUTSIDE.findall(text) == []
    assert "@import" not in text and "url(http" not in text
    policy = next(each["content"] for each in parsed.all("meta") if each.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-") and "script-src 'none'" in policy
    assert parsed.all("html") == [{"lang": "zh-Hans" if lang == "zh" else "en"}]
    (image,) = [each for each in parsed.all("div") if each.get("role") == "img"]
    assert image["aria-label"]
    assert len(parsed.all("table")) == 4  # one of them has the numbers of the chart


def test_chinese_leaves_no_english_sentence(here: Path) -> None:
    page("--format", "md", "--lang", "zh")
    text = (here / "b.compare.md").read_text("utf-8")

    assert "自上次备忘录以来的变化" in text
    assert not re.search(r"[a-z]+ [a-z]+ [a-z]+ [a-z]+", text.split("```")[0])


@pytest.mark.parametrize("form", ["html", "md"])
def test_hostile_text_is_text(here: Path, form: str) -> None:
    attack = " ".join(ATTACKS)
    study(here, "evil.toml", attack, attack, price=("price = 8", "price = 6"))
    assert page("--format", form, b="evil.toml").exit_code == 0
    text = (here / f"evil.compare.{form}").read_text("utf-8")

    if form == "html":
        parsed = Page(text)
        assert parsed.all("script") + parsed.all("img") == []
        assert not [key for _, attributes in parsed.elements for key in attributes if key.startswith("on")]
        assert "{{ 7 * 7 }}" in "".join(parsed.texts["h1"])
    else:
        bare = re.sub(r"\\[^\w\s]", "", text)
        assert not re.search(r"<[a-z/!]", bare)
        assert "**bold**" not in bare and "](" not in bare and "https://" not in bare


def test_nothing_that_differs_is_said_so(here: Path) -> None:
    assert page("--format", "md", "--out", "same.md", b="a.toml").exit_code == 0
    text = (here / "same.md").read_text("utf-8")

    assert "Nothing that enters the cost differs" in text
    assert "Which change moved" not in text and "What changed in the inputs" not in text


def test_a_law_is_told_by_its_quantiles_and_other_parts_in_words(here: Path) -> None:
    law = 'options.b.utilization={dist = "uniform", low = 0.3, high = 0.5}'
    a = load_study(here / "a.toml")
    b = load_study(here / "a.toml", [law, "options.b.instances=2", "rates.delay_week=5"])

    rows = inputs(compare(a, b, draws=64), Wording("en", "USD")).rows

    assert ("b utilization", "share", "40 %", "40 % (31 % to 49 %)") in rows
    assert ("b instances", "–", "1", "2") in rows
    assert [row[0] for row in rows if "default" in row[2]] == ["worth of a week"]


def test_correlations_and_the_hurdle_are_told_by_their_numbers(here: Path) -> None:
    laws = [f'options.b.{key}={{dist = "uniform", low = 0.3, high = 0.5}}' for key in ("utilization", "discount")]
    pair = 'between = ["b.discount", "b.utilization"], spearman'
    a = load_study(here / "a.toml", laws)
    b = load_study(here / "a.toml", [*laws, "hurdle=0.125", f"correlations=[{{{pair} = 0.5}}]"])
    c = load_study(here / "a.toml", [*laws, "hurdle=0.125", f"correlations=[{{{pair} = -0.25}}]"])
    names = "b discount, b utilization"

    assert inputs(compare(a, b, draws=64), Wording("en", "USD")).rows == (
        ("hurdle: least saving that counts", "share", "0 %", "12.5 %"),
        (names, "rank correlation", "–", "0.5"),
    )
    assert inputs(compare(b, c, draws=64), Wording("en", "USD")).rows == ((names, "rank correlation", "0.5", "−0.25"),)


def test_it_prints_to_the_paper_that_was_asked_for(here: Path) -> None:
    if pdf.browser() is None:
        pytest.skip("no Chromium is installed (Debian: apt install chromium fonts-noto-cjk)")

    assert page("--format", "pdf", "--paper", "letter").exit_code == 0
    assert b"/MediaBox [0 0 612 792]" in (here / "b.compare.pdf").read_bytes()


def test_without_a_printer_it_says_what_to_install(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf.shutil, "which", lambda _: None)
    monkeypatch.setattr(pdf, "find_spec", lambda _: None)

    done = page("--format", "pdf")

    assert done.exit_code == 2
    assert "no browser of the Chromium family was found" in done.output
    assert sorted(each.name for each in here.iterdir()) == ["a.toml", "b.toml"]


def test_a_posterior_that_was_used_is_named(here: Path) -> None:
    compared = compare(load_study(here / "a.toml"), load_study(here / "b.toml"), draws=64)
    source = Source("simulate", 1, 64, ("b.posterior.nc",))

    assert "(b.posterior.nc)" in comparison(compared, source, Wording("en", "USD"), "html").decode()


@pytest.mark.parametrize("arguments", [["--json"], ["--out", "no/such/folder/page.html"], ["--lang", "fr"]])
def test_what_cannot_be_done_is_said_without_a_traceback(here: Path, arguments: list[str]) -> None:
    done = page(*arguments)

    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert sorted(each.name for each in here.iterdir()) == ["a.toml", "b.toml"]


def test_what_is_for_the_page_alone_is_refused_without_it(here: Path) -> None:
    done = CliRunner().invoke(main, ["compare", str(here / "a.toml"), "b.toml", "--lang", "zh"])

    assert done.exit_code == 2
    assert "--memo" in done.output


PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f64540"
    "0000000049454e44ae426082"
)


@pytest.fixture
def written(here: Path) -> Callable[[str], Path]:
    """Write the comparison in a language, with a company's name and logo."""
    (here / "logo.png").write_bytes(PNG)
    (here / "b.toml").write_text((here / "b.toml").read_text() + '[memo]\ncompany = "Acme"\nlogo = "logo.png"\n')

    def write(lang: str) -> Path:
        path = here / f"{lang}.html"
        made = CliRunner().invoke(main, ["compare", "a.toml", "b.toml", "--memo", "--lang", lang, "--out", str(path)])
        assert made.exit_code == 0, made.output
        return path

    return write


Written = Callable[[str], Path]


def test_it_carries_the_company_and_its_logo(written: Written, visited: Opened) -> None:
    page = visited(written("en"))

    assert page.locator(".company").inner_text() == "Acme"
    assert page.evaluate("document.images.length") == 1
    assert page.evaluate("document.images[0].complete && document.images[0].naturalWidth") == 1


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_it_is_usable_with_assistive_software(written: Written, visited: Opened, lang: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = visited(written(lang), scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")

    found = axe.Axe().run(page).response["violations"]

    assert [(each["id"], [node["html"][:120] for node in each["nodes"][:3]]) for each in found] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_telephone_needs_no_scrolling_sideways(written: Written, visited: Opened, lang: str) -> None:
    page = visited(written(lang), width=360)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")

    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_paper_cuts_no_chart_and_the_data_open_by_keyboard(written: Written, visited: Opened) -> None:
    page = visited(written("zh"))
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details").first.get_attribute("open") is not None
    page.set_viewport_size({"width": 680, "height": 960})  # A4 less its margins, at 96 dots an inch
    page.emulate_media(media="print")

    (box,) = page.evaluate(
        """[...document.querySelectorAll("main figure")].map((each) => {
            const box = each.getBoundingClientRect(), svg = each.querySelector("svg").getBoundingClientRect();
            return [box.left, box.right, svg.right, box.height, getComputedStyle(each).breakInside];
        })"""
    )

    left, right, drawn, height, breaks = box
    assert left >= 0 and max(right, drawn) <= 680 + 0.5
    assert height < 960
    assert breaks == "avoid"


def test_it_tells_what_a_saved_run_had_set(here: Path) -> None:
    CliRunner().invoke(
        main, ["run", "a.toml", "--set", "options.b.price=7", "--draws", "256", "--json", "--save", "kept"]
    )

    CliRunner().invoke(main, ["compare", "kept", "b.toml", "--memo", "--format", "md", "--out", "c.md"])

    assert "| changed by --set, then | options.b.price=7 |" in (here / "c.md").read_text("utf-8")
