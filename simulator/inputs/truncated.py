"""A law given that the value lies between two bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from scipy.special import ndtr

from simulator.inputs.atoms import Bernoulli, Constant, Discrete
from simulator.inputs.bounded import Uniform
from simulator.inputs.faults import BadSpec, shown
from simulator.inputs.law import Distribution, Floats, Law
from simulator.inputs.mixture import Mixture
from simulator.inputs.quadrature import moments

LEAST_MASS: Final = 1e-6  # bounds that leave less of a law contradict it
MOST_COUNTS: Final = 2**20  # beyond, a sum over the counts is as good as an integral


@dataclass(frozen=True, slots=True)
class Truncated(Law):
    """Another law, given that the value lies between two bounds, these included."""

    base: Distribution
    low: float
    high: float
    mean: float = field(init=False)
    sd: float = field(init=False)
    _below: tuple[float, float] = field(init=False, repr=False)  # P(base < low) and its complement
    _above: tuple[float, float] = field(init=False, repr=False)  # P(base > high) and its complement
    _mass: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        below, above, mass = _interval(self.base, self.low, self.high)
        for name, value in {"_below": below, "_above": above, "_mass": mass}.items():
            object.__setattr__(self, name, value)
        for name, moment in zip(("mean", "sd"), self._moments(), strict=True):
            object.__setattr__(self, name, moment)

    @property
    def discrete(self) -> bool:
        return self.base.discrete

    @property
    def support(self) -> tuple[float, float]:
        low, high = self.base.support
        return max(low, self.low), min(high, self.high)

    @property
    def kinks(self) -> tuple[float, ...]:
        return tuple(x for x in self.base.kinks if self.low < x < self.high)

    def cdf(self, x: Floats) -> Floats:
        (below, not_below), up_to, beyond = self._below, self.base.cdf(x), self.base.sf(x)
        return np.clip(np.where(up_to <= 0.5, up_to - below, not_below - beyond) / self._mass, 0, 1)

    def sf(self, x: Floats) -> Floats:
        (above, not_above), up_to, beyond = self._above, self.base.cdf(x), self.base.sf(x)
        return np.clip(np.where(beyond <= 0.5, beyond - above, not_above - up_to) / self._mass, 0, 1)

    def lower(self, u: Floats) -> Floats:
        return self._between(np.asarray(u, dtype=float), 1 - np.asarray(u, dtype=float))

    def upper(self, v: Floats) -> Floats:
        return self._between(1 - np.asarray(v, dtype=float), np.asarray(v, dtype=float))

    def at_score(self, z: Floats) -> Floats:
        return self._between(ndtr(z), ndtr(-np.asarray(z)))

    def partial_mean(self, x: Floats) -> Floats:
        first, x = math.nextafter(self.low, -math.inf), np.clip(x, None, self.high)
        part = self.base.partial_mean(np.maximum(x, first)) - self.base.partial_mean(np.asarray(first))
        return part / self._mass

    def atoms(self, least: float = 1e-3) -> Floats:
        x = self.base.atoms(least * self._mass)
        return x[(x >= self.low) & (x <= self.high)]

    def _between(self, u: Floats, v: Floats) -> Floats:
        """The base's quantile at P(below low) + u mass, which leaves P(above high) + v mass above it."""
        up_to, beyond = self._below[0] + self._mass * u, self._above[0] + self._mass * v
        near = up_to <= 0.5
        x = np.empty(up_to.shape)
        x[near] = self.base.lower(up_to[near])
        x[~near] = self.base.upper(beyond[~near])
        return np.clip(x, self.low, self.high)

    def _moments(self) -> tuple[float, float]:
        if not self.discrete:
            return moments(self)
        first, last = self.at_score(np.array([-9.0, 9.0]))
        if last - first > MOST_COUNTS:
            return moments(self)
        k = np.arange(first, last + 1)
        mass = np.where(self.cdf(k) <= 0.5, self.cdf(k) - self.cdf(k - 1), self.sf(k - 1) - self.sf(k))
        mean = float(mass @ k)
        return mean, float(np.sqrt(mass @ (k - mean) ** 2))


def truncate(law: Distribution, low: float, high: float) -> Distribution:
    """The law given low <= X <= high, in its simplest form.

    Raises
    ------
    BadSpec
        Where the interval is empty or holds less than 1e-6 of the probability.
    """
    if not low < high:
        raise BadSpec(("max",), f"max = {shown(high)} with min = {shown(low)}", "max above min")
    kept = _truncated(law, low, high)
    if kept is None:
        raise BadSpec(
            ("min",) if math.isfinite(low) else ("max",),
            f"an interval from {low:.6g} to {high:.6g} that holds (almost) none of the probability",
            f"bounds that leave some of it; nine tenths of it lie between {_middle(law)}",
        )
    return kept[1]


def _truncated(law: Distribution, low: float, high: float) -> tuple[float, Distribution] | None:
    """Mass of the interval and the law inside it; None where the mass is next to nothing."""
    mass = _interval(law, low, high)[2]
    if mass < LEAST_MASS:
        return None
    match law:
        case Mixture():
            kept = [(weight, _truncated(part, low, high)) for weight, part in zip(law.weights, law.parts, strict=True)]
            parts = [(weight * found[0], found[1]) for weight, found in kept if found]
            return mass, replace(law, weights=tuple(weight for weight, _ in parts), parts=tuple(p for _, p in parts))
        case Constant():
            return mass, law
        case Bernoulli():
            return _truncated(Discrete(np.array([0.0, 1.0]), np.array([1 - law.p, law.p])), low, high)
        case Discrete():
            keep = (law.values >= low) & (law.values <= high)
            return mass, Discrete(law.values[keep], law.weights[keep])
        case Uniform():
            return mass, Uniform(max(low, law.low), min(high, law.high), stated=law.stated)
    return mass, Truncated(law, low, high, stated=law.stated)


def _interval(law: Distribution, low: float, high: float) -> tuple[tuple[float, float], tuple[float, float], float]:
    """P(X < low) and P(X > high), each with its complement, and what lies between."""
    # nextafter: the bounds belong to the interval, which matters where they are atoms
    below, not_below = _both(law, math.nextafter(low, -math.inf))
    not_above, above = _both(law, high)
    return (below, not_below), (above, not_above), not_above - below if not_above <= 0.5 else not_below - above


def _both(law: Distribution, x: float) -> tuple[float, float]:
    return float(law.cdf(np.asarray(x))), float(law.sf(np.asarray(x)))


def _middle(law: Distribution) -> str:
    low, high = law.ppf(np.array([0.05, 0.95]))
    return f"{low:.6g} and {high:.6g}"
