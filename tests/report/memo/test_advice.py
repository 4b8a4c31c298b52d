"""Catches advice that is surer than its figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simulator.engine import Figure
from simulator.report.memo import MemoContent, Wording
from simulator.report.memo.advice import advice, choice, switching
from tests.report.memo.example import Made, poc


def with_saving(made: Made, saving: Figure) -> MemoContent:
    """The memo with another mean saving, without a PoC plan; what staying costs and the hurdle put zero at `at`."""
    result = made.result
    found = result.options["trn2"]
    moved = replace(found, saving=replace(found.saving, mean=saving))
    return replace(made.content, poc=None, result=replace(result, options={**result.options, "trn2": moved}))


@pytest.mark.parametrize(("errors", "expected"), [(-4, "stay"), (-2, "tossup"), (2, "tossup"), (4, "switch")])
def test_a_lead_within_three_errors_is_none(made: Made, errors: float, expected: str) -> None:
    stay = made.result.options["h100"].tco.mean
    hurdle = made.study.hurdle
    error = 500.0
    total = error + hurdle * stay.mcse

    content = with_saving(made, Figure(hurdle * stay.value + errors * total, error))

    assert choice(content) == expected
    assert sum(course.chosen for course in advice(content, Wording("en", "USD")).courses) == (expected != "tossup")


def test_two_candidates_may_be_too_close_to_call(committed: Made) -> None:
    result = committed.result
    leading = committed.content.leading
    second = next(name for name in result.options if name not in (leading, committed.study.baseline))
    lead = result.options[leading].saving.mean
    found = result.options[second]
    near = replace(found, saving=replace(found.saving, mean=Figure(lead.value - lead.mcse, lead.mcse)))
    content = replace(committed.content, result=replace(result, options={**result.options, second: near}))

    assert choice(committed.content) == "switch"
    assert choice(content) == "tossup"
    assert second in advice(content, Wording("en", "USD")).headline


def test_a_poc_is_advised_only_when_its_worth_is_beyond_its_error(made: Made) -> None:
    plan = poc()
    assert plan.best is not None
    doubtful = replace(plan, best=replace(plan.best, enbs=Figure(plan.best.enbs.value, plan.best.enbs.value)))

    assert choice(replace(made.content, poc=plan)) == "poc"
    assert choice(replace(made.content, poc=doubtful)) == "stay"
    assert choice(replace(made.content, poc=poc(pays=False))) == "stay"


def test_a_mean_that_its_error_swallows_is_called_even(made: Made) -> None:
    content = with_saving(made, Figure(800.0, 500.0))

    assert "costs the same, within a simulation error of 500 USD" in switching(content, "trn2", Wording("en", "USD"))
