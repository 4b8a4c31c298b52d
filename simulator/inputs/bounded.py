"""Laws on an interval with densities of straight lines: uniform, triangular."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from scipy.special import ndtr

from simulator.inputs.faults import BadSpec, increasing, shown
from simulator.inputs.law import Floats, Law


@dataclass(frozen=True, slots=True)
class Uniform(Law):
    """Anywhere between two bounds, each value as likely as the next."""

    low: float
    high: float

    spellings: ClassVar = (("low", "high"),)
    closed_form: ClassVar = True

    @classmethod
    def from_spec(cls, spec: Mapping[str, float]) -> Self:
        increasing(spec, "low", "high", strictly=True)
        return cls(spec["low"], spec["high"])

    @property
    def mean(self) -> float:
        return self.low / 2 + self.high / 2

    @property
    def sd(self) -> float:
        return (self.high - self.low) / math.sqrt(12)

    @property
    def support(self) -> tuple[float, float]:
        return self.low, self.high

    def cdf(self, x: Floats) -> Floats:
        return np.clip((np.asarray(x) - self.low) / (self.high - self.low), 0, 1)

    def sf(self, x: Floats) -> Floats:
        return np.clip((self.high - np.asarray(x)) / (self.high - self.low), 0, 1)

    def lower(self, u: Floats) -> Floats:
        return self.low + (self.high - self.low) * u

    def upper(self, v: Floats) -> Floats:
        return self.high - (self.high - self.low) * v

    def at_score(self, z: Floats) -> Floats:
        step = (self.high - self.low) * ndtr(-np.abs(z))
        return np.where(np.less(z, 0), self.low + step, self.high - step)

    def partial_mean(self, x: Floats) -> Floats:
        share = self.cdf(x)
        return share * (self.low + (self.high - self.low) / 2 * share)


@dataclass(frozen=True, slots=True)
class Triangular(Law):
    """Between two bounds, falling in straight lines from the likeliest value."""

    low: float
    mode: float
    high: float

    spellings: ClassVar = (("low", "mode", "high"),)

    @classmethod
    def from_spec(cls, spec: Mapping[str, float]) -> Self:
        check_three_points(spec)
        return cls(spec["low"], spec["mode"], spec["high"])

    @property
    def mean(self) -> float:
        return self.low + (self._rise + self._width) / 3

    @property
    def sd(self) -> float:
        return math.sqrt((self._width**2 - self._rise * self._width + self._rise**2) / 18)

    @property
    def support(self) -> tuple[float, float]:
        return self.low, self.high

    @property
    def kinks(self) -> tuple[float, ...]:
        return (self.mode,)

    def cdf(self, x: Floats) -> Floats:
        return self._tails(x)[0]

    def sf(self, x: Floats) -> Floats:
        return self._tails(x)[1]

    def lower(self, u: Floats) -> Floats:
        return self._inverse(np.asarray(u), 1 - np.asarray(u))

    def upper(self, v: Floats) -> Floats:
        return self._inverse(1 - np.asarray(v), np.asarray(v))

    def at_score(self, z: Floats) -> Floats:
        small = ndtr(-np.abs(z))
        below = np.less(z, 0)
        return self._inverse(np.where(below, small, 1 - small), np.where(below, 1 - small, small))

    def partial_mean(self, x: Floats) -> Floats:
        """Left of the mode F (low + 2/3 (x - low)), right of it the mean less the same from above."""
        x = np.clip(x, self.low, self.high)
        below, above = self._tails(x)
        rising = below * (self.low + (x - self.low) * 2 / 3)
        return np.where(x <= self.mode, rising, self.mean - above * (self.high - (self.high - x) * 2 / 3))

    @property
    def _width(self) -> float:
        return self.high - self.low

    @property
    def _rise(self) -> float:
        return self.mode - self.low

    @property
    def _fall(self) -> float:
        return self.high - self.mode

    def _tails(self, x: Floats) -> tuple[Floats, Floats]:
        """F and 1 - F, each a sum of positive terms, so that the smaller loses no digits."""
        x = np.clip(x, self.low, self.high)
        left = x <= self.mode if self._rise else np.zeros(x.shape, dtype=bool)
        side = np.where(left, self._rise, self._fall)  # the leg that x stands on
        near = np.where(left, x - self.low, self.high - x)
        small = near * near / (self._width * side)
        large = (self._width - side) / self._width + np.abs(x - self.mode) * (side + near) / (self._width * side)
        return np.where(left, small, large), np.where(left, large, small)

    def _inverse(self, u: Floats, v: Floats) -> Floats:
        """On a leg, near its foot high - root(v width leg); near the mode the same as a step from there."""
        left = u * self._width <= self._rise
        side, small, other = (np.where(left, a, b) for a, b in ((self._rise, self._fall), (u, v), (v, u)))
        from_foot = np.sqrt(small * self._width * side)
        past = np.maximum(other * self._width - (self._width - side), 0)  # beyond the mode, as a share of the leg
        from_mode = past / (1 + from_foot / side)
        near_foot = from_foot < side / 2
        step = np.where(near_foot, from_foot, -from_mode)
        start = np.where(near_foot, np.where(left, self.low, self.high), self.mode)
        return np.where(left, start + step, start - step)


def check_three_points(spec: Mapping[str, float]) -> None:
    increasing(spec, "low", "mode", "high")
    if spec["low"] == spec["high"]:
        raise BadSpec(("high",), f"low = high = {shown(spec['low'])}", "high above low")
