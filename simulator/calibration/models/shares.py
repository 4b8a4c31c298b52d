"""Successes among trials: cache hits, ported parts, migrations.

    k ~ Binomial(n, x)

`successes` are the trials in which that happened of which x is the probability: for `blocked` the parts that could
not be ported.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy.special import xlog1py, xlogy

if TYPE_CHECKING:
    from simulator.calibration.models.model import Floats


@dataclass(frozen=True, slots=True)
class Shares:
    """Successes among independent trials."""

    successes: int
    trials: int

    @property
    def hidden(self) -> Mapping[str, float]:
        return {}

    @property
    def estimate(self) -> float:
        return self.successes / self.trials

    @property
    def statistics(self) -> Mapping[str, float]:
        return {"successes": float(self.successes)}

    @property
    def least(self) -> float:
        return -math.inf

    def log_likelihood(self, x: Floats, hidden: Mapping[str, Floats]) -> Floats:  # noqa: ARG002
        with np.errstate(divide="ignore", invalid="ignore"):
            total = xlogy(self.successes, x) + xlog1py(self.trials - self.successes, -x)
        return np.where(np.isnan(total), -np.inf, total)

    def add(self, x: Any, name: str) -> None:
        import pymc as pm

        pm.Binomial(f"{name}.successes", self.trials, x, observed=self.successes)

    def blurred(self, sd: float) -> Self | None:  # noqa: ARG002
        return None

    def simulate(self, x: float, hidden: Mapping[str, float], rng: np.random.Generator) -> Self:  # noqa: ARG002
        return replace(self, successes=int(rng.binomial(self.trials, x)))
