"""Quantile judgements that name a family; catches a fit that misses what it could meet, or hides what it misses."""

import math

import numpy as np
import pytest
from scipy.special import ndtri

from simulator.inputs import (
    BadSpec,
    Beta,
    Distribution,
    Gamma,
    LogNormal,
    Normal,
    Pert,
    Triangular,
    Uniform,
    distribution,
)


def test_two_quantiles_of_a_lognormal_are_met() -> None:
    law = distribution({"dist": "lognormal", "p05": 12, "p95": 86})
    assert isinstance(law, LogNormal)
    assert law.median == pytest.approx(math.sqrt(12 * 86), rel=1e-13)
    assert law.sigma == pytest.approx(math.log(86 / 12) / (2 * ndtri(0.95)), rel=1e-13)


@pytest.mark.parametrize(
    "truth",
    [
        Normal(3.0, 2.0),
        LogNormal(3.0, 0.4),
        Uniform(-1.0, 4.0),
        Gamma(0.6, 3.0),
        Beta(0.7, 5.0),
        Pert(1.0, 2.0, 7.0),
        Triangular(1.0, 2.0, 7.0),
    ],
    ids=repr,
)
@pytest.mark.parametrize("percents", [(5, 50, 95), (1, 20, 40, 60, 99)])
def test_quantiles_of_a_family_give_it_back(truth: Distribution, percents: tuple[int, ...]) -> None:
    name = type(truth).__name__.lower()
    spec = {f"p{percent:02d}": float(truth.ppf(np.array(percent / 100))) for percent in percents}
    law = distribution({"dist": name, **spec})
    u = np.array([0.02, 0.3, 0.8, 0.98])
    np.testing.assert_allclose(law.ppf(u), truth.ppf(u), rtol=1e-6)
    np.testing.assert_allclose(law.residuals, 0, atol=1e-7 * truth.sd)


def test_the_residual_of_a_fit_is_kept() -> None:
    law = distribution({"dist": "normal", "p10": 0, "p50": 4, "p90": 10})
    assert law.mean == pytest.approx(14 / 3)
    assert law.stated == ((0.1, 0.0), (0.5, 4.0), (0.9, 10.0))
    np.testing.assert_allclose(law.residuals, [-1 / 3, 2 / 3, -1 / 3], atol=1e-12)


def test_truncation_moves_the_quantiles_and_shows_it() -> None:
    law = distribution({"dist": "lognormal", "p05": 12, "p95": 86, "max": 100})
    assert law.stated == ((0.05, 12.0), (0.95, 86.0))
    assert law.residuals[1] < -1


def test_values_outside_a_family_are_refused() -> None:
    for name, key in (("lognormal", "p05"), ("gamma", "p05"), ("beta", "p95")):
        with pytest.raises(BadSpec) as refused:
            distribution({"dist": name, "p05": -1 if key == "p05" else 0.2, "p95": 3})
        assert refused.value.path == (key,)
    with pytest.raises(BadSpec, match="at least 3"):
        distribution({"dist": "pert", "p05": 1, "p95": 3})
