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


def test_cells_are_cubic_in_between() -> None:
    """F(t) = 3 t^2 - 2 t^3 of X = 1 + 4 t in two cells is exact: f = 6 t - 6 t^2, E[t; t <= u] = 2 u^3 - 3/2 u^4."""
    halves = [np.polynomial.Polynomial([0, 0, 3, -2])(np.polynomial.Polynomial([s, 0.5])).coef for s in (0.0, 0.5)]
    below_half = 0.5**3 - 0.5**4 / 2
    curve = Curve(1.0, 2.0, np.stack(halves, axis=1), np.array([0.0, 4 * below_half]))
    t = np.linspace(0, 1, 21)[1:-1]
    cdf, density = 3 * t**2 - 2 * t**3, (6 * t - 6 * t**2) / 4
    partial = cdf + 4 * (2 * t**3 - 1.5 * t**4)

    assert curve.cdf(1 + 4 * t) == pytest.approx(cdf, rel=1e-12)
    assert curve.density(1 + 4 * t) == pytest.approx(density, rel=1e-12)
    assert curve.partial_mean(1 + 4 * t) == pytest.approx(partial, rel=1e-12)
    assert curve.density(np.array([1.0, 5.0, 0.0, 6.0])).tolist() == [0, 0, 0, 0]
