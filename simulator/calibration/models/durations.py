"""How long something takes each time: minutes of a compilation, hours lost to a fault.

    log y_i ~ Normal(log x - spread^2 / 2, spread)      so that x is the mean, which is what the cost is made of
    censored y_i: P(Y > y_i)                            its end is not in the file

Durations are positive, skewed and differ by factors: lognormal. A mean of n_i durations has the lognormal's variance
over n_i (moments matched, as Fenton and Wilkinson do for sums). An episode that was cut off took at least as long as
was seen: it is neither left out nor taken as complete.
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
LEAST_SPREAD = 0.1
"""No two compilations or restarts take the same time to within a tenth; added to the spread as variances add."""


@dataclass(frozen=True, slots=True)
class Durations:
    """Durations, each the mean of `counts` of them; `censored` ones are lower bounds.

    `blur` is the sd of an error of the log that all of them share: the discrepancy between PoC and production.
    """

    values: tuple[float, ...]
    censored: tuple[bool, ...]
    counts: tuple[float, ...]
    blur: float = 0.0

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
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            mu, total = np.log(x), np.zeros(())
            whole, pull = np.zeros(()), np.zeros(())  # precision, and precision times what each says of log x
            for count, cut, own in self._kinds():
                sd = _sd(hidden["spread"], count)
                logs = np.log(own) + sd[..., None] ** 2 / 2
                if cut:
                    total = total + np.sum(log_ndtr((mu[..., None] - logs) / sd[..., None]), axis=-1)
                    continue
                precision = 1 / sd**2
                whole, pull = whole + own.size * precision, pull + precision * np.sum(logs, axis=-1)
                total = total - 0.5 * precision * np.sum(logs**2, axis=-1) - own.size * np.log(sd)
            if not all(self.censored):
                centre, variance = pull / whole, 1 / whole + self.blur**2
                total = total + 0.5 * whole * centre**2 - 0.5 * np.log(whole)
                total = total - 0.5 * ((centre - mu) ** 2 / variance + np.log(variance))
        return np.where(np.isnan(total), -np.inf, total)

    def add(self, x: Any, name: str) -> None:
        import pymc as pm
        import pytensor.tensor as pt

        spread = pm.HalfNormal(f"{name}.spread", SPREAD)
        centres, precisions = [], []
        for kind, (count, cut, own) in enumerate(self._kinds()):
            variance = spread**2 + LEAST_SPREAD**2
            sd = pt.sqrt(variance if count == 1 else pt.log1p(pt.expm1(variance) / count))
            if cut:
                beyond = pm.math.log1mexp(pm.logcdf(pm.Normal.dist(pt.log(x) - sd**2 / 2, sd), np.log(own)))
                pm.Potential(f"{name}.cut_off_{kind}", pt.sum(beyond))
            else:
                centre, n = np.log(own).mean(), own.size
                squares = float(np.sum((np.log(own) - centre) ** 2))
                pm.Potential(f"{name}.within_{kind}", -squares / (2 * sd**2) - (n - 1) * pt.log(sd))
                centres.append(centre + sd**2 / 2)
                precisions.append(n / sd**2)
        if centres:
            # Given the spread, the weighted mean tells of x, and what is left of each mean of the spread alone.
            whole = sum(precisions)
            centre = sum(precision * each for precision, each in zip(precisions, centres, strict=True)) / whole
            between = -pt.log(whole) / 2
            for precision, each in zip(precisions, centres, strict=True):
                between += pm.logp(pm.Normal.dist(centre, 1 / pt.sqrt(precision)), each)
            about_x = pm.logp(pm.Normal.dist(pt.log(x), pt.sqrt(1 / whole + self.blur**2)), centre)
            pm.Potential(f"{name}.complete", about_x + between)

    def blurred(self, sd: float) -> Self | None:
        return None if any(self.censored) else replace(self, blur=math.hypot(self.blur, sd))

    def _kinds(self) -> Iterator[tuple[float, bool, Floats]]:
        """Values that share a count and are complete, or cut off, alike."""
        values, kinds = np.array(self.values), list(zip(self.counts, self.censored, strict=True))
        for count, cut in sorted(set(kinds)):
            yield count, cut, values[[kind == (count, cut) for kind in kinds]]

    def simulate(self, x: float, hidden: Mapping[str, float], rng: np.random.Generator) -> Self:
        sd = np.array([float(_sd(np.asarray(hidden["spread"]), count)) for count in self.counts])
        whole = np.exp(rng.normal(math.log(x) - sd**2 / 2, sd))
        seen = np.where(self.censored, np.minimum(whole, self.values), whole)  # the same windows were open
        cut = np.array(self.censored) & (whole > self.values)
        return replace(self, values=tuple(map(float, seen)), censored=tuple(map(bool, cut)))


def _sd(spread: Floats, count: float) -> Floats:
    """sd of the log of a mean of so many durations."""
    return np.asarray(np.sqrt(np.log1p(np.expm1(spread**2 + LEAST_SPREAD**2) / count)))
