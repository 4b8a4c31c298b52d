"""Catches a scenario that takes from the study what is not the same in it: computed anew, its means must be equal."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simulator.engine import Plan
from simulator.engine.sharing import Shared
from simulator.study import Study, load_study

STUDY = """
baseline = "a"
currency = "USD"
hurdle = 0.05
[workload]
parameters = 7e9
tokens = { dist = "lognormal", median = 4e11, sigma = 0.1 }
layers = 32
hidden = 4096
sequence = 4096
[rates]
engineer = { dist = "lognormal", median = 150, sigma = 0.2 }
delay_week = 2000
[options.a]
instances = 4
price = 50
peak_pflops = 8
utilization = { dist = "beta", mean = 0.42, sd = 0.05 }
upkeep_hours_per_month = 10
faults_per_1000h = { dist = "gamma", mean = 5, sd = 5 }
hours_lost_per_fault = 3
[options.b]
instances = 4
price = { dist = "lognormal", median = 35, sigma = 0.2 }
peak_pflops = 10
utilization = { dist = "beta", mean = 0.38, sd = 0.08 }
engineer_hours = { dist = "lognormal", median = 250, sigma = 0.7 }
blocked = 0.2
trial_instance_hours = 200
commitment = { instance_hours = 1500, resale = 0.3, signed = "after_trial" }
other_costs = [{ label = "tools", amount = 4000 }]
[options.c]
instances = 2
price = 40
peak_pflops = 9
utilization = { dist = "beta", mean = 0.4, sd = 0.04 }
recompiles = 20
compile_minutes = { dist = "lognormal", median = 30, sigma = 0.5 }
[claims]
half = { option = "c", saving_share = 0.5 }
[[correlations]]
between = ["options.b.utilization", "options.b.engineer_hours"]
spearman = -0.4
"""
EVERY = {"a", "b", "c"}
CHANGES: dict[str, tuple[tuple[str, ...], set[str], set[str], set[str]]] = {
    # what is set, and the options whose hours, costs and savings stay the study's
    "nothing": ((), EVERY, EVERY, EVERY),
    "a price": (("options.c.price=41",), EVERY, {"a", "b"}, {"a", "b"}),
    "the baseline's price": (("options.a.price=41",), EVERY, set(), set()),
    "a speed": (("options.c.utilization=0.3",), {"a", "b"}, {"a", "b"}, {"a", "b"}),
    "the baseline's speed": (("options.a.utilization=0.3",), {"b", "c"}, set(), set()),
    "faults": (("options.a.hours_lost_per_fault=4",), {"b", "c"}, set(), set()),
    "a limit": (("options.a.unworkable=0.01",), {"b", "c"}, set(), set()),
    "instances": (("options.b.instances=5",), {"a", "c"}, {"a", "c"}, {"a", "c"}),
    "layers": (("workload.layers=40",), set(), set(), set()),
    "hidden": (("workload.hidden=8192",), set(), set(), set()),
    "sequence": (("workload.sequence=8192",), set(), set(), set()),
    "tokens": (("workload.tokens=5e11",), set(), set(), set()),
    "the rate of engineers": (("rates.engineer=170",), EVERY, set(), set()),
    "the rate of weeks": (("rates.delay_week=0",), EVERY, set(), set()),
    "the hurdle": (("hurdle=0.1",), EVERY, EVERY, set()),
    "a claim": (("claims.half.saving_share=0.2",), EVERY, EVERY, {"a", "b"}),
    "a size": (("options.b.commitment.instance_hours=900",), {"a", "c"}, {"a", "c"}, {"a", "c"}),
    "a resale": (("options.b.commitment.resale=0.9",), EVERY, {"a", "c"}, {"a", "c"}),
    "signed first": (('options.b.commitment.signed="before_trial"',), EVERY, {"a", "c"}, {"a", "c"}),
    "signed already": (('options.b.commitment.signed="already"',), EVERY, set(), set()),
    "a cost": (("options.b.other_costs.0.amount=9000",), EVERY, {"a", "c"}, {"a", "c"}),
    "another cost": (('options.b.other_costs=[{label="tools", per_week=4000}]',), EVERY, {"a", "c"}, {"a", "c"}),
    "another correlation": (("correlations.0.spearman=0.4",), {"a", "c"}, {"a", "c"}, {"a", "c"}),
    "no correlation": (("correlations=[]",), {"a", "c"}, {"a", "c"}, {"a", "c"}),
    "another baseline": (('baseline="c"', "claims={}"), EVERY, set(), set()),
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (file := tmp_path_factory.mktemp("sharing") / "study.toml").write_text(STUDY)
    return file


def planned(path: Path, changes: tuple[str, ...]) -> Plan:
    study: Study = load_study(path)
    return Plan.of(replace(study, scenarios={"changed": load_study(path, changes)}), 4096, 1)


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_taken_from_the_study_is_what_would_be_computed(
    path: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes, work, costs, savings = CHANGES[change]
    plan = planned(path, changes)
    taken = plan.measure(3, 0)["changed"]
    shared = plan.cases["changed"].shared

    assert (shared.work, shared.costs, shared.savings) == (work, costs, savings)
    with monkeypatch.context() as patched:
        patched.setattr(Shared, "of", lambda *_: Shared())
        anew = planned(path, changes).measure(3, 0)["changed"]
    assert taken.keys() == anew.keys()
    for key, value in anew.items():
        assert np.asarray(taken[key]) == pytest.approx(np.asarray(value), rel=1e-9, abs=1e-9), key
