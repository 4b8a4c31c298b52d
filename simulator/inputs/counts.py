"""Counts without a bound: Poisson, and negative binomial for counts that vary more."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, gammainc, gammaincc

from simulator.inputs.faults import BadSpec, positive, refuse, shown
from simulator.inputs.law import Floats, Law

LARGEST_MEAN: Final = 1e9  # beyond, neighbouring counts differ by less than anyone can mean


@dataclass(frozen=True, slots=True)
class Count(Law):
    """What laws on 0, 1, 2, ... share: an inverse by bisection over the integers, exact given the CDF."""

    @property
    @abstractmethod
    def mode(self) -> float:
        """The likeliest count; the probability falls on both sides of it."""

    @property
    def discrete(self) -> bool:
        return True

    @property
    def support(self) -> tuple[float, float]:
        return 0.0, math.inf

    def lower(self, u: Floats) -> Floats:
        u = np.asarray(u, dtype=float)
        found = _first_count(lambda k, at: self.cdf(k) >= u[at], u.shape)
        return np.where(u >= 1, np.inf, found)

    def upper(self, v: Floats) -> Floats:
        v = np.asarray(v, dtype=float)
        found = _first_count(lambda k, at: self.sf(k) <= v[at], v.shape)
        return np.where(v <= 0, np.inf, found)

    def atoms(self, least: float = 1e-3) -> Floats:
        reach = math.ceil(1 / least)  # no more values than that can be so likely, and they stand side by side
        k = np.arange(max(0, self.mode - reach), self.mode + reach + 1)
        return k[self.cdf(k) - self.cdf(k - 1) >= least]


@dataclass(frozen=True, slots=True)
class Poisson(Count):
    """Events that come one by one at a known rate."""

    mean: float

    spellings: ClassVar = (("mean",),)

    @classmethod
    def from_spec(cls, spec: Mapping[str, float]) -> Self:
        _check_mean(spec)
        return cls(spec["mean"])

    @property
    def sd(self) -> float:
        return math.sqrt(self.mean)

    @property
    def mode(self) -> float:
        return math.floor(self.mean)

    def cdf(self, x: Floats) -> Floats:
        """Q(k + 1, mean)."""
        k = np.floor(x)
        return np.where(k < 0, 0.0, gammaincc(np.maximum(k, 0) + 1, self.mean))

    def sf(self, x: Floats) -> Floats:
        k = np.floor(x)
        return np.where(k < 0, 1.0, gammainc(np.maximum(k, 0) + 1, self.mean))

    def partial_mean(self, x: Floats) -> Floats:
        """mean P(X <= x - 1)."""
        return self.mean * self.cdf(np.asarray(x) - 1)


_FARTHEST: Final = 2.0**53  # no count is above; at infinity the incomplete beta functions of older scipys are nan


@dataclass(frozen=True, slots=True)
class NegativeBinomial(Count):
    """Events whose rate itself varies: variance mean + mean^2 / dispersion."""

    mean: float
    dispersion: float

    spellings: ClassVar = (("mean", "dispersion"),)

    @classmethod
    def from_spec(cls, spec: Mapping[str, float]) -> Self:
        _check_mean(spec)
        positive(spec, "dispersion")
        return cls(spec["mean"], spec["dispersion"])

    @property
    def sd(self) -> float:
        return math.sqrt(self.mean + self.mean**2 / self.dispersion)

    @property
    def mode(self) -> float:
        return max(0, math.floor(self.mean * (1 - 1 / self.dispersion)))

    def cdf(self, x: Floats) -> Floats:
        """I_p(dispersion, k + 1) with p = dispersion / (dispersion + mean)."""
        k = np.floor(np.minimum(x, _FARTHEST))
        return np.where(k < 0, 0.0, betaincc(np.maximum(k, 0) + 1, self.dispersion, self._again))

    def sf(self, x: Floats) -> Floats:
        k = np.floor(np.minimum(x, _FARTHEST))
        return np.where(k < 0, 1.0, betainc(np.maximum(k, 0) + 1, self.dispersion, self._again))

    def partial_mean(self, x: Floats) -> Floats:
        """mean P(Y <= x - 1), Y of dispersion one larger and the same p."""
        k = np.floor(np.minimum(x, _FARTHEST))
        return np.where(k < 1, 0.0, self.mean * betaincc(np.maximum(k, 1), self.dispersion + 1, self._again))

    @property
    def _again(self) -> float:
        return self.mean / (self.dispersion + self.mean)


def _check_mean(spec: Mapping[str, float]) -> None:
    positive(spec, "mean")
    if spec["mean"] > LARGEST_MEAN:
        refuse([BadSpec(("mean",), shown(spec["mean"]), f"a mean count of at most {LARGEST_MEAN:g}")])


def _first_count(holds: Callable[[Floats, NDArray[np.intp]], NDArray[np.bool_]], shape: tuple[int, ...]) -> Floats:
    """Smallest k = 0, 1, ... at which a condition that stays true once it is true holds, element by element."""
    high = np.ones(math.prod(shape))
    going = np.arange(high.size)
    while going.size:
        going = going[~holds(high[going], going)]
        going = going[high[going] < 2.0**52]
        high[going] *= 2
    low = np.where(high > 1, high / 2, -1.0)
    going = np.arange(high.size)
    while going.size:
        middle = np.floor((low[going] + high[going]) / 2)
        true = holds(middle, going)
        high[going[true]] = middle[true]
        low[going[~true]] = middle[~true]
        going = going[high[going] - low[going] > 1]
    return high.reshape(shape)
