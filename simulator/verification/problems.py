"""Decision problems whose values of information are known, as functions of standard normal scores.

Those with two options and normal or lognormal net benefit are closed forms. The rest were computed outside this
program, by quadrature and sums (2026-11); each is small enough to be done again by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, gammaincinv, ndtr, ndtri

from simulator.sampling import Points

Floats = NDArray[np.float64]
Drawn = tuple[Floats, Mapping[str, Floats]]

REPLICATES: Final = 16
SEED: Final = 1


def unit_normal_loss(mean: float, sd: float) -> float:
    """Value of learning an incremental net benefit N(mean, sd): sd phi(mean / sd) - |mean| Phi(-|mean| / sd)."""
    z = abs(mean) / sd
    return float(sd * math.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) - abs(mean) * ndtr(-z))


def put(strike: float, forward: float, sigma: float) -> float:
    """E max(strike - forward exp(sigma Z - sigma^2 / 2), 0) (Black, 1976)."""
    d = math.log(forward / strike) / sigma + sigma / 2
    return float(strike * ndtr(sigma - d) - forward * ndtr(-d))


def learnt(prior_sd: float, observation_sd: float, size: float) -> float:
    """sd of the posterior mean of a normal after `size` observations, before they are seen."""
    return prior_sd * math.sqrt(size * prior_sd**2 / (size * prior_sd**2 + observation_sd**2))


@dataclass(frozen=True, slots=True)
class Problem:
    """`made` turns normal scores, (dimensions, draws), into net benefit, (draws, options), and the inputs by name."""

    name: str
    dimensions: int
    made: Callable[[Floats], Drawn]
    evpi: float
    evppi: Mapping[tuple[str, ...], float]

    def draws(self, count: int) -> Drawn:
        """So many draws: `REPLICATES` randomized nets one after the other."""
        points = Points(self.dimensions, REPLICATES, SEED)
        size = count // REPLICATES
        return self.made(ndtri(np.concatenate([points.block(r, 0, size) for r in range(REPLICATES)], axis=1)))


def options(*benefits: Floats) -> Floats:
    return np.stack(benefits, axis=1)


def against_nothing(benefit: Floats) -> Floats:
    return options(np.zeros_like(benefit), benefit)


def _two_normals(z: Floats) -> Drawn:
    p1, p2 = 1 + z[0], 2 * z[1]
    return against_nothing(p1 - p2), {"p1": p1, "p2": p2}


TWO_NORMALS: Final = Problem(
    "two normals", 2, _two_normals, unit_normal_loss(1, math.sqrt(5)),
    {("p1",): unit_normal_loss(1, 1), ("p2",): unit_normal_loss(1, 2)},
)  # fmt: skip


def _correlated(z: Floats) -> Drawn:
    x1, x2 = z[0], 2 * (0.6 * z[0] + 0.8 * z[1])
    return against_nothing(0.5 + x1 - x2), {"x1": x1, "x2": x2}


CORRELATED: Final = Problem(
    "correlated normals", 2, _correlated, unit_normal_loss(0.5, math.sqrt(1 + 4 - 2 * 0.6 * 2)),
    {("x1",): unit_normal_loss(0.5, abs(1 - 0.6 * 2)), ("x2",): unit_normal_loss(0.5, abs(2 - 0.6))},
)  # fmt: skip

COST: Final = 1e6
SHARE: Final = 0.95
SIGMAS: Final = (0.25, 0.10)
RUN_SIGMA: Final = 0.20


def ratio_value(sigma: float) -> float:
    """Value of a posterior mean of the cost ratio that is lognormal with this sigma."""
    return COST * (put(1, SHARE, sigma) - (1 - SHARE))


def _cost_ratio(z: Floats) -> Drawn:
    x1, x2 = (np.exp(sigma * score - sigma**2 / 2) for sigma, score in zip(SIGMAS, z, strict=True))
    return against_nothing(COST * (1 - SHARE * x1 * x2)), {"x1": x1, "x2": x2}


COST_RATIO: Final = Problem(
    "lognormal cost ratio", 2, _cost_ratio, ratio_value(math.hypot(*SIGMAS)),
    {("x1",): ratio_value(SIGMAS[0]), ("x2",): ratio_value(SIGMAS[1])},
)  # fmt: skip


def _three_options(z: Floats) -> Drawn:
    x, e1, e2 = 2 * z[0], z[1], 1.5 * z[2]
    return options(np.zeros_like(x), 0.3 + x + e1, 0.2 + 0.5 * x + e2), {"x": x, "e1": e1, "e2": e2}


THREE_OPTIONS: Final = Problem(
    "three options", 3, _three_options, 1.0932183,
    {("x",): 0.6578300, ("e1",): 0.3509353, ("e2",): 0.5497427},
)  # fmt: skip

_MEANS = [1000, 0.1, 5.2, 400, 0.7, 0.3, 3, 0.25, -0.1, 0.5, 1500, 0.08, 6.1, 0.8, 0.3, 3, 0.2, -0.1, 0.5]
_SDS = [1, 0.02, 1, 200, 0.1, 0.1, 0.5, 0.1, 0.02, 0.2, 1, 0.02, 1, 0.1, 0.05, 1, 0.05, 0.02, 0.2]


def _nineteen(z: Floats) -> Drawn:
    pearson = np.eye(19)
    linked = np.ix_([4, 6, 13, 15], [4, 6, 13, 15])
    pearson[linked] += 0.6 * (1 - np.eye(4))
    t = np.array(_MEANS)[:, None] + np.array(_SDS)[:, None] * (np.linalg.cholesky(pearson) @ z)
    (t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, t18, t19) = t
    first = 1e4 * (t5 * t6 * t7 + t8 * t9 * t10) - (t1 + t2 * t3 * t4)
    second = 1e4 * (t14 * t15 * t16 + t17 * t18 * t19) - (t11 + t12 * t13 * t4)
    return options(first, second), {f"t{i}": each for i, each in enumerate(t, start=1)}


NINETEEN: Final = Problem(  # Brennan, Kharroubi, O'Hagan & Chilcott (2007), as Strong, Oakley & Brennan (2014) have it
    "nineteen inputs", 19, _nineteen, 1046.79,
    {("t6",): 611.803, ("t16",): 460.541, ("t5", "t14"): 247.912, ("t7", "t16"): 536.520},
)  # fmt: skip


def _side_effects(z: Floats) -> Drawn:
    p1 = betaincinv(53, 60, ndtr(z[0]))
    odds_ratio = math.log(0.54) + 0.3 * z[1]
    p2 = 1 / (1 + (1 / p1 - 1) * np.exp(-odds_ratio))
    return against_nothing(13_327 * (p1 - p2) - 1855), {"p1": p1, "p2": p2, "log odds ratio": odds_ratio}


SIDE_EFFECTS: Final = Problem(  # the chemotherapy example of the R package voi, what enters the slope alone at its mean
    "side effects", 2, _side_effects, 329.6,
    {("p1",): 21.26, ("p2",): 260.2, ("log odds ratio",): 328.3},
)  # fmt: skip


def _quadratic(z: Floats) -> Drawn:
    return against_nothing(z[0] ** 2 - 1 + z[1]), {"x": z[0], "z": z[1]}


QUADRATIC: Final = Problem(
    "quadratic", 2, _quadratic, 0.6294185,
    {("x",): 2 * math.exp(-0.5) / math.sqrt(2 * math.pi), ("z",): 1 / math.sqrt(2 * math.pi)},
)  # fmt: skip


def _interaction(z: Floats) -> Drawn:
    return against_nothing(z[0] * z[1]), {"x1": z[0], "x2": z[1]}


INTERACTION: Final = Problem("interaction", 2, _interaction, 1 / math.pi, {("x1", "x2"): 1 / math.pi})


def exchange_value(sigma: float) -> float:
    """E max(A - B, 0) - (A - B), A = 1 and B = 0.95 their means, sigma the sd of the log ratio (Margrabe, 1978)."""
    return put(1, SHARE, sigma) - (1 - SHARE)


def _exchange(z: Floats) -> Drawn:
    a = np.exp(0.2 * z[0] - 0.02)
    b = SHARE * np.exp(0.3 * (0.4 * z[0] + math.sqrt(1 - 0.16) * z[1]) - 0.045)
    return options(-a, -b), {"a": a, "b": b}


EXCHANGE: Final = Problem(
    "two lognormal costs", 2, _exchange, exchange_value(math.sqrt(0.04 + 0.09 - 2 * 0.4 * 0.06)),
    {("a",): exchange_value(abs(0.2 - 0.4 * 0.3)), ("b",): exchange_value(abs(0.3 - 0.4 * 0.2))},
)  # fmt: skip


def _null(z: Floats) -> Drawn:
    return against_nothing(z[0]), {"x": z[1]}


NULL: Final = Problem("input that does nothing", 2, _null, 1 / math.sqrt(2 * math.pi), {})


def _events(z: Floats) -> Drawn:
    rate = gammaincinv(2, ndtr(z[0])) / 4
    return against_nothing(30 - 50 * rate), {"rate": rate}


EVENTS: Final = Problem("rate of events", 1, _events, 4.9894874, {("rate",): 4.9894874})


def _trials(z: Floats) -> Drawn:
    p = betaincinv(3, 2, ndtr(z[0]))
    return against_nothing(100 * p - 55), {"p": p}


TRIALS: Final = Problem("successes", 1, _trials, 6.1309187, {("p",): 6.1309187})


def _unknown_noise(z: Floats) -> Drawn:
    sd = (gammaincinv(3, ndtr(z[1])) / 6) ** -0.5
    mean = 0.3 + sd / math.sqrt(2) * z[0]
    return against_nothing(mean), {"mean": mean, "sd": sd}


UNKNOWN_NOISE: Final = Problem("noise unknown", 2, _unknown_noise, 0.3263536, {("mean",): 0.3263536})
