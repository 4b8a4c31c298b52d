"""Engineers' hours of a migration under way: hours to date, and the share that the team believes is done.

    logit(share told) ~ Normal(logit(spent / x) + log 1.3, 0.4)

The true share done is spent / x, so x is never below what is spent. Teams believe to be further than they are: what
remains took 1.3 times the time that the share told implies, give or take a factor exp(0.4) (the planning fallacy; a
judgement, with a 5 to 95 % range of 0.7 to 2.5). Told on the odds, the error shrinks with what remains. Where no share
is told, the hours say only that x is at least as much.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from scipy.special import expit, logit

if TYPE_CHECKING:
    from simulator.calibration.models.model import Floats

FALLACY: Final = 1.3  # median of actual over planned remaining hours
FALLACY_SD: Final = 0.4  # sd of its log
MOST_DONE: Final = 0.99  # a share told as 1 leaves the tidying up


@dataclass(frozen=True, slots=True)
class Effort:
    """Hours spent, and the share of the work that they are said to have done (None where nothing is said)."""

    spent: float
    share: float | None = None

    @property
    def hidden(self) -> Mapping[str, float]:
        return {}

    @property
    def estimate(self) -> float:
        if self.share is None:
            return math.nan
        done = self._told
        return self.spent * (1 + FALLACY * (1 - done) / done)

    @property
    def statistics(self) -> Mapping[str, float]:
        return {} if self.share is None else {"log odds of the share told": float(logit(self._told))}

    @property
    def _told(self) -> float:
        return min(self.share or 0.0, MOST_DONE)

    @property
    def least(self) -> float:
        return self.spent

    def log_likelihood(self, x: Floats, hidden: Mapping[str, Floats]) -> Floats:  # noqa: ARG002
        remains = np.asarray(x, dtype=float) - self.spent
        if self.share is None:
            return np.where(remains >= 0, 0.0, -np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            error = logit(self._told) - np.log(self.spent / remains) - math.log(FALLACY)
        return np.where(remains > 0, -0.5 * (error / FALLACY_SD) ** 2, -np.inf)

    def add(self, x: Any, name: str) -> None:
        import pymc as pm
        import pytensor.tensor as pt

        if self.share is not None:  # that x is above what is spent holds by the sampler's own coordinate
            told = pt.log(self.spent / (x - self.spent)) + math.log(FALLACY)
            pm.Normal(f"{name}.share_told", told, FALLACY_SD, observed=float(logit(self._told)))

    def blurred(self, sd: float) -> Self | None:  # noqa: ARG002
        return None

    def simulate(self, x: float, hidden: Mapping[str, float], rng: np.random.Generator) -> Self:  # noqa: ARG002
        if self.share is None:
            return self
        if x <= self.spent:  # no team could have spent as much: it is told to be done
            return replace(self, share=MOST_DONE)
        told = math.log(self.spent / (x - self.spent)) + math.log(FALLACY) + rng.normal(0, FALLACY_SD)
        return replace(self, share=float(expit(told)))
