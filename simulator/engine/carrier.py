"""Averaging over one input in closed form: the input that carries most of an option's saving.

Given all the other inputs, cost is linear in the engineers' hours, the delay, the rates and more. The probability that
a saving a + b X stays below a threshold is then a value of the law of X, not an indicator: at equal draws the error of
P(beats) falls by an order of magnitude. Under a Gaussian copula the score of X given the others stays normal, so
that dependence changes its mean and spread alone.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from simulator.engine.curve import Curve
from simulator.engine.slopes import Place
from simulator.inputs import Distribution, LogNormal, Normal
from simulator.inputs.warped import Warped

if TYPE_CHECKING:
    from simulator.inputs import Copula

Floats = NDArray[np.float64]

_ROOT_TWO_PI = math.sqrt(2 * math.pi)
_ZERO = np.zeros(())
_NOWHERE = -36.0
"""A normal score at which a density is next to 0, but not so near that arithmetic grows slow."""


@dataclass(frozen=True)
class Carrier(ABC):
    """An input that is averaged over, and its law given the others.

    A `spot` is a value of the input as the law reads it: whatever is cheapest to ask several things of.
    """

    name: str
    place: Place

    @staticmethod
    def of(name: str, place: Place, law: Distribution, copula: Copula | None) -> Carrier | None:
        """The carrier of an input, or None where its law has no closed form that survives dependence.

        A law known from a sampler's draws is drawn, so that its own error is seen between replicates.
        """
        if isinstance(law, Warped) and law.sampled:
            return None
        dependent = copula is not None and name in copula.names
        if isinstance(law, Normal | LogNormal):
            return Scored.of(name, place, law, copula if dependent else None)
        if dependent or law.discrete or (curve := Curve.of(law)) is None:
            return None
        return Tabled(name, place, law.mean, law.sd, curve)

    @property
    def weights(self) -> tuple[tuple[str, float], ...]:
        """Inputs on whose scores the law depends, and how."""
        return ()

    @property
    def sd_score(self) -> float:
        """Spread of its score given the others."""
        return 1.0

    @property
    def least(self) -> float:
        """A value below which X never lies."""
        return -math.inf

    def mean_score(self, scores: Mapping[str, Floats]) -> Floats:
        """Mean of its score given the other inputs' scores, (draws,) or 0-d."""
        mean: Floats = np.zeros(())
        for name, weight in self.weights:
            mean = mean + weight * scores[name]
        return mean

    @abstractmethod
    def mean(self, scores: Mapping[str, Floats]) -> Floats:
        """E[X] given the other inputs' scores, (draws,) or 0-d."""

    @abstractmethod
    def variance(self, mean_score: Floats) -> Floats:
        """Variance of X given the others, (draws,) or 0-d."""

    @abstractmethod
    def spot(self, x: Floats, mean_score: Floats) -> Floats:
        """The spot of a value; x may be used up."""

    @abstractmethod
    def chance(self, spot: Floats, side: Floats) -> Floats:
        """P(X <= x) where `side` is 1, P(X >= x) where it is -1."""

    @abstractmethod
    def density(self, spot: Floats, mean_score: Floats) -> Floats:
        """Density of X at a spot."""

    @abstractmethod
    def partial_mean(self, spot: Floats, side: Floats, chance: Floats, mean_score: Floats) -> Floats:
        """E[X; X lies to the given side of the spot]."""


@dataclass(frozen=True)
class Scored(Carrier):
    """A normal or lognormal input: its spot is the place in sd of its score around the mean given the others."""

    law: Normal | LogNormal
    others: tuple[tuple[str, float], ...] = ()
    spread: float = 1.0

    @classmethod
    def of(  # type: ignore[override]
        cls, name: str, place: Place, law: Normal | LogNormal, copula: Copula | None
    ) -> Scored | None:
        if copula is None:
            return cls(name, place, law)
        own = copula.names.index(name)
        others = [j for j in range(len(copula.names)) if j != own]
        to_others = copula.pearson[own, others]
        weights = np.linalg.solve(copula.pearson[np.ix_(others, others)], to_others)
        variance = 1.0 - float(to_others @ weights)
        if variance < 1e-6:  # the others all but fix it: nothing left to average over
            return None
        named = tuple((copula.names[j], float(w)) for j, w in zip(others, weights, strict=True) if w != 0)
        return cls(name, place, law, named, math.sqrt(variance))

    @property
    def weights(self) -> tuple[tuple[str, float], ...]:
        return self.others

    @property
    def sd_score(self) -> float:
        return self.spread

    @property
    def least(self) -> float:
        return -math.inf if isinstance(self.law, Normal) else 0.0

    def mean(self, scores: Mapping[str, Floats]) -> Floats:
        return self._mean(self.mean_score(scores))

    def variance(self, mean_score: Floats) -> Floats:
        if isinstance(self.law, Normal):
            return np.asarray((self.law.sd * self.spread) ** 2)
        return self._mean(mean_score) ** 2 * math.expm1((self.law.sigma * self.spread) ** 2)

    def spot(self, x: Floats, mean_score: Floats) -> Floats:
        law = self.law
        if isinstance(law, Normal):
            scale, shift = law.sd * self.sd_score, law.mean
        else:
            x = np.maximum(x, 0.0)
            with np.errstate(divide="ignore"):
                np.log(x, out=x)
            scale, shift = law.sigma * self.sd_score, math.log(law.median)
        x = x * (1 / scale)
        x -= mean_score * (1 / self.sd_score) + shift / scale
        return x

    def chance(self, spot: Floats, side: Floats) -> Floats:
        return ndtr(side * spot)

    def density(self, spot: Floats, mean_score: Floats) -> Floats:
        spot = np.maximum(spot, _NOWHERE)
        if isinstance(self.law, Normal):
            return np.exp(-0.5 * spot * spot) * (1 / (_ROOT_TWO_PI * self.sd_score * self.law.sd))
        # phi(spot) / (sigma sd x), x = median exp(sigma (mean_score + sd spot)), as one exponential
        sigma = self.law.sigma
        exponent = -0.5 * spot - sigma * self.sd_score
        exponent *= spot
        np.exp(exponent, out=exponent)
        exponent *= np.exp(-sigma * mean_score) * (1 / (_ROOT_TWO_PI * self.sd_score * sigma * self.law.median))
        return exponent

    def partial_mean(self, spot: Floats, side: Floats, chance: Floats, mean_score: Floats) -> Floats:
        if isinstance(self.law, Normal):
            density = np.exp(-0.5 * spot * spot) * (self.law.sd * self.sd_score / _ROOT_TWO_PI)
            return self._mean(mean_score) * chance - side * density
        return self._mean(mean_score) * ndtr(side * (spot - self.law.sigma * self.sd_score))

    def _mean(self, mean_score: Floats) -> Floats:
        if isinstance(self.law, Normal):
            return self.law.mean + self.law.sd * mean_score
        sigma = self.law.sigma
        return self.law.median * np.exp(sigma * mean_score + 0.5 * (sigma * self.sd_score) ** 2)


@dataclass(frozen=True)
class Tabled(Carrier):
    """An input of any other continuous law, independent of the rest: its spot is the value itself."""

    average: float
    sd: float
    curve: Curve

    @property
    def least(self) -> float:
        return self.curve.low

    def mean(self, scores: Mapping[str, Floats]) -> Floats:  # noqa: ARG002
        return np.asarray(self.average)

    def variance(self, mean_score: Floats) -> Floats:  # noqa: ARG002
        return np.asarray(self.sd * self.sd)

    def spot(self, x: Floats, mean_score: Floats) -> Floats:  # noqa: ARG002
        return x

    def chance(self, spot: Floats, side: Floats) -> Floats:
        below = self.curve.cdf(spot)
        return np.where(side > 0, below, 1 - below)

    def density(self, spot: Floats, mean_score: Floats) -> Floats:  # noqa: ARG002
        return self.curve.density(spot)

    def partial_mean(self, spot: Floats, side: Floats, chance: Floats, mean_score: Floats) -> Floats:  # noqa: ARG002
        below = self.curve.partial_mean(spot)
        return np.where(side > 0, below, self.average - below)


class Affine(NamedTuple):
    """A quantity at_zero + slope X of the carrier X, (draws,) arrays."""

    at_zero: Floats
    slope: Floats

    @classmethod
    def through(cls, x: Floats, value: Floats, slope: Floats) -> Affine:
        """The line of a slope that has a value at x."""
        return cls(value - slope * x, slope)

    def less(self, share: float, other: Affine) -> Affine:
        """This quantity less a share of another."""
        return Affine(self.at_zero - share * other.at_zero, self.slope - share * other.slope)


class Reached(NamedTuple):
    """P(Y <= t), the density of Y at t and, where it was asked for, E[max(0, t - Y)]; (draws,) or 0-d arrays."""

    below: Floats
    density: Floats
    shortfall: Floats


class Conditional(NamedTuple):
    """An affine quantity Y = at_zero + slope X given all inputs but the carrier X, ready for any threshold.

    `root` + t `per_unit` is where Y crosses the threshold t; `side` is the side of it on which Y lies below, and
    `steady` says that Y depends on X in every draw.
    """

    carrier: Carrier
    mean_score: Floats
    quantity: Affine
    root: Floats
    per_unit: Floats
    side: Floats
    steady: bool

    @classmethod
    def of(cls, carrier: Carrier, mean_score: Floats, quantity: Affine) -> Conditional:
        slope = quantity.slope
        with np.errstate(divide="ignore", invalid="ignore"):
            per_unit = 1 / slope
            root = -quantity.at_zero * per_unit
        steady = bool(np.all(np.isfinite(per_unit)))
        side = np.full((), -1.0) if np.all(slope < 0) else np.where(slope < 0, -1.0, 1.0)
        return cls(carrier, mean_score, quantity, root, per_unit, side, steady)

    def below(self, threshold: float = 0.0) -> Floats:
        """P(Y <= threshold), (draws,) or 0-d."""
        crossing = self._crossing(threshold)
        if self._beyond(crossing):
            return self._beneath_all()
        return self.carrier.chance(self.carrier.spot(crossing, self.mean_score), self.side)

    def reached(self, threshold: float, *, shortfall: bool) -> Reached:
        """All that is asked of Y at a threshold."""
        crossing = self._crossing(threshold)
        if not shortfall and self._beyond(crossing):
            return Reached(self._beneath_all(), _ZERO, _ZERO)
        spot = self.carrier.spot(crossing, self.mean_score)
        below = self.carrier.chance(spot, self.side)
        density = self.carrier.density(spot, self.mean_score)
        density *= np.abs(self.per_unit) if self.steady else np.where(self.quantity.slope, np.abs(self.per_unit), 0.0)
        if not shortfall:
            return Reached(below, density, _ZERO)
        partial = self.carrier.partial_mean(spot, self.side, below, self.mean_score)
        short = (threshold - self.quantity.at_zero) * below - self.quantity.slope * partial
        return Reached(below, density, short)

    def _crossing(self, threshold: float) -> Floats:
        """Value of the carrier at which Y crosses the threshold."""
        with np.errstate(invalid="ignore"):
            crossing = threshold * self.per_unit
            crossing = crossing + self.root
        if not self.steady:  # where Y does not depend on X it lies below always or never
            always = np.where(self.quantity.at_zero <= threshold, np.inf, -np.inf)
            crossing = np.where(self.quantity.slope == 0, always, crossing)
        return crossing

    def _beyond(self, crossing: Floats) -> bool:
        """Whether the crossing lies below all that the carrier can be, in every draw: then nothing is left to ask."""
        return bool(np.max(crossing) <= self.carrier.least)

    def _beneath_all(self) -> Floats:
        return np.asarray(self.side < 0, dtype=np.float64)
