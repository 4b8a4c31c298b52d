"""The engine with a posterior: dependence kept, scenarios kept, the sampler's own error in the MCSE.

Would catch: an MCSE that ignores the posterior's error, shifts that move the figures, a scenario's value overwritten.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from simulator.calibration.posterior import Learned, applied, with_values
from simulator.calibration.sampler import bend_of_draws
from simulator.engine import run
from simulator.inputs import LogNormal
from simulator.inputs.warped import Warped, nodes
from simulator.study import Study, load_study

STUDY = """
title = "t"
baseline = "a"
currency = "USD"
[workload]
pflop_hours = 50_000
[rates]
engineer = 100
[[correlations]]
between = ["b.utilization", "b.engineer_hours"]
spearman = -0.5
[options.a]
price = 50
peak_pflops = 8
utilization = 0.4
[options.b]
price = 36
peak_pflops = 10
utilization = { dist = "beta", alpha = 6, beta = 9 }
engineer_hours = { dist = "lognormal", median = 240, sigma = 0.75 }
[scenarios.fixed]
"options.b.utilization" = 0.3
"""
DRAWS = 16 * 256


@pytest.fixture
def study(tmp_path: Path) -> Study:
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    return load_study(path)


def identity(names: tuple[str, ...], pearson: np.ndarray, effective: float = math.inf) -> Learned:
    return Learned(names, np.stack([nodes() for _ in names]), pearson, effective)


def test_a_posterior_equal_to_the_prior_changes_nothing(study: Study) -> None:
    names = study.copula.names
    before = run(study, 2**14)

    after = run(applied(study, [identity(names, study.copula.pearson)]), 2**14)

    for figure in ("mean", "sd", "p05", "p95"):
        old, new = (getattr(each.options["b"].saving, figure) for each in (before, after))
        assert new.value == pytest.approx(old.value, abs=5 * math.hypot(old.mcse, new.mcse) + 1e-3 * abs(old.value))


def test_a_scenario_keeps_its_own_value(study: Study) -> None:
    learned = applied(study, [identity(study.copula.names, study.copula.pearson)])

    assert learned.scenarios["fixed"].inputs["b.utilization"].value == 0.3
    assert isinstance(learned.scenarios["fixed"].inputs["b.engineer_hours"].value, Warped)
    assert learned.scenarios["fixed"].copula is None  # its partner is a number there


def test_dependence_of_the_posterior_is_the_dependence_of_the_draws(study: Study) -> None:
    names = study.copula.names
    learned = applied(study, [identity(names, np.array([[1.0, 0.8], [0.8, 1.0]]))])

    draws = run(learned, DRAWS).draws(names)

    ranks = [np.argsort(np.argsort(draws[name])) for name in names]
    assert np.corrcoef(ranks)[0, 1] == pytest.approx(6 / math.pi * math.asin(0.4), abs=0.01)


def test_mcse_covers_the_error_of_the_sampler(study: Study) -> None:
    """500 draws of a known posterior: 90 % intervals hold the truth in 80 to 98 % of 120 calibrations.

    The truth is the prior itself, so that its mean saving is known from a long run; right code fails once in 10,000.
    """
    plain = with_values(study, {"b.engineer_hours": LogNormal(240.0, 0.75)})
    plain = applied(plain, [])
    truth = run(plain, 2**16).options["b"].saving.mean.value
    held, count, rng = 0, 120, np.random.default_rng(11)
    factor = np.linalg.cholesky(study.copula.pearson)
    for _ in range(count):
        scores = rng.standard_normal((500, 2)) @ factor.T
        bends = np.stack([bend_of_draws(scores[:, i]) for i in range(2)])
        learned = Learned(study.copula.names, bends, study.copula.pearson, 500.0)
        figure = run(applied(plain, [learned]), DRAWS).options["b"].saving.mean
        held += abs(figure.value - truth) < 1.753 * figure.mcse  # t with 15 degrees of freedom
    assert 0.80 <= held / count <= 0.98


def test_shifts_leave_the_figures_where_they_are(study: Study) -> None:
    names, pearson = study.copula.names, study.copula.pearson
    exact = run(applied(study, [identity(names, pearson)]), 2**14).options["b"]
    sampled = run(applied(study, [identity(names, pearson, 1000.0)]), 2**14).options["b"]

    assert sampled.saving.mean.mcse > 5 * exact.saving.mean.mcse
    assert sampled.saving.mean.value == pytest.approx(exact.saving.mean.value, abs=0.3 * sampled.saving.mean.mcse)
    assert sampled.saving.sd.value == pytest.approx(exact.saving.sd.value, rel=0.01)
