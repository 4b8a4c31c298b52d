"""Catches a slope that is not the difference of the costs, whoever owns the input and whatever was signed for."""

from pathlib import Path

import numpy as np
import pytest

from simulator.engine import outcome
from simulator.engine.case import Case
from simulator.engine.dimensions import Marginals
from simulator.engine.slopes import baseline_slope, candidate_slope, linear_inputs
from simulator.study import load_study

STUDY = """
baseline = "a"
currency = "USD"
[workload]
pflop_hours = 12000
[rates]
engineer = 140
delay_week = 1500
[options.a]
instances = 4
price = 50
discount = 0.2
peak_pflops = 8
utilization = 0.4
engineer_hours = 5
delay_weeks = 1
upkeep_hours_per_month = 20
faults_per_1000h = 4
hours_lost_per_fault = 3
other_costs = [{ label = "power", per_instance_hour = 1.5 }]
STAY
[options.b]
instances = 3
price = 34
discount = 0.1
peak_pflops = 10
utilization = 0.38
engineer_hours = 300
delay_weeks = 3
upkeep_hours_per_month = 10
recompiles = 20
compile_minutes = 30
compile_attention = 0.3
compile_idle = 0.5
blocked = 0.2
blocked_spent = 0.6
trial_instance_hours = 200
other_costs = [{ label = "tools", amount = 4000 }, { label = "storage", per_week = 300 }]
MOVE
"""
SIGNED = ("", *(f'commitment = {{ instance_hours = 1500, resale = 0.3, signed = "{when}" }}' for when in (
    "already", "before_trial", "after_trial",
)))  # fmt: skip


@pytest.mark.parametrize("move", SIGNED)
@pytest.mark.parametrize("stay", SIGNED[:2])
def test_slopes_are_differences_of_costs(tmp_path: Path, stay: str, move: str) -> None:
    (file := tmp_path / "study.toml").write_text(STUDY.replace("STAY", stay).replace("MOVE", move))
    study = load_study(file)
    case = Case(study, Marginals.of(study))
    columns = {name: np.asarray(value) for name, value in case.marginals.fixed.items()}

    def outcomes(moved: dict[str, np.ndarray]) -> tuple[dict[str, outcome.Work], dict[str, outcome.Outcome]]:
        works = {name: outcome.work(study, each, moved, outcome.expected_luck) for name, each in study.options.items()}
        return works, case.outcomes(works, moved)

    works, costs = outcomes(columns)
    places = linear_inputs(study, study.options["b"])
    assert {"a.delay_weeks", "b.delay_weeks", "engineer_rate", "b.price", "a.discount"} <= places.keys()
    for name, place in places.items():
        by = 0.01 * (float(columns[name]) or 1.0)
        _, after = outcomes({**columns, name: columns[name] + by})
        rise = baseline_slope(study, place, columns, works["a"], costs["a"])
        slope = candidate_slope(study, "b", place, columns, works["b"], costs["b"].weeks, costs["a"].weeks, rise)

        for found, option, branch in (
            (rise.through, "a", "through"),
            (slope.through, "b", "through"),
            (slope.blocked, "b", "blocked"),
        ):
            grown = getattr(after[option], branch) - getattr(costs[option], branch)
            assert float(found) == pytest.approx(float(grown) / by, rel=1e-7, abs=1e-5), (name, option, branch)
