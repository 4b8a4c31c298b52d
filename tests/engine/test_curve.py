"""A law's table against the law: chance, density and partial mean at many values, and no table where none is right."""

import numpy as np
import pytest

from simulator.engine.curve import Curve
from simulator.inputs import Distribution, distribution

LAWS = {
    "pert": {"dist": "pert", "low": 0.0, "mode": 0.1, "high": 0.3},
    "uniform": {"dist": "uniform", "low": -2.0, "high": 5.0},
    "triangular": {"dist": "triangular", "low": 0.0, "mode": 1.0, "high": 5.0},
    "gamma": {"dist": "gamma", "mean": 200.0, "sd": 150.0},
    "beta": {"dist": "beta", "mean": 0.4, "sd": 0.1},
    "truncated lognormal": {"dist": "lognormal", "median": 240.0, "sigma": 0.75, "min": 50.0, "max": 2000.0},
}


@pytest.mark.parametrize("name", LAWS)
def test_the_table_is_the_law(name: str) -> None:
    law: Distribution = distribution(LAWS[name], lambda *_: np.empty(0))
    curve = Curve.of(law)
    assert curve is not None
    x = law.ppf(np.linspace(1e-4, 1 - 1e-4, 5001))
    assert np.abs(curve.cdf(x) - law.cdf(x)).max() < 5e-7
    assert np.abs(curve.partial_mean(x) - law.partial_mean(x)).max() < 1e-6 * (law.sd + abs(law.mean))
    h = 1e-3 * law.sd
    inside = x[(x - h > law.support[0]) & (x + h < law.support[1])]
    slope = (law.cdf(inside + h) - law.cdf(inside - h)) / (2 * h)
    assert np.abs(curve.density(inside) - slope).max() < 1e-2 * slope.max()
    beyond = np.array([-np.inf, np.inf])
    assert curve.cdf(beyond) == pytest.approx([0, 1], abs=1e-9)
    assert curve.density(beyond).tolist() == [0, 0]
    assert curve.partial_mean(beyond) == pytest.approx([0, law.mean], abs=1e-7 * (law.sd + abs(law.mean)))


def test_a_law_too_steep_for_a_table_has_none() -> None:
    steep = distribution({"dist": "beta", "mean": 0.05, "sd": 0.2}, lambda *_: np.empty(0))
    assert Curve.of(steep) is None
