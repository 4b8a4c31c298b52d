"""Closed form against plain averaging on the same random studies: two estimates of one figure must agree.

Both paths run on the same points, so that a wrong slope, side, density or law of the carrier shows as a difference
that no sampling error explains. A right engine fails a figure at five standard errors about once in a million.
"""

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.engine import Figure, Plan, Result, runner
from simulator.engine.carrier import Carrier
from simulator.engine.case import Case
from simulator.study import Study, load_study

LAWS = {
    "lognormal": "{{ dist = 'lognormal', median = {0}, sigma = 0.6 }}",
    "normal": "{{ dist = 'normal', mean = {0}, sd = {3} }}",
    "uniform": "{{ dist = 'uniform', low = {1}, high = {2} }}",
    "triangular": "{{ dist = 'triangular', low = {1}, mode = {0}, high = {2} }}",
    "gamma": "{{ dist = 'gamma', mean = {0}, sd = {1} }}",
    "elicited": "{{ dist = 'lognormal', p05 = {1}, p95 = {2} }}",
    "truncated": "{{ dist = 'lognormal', median = {0}, sigma = 0.9, min = {1}, max = {2} }}",
    "metalog": "{{ p10 = {1}, p50 = {0}, p90 = {2}, min = 0 }}",
    "fixed": "{0}",
}


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A study whose uncertain money is in a random place, with a random law, commitment and correlation."""

    def value(typical: float) -> str:
        law = draw(st.sampled_from(sorted(LAWS)))
        return LAWS[law].format(*(round(typical * part, 6) for part in (1.0, 0.4, 2.5, 0.15)))

    signed = draw(st.sampled_from([None, "already", "before_trial", "after_trial"]))
    commitment = f"commitment = {{ instance_hours = 1500, resale = 0.3, signed = '{signed}' }}" if signed else ""
    related = draw(st.booleans())
    lognormal = "{ dist = 'lognormal', median = 250, sigma = 0.7 }"
    hours = lognormal if related else value(250.0)
    correlation = (
        "[[correlations]]\nbetween = ['b.engineer_hours', 'b.utilization']\nspearman = -0.5" if related else ""
    )
    return f"""
title = "random"
baseline = "a"
currency = "USD"
hurdle = {draw(st.sampled_from([0.0, 0.1, -0.05]))}
[workload]
pflop_hours = 12000
[rates]
engineer = {value(140.0)}
delay_week = {value(1500.0)}
[options.a]
instances = 4
price = {value(50.0)}
peak_pflops = 8
utilization = {{ dist = 'beta', mean = 0.42, sd = 0.06 }}
upkeep_hours_per_month = {value(20.0)}
[options.b]
instances = 4
price = {value(34.0)}
discount = {draw(st.sampled_from(["0.1", "{ dist = 'pert', low = 0, mode = 0.1, high = 0.6 }"]))}
peak_pflops = 10
utilization = {{ dist = 'beta', mean = 0.38, sd = 0.08 }}
engineer_hours = {hours}
delay_weeks = {value(3.0)}
blocked = {draw(st.sampled_from([0.0, 0.2]))}
blocked_spent = 0.6
trial_instance_hours = {value(200.0)}
other_costs = [{{ label = 'tools', amount = {value(4000.0)} }}]
{commitment}
{correlation}
"""


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=texts(), draws=st.just(2**12))
def test_closed_form_and_plain_averages_agree(text: str, draws: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("random") / "study.toml"
    path.write_text(text)
    study = load_study(path)
    smooth, plain = run_with(study, draws, carriers=True), run_with(study, draws, carriers=False)
    wrong = {key: pair for key, pair in figures(smooth, plain).items() if not agree(*pair, 5.0)}
    assert wrong == {}, text


def run_with(study: Study, draws: int, *, carriers: bool) -> Result:
    """A run that averages over carriers, or over none."""
    with pytest.MonkeyPatch.context() as patch:
        if not carriers:
            patch.setattr(Carrier, "of", staticmethod(lambda *_: None))
        return runner.run(study, draws, seed=11)


def figures(one: Result, other: Result) -> Mapping[str, tuple[Figure, Figure]]:
    a, b = one.options["b"], other.options["b"]
    found = {"mean": (a.saving.mean, b.saving.mean), "sd": (a.saving.sd, b.saving.sd), "tco": (a.tco.mean, b.tco.mean)}
    found |= {key: (getattr(a.saving, key), getattr(b.saving, key)) for key in ("p05", "p25", "p50", "p75", "p95")}
    assert a.p_beats is not None
    assert b.p_beats is not None
    assert a.cvar05 is not None
    assert b.cvar05 is not None
    return found | {"p_beats": (a.p_beats, b.p_beats), "cvar05": (a.cvar05, b.cvar05)}


def agree(one: Figure, other: Figure, errors: float) -> bool:
    # an event that one path never met in 4,096 draws has an error of 0 there, and of a few in 4,096 in truth
    floor = 1e-9 * abs(one.value) + (1e-3 if 0 <= one.value <= 1 else 0.0)
    return abs(one.value - other.value) <= errors * math.hypot(one.mcse, other.mcse) + floor


def test_both_paths_are_taken(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The study of the reference has a carrier, and none when it is told so: else the test above compares nothing."""
    path = tmp_path_factory.mktemp("one") / "study.toml"
    path.write_text(texts_example())
    study = load_study(path)
    case: Case = Plan.of(replace(study, scenarios={}), 4096, 1).cases[""]
    assert case.carriers["b"].name == "b.engineer_hours"


def texts_example() -> str:
    return """
title = "one"
baseline = "a"
currency = "USD"
[workload]
pflop_hours = 12000
[rates]
engineer = 140
[options.a]
price = 50
peak_pflops = 8
utilization = 0.42
[options.b]
price = 34
peak_pflops = 10
utilization = { dist = 'beta', mean = 0.38, sd = 0.08 }
engineer_hours = { dist = 'gamma', mean = 400, sd = 300 }
"""
