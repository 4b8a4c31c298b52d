"""Shares of the variance where they are known: interactions, correlations, and a library for independent inputs."""

import math
from pathlib import Path

import numpy as np
import pytest
from SALib.analyze import sobol as analyze
from SALib.sample import sobol as saltelli

from simulator.decision import sensitivity
from simulator.decision.known import Known
from simulator.decision.variance import shares
from tests.decision.linear import linear, normal

A, B = "new.other_costs.0.amount", "new.other_costs.1.amount"


def near(got: object, value: float, least: float = 1e-9) -> bool:
    return abs(got.value - value) < 5 * got.mcse + least  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("hours", "rate", "sd"),
    [
        ('dist = "normal"\nmean = 200\nsd = 30\n', normal(100, 20), (30, 20)),
        (
            'dist = "uniform"\nlow = 150\nhigh = 250\n',
            '{ dist = "uniform", low = 0, high = 200 }',
            (100 / math.sqrt(12), 200 / math.sqrt(12)),
        ),
    ],
    ids=["narrow", "wide"],
)
def test_product_of_hours_and_rate(tmp_path: Path, hours: str, rate: str, sd: tuple[float, float]) -> None:
    """saving = c - r E of independent r and E of means 100 and 200: their interaction has the product of variances."""
    study = linear(tmp_path, {}, "[options.new.engineer_hours]\n" + hours, rate=rate)
    known = Known.of(study, 2**14, 3)
    got = shares(known, "new")
    parts = {"engineer_rate": (200 * sd[1]) ** 2, "new.engineer_hours": (100 * sd[0]) ** 2}
    both = (sd[0] * sd[1]) ** 2
    variance = sum(parts.values()) + both
    assert got.keys() == parts.keys()
    for name, own in parts.items():
        assert near(got[name].first, own / variance)
        assert near(got[name].total, (own + both) / variance)
        assert near(got[name].shapley, (own + both / 2) / variance)
        assert max(got[name].first.mcse, got[name].total.mcse) < 0.002
        assert got[name].shapley.mcse < 0.01


def test_correlated_linear_normal(tmp_path: Path) -> None:
    """First-order and total change places under correlation; Shapley effects by subsets, from the array library."""
    more = f'[[correlations]]\nbetween = ["{A}", "{B}"]\nspearman = 0.6\n'
    study = linear(tmp_path, {"a": normal(20e3, 20e3), "b": normal(15e3, 30e3), "c": normal(0, 10e3)}, more)
    known = Known.of(study, 2**14, 4)
    rho = 2 * np.sin(np.pi * 0.6 / 6)
    sd = np.array([20e3, 30e3, 10e3])
    sigma = np.diag(sd) @ np.array([[1, rho, 0], [rho, 1, 0], [0, 0, 1]]) @ np.diag(sd)
    variance = sigma.sum()
    got = shares(known, "new")
    shapley = sensitivity.shapley_effects([-1, -1, -1], sigma)
    for i, name in enumerate(known.names):
        first = sigma[i].sum() ** 2 / sigma[i, i] / variance
        given = sigma[i, i] * (1 - rho**2 if i < 2 else 1) / variance
        assert near(got[name].first, first)
        assert near(got[name].total, given)
        assert near(got[name].shapley, shapley[i])
    assert sum(each.shapley.value for each in got.values()) == pytest.approx(1)


def test_independent_inputs_as_salib_has_them(tmp_path: Path) -> None:
    """Saltelli's estimators of another hand on the same model."""
    more = """
[options.new.engineer_hours]
dist = "uniform"
low = 100
high = 500
[options.new.faults_per_1000h]
dist = "uniform"
low = 1
high = 40
[options.new.hours_lost_per_fault]
dist = "uniform"
low = 1
high = 5
"""
    study = linear(tmp_path, {}, more)
    known = Known.of(study, 2**14, 5)
    got = shares(known, "new")
    names = list(known.names)
    bounds = [list(study.inputs[name].law.support) for name in names]
    problem = {"num_vars": 3, "names": names, "bounds": bounds}
    x = saltelli.sample(problem, 2**12, calc_second_order=False, seed=1)
    hours, faults, lost = (x[:, names.index(f"new.{key}")] for key in
                           ("engineer_hours", "faults_per_1000h", "hours_lost_per_fault"))  # fmt: skip
    saving = 50e3 - 100 * hours - 50 * 1000 * (1 / (1 - faults * lost / 1000) - 1)
    theirs = analyze.analyze(problem, saving, calc_second_order=False, seed=1)
    for i, name in enumerate(names):
        assert abs(got[name].first.value - theirs["S1"][i]) < 2.5 * theirs["S1_conf"][i]
        assert abs(got[name].total.value - theirs["ST"][i]) < 2.5 * theirs["ST_conf"][i]


def test_what_does_not_matter_owns_nothing(tmp_path: Path) -> None:
    study = linear(
        tmp_path, {"a": normal(50e3, 1e4)}, "[options.new.trial_instance_hours]\n" + 'dist = "uniform"\nlow=0\nhigh=9\n'
    )
    idle = shares(Known.of(study, 2**12, 1), "new")["new.trial_instance_hours"]
    assert idle.total.value == 0
    assert abs(idle.first.value) < 1e-3
    assert abs(idle.shapley.value) < 1e-12


def test_nothing_varies(tmp_path: Path) -> None:
    assert shares(Known.of(linear(tmp_path, {"a": "1"}), 2**12, 1), "new") == {}
