"""Events in an exposure: faults in instance-hours, compilations in engineer-days.

    k_j ~ Poisson(x t_j)                                  faults: a rate, and chance
    k_j ~ NegativeBinomial(mean x t_j, 1 / clumping^2)    compilations: they come in clumps

A count without an exposure says nothing, and no event in a short exposure says little: exp(-x t) is near 1 wherever
the prior is. The negative binomial's variance is mean + clumping^2 mean^2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

if TYPE_CHECKING:
    from simulator.calibration.models.model import Floats

CLUMPING = 0.6
"""Half-normal scale of the relative sd of a rate between stretches of work: a day of tuning compiles twice as often."""
LEAST = 1e-4  # clumping below it is none: the negative binomial is a Poisson there


@dataclass(frozen=True, slots=True)
class Counts:
    """Events and the exposures in which they happened, by period; `clumping` is 0 for a Poisson process."""

    events: tuple[int, ...]
    exposures: tuple[float, ...]
    clumping: float = 0.0

    @property
    def hidden(self) -> Mapping[str, float]:
        return {"clumping": self.clumping} if self.clumping else {}

    @property
    def estimate(self) -> float:
        return sum(self.events) / sum(self.exposures)

    @property
    def statistics(self) -> Mapping[str, float]:
        found = {"events": float(sum(self.events))}
        if len(self.events) > 2:
            expected = self.estimate * np.array(self.exposures)
            found["dispersion"] = float(np.sum((self.events - expected) ** 2 / np.maximum(expected, 1e-12)))
        return found

    @property
    def least(self) -> float:
        return -math.inf

    def log_likelihood(self, x: Floats, hidden: Mapping[str, Floats]) -> Floats:
        total = np.zeros(())
        for k, exposure in zip(self.events, self.exposures, strict=True):
            mean = np.asarray(x, dtype=float) * exposure
            if not self.clumping:
                total = total + xlogy(k, mean) - mean
                continue
            size = 1 / np.maximum(hidden["clumping"], LEAST) ** 2
            total = total + gammaln(k + size) - gammaln(size) - k * np.log(size)
            total = total + xlogy(k, mean) - xlog1py(k + size, mean / size)
        return total

    def add(self, x: Any, name: str) -> None:
        import pymc as pm
        import pytensor.tensor as pt

        mean, events = x * np.squeeze(self.exposures), np.squeeze(self.events)  # of one count a scalar: less to compile
        if not self.clumping:
            pm.Poisson(f"{name}.events", mean, observed=events)
            return
        clumping = pm.HalfNormal(f"{name}.clumping", self.clumping)
        size = 1 / pt.maximum(clumping, LEAST) ** 2
        pm.NegativeBinomial(f"{name}.events", mu=mean, alpha=size, observed=events)

    def blurred(self, sd: float) -> Self | None:  # noqa: ARG002
        return None

    def simulate(self, x: float, hidden: Mapping[str, float], rng: np.random.Generator) -> Self:
        mean = x * np.array(self.exposures)
        if self.clumping and hidden["clumping"] > LEAST:
            size = 1 / hidden["clumping"] ** 2
            mean = mean * rng.gamma(size, 1 / size, mean.size)
        return replace(self, events=tuple(map(int, rng.poisson(mean))))
