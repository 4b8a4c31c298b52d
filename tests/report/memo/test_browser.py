"""The page in a browser. Catches figures of the sliders that are not the model's, and a page that not all can use."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from simulator.engine import Figure, run
from simulator.report.memo import LANGUAGES, Wording
from simulator.report.memo.sample import Sample
from simulator.study import load_study
from tests.report.memo.conftest import Opened
from tests.report.memo.example import Made

if TYPE_CHECKING:
    from playwright.sync_api import Page

# A page's figure and its reference are right within four of their errors together in all but 1 of 16,000 looks.
ERRORS = 4
REFERENCE_DRAWS = 2**16


def shown(page: Page) -> dict[str, float]:
    """The figures behind what is shown."""
    found: dict[str, str] = page.evaluate("({...document.getElementById('whatif').dataset})")
    return {key: float(value) for key, value in found.items()}


def standing(page: Page, moves: dict[str, float]) -> dict[str, float]:
    """Where sliders really stand: on their grid, next to where they were sent."""
    return {each: float(page.locator(f'[id="s-{each}"]').input_value()) for each in moves}


def option(made: Made) -> str:
    return next(name for name in made.study.options if name != made.study.baseline)


def test_at_rest_it_shows_the_figures_of_the_run(opened: Opened, made: Made) -> None:
    page = opened(made)
    found = made.result.options["trn2"]
    assert found.p_beats is not None

    figures = shown(page)

    assert figures["p"] == pytest.approx(found.p_beats.value, abs=1e-12)
    assert figures["pMcse"] == pytest.approx(found.p_beats.mcse, rel=1e-9)
    assert figures["saving"] == pytest.approx(found.saving.mean.value, rel=1e-12)
    assert found.cvar05 is not None
    assert figures["tail"] == pytest.approx(found.cvar05.value, rel=1e-9)
    assert "saves more than 5 % in 32 % of cases" in page.locator("#w-answer").inner_text()


MOVES = [
    ("made", {"trn2.price": 25.0}),
    ("made", {"trn2.utilization": 0.55}),
    ("made", {"volume": 2.5, "h100.price": 50.0}),
    ("made", {"h100.discount": 0.3, "h100.utilization": 0.5, "engineer_rate": 220.0}),
    ("made", {"trn2.engineer_hours": 700.0, "trn2.delay_weeks": 3.0, "delay_week_rate": 9000.0, "hurdle": 0.15}),
    ("committed", {"volume": 0.4}),
    ("committed", {"volume": 3.0, "h100.discount": 0.5}),
    ("committed", {"h100_on_demand.utilization": 0.65, "hurdle": -0.05}),
]


@pytest.mark.parametrize(("name", "moves"), MOVES, ids=[f"{name}: {json.dumps(moves)}" for name, moves in MOVES])
def test_a_moved_slider_shows_the_models_figures(
    opened: Opened, name: str, moves: dict[str, float], request: pytest.FixtureRequest
) -> None:
    made: Made = request.getfixturevalue(name)
    page = opened(made, anchor="#" + "&".join(f"{key}={value}" for key, value in moves.items()))

    p, saving = reference(made, standing(page, moves))

    figures = shown(page)
    assert abs(figures["p"] - p.value) < ERRORS * math.hypot(figures["pMcse"], p.mcse)
    assert abs(figures["saving"] - saving.value) < ERRORS * math.hypot(figures["savingMcse"], saving.mcse)
    assert figures["pMcse"] < 0.012  # and an error of five points would show
    stay = made.result.options[made.study.baseline].tco.mean.value
    assert figures["savingMcse"] < 0.01 * stay


def reference(made: Made, moves: dict[str, float]) -> tuple[Figure, Figure]:
    """P(beats) and the mean saving from many draws of the program's own model, inputs moved as a slider says it."""
    assert made.content.whatif is not None
    sample = many(made)
    changed: dict[str, np.ndarray] = {}
    for each in made.content.whatif.sliders:
        if each.id in moves:
            for name in each.inputs:
                value = moves[each.id]
                moved = sample.columns[name] * (value / each.base) if each.base > 0 else np.asarray(value)
                changed[name] = np.minimum(moved, each.cap) if each.cap is not None else moved
    hurdle = moves.get("hurdle", made.study.hurdle)
    moved_sample = sample.at(changed)
    through, blocked, goes = moved_sample.saving(option(made))
    least = hurdle * moved_sample.stay
    beats = goes * (through > least) + (1 - goes) * (blocked > least)
    return figure(beats), figure(goes * through + (1 - goes) * blocked)


KNOWN: dict[str, Sample] = {}


def many(made: Made) -> Sample:
    """Draws of another seed than the page's."""
    if made.study.path not in KNOWN:
        study = load_study(made.study.path)
        KNOWN[made.study.path] = Sample.of(study, run(study, draws=REFERENCE_DRAWS, seed=5), REFERENCE_DRAWS)
    return KNOWN[made.study.path]


def figure(values: np.ndarray) -> Figure:
    means = values.reshape(16, -1).mean(axis=1)
    return Figure(float(means.mean()), float(means.std(ddof=1) / 4))


def test_sliders_agree_with_the_engine_itself(opened: Opened, made: Made) -> None:
    moves = {"trn2.price": 22.5, "h100.discount": 0.1, "hurdle": 0.02}
    page = opened(made, anchor="#" + "&".join(f"{key}={value}" for key, value in moves.items()))
    settings = [f"{key}={value}" for key, value in standing(page, moves).items()]
    result = run(load_study(made.study.path, settings), draws=2**15, seed=3)
    found = result.options["trn2"]
    assert found.p_beats is not None and found.cvar05 is not None

    figures = shown(page)

    assert abs(figures["p"] - found.p_beats.value) < ERRORS * math.hypot(figures["pMcse"], found.p_beats.mcse)
    mean = found.saving.mean
    assert abs(figures["saving"] - mean.value) < ERRORS * math.hypot(figures["savingMcse"], mean.mcse)
    assert figures["tail"] == pytest.approx(found.cvar05.value, rel=0.06)  # 200 draws of a heavy tail


@pytest.mark.parametrize("name", ["made", "committed"])
def test_the_pages_model_is_the_programs_draw_by_draw(
    opened: Opened, name: str, request: pytest.FixtureRequest
) -> None:
    """All that differs is float32: a fault more or less where a level lies on a step, and seven digits."""
    made: Made = request.getfixturevalue(name)
    page = opened(made)
    sample = Sample.of(made.study, made.result, 4096)
    moves = {"engineer_rate": 1.3}
    moved = sample.at({"engineer_rate": sample.columns["engineer_rate"] * 1.3})

    for candidate in (each for each in made.study.options if each != made.study.baseline):
        got: dict[str, list[float]] = page.evaluate(
            """([name, scale]) => {
                const doc = JSON.parse(document.getElementById("whatif-data").textContent);
                const columns = model.unpack(document.getElementById("whatif-draws").textContent, doc.size);
                const c = model.costs(doc, columns, {engineer_rate: {scale}}, name);
                return {stay: [...c.stay], through: [...c.through], blocked: [...c.blocked], goes: [...c.goes]};
            }""",
            [candidate, moves["engineer_rate"]],
        )
        found = moved.outcomes[candidate]
        want = {"stay": moved.stay, "through": found.through, "blocked": found.blocked, "goes": found.goes}
        for key, values in want.items():
            close = np.isclose(got[key], moved.full(values), rtol=2e-6, atol=1e-6)
            assert close.mean() > 0.999, (candidate, key)


def test_poisson_quantiles_are_the_programs(opened: Opened, made: Made) -> None:
    from scipy.stats import poisson

    rng = np.random.default_rng(11)
    means = np.concatenate([rng.uniform(0, 20, 200), rng.uniform(20, 500, 200), rng.uniform(600, 5000, 100)])
    levels = rng.uniform(0, 1, means.size)
    got = opened(made).evaluate(
        "(pairs) => pairs.map(([m, u]) => model.poisson(m, u))", [*zip(means, levels, strict=True)]
    )
    want = poisson.ppf(levels, means)

    np.testing.assert_array_equal(np.array(got)[means < 600], want[means < 600])
    assert np.max(np.abs(np.array(got) - want)) <= 1


def test_a_supposed_measurement_weighs_the_draws(opened: Opened, made: Made) -> None:
    page = opened(made)
    page.locator("#w-known").select_option(label="trn2 utilization")
    page.locator("#w-error").select_option("0.1")
    page.locator("#w-place").fill("75")
    page.wait_for_function("document.getElementById('w-effective').textContent")
    assert made.content.whatif is not None
    known = next(each for each in made.content.whatif.knowns if each.input == "trn2.utilization")
    at = known.low + 0.75 * (known.high - known.low)

    sample = many(made)
    weights = np.exp(-(((sample.columns["trn2.utilization"] - at) / (0.1 * at)) ** 2) / 2)
    through, blocked, goes = sample.saving("trn2")
    least = made.study.hurdle * sample.stay
    beats = goes * (through > least) + (1 - goes) * (blocked > least)
    want = float(weights @ beats / weights.sum())
    effective = weights.sum() ** 2 / (weights**2).sum() / 16

    figures = shown(page)
    assert abs(figures["p"] - want) < ERRORS * math.hypot(figures["pMcse"], 0.002)
    assert (
        page.locator("#w-effective").inner_text() == f"The draws that fit are worth {effective:.0f} of 4096."
        or abs(effective - int(page.locator("#w-effective").inner_text().split("worth ")[1].split()[0]))
        < 0.05 * effective
    )
    assert "known=trn2.utilization" in page.url

    page.locator("#w-error").select_option("0.05")
    page.locator("#w-place").fill("100")
    page.wait_for_selector("#w-effective.caution")
    assert page.locator("#w-effective").inner_text().startswith("Caution: only")


def test_it_works_by_keyboard_and_the_address_keeps_the_state(opened: Opened, made: Made) -> None:
    page = opened(made)
    before = page.locator("#w-answer").inner_text()
    slider = page.locator('[id="s-trn2.price"]')
    start = float(slider.input_value())

    slider.focus()
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    page.wait_for_function("location.hash.includes('trn2.price')")

    assert float(slider.input_value()) < start
    assert page.locator("#w-answer").inner_text() != before
    moved = shown(page)
    page.reload()
    page.wait_for_function("document.getElementById('whatif').dataset.p")
    assert shown(page) == moved

    page.locator("#w-reset").focus()
    page.keyboard.press("Enter")
    assert page.locator("#w-answer").inner_text() == before
    assert "#" not in page.url
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.tagName") in {"INPUT", "SELECT"}


def test_an_address_with_nonsense_is_the_page_at_rest(opened: Opened, made: Made) -> None:
    page = opened(made, anchor="#trn2.price=<script>&candidate=none&known=nothing&at=x&volume=NaN")
    found = made.result.options["trn2"].p_beats
    assert found is not None

    assert shown(page)["p"] == pytest.approx(found.value, abs=1e-12)


def test_the_reader_chooses_among_candidates(opened: Opened, committed: Made) -> None:
    page = opened(committed)
    page.locator("#w-candidate").select_option("trn2")
    page.wait_for_function("location.hash.includes('candidate=trn2')")
    found = committed.result.options["trn2"].p_beats
    assert found is not None

    assert shown(page)["p"] == pytest.approx(found.value, abs=1e-12)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_page_and_memo_write_amounts_alike(opened: Opened, made: Made, lang: str) -> None:
    rng = np.random.default_rng(3)
    pairs = [
        (float(sign * 10**size), float(10**error) if error > 0 else 0.0)
        for sign, size, error in zip(
            rng.choice([-1, 1], 300), rng.uniform(2, 9.5, 300), rng.uniform(-1, 6, 300), strict=True
        )
    ]
    pairs = [(value, mcse) for value, mcse in pairs if abs(value) > 20 * mcse]
    words = Wording(lang, "USD")

    got = opened(made, lang).evaluate("(pairs) => pairs.map(([value, mcse]) => memo.money(value, mcse))", pairs)

    assert got == [words.money(Figure(value, mcse)) for value, mcse in pairs]


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_it_is_usable_with_assistive_software(opened: Opened, made: Made, lang: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = opened(made, lang, scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")

    found: dict[str, Any] = axe.Axe().run(page).response

    serious = [
        (each["id"], each["impact"], [node["html"][:120] for node in each["nodes"][:3]]) for each in found["violations"]
    ]
    assert serious == []


@pytest.mark.parametrize(("name", "lang"), [("made", "zh"), ("made", "en"), ("wicked", "en")])
def test_a_telephone_needs_no_scrolling_sideways(
    opened: Opened, name: str, lang: str, request: pytest.FixtureRequest
) -> None:
    page = opened(request.getfixturevalue(name), lang, width=360)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")

    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_paper_cuts_no_chart(opened: Opened, made: Made) -> None:
    page = opened(made, "zh")
    page.set_viewport_size({"width": 680, "height": 960})  # A4 less its margins, at 96 dots an inch
    page.emulate_media(media="print")

    boxes = page.evaluate(
        """[...document.querySelectorAll("main figure")].filter((each) => each.offsetParent !== null).map((each) => {
            const box = each.getBoundingClientRect(), svg = each.querySelector("svg").getBoundingClientRect();
            return {id: each.id, left: box.left, right: box.right, height: box.height, svg: svg.right,
                    avoid: getComputedStyle(each).breakInside};
        })"""
    )

    assert len(boxes) == 13  # the sliders' own charts are not printed
    for box in boxes:
        assert box["left"] >= 0 and max(box["right"], box["svg"]) <= 680 + 0.5, box
        assert box["height"] < 960, box
        assert box["avoid"] == "avoid", box


def test_hostile_text_does_nothing(opened: Opened, wicked: Made) -> None:
    page = opened(wicked, anchor="#volume=0.5")
    page.locator("[id='s-trn2.price']").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(100)

    assert page.evaluate("window.pwned") is None
    assert page.evaluate("document.scripts.length") == 3
    assert page.evaluate("document.images.length") == 0


def test_it_can_be_read_without_scripts(chromium: Any, saved: Any, made: Made) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(saved(made).as_uri())

    assert not page.locator("#whatif").is_visible()
    assert page.locator("#exceedance-1 svg").is_visible()
    context.close()
