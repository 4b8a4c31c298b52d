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

    def __sub__(self, other: Affine) -> Affine:
        return Affine(self.at_zero - other.at_zero, self.slope - other.slope)

    def less(self, share: float, other: Affine) -> Affine:
        """This quantity less a share of another."""
        return Affine(self.at_zero - share * other.at_zero, self.slope - share * other.slope)


class Conditional(NamedTuple):
    """An affine quantity Y = at_zero + slope X given all inputs but the carrier X, ready for any threshold.

    `root` + t `per_unit` is where Y crosses the threshold t; `side` is the side of it on which Y lies below.
    `mean_score` is the mean of the carrier's score given the others.
    """

    carrier: Carrier
    mean_score: Floats
    quantity: Affine
    root: Floats
    per_unit: Floats
    side: Floats

    @classmethod
    def of(cls, carrier: Carrier, mean_score: Floats, quantity: Affine) -> Conditional:
        slope = quantity.slope
        with np.errstate(divide="ignore", invalid="ignore"):
            per_unit = 1 / slope
            root = -quantity.at_zero * per_unit
        if np.all(slope < 0):
            return cls(carrier, mean_score, quantity, root, per_unit, np.full((), -1.0))
        return cls(carrier, mean_score, quantity, root, per_unit, np.where(slope < 0, -1.0, 1.0))

    def below(self, threshold: float = 0.0) -> Floats:
        """P(Y <= threshold), (draws,)."""
        return ndtr(self.side * self._place(threshold))

    def shortfall(self, threshold: float) -> Floats:
        """E[max(0, threshold - Y)], (draws,)."""
        k = self._place(threshold)
        below = ndtr(self.side * k)
        partial = self.carrier.partial_mean(self.mean_score, k, self.side, below)
        return (threshold - self.quantity.at_zero) * below - self.quantity.slope * partial

    def _place(self, threshold: float) -> Floats:
        """Place of the threshold in sd of the carrier's score around its conditional mean."""
        with np.errstate(invalid="ignore"):
            crossing = self.root + threshold * self.per_unit
        if not np.all(np.isfinite(self.per_unit)):  # where Y does not depend on X it lies below always or never
            always = np.where(self.quantity.at_zero <= threshold, np.inf, -np.inf)
            crossing = np.where(self.quantity.slope == 0, always, crossing)
        return (self.carrier.score(crossing) - self.mean_score) / self.carrier.sd_score


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

    def mean_score(self, scores: Mapping[str, Floats]) -> Floats:
        """Mean of its score given the other inputs' scores, (draws,) or 0-d."""
        mean: Floats = np.zeros(())
        for name, weight in self.weights:
            mean = mean + weight * scores[name]
        return mean

    def mean(self, scores: Mapping[str, Floats]) -> Floats:
        """E[X] given the other inputs' scores, (draws,) or 0-d."""
        place = self.mean_score(scores)
        if isinstance(self.law, Normal):
            return self.law.mean + self.law.sd * place
        return self.law.median * np.exp(self.law.sigma * place + 0.5 * (self.law.sigma * self.sd_score) ** 2)

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

    def partial_mean(self, mean_score: Floats, k: Floats, side: Floats, below: Floats) -> Floats:
        """E[X; the score lies to the given side of its own place k] given the other inputs."""
        s = self.sd_score
        if isinstance(self.law, Normal):
            density = np.exp(-0.5 * k * k) / math.sqrt(2 * math.pi)
            return (self.law.mean + self.law.sd * mean_score) * below - side * self.law.sd * s * density
        sigma = self.law.sigma
        mean = self.law.median * np.exp(sigma * mean_score + 0.5 * (sigma * s) ** 2)
        return mean * ndtr(side * (k - sigma * s))
