"""A judgement by quantiles: the metalog, a curve through all of them (Keelin, Decision Analysis 13, 2016)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf, expit, log_ndtr, logit, ndtr, ndtri

from simulator.inputs.faults import BadSpec, shown
from simulator.inputs.law import Floats, Law
from simulator.inputs.quadrature import moments, partial_mean_by_quadrature
from simulator.inputs.roots import first_at_least

MOST_TERMS: Final = 10  # beyond, the curve is fitted by least squares: interpolation would only follow the noise
REACH: Final = 38.0  # in normal scores: the smallest normal probability
HEAVIEST_TAIL: Final = 0.475  # of exp(metalog): (1 - y)^-0.5 has no variance, and close to it none can be computed
Stated = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Metalog(Law):
    """Quantiles as stated, joined by the smoothest curve that passes through them.

    With c = y - 1/2 and L = log(y / (1 - y)) the curve is a1 + a2 L + a3 c L + a4 c + a5 c^2 + a6 c^2 L + ...; it is
    the quantile function itself without bounds, that of log(x - low) or of -log(high - x) with one, and of
    log((x - low) / (high - x)) with both. So the stated quantiles hold exactly, whatever the bounds.
    """

    coefficients: tuple[float, ...]
    low: float = -math.inf
    high: float = math.inf
    mean: float = field(init=False)
    sd: float = field(init=False)

    def __post_init__(self) -> None:
        for name, moment in zip(("mean", "sd"), moments(self, REACH), strict=True):
            object.__setattr__(self, name, moment)

    @classmethod
    def through(cls, stated: Stated, low: float = -math.inf, high: float = math.inf) -> Self:
        """The metalog of as many terms as quantiles are stated.

        Raises
        ------
        BadSpec
            Where the curve through the quantiles falls somewhere, or has a tail too heavy for a standard deviation.
        """
        coefficients = _coefficients(stated, low, high)
        if (where := _falls_at(coefficients)) is not None:
            raise _infeasible(stated, low, high, where)
        if (low > -math.inf) != (high < math.inf):
            _check_tail(coefficients, upper=high == math.inf)
        return cls(coefficients, low, high, stated=stated)

    @property
    def support(self) -> tuple[float, float]:
        return self.low, self.high

    def cdf(self, x: Floats) -> Floats:
        return ndtr(self.score(x))

    def sf(self, x: Floats) -> Floats:
        return ndtr(-self.score(x))

    def lower(self, u: Floats) -> Floats:
        return self.at_score(ndtri(u))

    def upper(self, v: Floats) -> Floats:
        return self.at_score(-ndtri(v))

    def at_score(self, z: Floats) -> Floats:
        curve = self._curve(np.asarray(z, dtype=float))
        match self.low > -math.inf, self.high < math.inf:
            case True, True:
                width = self.high - self.low
                return np.where(curve < 0, self.low + width * expit(curve), self.high - width * expit(-curve))
            case True, False:
                return self.low + np.exp(curve)
            case False, True:
                return self.high - np.exp(-curve)
        return curve

    def score(self, x: Floats) -> Floats:
        target = to_curve(np.asarray(x, dtype=float), self.low, self.high)
        edge = np.full(target.shape, REACH)
        z = first_at_least(lambda z, _: self._curve(z), np.nan_to_num(target), -edge, edge)
        return np.where(np.isinf(target), target, z)

    def partial_mean(self, x: Floats) -> Floats:
        return partial_mean_by_quadrature(self, x, REACH)

    def _curve(self, z: Floats) -> Floats:
        c, log_odds = erf(z / math.sqrt(2)) / 2, log_ndtr(z) - log_ndtr(-z)
        plain, times_log_odds = _polynomials(self.coefficients)
        return np.asarray(_horner(plain, c) + _horner(times_log_odds, c) * log_odds)


def to_curve(x: Floats, low: float, high: float) -> Floats:
    """The scale on which the metalog is linear in its coefficients; -inf and inf at and beyond the bounds."""
    with np.errstate(divide="ignore"):
        match low > -math.inf, high < math.inf:
            case True, True:
                return logit(np.clip((x - low) / (high - low), 0, 1))
            case True, False:
                return np.log(np.maximum(x - low, 0))
            case False, True:
                return -np.log(np.maximum(high - x, 0))
    return x


def _terms(count: int) -> list[tuple[int, bool]]:
    """Power of c and whether L is a factor, term by term."""
    head = [(0, False), (0, True), (1, True), (1, False)]
    return (head + [(power, log) for power in range(2, count) for log in (False, True)])[:count]


def _polynomials(coefficients: tuple[float, ...]) -> tuple[list[float], list[float]]:
    """Coefficients in c, lowest power first, of the plain part and of the factor of L."""
    parts: tuple[list[float], list[float]] = ([0.0] * len(coefficients), [0.0] * len(coefficients))
    for value, (power, log) in zip(coefficients, _terms(len(coefficients)), strict=True):
        parts[log][power] = value
    return parts


def _horner(coefficients: list[float], c: Floats) -> Floats:
    total = np.zeros_like(c)
    for value in reversed(coefficients):
        total = total * c + value
    return total


def _coefficients(stated: Stated, low: float, high: float) -> tuple[float, ...]:
    p, x = np.array(stated).T
    terms = _terms(min(len(stated), MOST_TERMS))
    basis = np.stack([(p - 0.5) ** power * (logit(p) if log else 1.0) for power, log in terms], axis=1)
    found: Floats = np.linalg.lstsq(basis, to_curve(x, low, high), rcond=None)[0]
    return tuple(found.tolist())


def _slope(coefficients: tuple[float, ...], log_odds: Floats) -> Floats:
    """Derivative of the curve by L; dc/dL = y (1 - y)."""
    y = expit(log_odds)
    c, step = y - 0.5, y * expit(-log_odds)
    total = np.zeros_like(y)
    for value, (power, log) in zip(coefficients, _terms(len(coefficients)), strict=True):
        rise = power * c ** max(power - 1, 0) * step
        total += value * (rise * log_odds + c**power if log else rise)
    return total


def _falls_at(coefficients: tuple[float, ...]) -> float | None:
    """Probability at which the curve falls, None when it rises throughout."""
    log_odds: NDArray[np.float64] = np.linspace(-40, 40, 4001)
    slope = _slope(coefficients, log_odds)
    near = log_odds[np.argmin(slope)]
    log_odds = np.append(log_odds, np.linspace(near - 0.02, near + 0.02, 401))
    slope = np.append(slope, _slope(coefficients, log_odds[-401:]))
    worst = int(np.argmin(slope))
    noise = 1e-12 * np.abs(coefficients[1:]).max()  # a uniform law has tails of slope 0
    return float(expit(log_odds[worst])) if slope[worst] < -noise or slope.max() <= 0 else None


def _infeasible(stated: Stated, low: float, high: float, where: float) -> BadSpec:
    """The refusal, with the values that the quantile closest to the trouble could take instead."""
    place = min(range(len(stated)), key=lambda i: abs(stated[i][0] - where))
    if len(stated) > 2:
        place = min(max(place, 1), len(stated) - 2)
    p, x = stated[place]
    bounds = (stated[place - 1][1], stated[place + 1][1])
    tried = [float(value) for value in np.linspace(*bounds, 203)[1:-1]]
    works = [
        value
        for value in tried
        if _falls_at(_coefficients((*stated[:place], (p, value), *stated[place + 1 :]), low, high)) is None
    ]
    family = 'a family named by dist, as dist = "lognormal"'
    expected = f"{quantile_key(p)} between {works[0]:.4g} and {works[-1]:.4g}, or {family}" if works else family
    others = ", ".join(f"{quantile_key(q)} = {shown(v)}" for i, (q, v) in enumerate(stated) if i != place)
    found = f"{shown(x)} with {others}: no metalog passes, its density would be negative near p{100 * where:.3g}"
    return BadSpec((quantile_key(p),), found, expected)


def quantile_key(p: float) -> str:
    return f"p{round(100 * p):02d}"


def _check_tail(coefficients: tuple[float, ...], *, upper: bool) -> None:
    end = np.array(0.5 if upper else -0.5)
    weight = float(_horner(_polynomials(coefficients)[1], end))
    if weight > HEAVIEST_TAIL:
        given, missing = ("min", "max") if upper else ("max", "min")
        raise BadSpec(
            (),
            f"quantiles so wide above {given} alone that no standard deviation exists",
            f"a {missing} as well, or a family",
        )
