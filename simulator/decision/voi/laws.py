"""Laws of a mean, as far as decisions need them: the distribution function and the mean below a point."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import betainc, gammainc, gammaln, ndtr, stdtr

from simulator.decision.voi.draws import Floats


class Law(Protocol):
    """A distribution with a mean."""

    @property
    def mean(self) -> float: ...

    def cdf(self, x: float) -> float: ...

    def partial_mean(self, x: float) -> float:
        """E[X 1(X <= x)]."""


def expected_max(law: Law, intercepts: Sequence[float], slopes: Sequence[float]) -> float:
    """E max_d (intercepts[d] + slopes[d] X), by the segments on which one line is the highest."""
    lines, ends = envelope(intercepts, slopes)
    shares = np.diff([0.0, *(law.cdf(x) for x in ends), 1.0])
    means = np.diff([0.0, *(law.partial_mean(x) for x in ends), law.mean])
    return float(sum(a * share + b * part for (a, b), share, part in zip(lines, shares, means, strict=True)))


def envelope(intercepts: Sequence[float], slopes: Sequence[float]) -> tuple[list[tuple[float, float]], list[float]]:
    """Lines (intercept, slope) on the upper envelope from left to right, and where each gives way to the next."""
    lines: list[tuple[float, float]] = []
    ends: list[float] = []
    for slope, intercept in sorted(zip(slopes, intercepts, strict=True)):
        if lines and lines[-1][1] == slope:  # sorted: this one is at least as high everywhere
            lines.pop()
            ends = ends[: max(len(lines) - 1, 0)]
        while lines:
            cross = (lines[-1][0] - intercept) / (slope - lines[-1][1])
            if not ends or cross > ends[-1]:
                ends.append(cross)
                break
            lines.pop()
            ends.pop()
        lines.append((float(intercept), float(slope)))
    return lines, ends


@dataclass(frozen=True, slots=True)
class Normal:
    mean: float
    sd: float

    def cdf(self, x: float) -> float:
        return float(ndtr(self._z(x)))

    def partial_mean(self, x: float) -> float:
        z = self._z(x)
        return self.mean * float(ndtr(z)) - self.sd * math.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)

    def _z(self, x: float) -> float:
        return (x - self.mean) / self.sd if self.sd > 0 else math.copysign(math.inf, x - self.mean)


@dataclass(frozen=True, slots=True)
class LogNormal:
    mean: float
    sigma: float

    def cdf(self, x: float) -> float:
        return self._below(x, 0.5)

    def partial_mean(self, x: float) -> float:
        return self.mean * self._below(x, -0.5)

    def _below(self, x: float, shift: float) -> float:
        if x <= 0:
            return 0.0
        return (
            float(ndtr(math.log(x / self.mean) / self.sigma + shift * self.sigma))
            if self.sigma > 0
            else float(x >= self.mean)
        )


@dataclass(frozen=True, slots=True)
class StudentT:
    mean: float
    scale: float
    freedom: float

    def cdf(self, x: float) -> float:
        return float(stdtr(self.freedom, (x - self.mean) / self.scale))

    def partial_mean(self, x: float) -> float:
        """mean F(z) - scale (nu + z^2) / (nu - 1) f(z), f the density; it exists for nu > 1."""
        nu, z = self.freedom, (x - self.mean) / self.scale
        log_density = gammaln((nu + 1) / 2) - gammaln(nu / 2) - 0.5 * math.log(nu * math.pi)
        density = math.exp(float(log_density) - (nu + 1) / 2 * math.log1p(z**2 / nu))
        return self.mean * self.cdf(x) - self.scale * (nu + z**2) / (nu - 1) * density


@dataclass(frozen=True, slots=True)
class Gamma:
    shape: float
    rate: float

    @property
    def mean(self) -> float:
        return self.shape / self.rate

    def cdf(self, x: float) -> float:
        return float(gammainc(self.shape, max(self.rate * x, 0.0)))

    def partial_mean(self, x: float) -> float:
        return self.mean * float(gammainc(self.shape + 1, max(self.rate * x, 0.0)))


@dataclass(frozen=True, slots=True)
class Beta:
    alpha: float
    beta: float

    @property
    def mean(self) -> float:
        return self.alpha / (self.alpha + self.beta)

    def cdf(self, x: float) -> float:
        return float(betainc(self.alpha, self.beta, min(max(x, 0.0), 1.0)))

    def partial_mean(self, x: float) -> float:
        return self.mean * float(betainc(self.alpha + 1, self.beta, min(max(x, 0.0), 1.0)))


@dataclass(frozen=True, slots=True)
class Atoms:
    """A discrete law: values and their chances, which add up to 1 but for a negligible tail."""

    values: Floats
    chances: Floats

    @property
    def mean(self) -> float:
        return float(self.values @ self.chances)

    def cdf(self, x: float) -> float:
        return float(self.chances[self.values <= x].sum())

    def partial_mean(self, x: float) -> float:
        below = self.values <= x
        return float(self.values[below] @ self.chances[below])
