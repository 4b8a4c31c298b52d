"""Inverse distribution functions against those of scipy, and the tables that stand for them against themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simulator.inputs import distribution, tabulated
from simulator.verification.check import Check, Checks

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCORES: Final = 20_001
TABLE: Final = 1e-9  # of an sd: what is promised of a table
INVERSE: Final = 1e-8  # of an sd: scipy's own inverses are no better everywhere
MEAN: Final = 1e-9

LAWS: Final[Mapping[str, Mapping[str, Any]]] = {
    "beta": {"dist": "beta", "mean": 0.38, "sd": 0.09},
    "beta near 1": {"dist": "beta", "alpha": 30, "beta": 0.7},
    "normal": {"dist": "normal", "mean": 3, "sd": 2},
    "lognormal": {"dist": "lognormal", "median": 240, "sigma": 0.75},
    "gamma": {"dist": "gamma", "mean": 0.6, "sd": 0.4},
    "gamma of small shape": {"dist": "gamma", "shape": 0.3, "scale": 2},
    "pert": {"dist": "pert", "low": 0.2, "mode": 0.4, "high": 0.55},
    "triangular": {"dist": "triangular", "low": 1, "mode": 2, "high": 7},
    "uniform": {"dist": "uniform", "low": 2, "high": 5},
    "student t": {"dist": "student_t", "loc": 10, "scale": 2, "df": 5},
    "poisson": {"dist": "poisson", "mean": 40},
    "negative binomial": {"dist": "negative_binomial", "mean": 8, "dispersion": 1.5},
    "truncated lognormal": {"dist": "lognormal", "median": 3, "sigma": 0.5, "max": 9},
    "quantiles": {"p05": 0.25, "p50": 0.38, "p95": 0.5, "min": 0, "max": 1},
    "mixture": {
        "dist": "mixture",
        "weights": [0.7, 0.3],
        "parts": [{"dist": "normal", "mean": 0, "sd": 1}, {"dist": "gamma", "shape": 4, "scale": 1.5}],
    },
}


def tables() -> Checks:
    """The largest error of each fast inverse, at scores between the points that it was made from, tails included."""
    scores = np.linspace(-6.6, 6.6, SCORES) + 1e-4
    for name, spec in LAWS.items():
        law = distribution(spec)
        error = np.max(np.abs(tabulated(law).at_score(scores) - law.at_score(scores))) / law.sd
        yield Check(f"error of the table / sd, {name}", 0.0, float(error), TABLE, "the law itself")


def inverses() -> Checks:
    """Quantiles from 1e-6 to 1 - 1e-6 against scipy.stats, the worst of them; and the quantiles' mean."""
    levels = np.concatenate([10.0 ** np.arange(-6, -1), np.linspace(0.05, 0.95, 19), 1 - 10.0 ** np.arange(-2, -7, -1)])
    for name, reference in _references(levels).items():
        law = distribution(LAWS[name])
        error = np.max(np.abs(law.ppf(levels) - reference)) / law.sd
        yield Check(f"error of quantiles / sd, {name}", 0.0, float(error), INVERSE, "scipy.stats")
    nodes, weights = np.polynomial.legendre.leggauss(64)
    for name, spec in LAWS.items():
        law = distribution(spec)
        if law.discrete:
            continue
        edges = np.linspace(-9, 9, 1025)
        half = np.diff(edges)[:, None] / 2
        z = edges[:-1, None] + half * (1 + nodes)
        density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
        mean = float(np.sum(half * weights * density * law.at_score(z.ravel()).reshape(z.shape)))
        yield Check(f"mean by quantiles, {name}", law.mean, mean, MEAN * max(law.sd, abs(law.mean)), "quadrature")


def _references(levels: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Quantiles by scipy, the parameters worked out here anew."""
    from scipy import stats

    size = 0.38 * (1 - 0.38) / 0.09**2 - 1
    span = 0.55 - 0.2
    frozen: dict[str, Any] = {
        "beta": stats.beta(0.38 * size, 0.62 * size),
        "beta near 1": stats.beta(30, 0.7),
        "normal": stats.norm(3, 2),
        "lognormal": stats.lognorm(0.75, scale=240),
        "gamma": stats.gamma((0.6 / 0.4) ** 2, scale=0.4**2 / 0.6),
        "gamma of small shape": stats.gamma(0.3, scale=2),
        "pert": stats.beta(1 + 4 * (0.4 - 0.2) / span, 1 + 4 * (0.55 - 0.4) / span, loc=0.2, scale=span),
        "triangular": stats.triang((2 - 1) / (7 - 1), loc=1, scale=6),
        "uniform": stats.uniform(2, 3),
        "student t": stats.t(5, loc=10, scale=2),
        "poisson": stats.poisson(40),
        "negative binomial": stats.nbinom(1.5, 1.5 / (1.5 + 8)),
    }
    return {name: np.asarray(law.ppf(levels), dtype=np.float64) for name, law in frozen.items()}
