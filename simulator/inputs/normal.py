"""Laws on the whole line or above zero that follow from the normal: normal, lognormal, Student's t."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from scipy.special import gammaln, ndtr, ndtri, stdtr, stdtrit

from simulator.inputs.faults import BadSpec, positive, shown
from simulator.inputs.law import Floats, Law
from simulator.inputs.quadrature import density


@dataclass(frozen=True, slots=True)
class Normal(Law):
    """A sum of many small effects; may be negative."""

    mean: float
    sd: float

    spellings: ClassVar = (("mean", "sd"),)
    closed_form: ClassVar = True

    @classmethod
    def from_spec(cls, spec: Mapping[str, float]) -> Self:
        positive(spec, "sd")
        return cls(spec["mean"], spec["sd"])

    @property
    def support(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def cdf(self, x: Floats) -> Floats:
        return ndtr(self.score(x))

    def sf(self, x: Floats) -> Floats:
        return ndtr(-self.score(x))

    def lower(self, u: Floats) -> Floats:
        return self.at_score(ndtri(u))

    def upper(self, v: Floats) -> Floats:
        return self.at_score(-ndtri(v))

    def at_score(self, z: Floats) -> Floats:
        return self.mean + self.sd * np.asarray(z)

    def score(self, x: Floats) -> Floats:
        return (np.asarray(x) - self.mean) / self.sd

    def partial_mean(self, x: Floats) -> Floats:
        z = self.score(x)
        return self.mean * ndtr(z) - self.sd * density(z)


@dataclass(frozen=True, slots=True)
class LogNormal(Law):
    """exp of a normal; a product of many small factors."""

    median: float
    sigma: float

    spellings: ClassVar = (("median", "sigma"), ("mean", "sd"))
    closed_form: ClassVar = True

    @classmethod
    def from_spec(cls, spec: Mapping[str, float]) -> Self:
        positive(spec, *spec)
        match spec:
            case {"median": median, "sigma": sigma}:
                return cls(median, sigma)
            case {"mean": mean, "sd": sd}:
                variance = math.log1p((sd / mean) ** 2)
                return cls(mean * math.exp(-variance / 2), math.sqrt(variance))
        raise AssertionError(spec)

    @property
    def mean(self) -> float:
        return float(self.median * np.exp(self.sigma**2 / 2))

    @property
    def sd(self) -> float:
        return float(self.mean * np.sqrt(np.expm1(self.sigma**2)))

    @property
    def support(self) -> tuple[float, float]:
        return 0.0, math.inf

    def cdf(self, x: Floats) -> Floats:
        return ndtr(self.score(x))

    def sf(self, x: Floats) -> Floats:
        return ndtr(-self.score(x))

    def lower(self, u: Floats) -> Floats:
        return self.at_score(ndtri(u))

    def upper(self, v: Floats) -> Floats:
        return self.at_score(-ndtri(v))

    def at_score(self, z: Floats) -> Floats:
        return self.median * np.exp(self.sigma * np.asarray(z))

    def score(self, x: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.log(np.maximum(x, 0) / self.median) / self.sigma

    def partial_mean(self, x: Floats) -> Floats:
        """mean Phi(score - sigma)."""
        return self.mean * ndtr(self.score(x) - self.sigma)


@dataclass(frozen=True, slots=True)
class StudentT(Law):
    """Like the normal with heavier tails; df above 2, so that the spread exists."""

    df: float
    loc: float
    scale: float

    spellings: ClassVar = (("df", "loc", "scale"), ("df", "mean", "scale"), ("df", "mean", "sd"))

    @classmethod
    def from_spec(cls, spec: Mapping[str, float]) -> Self:
        positive(spec, *(spec.keys() & {"scale", "sd"}))
        df = spec["df"]
        if not df > 2:
            raise BadSpec(("df",), shown(df), "df above 2: below, a Student's t has no standard deviation")
        match spec:
            case {"loc": loc, "scale": scale} | {"mean": loc, "scale": scale}:
                return cls(df, loc, scale)
            case {"mean": loc, "sd": sd}:
                return cls(df, loc, sd * math.sqrt((df - 2) / df))
        raise AssertionError(spec)

    @property
    def mean(self) -> float:
        return self.loc

    @property
    def sd(self) -> float:
        return self.scale * math.sqrt(self.df / (self.df - 2))

    @property
    def support(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def cdf(self, x: Floats) -> Floats:
        return np.asarray(stdtr(self.df, self._standard(x)), dtype=float)

    def sf(self, x: Floats) -> Floats:
        return np.asarray(stdtr(self.df, -self._standard(x)), dtype=float)

    def lower(self, u: Floats) -> Floats:
        return np.asarray(self.loc + self.scale * stdtrit(self.df, u), dtype=float)

    def upper(self, v: Floats) -> Floats:
        return np.asarray(self.loc - self.scale * stdtrit(self.df, v), dtype=float)

    def partial_mean(self, x: Floats) -> Floats:
        """loc F - scale f (df + t^2) / (df - 1), with f the standard density at t = (x - loc) / scale."""
        df, t = self.df, self._standard(x)
        const = math.exp(gammaln((df + 1) / 2) - gammaln(df / 2)) / math.sqrt(df * math.pi)
        # f (df + t^2) = const df (1 + t^2 / df)^((1 - df) / 2)
        tail = const * df * np.exp((1 - df) / 2 * np.log1p(t * t / df)) / (df - 1)
        return self.loc * stdtr(df, t) - self.scale * tail

    def _standard(self, x: Floats) -> Floats:
        return (np.asarray(x) - self.loc) / self.scale
