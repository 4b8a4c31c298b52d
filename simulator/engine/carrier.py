"""Averaging over one input in closed form: the input that carries most of an option's saving.

Given all the other inputs, cost is linear in the engineers' hours, the delay, the rates and more. The probability that
a saving a + b X stays below a threshold is then a value of the law of X, not an indicator: at equal draws the error of
P(beats) falls by an order of magnitude. Under a Gaussian copula the score of X given the others stays normal, so
that dependence changes its mean and spread alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from simulator.inputs import Distribution, LogNormal, Normal

if TYPE_CHECKING:
    from simulator.inputs import Copula

Floats = NDArray[np.float64]


class Affine(NamedTuple):
    """A quantity at_zero + slope X of the carrier X, (draws,) arrays."""

    at_zero: Floats
    slope: Floats

    def at(self, x: Floats) -> Floats:
        """Its value at a value of the carrier."""
        return self.at_zero + self.slope * x

    def __sub__(self, other: Affine) -> Affine:
        return Affine(self.at_zero - other.at_zero, self.slope - other.slope)

    def less(self, share: float, other: Affine) -> Affine:
        """This quantity less a share of another."""
        return Affine(self.at_zero - share * other.at_zero, self.slope - share * other.slope)

    def shifted(self, by: float) -> Affine:
        """This quantity less a constant."""
        return Affine(self.at_zero - by, self.slope)


class Conditional(NamedTuple):
    """The carrier's law in a block of draws: the mean of its score given the other inputs, (draws,) or 0."""

    carrier: Carrier
    mean_score: Floats | float

    def below_zero(self, quantity: Affine) -> Floats:
        """P(at_zero + slope X <= 0) given the other inputs, (draws,)."""
        side, k = self._standard(quantity)
        return ndtr(side * k)

    def shortfall(self, quantity: Affine) -> tuple[Floats, Floats]:
        """P(Y <= 0) and E[max(0, -Y)] of Y = at_zero + slope X given the other inputs, (draws,) arrays."""
        side, k = self._standard(quantity)
        below = ndtr(side * k)
        partial = self.carrier.partial_mean(self.mean_score, k, side, below)
        return below, -quantity.at_zero * below - quantity.slope * partial

    def _standard(self, quantity: Affine) -> tuple[Floats, Floats]:
        """Side of the root on which Y <= 0, and the root's place in sd of the carrier's score."""
        with np.errstate(divide="ignore", invalid="ignore"):
            root = -quantity.at_zero / quantity.slope
        certain = quantity.slope == 0  # then Y is at_zero whatever X is
        root = np.where(certain, np.where(quantity.at_zero <= 0, np.inf, -np.inf), root)
        k = (self.carrier.score(root) - self.mean_score) / self.carrier.sd_score
        return np.where(quantity.slope < 0, -1.0, 1.0), k


@dataclass(frozen=True)
class Carrier:
    """A normal or lognormal input, and how its score depends on those of the others."""

    name: str
    law: Normal | LogNormal
    weights: tuple[tuple[str, float], ...] = ()
    sd_score: float = 1.0

    @classmethod
    def of(cls, name: str, law: Distribution, copula: Copula | None) -> Carrier | None:
        """The carrier of a name, or None where its law has no closed form that survives dependence."""
        if not isinstance(law, Normal | LogNormal):
            return None
        if copula is None or name not in copula.names:
            return cls(name, law)
        own = copula.names.index(name)
        others = [j for j in range(len(copula.names)) if j != own]
        to_others = copula.pearson[own, others]
        weights = np.linalg.solve(copula.pearson[np.ix_(others, others)], to_others)
        variance = 1.0 - float(to_others @ weights)
        if variance < 1e-6:  # the others all but fix it: nothing left to average over
            return None
        named = tuple((copula.names[j], float(w)) for j, w in zip(others, weights, strict=True) if w != 0)
        return cls(name, law, named, math.sqrt(variance))

    @property
    def probes(self) -> tuple[float, float]:
        """Two values of the input, one sd of its score to either side, from which a line is read off."""
        low, high = self.law.at_score(np.array([-1.0, 1.0]))
        return float(low), float(high)

    def given(self, scores: Mapping[str, Floats]) -> Conditional:
        """Its law in a block of draws, given the other inputs' scores."""
        mean: Floats | float = 0.0
        for name, weight in self.weights:
            mean = mean + weight * scores[name]
        return Conditional(self, mean)

    def line(self, at_low: Floats, at_high: Floats) -> Affine:
        """The line through the values at the two probes."""
        low, high = self.probes
        slope = (at_high - at_low) / (high - low)
        return Affine(at_low - slope * low, slope)

    def score(self, x: Floats) -> Floats:
        """Normal score of a value of the input; -inf below the support."""
        if isinstance(self.law, Normal):
            return (x - self.law.mean) / self.law.sd
        with np.errstate(divide="ignore"):
            return np.log(np.maximum(x, 0.0) / self.law.median) / self.law.sigma

    def partial_mean(self, mean_score: Floats | float, k: Floats, side: Floats, below: Floats) -> Floats:
        """E[X; the score lies to the given side of its own place k] given the other inputs."""
        s = self.sd_score
        if isinstance(self.law, Normal):
            density = np.exp(-0.5 * k * k) / math.sqrt(2 * math.pi)
            return (self.law.mean + self.law.sd * mean_score) * below - side * self.law.sd * s * density
        sigma = self.law.sigma
        mean = self.law.median * np.exp(sigma * mean_score + 0.5 * (sigma * s) ** 2)
        return mean * ndtr(side * (k - sigma * s))
