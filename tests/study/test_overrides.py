"""Scenarios and settings: the same as a file that says it, told by the key that said it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from simulator.study import Study, StudyError, load_study
from simulator.study.overrides import settings
from tests.study.conftest import GOOD, Faults, Loads, spoiled

COMMITTED = spoiled("price = 55", "price = 55\ncommitment = { instance_hours = 2500, resale = 0.6 }")
WITH_COSTS = spoiled("price = 35", 'price = 35\nother_costs = [{ label = "data", amount = 2500 }]')

SAME = {
    "a number": ('"options.trn2.price" = 15.09', GOOD, spoiled("price = 35", "price = 15.09")),
    "a canonical name": ('"trn2.price" = 15.09', GOOD, spoiled("price = 35", "price = 15.09")),
    "a rate": ('"engineer_rate" = 90', GOOD, spoiled("engineer = 150", "engineer = 90")),
    "a rate by its path": ('"rates.delay_week" = 9', GOOD, spoiled("engineer = 150", "engineer = 150\ndelay_week = 9")),
    "the work": ('"pflop_hours" = 2e5', GOOD, spoiled("pflop_hours = 1e5", "pflop_hours = 2e5")),
    "another form of the work": (
        '"workload" = { parameters = 1e9, tokens = 1e12 }', GOOD,
        spoiled("pflop_hours = 1e5", "parameters = 1e9\ntokens = 1e12")),
    "the hurdle": ('"hurdle" = 0.1', GOOD, "hurdle = 0.1\n" + GOOD),
    "a law": (
        '"trn2.utilization" = { dist = "beta", mean = 0.3, sd = 0.05 }', GOOD,
        spoiled("mean = 0.38, sd = 0.06", "mean = 0.3, sd = 0.05")),
    "a parameter of a law": ('"trn2.utilization.mean" = 0.3', GOOD, spoiled("mean = 0.38", "mean = 0.3")),
    "a reference": (
        '"trn2.price" = { prior = "trn2/price/spot" }', GOOD,
        spoiled("price = 35", 'price = { prior = "trn2/price/spot" }')),
    "part of a commitment": (
        '"options.h100.commitment.instance_hours" = 500', COMMITTED, COMMITTED.replace("2500", "500")),
    "a commitment": (
        '"h100.commitment" = { instance_hours = 2500, resale = 0.6 }', GOOD, COMMITTED),
    "a cost by its place": ('"options.trn2.other_costs.0.amount" = 100', WITH_COSTS, WITH_COSTS.replace("2500", "100")),
    "an option": (
        '"options.h100" = { price = 3, peak_pflops = 1, utilization = 0.5 }', GOOD,
        spoiled("price = 55\npeak_pflops = 8\nutilization = 0.4", "price = 3\npeak_pflops = 1\nutilization = 0.5")),
    "nothing": ("", GOOD, GOOD),
}  # fmt: skip


def plain(study: Study) -> Study:
    """Without what two files of the same meaning differ in."""
    return replace(study, scenarios={}, sha256="", text=b"", path="")


@pytest.mark.parametrize("case", SAME)
def test_a_scenario_is_the_study_that_says_so_itself(case: str, load: Loads) -> None:
    key, text, same = SAME[case]

    scenario = load(f"{text}[scenarios.s]\n{key}\n").scenarios["s"]

    assert plain(scenario) == plain(load(same))


@pytest.mark.parametrize("case", SAME.keys() - {"nothing"})
def test_a_setting_is_the_study_that_says_so_itself(case: str, load: Loads) -> None:
    key, text, same = SAME[case]

    assert plain(load(text, key.replace('"', "", 2))) == plain(load(same))


def test_a_setting_may_be_text_and_may_change_the_baseline(load: Loads) -> None:
    study = load(GOOD, "baseline=trn2", 'title = "t = u"', "options.h100.label=8xH100")

    assert (study.baseline, study.title, study.options["h100"].label) == ("trn2", "t = u", "8xH100")


def test_settings_reach_the_scenarios(load: Loads) -> None:
    study = load(GOOD + '[scenarios.s]\n"trn2.price" = 20\n', "h100.price=60")

    assert study.scenarios["s"].inputs["h100.price"].value == 60
    assert study.scenarios["s"].inputs["trn2.price"].value == 20


def test_a_setting_may_change_a_scenario(load: Loads) -> None:
    study = load(GOOD + '[scenarios.s]\n"trn2.price" = 20\n', 'scenarios.s."trn2.price"=21')

    assert study.scenarios["s"].inputs["trn2.price"].value == 21


@pytest.mark.parametrize(
    ("setting", "key", "nearest"),
    [
        ("trn2.price", "trn2.price", None),
        ("trn2.price=-1", "trn2.price", None),
        ("trn2.prce=1", "trn2.prce", "price"),
        ("trn2.price={dist='beta'", "trn2.price", None),
        ("trn2.price=", "trn2.price", None),
        ("trn.price=1", "trn.price", "trn2"),
        ("trn2.utilization=38", "trn2.utilization", "0.38"),
        ("trn2.price=cheap", "trn2.price", None),
        ("trn2.utilization={dist='beta', mean=0.4, sd=-1}", "trn2.utilization.sd", None),
        ("baseline=trn", "baseline", "trn2"),
        ("trn2. .price=1", "trn2. .price", None),
        ("tokens=1e9", "tokens", None),
    ],
)
def test_a_wrong_setting_is_told_by_its_key(setting: str, key: str, nearest: str | None, faults: Faults) -> None:
    (found,) = faults(GOOD, setting)

    assert (found.file, found.line, found.key, found.nearest) == ("--set", 0, key, nearest)


def test_a_key_is_set_once() -> None:
    with pytest.raises(StudyError, match="set twice"):
        settings(["a=1", "a=2"])


def test_a_number_set_for_an_input_takes_its_correlations_away(load: Loads) -> None:
    pair = '[[correlations]]\nbetween = ["trn2.utilization", "trn2.engineer_hours"]\nspearman = -0.4\n'

    study = load(GOOD + pair + '[scenarios.s]\n"trn2.utilization" = 0.4\n')

    assert study.copula is not None
    assert study.scenarios["s"].correlations == ()
    assert [note.code for note in study.scenarios["s"].notes] == ["delay_is_free", "no_effect"]


def test_what_a_scenario_does_not_touch_is_shared(load: Loads) -> None:
    study = load(GOOD + '[scenarios.s]\n"trn2.price" = 20\n')

    scenario = study.scenarios["s"]
    assert scenario.options["h100"] is study.options["h100"]
    assert scenario.inputs["trn2.utilization"] is study.inputs["trn2.utilization"]
    assert scenario.scenarios == {}


def test_a_fault_of_the_study_is_not_told_again_by_its_scenarios(faults: Faults) -> None:
    text = spoiled("price = 35", "price = -35") + '[scenarios.s]\n"h100.price" = 20\n'

    assert [each.line for each in faults(text)] == [16]


def test_a_thousand_scenarios_are_read_in_a_second(write: Callable[[str], Path]) -> None:
    pair = '[[correlations]]\nbetween = ["trn2.utilization", "trn2.engineer_hours"]\nspearman = -0.4\n'
    each = '[scenarios.s{0}]\n"options.trn2.price" = {0}\n"workload.pflop_hours" = {0}\n'
    path = write(GOOD + pair + "".join(map(each.format, range(1, 1001))))
    start = time.perf_counter()

    study = load_study(path)

    assert time.perf_counter() - start < 2  # a second on an idle machine, with room for a busy one
    assert study.scenarios["s7"].inputs["trn2.price"].value == 7
