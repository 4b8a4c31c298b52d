"""Catches analyses that the memo tells otherwise than they were found."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.decision import breakeven, drivers, poc
from simulator.report.memo import Wording, analyses
from simulator.report.memo.advice import what_would_change
from simulator.report.memo.tables import needed
from simulator.study import load_study
from tests.report.memo.example import Made, fixed

POC = "poc={fixed_cost=100, hours_per_run=4, engineer_hours_per_run=1, weeks=0, most_runs=6}"


@pytest.fixture(scope="module")
def found():
    study = load_study("tests/data/study-a.toml", [POC, "trn2.price=24"])
    return study, analyses.analyses(study, 1024, seed=1)


def test_drivers_are_those_that_matter(found) -> None:
    study, (told, _, _) = found
    own = drivers.drivers(study, 1024, 1)

    assert [each.input for each in told.inputs] == [each.input for each in own.matter]
    first = told.inputs[0]
    assert (first.saving_low, first.low) == (own.matter[0].low.saving.value, own.matter[0].low.value)
    assert (first.saving_high, first.evppi.value) == (own.matter[0].high.saving.value, own.matter[0].evppi.value)


def test_break_even_is_that_of_the_analysis(found) -> None:
    study, (drivers_, told, _) = found
    first = drivers_.inputs[0].input
    own = breakeven.breakeven(study, 1024, 1, "trn2", (first,), "trn2.price")
    (root,) = own.thresholds[0].saving.roots
    flips = {each.input: each.flips for each in told.thresholds}

    assert flips[first] == (root.value,)
    assert {"volume", "trn2.price", "h100.price", "trn2.discount", "h100.discount"} <= flips.keys()
    assert told.trade.input == first
    assert min(told.trade.x) <= min(told.trade.now, root.value) < max(told.trade.now, root.value) <= max(told.trade.x)
    assert (told.map.x_input, told.map.y_input) == (first, "trn2.price")
    assert told.map.gain == own.curve.gain


def test_the_plan_is_that_of_the_analysis(found) -> None:
    study, (_, _, told) = found
    own = poc.poc_plan(study, 1024, 1)

    assert own.best is not None
    assert told.best.runs == own.best[1].runs
    assert [size.enbs.value for size in told.sizes] == [size.enbs.value for size in own.designs[0].sizes]
    (need,) = told.needed
    assert need.low == own.rule.after[-1].low and need.high is None


def test_where_nothing_is_unknown_there_is_nothing_to_analyse(tmp_path: Path) -> None:
    assert analyses.analyses(fixed(tmp_path).study, 1024, 1) == (None, None, None)


def test_what_a_poc_must_show_is_said_in_words(made: Made) -> None:
    assert needed(made.content, Wording("en", "USD")) == (
        "To switch, 5 runs would have to show trn2 utilization: at least 49 % on (geometric) average.",
    )


def test_inputs_without_a_flip_share_a_sentence(made: Made) -> None:
    said = list(what_would_change(made.content, Wording("en", "USD")))

    assert said[0] == "The answer flips where trn2 utilization is 48.7 % (today 40 %)."
    assert said[2] == "No value of these alone changes the choice: trn2 discount."
