"""The beta law of shares, and PERT, a beta stretched between two bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Self

import numpy as np
from scipy.special import betainc, betaincc, betainccinv, betaincinv

from simulator.inputs.bounded import check_three_points
from simulator.inputs.faults import BadSpec, positive, shown
from simulator.inputs.law import Floats, Law

PERT_SHAPE: Final = 4.0


@dataclass(frozen=True, slots=True)
class Beta(Law):
    """A share between 0 and 1."""

    alpha: float
    beta: float

    spellings: ClassVar = (("mean", "sd"), ("alpha", "beta"))

    @classmethod
    def from_spec(cls, spec: Mapping[str, float]) -> Self:
        positive(spec, *(spec.keys() - {"mean"}))
        match spec:
            case {"alpha": alpha, "beta": beta}:
                return cls(alpha, beta)
            case {"mean": mean, "sd": sd}:
                return cls(*_beta_shapes(mean, sd))
        raise AssertionError(spec)

    @property
    def mean(self) -> float:
        return self.alpha / (self.alpha + self.beta)

    @property
    def sd(self) -> float:
        total = self.alpha + self.beta
        return math.sqrt(self.alpha / total * (self.beta / total) / (total + 1))

    @property
    def support(self) -> tuple[float, float]:
        return 0.0, 1.0

    def cdf(self, x: Floats) -> Floats:
        return betainc(self.alpha, self.beta, np.clip(x, 0, 1))

    def sf(self, x: Floats) -> Floats:
        return betaincc(self.alpha, self.beta, np.clip(x, 0, 1))

    def lower(self, u: Floats) -> Floats:
        return betaincinv(self.alpha, self.beta, u)

    def upper(self, v: Floats) -> Floats:
        return betainccinv(self.alpha, self.beta, v)

    def partial_mean(self, x: Floats) -> Floats:
        """mean I_x(alpha + 1, beta)."""
        return self.mean * betainc(self.alpha + 1, self.beta, np.clip(x, 0, 1))


@dataclass(frozen=True, slots=True)
class Pert(Law):
    """A smooth hump between two bounds about the likeliest value: a beta of shape 4, stretched."""

    low: float
    mode: float
    high: float
    shape: float = PERT_SHAPE

    spellings: ClassVar = (("low", "mode", "high"), ("low", "mode", "high", "shape"))

    @classmethod
    def from_spec(cls, spec: Mapping[str, float]) -> Self:
        check_three_points(spec)
        if "shape" in spec:
            positive(spec, "shape")
        return cls(spec["low"], spec["mode"], spec["high"], spec.get("shape", PERT_SHAPE))

    @property
    def mean(self) -> float:
        return self.low + self._width * self._share.mean

    @property
    def sd(self) -> float:
        return self._width * self._share.sd

    @property
    def support(self) -> tuple[float, float]:
        return self.low, self.high

    def cdf(self, x: Floats) -> Floats:
        return self._share.cdf(self._unit(x))

    def sf(self, x: Floats) -> Floats:
        share = self._share
        # seen from the high end: 1 - (x - low) / width would lose the digits of a value close to it
        return betainc(share.beta, share.alpha, np.clip((self.high - np.asarray(x)) / self._width, 0, 1))

    def lower(self, u: Floats) -> Floats:
        return self.low + self._width * self._share.lower(u)

    def upper(self, v: Floats) -> Floats:
        share = self._share
        return self.high - self._width * betaincinv(share.beta, share.alpha, v)

    def partial_mean(self, x: Floats) -> Floats:
        unit = self._unit(x)
        return self.low * self._share.cdf(unit) + self._width * self._share.partial_mean(unit)

    @property
    def _width(self) -> float:
        return self.high - self.low

    @property
    def _share(self) -> Beta:
        rise, fall = (self.mode - self.low) / self._width, (self.high - self.mode) / self._width
        return Beta(1 + self.shape * rise, 1 + self.shape * fall)

    def _unit(self, x: Floats) -> Floats:
        return (np.asarray(x) - self.low) / self._width


def _beta_shapes(mean: float, sd: float) -> tuple[float, float]:
    if not 0 < mean < 1:
        raise BadSpec(("mean",), shown(mean), "a mean between 0 and 1: a beta is a share")
    widest = math.sqrt(mean * (1 - mean))
    if not sd < widest:
        raise BadSpec(
            ("sd",),
            f"sd = {shown(sd)} with mean = {shown(mean)}",
            f"sd below {widest:.4g}, the root of mean (1 - mean)",
        )
    total = (widest / sd) ** 2 - 1
    return mean * total, (1 - mean) * total
