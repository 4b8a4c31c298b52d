"""PoC plans of studies whose net benefit is a line in a lognormal number of hours: EVSI and thresholds are exact."""

import json
from pathlib import Path

import numpy as np
import pytest

from simulator.decision.poc import PocPlan, poc_plan
from simulator.decision.stopping import RUN
from simulator.decision.value import value_of_information
from simulator.decision.voi import exact
from simulator.study import Study, StudyError, load_study
from tests.decision.linear import linear

HOURS = """[options.new.engineer_hours]
dist = "lognormal"
median = 400
sigma = 0.5
"""
POC = """[poc]
fixed_cost = 300
cost_per_run = 100
weeks = 1
weeks_per_run = 0.5
most_runs = 6
[poc.designs.port]
measures = ["options.new.engineer_hours"]
[poc.noise]
"new.engineer_hours" = 0.3
[poc.discrepancy]
"options.new.engineer_hours" = 0.1
"""
MEAN = 400 * np.exp(0.125)
MODEL = exact.LogNormal(MEAN, 0.5, 0.3, 0.1)
LINES = [0.0, 50e3], [0.0, -100.0]  # staying, and 50 thousand less 100 an hour


def study(folder: Path, more: str = POC, week: float = 40) -> Study:
    path = linear(folder, {"a": "0"}, HOURS + more).path
    return load_study(path, [f"rates.delay_week={week}"])


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> PocPlan:
    return poc_plan(study(tmp_path_factory.mktemp("poc")))


def test_worth_by_size_is_exact(plan: PocPlan) -> None:
    (design,) = plan.designs
    for size in design.sizes:
        truth = exact.evsi(MODEL, *LINES, size.runs)
        assert size.evsi.value == pytest.approx(truth, rel=0.005)
        cost = 300 + 100 * size.runs + 40 * (1 + 0.5 * size.runs)
        assert size.cost == pytest.approx(cost)
        assert size.enbs.value == pytest.approx(truth - cost, abs=0.005 * truth)
    nets = {runs: exact.evsi(MODEL, *LINES, runs) - 340 - 120 * runs for runs in range(1, 7)}
    assert plan.best is not None
    assert plan.best[1].runs == max(nets, key=lambda runs: nets[runs])
    assert plan.now == "new"


def test_what_it_has_to_show(plan: PocPlan) -> None:
    switch, stay = plan.rule.after
    names = list(plan.study.options)
    assert (names[switch.choice], names[stay.choice]) == ("new", "old")
    assert switch.high == pytest.approx(MODEL.data_mean(500, plan.rule.runs), rel=0.005)


def test_sequential_is_worth_at_least_the_best_fixed_size(plan: PocPlan) -> None:
    sequential = plan.rule.sequential
    assert plan.best is not None
    assert sequential.best_fixed[0] == plan.best[1].runs
    assert sequential.best_fixed[1] == pytest.approx(plan.best[1].enbs.value, rel=0.01)
    assert sequential.net >= sequential.best_fixed[1]
    assert sequential.looks[0].regions[1].choice == RUN


def test_policies_are_ranked_by_what_they_bring(plan: PocPlan) -> None:
    worths = {each.name: each.worth.value for each in plan.policies}
    assert list(worths.values()) == sorted(worths.values(), reverse=True)
    now = 50e3 - 100 * MEAN
    assert worths["stay"] == 0
    assert worths["switch to new now"] == pytest.approx(now, rel=0.001)
    assert plan.best is not None
    assert worths["PoC: port"] == pytest.approx(now + plan.best[1].enbs.value, rel=0.001)
    assert next(iter(worths)) == "look after each run: new.engineer_hours"


def test_document(plan: PocPlan) -> None:
    document = json.loads(json.dumps(plan.to_json(), allow_nan=False))
    assert document["schema"] == "switchodds/poc/1"
    assert document["best"]["design"] == "port"
    assert document["rule"]["sequential"]["table"][0]["runs"] == 1
    assert [each["do"] for each in document["rule"]["after"]] == ["new", "old"]


def test_dear_weeks_make_no_poc_best(tmp_path: Path) -> None:
    plan = poc_plan(study(tmp_path, week=20e3), draws=2**12)
    assert plan.best is None
    assert plan.rule.sequential.net == 0
    assert plan.policies[0].name == "switch to new now"


def test_a_result_that_decides_thrice_is_worth_thrice(tmp_path: Path) -> None:
    once = poc_plan(study(tmp_path), draws=2**12)
    thrice = poc_plan(study(tmp_path, POC.replace("[poc]", "[poc]\ndecisions = 3")), draws=2**12)
    one, three = once.designs[0].sizes[0], thrice.designs[0].sizes[0]
    assert three.evsi.value == pytest.approx(3 * one.evsi.value)
    assert three.enbs.value == pytest.approx(3 * one.evsi.value - one.cost)


def test_costs_of_a_run_follow_from_hours_and_prices(tmp_path: Path) -> None:
    poc = POC.replace("cost_per_run = 100", "hours_per_run = 10\nengineer_hours_per_run = 2")
    assert poc_plan(study(tmp_path, poc), draws=2**12).designs[0].offer.per_run == pytest.approx(10 * 50 + 2 * 100)


def test_the_default_design_measures_what_a_run_shows(tmp_path: Path) -> None:
    more = '[poc]\nhours_per_run = 24\n[options.new.faults_per_1000h]\ndist = "gamma"\nmean = 2\nsd = 2\n'
    more += "[options.new.hours_lost_per_fault]\nvalue = 20\n"
    (design,) = poc_plan(study(tmp_path, more), draws=2**12).designs
    assert design.offer.measures == ("new.faults_per_1000h",)


def test_what_is_expected_today_of_the_runs_that_are_planned(tmp_path: Path) -> None:
    """A mean of 2 faults in 1,000 hours is 0.02 in each run of 10; half of the parts failing is half of the runs'."""
    hours = POC.replace("cost_per_run = 100", "hours_per_run = 10\ncost_per_run = 1").split("[poc.noise]")[0]
    uncertain = "[options.new.{0}]\n{1}\n[options.new.hours_lost_per_fault]\nvalue = 20\n"
    found = {}
    for key, law in (
        ("faults_per_1000h", 'dist = "gamma"\nmean = 2\nsd = 2'),
        ("blocked", 'dist = "beta"\nmean = 0.5\nsd = 0.2'),
    ):
        poc = hours.replace("engineer_hours", key)
        rule = poc_plan(linear(tmp_path, {"a": "49000"}, uncertain.format(key, law) + poc), draws=2**12).rule
        found[rule.kind] = rule.today / rule.runs

    assert found == {"counts": pytest.approx(0.02, rel=0.01), "trials": pytest.approx(0.5, rel=0.01)}


def test_policies_say_how_many_runs(plan: PocPlan) -> None:
    assert plan.best is not None
    what = {each.name: each.what for each in plan.policies}
    runs = plan.best[1].runs

    assert runs > 1
    assert what["PoC: port"] == f"{runs} runs, then decide"


@pytest.mark.parametrize(
    ("poc", "message"),
    [
        ("", "missing; expected a section that says what a PoC would cost"),
        ("[poc]\ncost_per_run = 1\n", "no input of new that a run shows is uncertain"),
        (POC.replace("cost_per_run = 100", ""), "neither cost_per_run nor hours_per_run"),
        (POC.replace("options.new.engineer_hours", "new.price", 1), "new.price is a number, or luck"),
        (POC.replace("options.new.engineer_hours", "new.engineer_ours", 1), 'did you mean "new.engineer_hours"'),
        (POC.replace('["options.new.engineer_hours"]', "[]"), "missing; expected the inputs that every run measures"),
    ],
    ids=["none", "nothing-shown", "no-cost", "known", "mistyped", "empty"],
)
def test_faults(tmp_path: Path, poc: str, message: str) -> None:
    with pytest.raises(StudyError) as caught:
        poc_plan(study(tmp_path, poc), draws=256)
    assert message in str(caught.value)


def test_measuring_and_knowing_in_the_value_of_information(tmp_path: Path) -> None:
    found = value_of_information(study(tmp_path), sizes=(1, 4))
    (worth,) = found.inputs
    assert worth.evppi.value == pytest.approx(exact.evpi(MODEL, *LINES), rel=0.005)
    assert found.evpi.value == pytest.approx(worth.evppi.value, rel=0.005)
    assert worth.measured is not None
    assert [size for size, _ in worth.measured.sizes] == [1, 4]
    for size, evsi in worth.measured.sizes:
        assert evsi.value == pytest.approx(exact.evsi(MODEL, *LINES, size), rel=0.005)
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["schema"] == "switchodds/voi/1"
