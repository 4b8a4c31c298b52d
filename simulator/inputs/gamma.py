"""The gamma law: rates, durations, counts per exposure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from scipy.special import gammainc, gammaincc, gammainccinv, gammaincinv

from simulator.inputs.faults import positive
from simulator.inputs.law import Floats, Law


@dataclass(frozen=True, slots=True)
class Gamma(Law):
    """A rate or a duration above zero; the rate of a Poisson count after counting."""

    shape: float
    scale: float

    spellings: ClassVar = (("mean", "sd"), ("shape", "scale"), ("shape", "mean"))

    @classmethod
    def from_spec(cls, spec: Mapping[str, float]) -> Self:
        positive(spec, *spec)
        match spec:
            case {"shape": shape, "scale": scale}:
                return cls(shape, scale)
            case {"shape": shape, "mean": mean}:
                return cls(shape, mean / shape)
            case {"mean": mean, "sd": sd}:
                return cls((mean / sd) ** 2, sd * (sd / mean))
        raise AssertionError(spec)

    @property
    def mean(self) -> float:
        return self.shape * self.scale

    @property
    def sd(self) -> float:
        return math.sqrt(self.shape) * self.scale

    @property
    def support(self) -> tuple[float, float]:
        return 0.0, math.inf

    def cdf(self, x: Floats) -> Floats:
        return np.asarray(gammainc(self.shape, np.maximum(x, 0) / self.scale), dtype=float)

    def sf(self, x: Floats) -> Floats:
        return np.asarray(gammaincc(self.shape, np.maximum(x, 0) / self.scale), dtype=float)

    def lower(self, u: Floats) -> Floats:
        return np.asarray(self.scale * gammaincinv(self.shape, u), dtype=float)

    def upper(self, v: Floats) -> Floats:
        return np.asarray(self.scale * gammainccinv(self.shape, v), dtype=float)

    def partial_mean(self, x: Floats) -> Floats:
        """mean P(shape + 1, x / scale)."""
        return np.asarray(self.mean * gammainc(self.shape + 1, np.maximum(x, 0) / self.scale), dtype=float)
