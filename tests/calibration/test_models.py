"""Both forms of each likelihood are one: differences of the log density between points, PyMC's and numpy's.

Would catch: a term in one of them alone, a spread taken for a variance, a censored value taken as complete.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

from simulator.calibration.models import Counts, Durations, Effort, Means, Model, Shares

MODELS: dict[str, tuple[Model, float, float]] = {
    "runs": (Means((-1.2, -1.1, -1.15), (50.0, 20.0, 30.0), 0.05, 97.0, between=0.08), 0.3, 0.35),
    "runs with a discrepancy": (
        Means((-1.2, -1.1), (50.0, 20.0), between=0.08, noise=0.02, known=True, blur=0.05), 0.3, 0.35
    ),
    "measurements": (Means((3.0,), (4.0,), 2.0, 3.0, scale="natural", noise=1.0), 2.0, 3.5),
    "durations": (Durations((20.0, 31.0, 45.0), (False, False, True), (1.0, 3.0, 1.0)), 25.0, 40.0),
    "durations with a discrepancy": (Durations((2.0, 3.0), (False, False), (1.0, 3.0), blur=0.3), 1.5, 4.0),
    "faults": (Counts((2, 0), (0.3, 0.1)), 2.0, 7.0),
    "recompiles": (Counts((9, 4), (6.0, 5.0), 0.6), 1.0, 2.5),
    "shares": (Shares(2, 12), 0.1, 0.4),
    "effort": (Effort(160.0, 0.6), 220.0, 400.0),
}  # fmt: skip


def log_density(model: Model) -> Any:
    """PyMC's log density as a function of x and the logs of the hidden parameters, their priors left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ArviZ's notice at import
        import pymc as pm
        import pytensor
        from pytensor.compile.mode import Mode

        with pm.Model() as built:
            model.add(pm.Flat("x"), "m")
        own = [term for variable in built.observed_RVs for term in [built.logp([variable], jacobian=False)]]
        total = sum(own) + sum(pm.math.sum(each) for each in built.potentials)
        values = {variable.name: variable for variable in built.value_vars}
        terms = built.replace_rvs_by_values([total])[0]
        return pytensor.function(list(values.values()), terms, mode=Mode("py", None), on_unused_input="ignore"), list(
            values
        )


@pytest.mark.parametrize("name", MODELS)
def test_pymc_and_numpy_agree(name: str) -> None:
    model, low, high = MODELS[name]
    rng = np.random.default_rng(3)
    density, order = log_density(model)
    points = []
    for x in (low, high, math.sqrt(low * high)):
        hidden = {key: scale * rng.uniform(0.3, 1.2) for key, scale in model.hidden.items()}
        given = {"x": x, **{f"m.{key}_log__": math.log(value) for key, value in hidden.items()}}
        arrays = {key: np.asarray(value) for key, value in hidden.items()}
        points.append((float(density(*(given[n] for n in order))), float(model.log_likelihood(np.asarray(x), arrays))))

    (a, b), *others = points
    for c, d in others:
        assert c - a == pytest.approx(d - b, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_simulated_data_have_the_statistics_of_the_data(name: str) -> None:
    model, low, _ = MODELS[name]
    hidden = {key: scale / 2 for key, scale in model.hidden.items()}

    made = model.simulate(low, hidden, np.random.default_rng(1))

    assert made.statistics.keys() == model.statistics.keys()
    assert made.hidden == model.hidden
