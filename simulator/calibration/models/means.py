"""Repeated measurements of a quantity: throughput of runs, scaling, prices, anything with a mean and a spread.

    mean_j ~ Normal(log x, sqrt(between^2 + within^2 / n_j))        run j has n_j independent steps
    squares ~ Gamma(freedom / 2, 1 / (2 within^2))                  sum of squares within the runs

The runs' own effects are integrated out: means and sums of squares are sufficient. A run of thousands of steps pins its
own mean and nothing more; what differs from run to run (nodes, data, software) has `between`, which one run cannot tell
and the prior half-normal(0.08) keeps open. Steps are autocorrelated: `n_j` counts batches that are independent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from scipy.special import xlogy

if TYPE_CHECKING:
    from simulator.calibration.models.model import Floats

Scale = Literal["log", "natural"]

BETWEEN_RUNS = 0.08
"""Half-normal scale of the sd between runs of log throughput: a run differs from the next by some percent."""
NOISE = 0.3
"""Half-normal scale of the sd of single measurements on the log scale, where the data tell most of it."""
RECORDED = 0.005
"""Relative error with which any value is recorded: equal values are no proof that there is no noise."""


@dataclass(frozen=True, slots=True)
class Means:
    """Means of runs on the scale where their noise adds.

    Attributes
    ----------
    means, counts : tuple of float
        Mean of each run on that scale, and the independent measurements behind it.
    squares, freedom : float
        Sum of squared deviations within the runs and its degrees of freedom; 0 where single values are all there is.
    scale : "log" or "natural"
        Where the noise adds.
    between : float
        Half-normal scale of the sd between runs; 0 where there is none.
    noise : float
        Half-normal scale of the sd of one measurement; where `known`, that sd itself.
    blur : float
        sd of an error that all runs share: the discrepancy between PoC and production.
    """

    means: tuple[float, ...]
    counts: tuple[float, ...]
    squares: float = 0.0
    freedom: float = 0.0
    scale: Scale = "log"
    between: float = 0.0
    noise: float = NOISE
    known: bool = False
    blur: float = 0.0

    @property
    def hidden(self) -> Mapping[str, float]:
        between = {"between_runs": self.between} if self.between else {}
        return between if self.known or not self.noise else {**between, "noise": self.noise}

    @property
    def estimate(self) -> float:
        centre = self._centre
        return math.exp(centre) if self.scale == "log" else centre

    @property
    def statistics(self) -> Mapping[str, float]:
        found = {"mean": self._centre}
        if len(self.means) > 1:
            found["spread between runs"] = float(np.std(self.means, ddof=1))
        if self.freedom:
            found["spread within runs"] = math.sqrt(self.squares / self.freedom)
        return found

    @property
    def _centre(self) -> float:
        """Runs weigh alike where they differ among each other, by their measurements where they do not."""
        return float(np.average(self.means, weights=None if self.between else self.counts))

    @property
    def least(self) -> float:
        return -math.inf

    def log_likelihood(self, x: Floats, hidden: Mapping[str, Floats]) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            mu = np.log(x) if self.scale == "log" else np.asarray(x, dtype=float)
        between, noise = (hidden.get(key, np.asarray(0.0)) for key in ("between_runs", "noise"))
        noise = np.asarray(self.noise if self.known else noise, dtype=float)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            precision = [1 / (between**2 + noise**2 / count) for count in self.counts]
            whole = sum(precision)
            centre = sum(p * mean for p, mean in zip(precision, self.means, strict=True)) / whole
            variance = 1 / whole + self.blur**2
            total = -0.5 * ((centre - mu) ** 2 / variance + np.log(variance) + np.log(whole))
            for p, mean in zip(precision, self.means, strict=True):
                total = total - 0.5 * (p * (mean - centre) ** 2 - np.log(p))
            if self.freedom:
                total = total - self.squares / (2 * noise**2) - xlogy(self.freedom, noise)
        return np.where(np.isnan(total), -np.inf, total)

    def blurred(self, sd: float) -> Self | None:
        return replace(self, blur=math.hypot(self.blur, sd))

    def add(self, x: Any, name: str) -> None:
        import pymc as pm
        import pytensor.tensor as pt

        mu = pt.log(x) if self.scale == "log" else x
        between = pm.HalfNormal(f"{name}.between_runs", self.between) if self.between else 0.0
        noise = self.noise
        if "noise" in self.hidden:
            noise = pm.HalfNormal(f"{name}.noise", self.noise)
        # Given the spreads, the weighted mean tells of x and what is left of each mean tells of the spreads alone.
        means, precision = np.array(self.means), 1 / (between**2 + noise**2 / np.array(self.counts))
        whole = pt.sum(precision)
        centre = pt.sum(precision * means) / whole
        about_x = pm.logp(pm.Normal.dist(mu, pt.sqrt(1 / whole + self.blur**2)), centre)
        about_spread = pt.sum(pm.logp(pm.Normal.dist(centre, 1 / pt.sqrt(precision)), means)) - pt.log(whole) / 2
        pm.Potential(f"{name}.means", about_x + about_spread)
        if self.freedom:
            pm.Gamma(f"{name}.squares", self.freedom / 2, 1 / (2 * noise**2), observed=self.squares)

    def simulate(self, x: float, hidden: Mapping[str, float], rng: np.random.Generator) -> Self:
        mu = math.log(x) if self.scale == "log" else x
        noise = self.noise if self.known else hidden.get("noise", 0.0)
        sd = np.sqrt(hidden.get("between_runs", 0.0) ** 2 + noise**2 / np.array(self.counts))
        squares = noise**2 * rng.chisquare(self.freedom) if self.freedom else 0.0
        return replace(self, means=tuple(rng.normal(mu, sd)), squares=float(squares))


def of_values(values: Floats, scale: Scale, between: float, noise: float) -> Means:
    """Measurements one by one: each is a run of its own where runs differ, else all are of one run."""
    data = np.log(values) if scale == "log" else np.asarray(values, dtype=float)
    recorded = RECORDED if scale == "log" else RECORDED * float(np.abs(data).max())
    if between:
        return Means(tuple(map(float, data)), (1.0,) * data.size, 0.0, 0.0, scale, between, recorded, known=True)
    if data.size == 1:  # its spread is the discrepancy's alone
        return Means((float(data[0]),), (1.0,), 0.0, 0.0, scale, 0.0, recorded, known=True)
    squares = float(np.sum((data - data.mean()) ** 2)) + (data.size - 1) * recorded**2
    return Means((float(data.mean()),), (float(data.size),), squares, data.size - 1.0, scale, 0.0, noise)


def of_moments(mean: float, sd: float, n: int, scale: Scale, noise: float) -> Means:
    """Mean and sd of n measurements, each a run of its own where runs differ; of one the sd is its known error."""
    if scale == "log":  # moments of the log of a lognormal with this mean and sd
        variance = math.log1p((sd / mean) ** 2)
        mean, sd = math.log(mean) - variance / 2, math.sqrt(variance)
    sd = math.hypot(sd, RECORDED if scale == "log" else RECORDED * abs(mean))
    if n == 1:
        return Means((mean,), (1.0,), 0.0, 0.0, scale, 0.0, sd, known=True)
    return Means((mean,), (float(n),), (n - 1) * sd * sd, n - 1.0, scale, 0.0, noise)
