"""The engine against an independent plain Monte Carlo, over studies that between them hold every part of the model."""

import math
from pathlib import Path

import numpy as np
import pytest

from simulator.engine import Figure, run
from simulator.study import Study, load_study

from . import plain

DRAWS = 400_000

TOKENS = """
[workload]
tokens = { dist = "lognormal", median = 3e11, sigma = 0.2 }
[rates]
engineer = { dist = "uniform", low = 100, high = 200 }
delay_week = { dist = "triangular", low = 0, mode = 1000, high = 5000 }
"""
STUDIES = {
    "measured speeds, a commitment of the candidate before its trial": TOKENS
    + """
[options.a]
instances = 4
price = { dist = "normal", mean = 55, sd = 5, min = 30 }
tokens_per_second = { dist = "lognormal", median = 40e3, sigma = 0.1 }
faults_per_1000h = 3
hours_lost_per_fault = 2
[options.b]
instances = 4
price = 40
discount = 0.3
tokens_per_second = { dist = "lognormal", median = 45e3, sigma = 0.3 }
faults_per_1000h = { dist = "gamma", mean = 6, sd = 5 }
hours_lost_per_fault = { dist = "lognormal", median = 4, sigma = 0.6 }
engineer_hours = { dist = "gamma", mean = 200, sd = 150 }
delay_weeks = { dist = "lognormal", median = 3, sigma = 0.5 }
blocked = 0.3
blocked_spent = 0.6
trial_instance_hours = 250
commitment = { instance_hours = { dist = "uniform", low = 1000, high = 2500 }, resale = 0.2 }
""",
    "a commitment after the trial, three options, prices of their own": TOKENS
    + """
[options.a]
instances = 2
price = 50
tokens_per_second = 40e3
upkeep_hours_per_month = 30
[options.b]
instances = 3
price = { dist = "lognormal", median = 35, sigma = 0.3 }
tokens_per_second = { dist = "lognormal", median = 45e3, sigma = 0.3 }
engineer_hours = { dist = "lognormal", median = 100, sigma = 0.5 }
blocked = { dist = "beta", mean = 0.2, sd = 0.1 }
blocked_spent = { dist = "uniform", low = 0, high = 1 }
trial_instance_hours = 300
commitment = { instance_hours = 1500, resale = 0.5, signed = "after_trial" }
other_costs = [{ label = "storage", per_week = { dist = "uniform", low = 10, high = 900 } }]
[options.c]
instances = 1
price = 44
tokens_per_second = { dist = "lognormal", median = 41e3, sigma = 0.1 }
recompiles = { dist = "negative_binomial", mean = 20, dispersion = 1.5 }
compile_minutes = { dist = "lognormal", median = 30, sigma = 0.8 }
compile_idle = 0.5
compile_attention = 0.3
faults_per_1000h = { dist = "gamma", mean = 20, sd = 15 }
hours_lost_per_fault = { dist = "lognormal", median = 10, sigma = 1.0 }
unworkable = 0.3
blocked = 0.05
trial_instance_hours = 100
other_costs = [{ label = "tools", amount = 4000 }, { label = "monitoring", per_instance_hour = 0.5 }]
""",
    "commitments signed already on both sides, work from the baseline's hours": """
[workload]
baseline_hours = { dist = "pert", low = 2000, mode = 4000, high = 7000 }
baseline_utilization = 0.42
[rates]
engineer = 150
delay_week = 1000
[options.a]
instances = 8
price = 55
discount = 0.4
peak_pflops = 7.915
utilization = { dist = "beta", mean = 0.42, sd = 0.05 }
faults_per_1000h = { dist = "gamma", mean = 8, sd = 8 }
hours_lost_per_fault = { dist = "lognormal", median = 5, sigma = 1 }
unworkable = 0.4
commitment = { instance_hours = 3500, resale = 0.3 }
[options.b]
instances = 8
price = 36
discount = { dist = "uniform", low = 0, high = 0.3 }
peak_pflops = 10.672
utilization = { dist = "beta", mean = 0.38, sd = 0.09 }
engineer_hours = { dist = "lognormal", median = 240, sigma = 0.75 }
blocked = 0.25
blocked_spent = 0.7
trial_instance_hours = 300
commitment = { instance_hours = 800, resale = 0.5, signed = "already" }
""",
}


def study_of(text: str, folder: Path, hurdle: float = 0.05) -> Study:
    path = folder / "study.toml"
    path.write_text(f'title = "t"\nbaseline = "a"\ncurrency = "USD"\nhurdle = {hurdle}\n{text}')
    return load_study(path)


def close(got: Figure | None, sample: np.ndarray) -> bool:
    assert got is not None
    return abs(got.value - sample.mean()) < 4 * math.hypot(got.mcse, plain.standard_error(sample))


@pytest.mark.parametrize("name", STUDIES, ids=str)
def test_every_part_of_the_model_agrees(name: str, tmp_path: Path) -> None:
    study = study_of(STUDIES[name], tmp_path)
    rng = np.random.default_rng(20261201)
    columns = plain.draw_inputs(study, DRAWS, rng)
    truth = plain.simulate(study, columns, rng)

    result = run(study, draws=2**16, seed=4)

    costs = np.stack([truth[option] for option in study.options])
    lowest = costs.argmin(axis=0)
    stay = truth["a"]
    wrong = []
    for i, (option, got) in enumerate(result.options.items()):
        checks = {"tco": (got.tco.mean, truth[option]), "lowest": (got.p_best, 1.0 * (lowest == i))}
        if option != "a":
            saving = stay - truth[option]
            tail = np.quantile(saving, 0.05)
            checks |= {
                "saving": (got.saving.mean, saving),
                "share": (got.saving_share.mean, saving / stay),
                "beats": (got.p_beats, 1.0 * (saving > 0.05 * stay)),
                "blocked": (got.p_blocked, truth[f"{option}.blocked"]),
                "below p05": (Figure(0.05, 0.0), 1.0 * (saving <= got.saving.p05.value)),
                "below p95": (Figure(0.95, 0.0), 1.0 * (saving <= got.saving.p95.value)),
                "share below p50": (Figure(0.5, 0.0), 1.0 * (saving / stay <= got.saving_share.p50.value)),
                # the mean over the tail, by its minimum representation: t - E[max(0, t - S)] / 0.05 at any t near p05
                "cvar05": (got.cvar05, tail - np.maximum(tail - saving, 0) / 0.05),
            }
            square = (saving - saving.mean()) ** 2
            checks["variance"] = (
                Figure(got.saving.sd.value**2, 2 * got.saving.sd.value * got.saving.sd.mcse),
                square,
            )
        checks["tco below p75"] = (Figure(0.75, 0.0), 1.0 * (truth[option] <= got.tco.p75.value))
        wrong += [
            (option, what, figure, sample.mean())
            for what, (figure, sample) in checks.items()
            if not close(figure, sample)
        ]
    assert wrong == []


def test_what_is_luck_is_no_reason_to_know_more(tmp_path: Path) -> None:
    """With every uncertain input declared luck, knowing all of them is worth nothing and the spread is luck alone."""
    text = """
[workload]
pflop_hours = 10000
[rates]
engineer = 100
[options.a]
price = 50
peak_pflops = 8
utilization = {{ dist = "beta", mean = 0.4, sd = 0.05{0} }}
[options.b]
price = 50
peak_pflops = 8
utilization = {{ dist = "beta", mean = 0.4, sd = 0.05{0} }}
engineer_hours = {{ dist = "lognormal", median = 50, sigma = 0.4{0} }}
"""
    luck = run(study_of(text.format(", luck = true"), tmp_path, hurdle=0.0), draws=2**14)
    known = run(study_of(text.format(""), tmp_path, hurdle=0.0), draws=2**14)

    means = [each.options["b"].saving.mean for each in (luck, known)]
    assert abs(means[0].value - means[1].value) < 4 * math.hypot(means[0].mcse, means[1].mcse)
    assert known.decision.evpi.value > 1000
    assert abs(luck.decision.evpi.value) < 1e-6 * known.decision.evpi.value + 4 * luck.decision.evpi.mcse
    assert known.decision.epistemic_share is not None
    assert luck.decision.epistemic_share is not None
    assert known.decision.epistemic_share.value == pytest.approx(1.0, abs=0.01)
    # 32 inner points leave this much of the spread in each replicate's average
    assert abs(luck.decision.epistemic_share.value) < 0.02


def test_fixed_numbers_give_exact_arithmetic(tmp_path: Path) -> None:
    study = study_of(
        """
[workload]
pflop_hours = 4000
[rates]
engineer = 100
delay_week = 500
[options.a]
instances = 4
price = 50
discount = 0.2
peak_pflops = 8
utilization = 0.5
[options.b]
instances = 2
price = 30
peak_pflops = 10
utilization = 0.4
recompiles = 30
compile_minutes = 20
compile_idle = 0.5
compile_attention = 0.25
engineer_hours = 40
delay_weeks = 1
blocked = 0.25
blocked_spent = 0.5
trial_instance_hours = 10
""",
        tmp_path,
        hurdle=0.0,
    )
    # a: 4000 / (8 x 0.5) = 1,000 h x 40 = 40,000
    # b: 4000 / (10 x 0.4) = 1,000 h; compiling 30 x 20 / 60 = 10 h, 0.5 x 2 x 10 = 10 instance-hours; rent 1,010 x 30
    weeks_a, weeks_b = 1000 / 4 / 168, 1 + (1000 / 2 + 10) / 168
    through = 1010 * 30 + 100 * (40 + 0.25 * 10) + 500 * (weeks_b - weeks_a)
    back = 0.5 * 100 * 40 + 10 * 30 + 500 * 0.5 * 1 + 40_000
    tco = 0.75 * through + 0.25 * back

    result = run(study, draws=4096)
    b = result.options["b"]

    assert result.options["a"].tco.mean == Figure(40_000.0, 0.0)
    assert result.options["a"].tco.p05.value == 40_000.0
    assert result.options["a"].tco.sd.value == 0.0
    assert b.tco.mean.value == pytest.approx(tco, rel=1e-13)
    assert b.saving.p05.value == pytest.approx(40_000 - back, rel=1e-12)
    assert b.saving.p95.value == pytest.approx(40_000 - through, rel=1e-12)
    assert b.saving.sd.value == pytest.approx(math.sqrt(0.75 * 0.25) * abs(through - back), rel=1e-9)
    assert b.cvar05 is not None
    assert b.cvar05.value == pytest.approx(40_000 - back, rel=1e-12)
    assert b.p_beats == Figure(0.75 if through < 40_000 else 0.0, 0.0)
    assert b.weeks.value == pytest.approx(weeks_b)
    assert b.billed_hours.value == pytest.approx(1010)
    assert all(part.mcse < 1e-9 for part in b.components.values())
    assert result.decision.evpi.value == 0.0
