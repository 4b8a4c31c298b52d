"""Decision problems whose values of information are known: closed forms here, or figures derived outside this project.

Values that are numbers below come from closed forms, quadrature and exact sums made for these problems with no code of
the library; the normal and lognormal ones are formulas. Net benefit is higher the better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtr, ndtri

Floats = NDArray[np.float64]
REPLICATES = 16


def unl(mean: float, sd: float) -> float:
    """Value of learning an incremental net benefit N(mean, sd): unit normal loss."""
    return sd * float(stats.norm.pdf(mean / sd)) - abs(mean) * float(ndtr(-abs(mean) / sd))


def put(strike: float, forward: float, sd: float) -> float:
    """E max(strike - forward exp(sd Z - sd^2 / 2), 0)."""
    d = math.log(forward / strike) / sd + sd / 2
    return strike * float(ndtr(sd - d)) - forward * float(ndtr(-d))


def learnt(prior_sd: float, obs_sd: float, size: float) -> float:
    """sd of the posterior mean of a normal."""
    return prior_sd * math.sqrt(size * prior_sd**2 / (size * prior_sd**2 + obs_sd**2))


@dataclass(frozen=True)
class Problem:
    """`draw` makes (draws, options) net benefit and the named inputs from (draws, dims) normal scores."""

    name: str
    dims: int
    draw: Callable[[Floats], tuple[Floats, dict[str, Floats]]]
    evpi: float
    evppi: Mapping[tuple[str, ...], float] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name

    def sobol(self, draws: int, seed: int, replicates: int = REPLICATES) -> tuple[Floats, dict[str, Floats]]:
        """So many independent randomizations of a Sobol' net one after the other, `draws` in all.

        Digital shifts of one scrambled net: each is uniform, and they are independent given the net.
        """
        rng = np.random.default_rng([1, seed])
        net = stats.qmc.Sobol(self.dims, bits=30, rng=rng).random(draws // replicates)
        whole = (net * 2**30).astype(np.int64)
        shifts = rng.integers(2**30, size=(replicates, 1, self.dims))
        return self.draw(ndtri(((whole ^ shifts).reshape(-1, self.dims) + 0.5) / 2**30))

    def plain(self, draws: int, seed: int) -> tuple[Floats, dict[str, Floats]]:
        return self.draw(np.random.default_rng(seed).standard_normal((draws, self.dims)))


def columns(inputs: Mapping[str, Floats], names: tuple[str, ...]) -> Floats:
    return np.stack([inputs[name] for name in names], axis=1)


def two_options(inb: Floats) -> Floats:
    return np.stack([np.zeros_like(inb), inb], axis=1)


def _two_normals(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    p1, p2 = 1 + z[:, 0], 2 * z[:, 1]
    return two_options(p1 - p2), {"p1": p1, "p2": p2}


TWO_NORMALS = Problem("two normals", 2, _two_normals, unl(1, math.sqrt(5)), {("p1",): unl(1, 1), ("p2",): unl(1, 2)})

RHO = 0.6


def _correlated(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    x1, x2 = z[:, 0], 2 * (RHO * z[:, 0] + math.sqrt(1 - RHO**2) * z[:, 1])
    return two_options(0.5 + x1 - x2), {"x1": x1, "x2": x2}


CORRELATED = Problem(
    "correlated normals",
    2,
    _correlated,
    unl(0.5, math.sqrt(1 + 4 - 2 * RHO * 2)),
    {("x1",): unl(0.5, abs(1 - RHO * 2)), ("x2",): unl(0.5, abs(2 - RHO * 1))},
)

COST, SHARE, SIGMA1, SIGMA2, RUN_SIGMA = 1e6, 0.95, 0.25, 0.10, 0.20


def ratio_value(sigma: float) -> float:
    """Value where the posterior mean of the cost ratio is lognormal with this sigma."""
    return COST * put(1, SHARE, sigma) - COST * (1 - SHARE)


def _ratio(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    x1 = np.exp(SIGMA1 * z[:, 0] - SIGMA1**2 / 2)
    x2 = np.exp(SIGMA2 * z[:, 1] - SIGMA2**2 / 2)
    return two_options(COST * (1 - SHARE * x1 * x2)), {"x1": x1, "x2": x2}


COST_RATIO = Problem(
    "lognormal cost ratio",
    2,
    _ratio,
    ratio_value(math.hypot(SIGMA1, SIGMA2)),
    {("x1",): ratio_value(SIGMA1), ("x2",): ratio_value(SIGMA2)},
)


def _three(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    x, e1, e2 = 2 * z[:, 0], z[:, 1], 1.5 * z[:, 2]
    nb = np.stack([np.zeros_like(x), 0.3 + x + e1, 0.2 + 0.5 * x + e2], axis=1)
    return nb, {"x": x, "e1": e1, "e2": e2}


THREE_OPTIONS = Problem(
    "three options", 3, _three, 1.0932183, {("x",): 0.6578300, ("e1",): 0.3509353, ("e2",): 0.5497427}
)


def _quadratic(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    return two_options(z[:, 0] ** 2 - 1 + z[:, 1]), {"x": z[:, 0], "z": z[:, 1]}


DENSITY = float(stats.norm.pdf(1))
QUADRATIC = Problem("quadratic", 2, _quadratic, 0.6294185, {("x",): 2 * DENSITY, ("z",): 1 / math.sqrt(2 * math.pi)})


def _interaction(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    return two_options(z[:, 0] * z[:, 1]), {"x1": z[:, 0], "x2": z[:, 1]}


INTERACTION = Problem("interaction", 2, _interaction, 1 / math.pi, {("x1", "x2"): 1 / math.pi})


def _exchange(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    a = np.exp(0.2 * z[:, 0] - 0.02)
    b = 0.95 * np.exp(0.3 * (0.4 * z[:, 0] + math.sqrt(1 - 0.16) * z[:, 1]) - 0.045)
    return np.stack([-a, -b], axis=1), {"a": a, "b": b}


def margrabe(sigma: float) -> float:
    """E max(A - B, 0) - (A - B) with A = 1, B = 0.95 and their log ratio's sd (Margrabe, 1978)."""
    return put(1, 0.95, sigma) - 0.05


EXCHANGE = Problem(
    "exchange of two costs",
    2,
    _exchange,
    margrabe(math.sqrt(0.04 + 0.09 - 2 * 0.4 * 0.06)),
    {("a",): margrabe(abs(0.2 - 0.4 * 0.3)), ("b",): margrabe(abs(0.3 - 0.4 * 0.2))},
)


def _null(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    return two_options(z[:, 0]), {"x": z[:, 1]}


NULL = Problem("null input", 2, _null, 1 / math.sqrt(2 * math.pi), {("x",): 0.0})

MEANS = [1000, 0.1, 5.2, 400, 0.7, 0.3, 3, 0.25, -0.1, 0.5, 1500, 0.08, 6.1, 0.8, 0.3, 3, 0.2, -0.1, 0.5]
SDS = [1, 0.02, 1, 200, 0.1, 0.1, 0.5, 0.1, 0.02, 0.2, 1, 0.02, 1, 0.1, 0.05, 1, 0.05, 0.02, 0.2]
LINKED = [5, 7, 14, 16]


def _nineteen(z: Floats, rho: float) -> tuple[Floats, dict[str, Floats]]:
    pearson = np.eye(19)
    for a in LINKED:
        for b in LINKED:
            pearson[a - 1, b - 1] = 1 if a == b else rho
    t = dict(enumerate((np.array(MEANS) + np.array(SDS) * (z @ np.linalg.cholesky(pearson).T)).T, start=1))
    nb0 = 1e4 * (t[5] * t[6] * t[7] + t[8] * t[9] * t[10]) - (t[1] + t[2] * t[3] * t[4])
    nb1 = 1e4 * (t[14] * t[15] * t[16] + t[17] * t[18] * t[19]) - (t[11] + t[12] * t[13] * t[4])
    return np.stack([nb0, nb1], axis=1), {f"t{k}": v for k, v in t.items()}


# Brennan, Kharroubi, O'Hagan & Chilcott (2007), as Strong, Oakley & Brennan (2014) correlate it.
NINETEEN = Problem(
    "nineteen inputs",
    19,
    lambda z: _nineteen(z, RHO),
    1046.79,
    {
        ("t5",): 22.460,
        ("t6",): 611.803,
        ("t7",): 11.997,
        ("t14",): 230.812,
        ("t15",): 271.295,
        ("t16",): 460.541,
        ("t5", "t14"): 247.912,
        ("t7", "t16"): 536.520,
        ("t6", "t15"): 739.858,
        ("t5", "t6", "t14", "t15"): 841.252,
        ("t5", "t7", "t14", "t16"): 596.996,
    },
)
NINETEEN_INDEPENDENT = Problem(
    "nineteen inputs, independent",
    19,
    lambda z: _nineteen(z, 0.0),
    1310.64,
    {
        ("t5",): 181.810,
        ("t7",): 235.883,
        ("t16",): 754.447,
        ("t5", "t14"): 318.617,
        ("t5", "t7", "t14", "t16"): 955.942,
    },
)


def _side_effects(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    p1 = stats.beta.ppf(ndtr(z[:, 0]), 53, 60)
    logor = math.log(0.54) + 0.3 * z[:, 1]
    p2 = 1 / (1 + (1 / p1 - 1) * np.exp(-logor))
    return two_options(13_327 * (p1 - p2) - 1855), {"p1": p1, "p2": p2, "logor": logor}


# The chemotherapy example of the R package voi, its other inputs at their means: they enter the slope alone.
SIDE_EFFECTS = Problem(
    "side effects", 2, _side_effects, 329.6, {("p2",): 260.2, ("logor",): 328.3, ("p1",): 21.26, ("p2", "logor"): 329.6}
)


def _events(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    rate = stats.gamma.ppf(ndtr(z[:, 0]), 2, scale=1 / 4)
    return two_options(30 - 50 * rate), {"rate": rate}


EVENTS = Problem("events", 1, _events, 4.9894874, {("rate",): 4.9894874})
EVENTS_EVSI = {1: 1.4, 2: 65 / 27, 4: 3.125, 8: 3.8042981, 26: 4.5362401, 104: 4.8675194}


def _trials(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    p = stats.beta.ppf(ndtr(z[:, 0]), 3, 2)
    return two_options(100 * p - 55), {"p": p}


TRIALS = Problem("trials", 1, _trials, 6.1309187, {("p",): 6.1309187})
TRIALS_EVSI = {1: 2, 2: 17 / 7, 3: 23 / 7, 5: 3.9285714, 10: 4.6853147, 20: 5.2888199, 50: 5.7569247, 200: 6.0318593}


def _unknown_noise(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    sd = stats.gamma.ppf(ndtr(z[:, 1]), 3, scale=1 / 6) ** -0.5
    mean = 0.3 + sd / math.sqrt(2) * z[:, 0]
    return two_options(mean), {"mean": mean, "sd": sd}


UNKNOWN_NOISE = Problem("unknown noise", 2, _unknown_noise, 0.3263536, {("mean",): 0.3263536})
UNKNOWN_NOISE_EVSI = {1: 0.1442434, 3: 0.2276739, 10: 0.2879346, 50: 0.3177669}
