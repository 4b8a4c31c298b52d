"""How long something takes each time: minutes of a compilation, hours lost to a fault.

    log y_i ~ Normal(log x - spread^2 / 2, spread)      so that x is the mean, which is what the cost is made of
    censored y_i: P(Y > y_i)                            its end is not in the file

Durations are positive, skewed and differ by factors: lognormal. A mean of n_i durations has the lognormal's variance over
n_i (moments matched, as Fenton and Wilkinson do for sums). An episode that was cut off took at least as long as was seen:
it is neither left out nor taken as complete.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy.special import log_ndtr

if TYPE_CHECKING:
    from simulator.calibration.models.model import Floats

SPREAD = 0.8
"""Half-normal scale of the sd of log durations: compilations of one project took 3 to 60 minutes."""


@dataclass(frozen=True, slots=True)
class Durations:
    """Durations, each the mean of `counts` of them; `censored` ones are lower bounds."""

    values: tuple[float, ...]
    censored: tuple[bool, ...]
    counts: tuple[float, ...]

    @property
    def hidden(self) -> Mapping[str, float]:
        return {"spread": SPREAD}

    @property
    def estimate(self) -> float:
        return float(np.average(self.values, weights=self.counts))

    @property
    def statistics(self) -> Mapping[str, float]:
        logs = np.log(self.values)
        found = {"mean of logs": float(np.average(logs, weights=self.counts))}
        if len(logs) > 2:
            found["spread of logs"] = float(np.std(logs, ddof=1))
            found["longest over mean"] = float(np.max(self.values) / np.mean(self.values))
        return found

    @property
    def least(self) -> float:
        return -math.inf

    def log_likelihood(self, x: Floats, hidden: Mapping[str, Floats]) -> Floats:
        spread = hidden["spread"]
        total = np.zeros(())
        with np.errstate(divide="ignore", invalid="ignore"):
            for count, cut, own in self._kinds():
                sd = np.sqrt(np.log1p(np.expm1(spread**2) / count))
                total = total + _log_density(np.log(own), np.log(x) - sd**2 / 2, sd, cut)
        return np.where(np.isnan(total), -np.inf, total)

    def add(self, x: Any, name: str) -> None:
        import pymc as pm
        import pytensor.tensor as pt

        spread = pm.HalfNormal(f"{name}.spread", SPREAD)
        for kind, (count, cut, own) in enumerate(self._kinds()):
            sd = spread if count == 1 else pt.sqrt(pt.log1p(pt.expm1(spread**2) / count))
            mu = pt.log(x) - sd**2 / 2
            if cut:
                beyond = pm.math.log1mexp(pm.logcdf(pm.Normal.dist(mu, sd), np.log(own)))
                pm.Potential(f"{name}.cut_off_{kind}", pt.sum(beyond))
            else:
                pm.LogNormal(f"{name}.complete_{kind}", mu, sd, observed=own)

    def _kinds(self) -> Iterator[tuple[float, bool, Floats]]:
        """Values that share a count and are complete, or cut off, alike."""
        values, kinds = np.array(self.values), list(zip(self.counts, self.censored, strict=True))
        for count, cut in sorted(set(kinds)):
            yield count, cut, values[[kind == (count, cut) for kind in kinds]]

    def blurred(self, sd: float) -> Self | None:  # noqa: ARG002
        return None

    def simulate(self, x: float, hidden: Mapping[str, float], rng: np.random.Generator) -> Self:
        sd = np.sqrt(np.log1p(np.expm1(hidden["spread"] ** 2) / np.array(self.counts)))
        whole = np.exp(rng.normal(math.log(x) - sd**2 / 2, sd))
        seen = np.where(self.censored, np.minimum(whole, self.values), whole)  # the same windows were open
        cut = np.array(self.censored) & (whole > self.values)
        return replace(self, values=tuple(map(float, seen)), censored=tuple(map(bool, cut)))


def _log_density(logs: Floats, mu: Floats, sd: Floats, cut: bool) -> Floats:
    """Sum over data of the normal's log density, or of the log probability beyond them."""
    if cut:
        return np.asarray(sum(log_ndtr((mu - each) / sd) for each in logs))
    squares = float(np.sum((logs - logs.mean()) ** 2))
    return np.asarray(-len(logs) * (np.log(sd) + (logs.mean() - mu) ** 2 / (2 * sd**2)) - squares / (2 * sd**2))
