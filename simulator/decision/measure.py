"""How an input is measured in a PoC: what one run shows of it, with which noise, and how far that is from production.

Every number here is a default that a study replaces in `[poc]`. Discrepancies are those with which evidence is read
(sd of the logarithm of production over PoC): more runs do not average them out, so they cap what a PoC is worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from simulator.decision import voi
from simulator.decision.voi.likelihood import Axes, Likelihood
from simulator.study import Input

Floats = NDArray[np.float64]

Kind = Literal["runs", "counts", "trials"]
NODES = 11  # of the discrepancy of a count, by Gauss-Hermite quadrature
HOURS = 24.0  # of a run, where no study says


@dataclass(frozen=True, slots=True)
class Way:
    """How a key is measured.

    Attributes
    ----------
    kind : "runs", "counts" or "trials"
        A value with lognormal noise; a count of events in the time of a run, or in `share` of the project; successes
        and failures.
    noise : float
        sd of the logarithm of one run about the long run; of "runs" alone.
    discrepancy : float
        sd of log(production / PoC); of the odds, for "trials".
    one : str
        What one observation is.
    shown : bool
        Whether every training run shows it, unasked.
    share : float or None
        Of "counts": share of the project's events that a run sees; None where they come with the hours of the run.
    """

    kind: Kind
    noise: float
    discrepancy: float
    one: str
    shown: bool = False
    share: float | None = None


WAYS: Final[Mapping[str, Way]] = {
    "utilization": Way("runs", 0.05, 0.05, "a training run", shown=True),
    "tokens_per_second": Way("runs", 0.05, 0.05, "a training run", shown=True),
    "scaling_efficiency": Way("runs", 0.03, 0.05, "a run on all instances"),
    "compile_minutes": Way("runs", 0.3, 0.20, "a cold compilation", shown=True),
    "recompiles": Way("counts", 0.0, 0.30, "a tenth of the port", share=0.1),
    "faults_per_1000h": Way("counts", 0.0, 0.50, "the hours of a run", shown=True),
    "hours_lost_per_fault": Way("runs", 0.6, 0.30, "a fault and its restart"),
    "engineer_hours": Way("runs", 0.4, 0.20, "a part of the port, timed"),
    "upkeep_hours_per_month": Way("runs", 0.5, 0.10, "a month of upkeep"),
    "delay_weeks": Way("runs", 0.3, 0.10, "a date that was promised"),
    "price": Way("runs", 0.0, 0.15, "a quote"),
    "blocked": Way("trials", 0.0, 0.50, "a part of the port that works or does not"),
}
OTHERWISE: Final = Way("runs", 0.3, 0.10, "an estimate")
"""Defaults by key; where no source is named they are judgements, of 2026-11-30.

Noise of throughput between runs: a few per cent within one configuration. Discrepancies: `simulator.calibration`.
"""


def way(each: Input, noise: Mapping[str, float], discrepancy: Mapping[str, float]) -> Way:
    """How an input is measured, what a study says of it over the default."""
    key = each.name.rpartition(".")[2]
    default = WAYS.get(key, OTHERWISE)
    return Way(
        default.kind,
        noise.get(each.name, default.noise),
        discrepancy.get(each.name, default.discrepancy),
        default.one,
        default.shown,
        default.share,
    )


def likelihood(how: Way, hours: float) -> Likelihood:
    """Law of what one run of so many instance-hours shows."""
    if how.kind == "runs":
        return voi.LogNormal(how.noise, how.discrepancy)
    if how.kind == "trials":
        return Shifted(voi.Binomial(), how.discrepancy, odds=True)
    return Shifted(voi.Poisson(exposure(how, hours)), how.discrepancy)


def exposure(how: Way, hours: float) -> float:
    """What the input is multiplied by to give the events that one run sees on the average."""
    return hours / 1000 if how.share is None else how.share


def measurable(each: Input) -> bool:
    """Whether there is anything to learn of an input that a PoC could tell: its law lies above 0, or in 0 to 1."""
    if each.fixed or each.luck:
        return False
    low, _ = each.law.support
    return low >= 0 and (low > 0 or not each.law.discrete or way(each, {}, {}).kind != "runs")


@dataclass(frozen=True, slots=True)
class Shifted:
    """Observations of x times exp(sd e), or of its odds times that; all of one PoC share e, standard normal.

    For counts, whose own likelihoods know no discrepancy; one column of x.
    """

    inner: Likelihood
    sd: float
    odds: bool = False

    def check(self, x: Floats, size: float) -> None:
        self.inner.check(x, size)

    def chances(self, axes: Axes, size: float, cells: int) -> Axes:
        (x,) = axes
        if self.sd == 0:
            return self.inner.chances(axes, size, cells)
        places, weights = nodes()
        moved = shifted(x[:, None], self.sd * places, self.odds)
        (law,) = self.inner.chances((moved.ravel(),), size, cells)
        return (np.einsum("xek,e->xk", law.reshape(*moved.shape, -1), weights),)

    def noise(self, columns: int, size: float) -> int:
        return 1 + self.inner.noise(columns, size)

    def statistic(self, x: Floats, size: float, u: Floats) -> Floats:
        from scipy.special import ndtri

        return self.inner.statistic(shifted(x, self.sd * ndtri(u[:, :1]), self.odds), size, u[:, 1:])


@dataclass(frozen=True, slots=True)
class Joint:
    """Several inputs measured by the same runs, each by its own law, independent given the inputs; a column each."""

    parts: tuple[Likelihood, ...]

    def check(self, x: Floats, size: float) -> None:
        for part, column in zip(self.parts, x.T, strict=True):
            part.check(column[:, None], size)

    def chances(self, axes: Axes, size: float, cells: int) -> Axes:
        return tuple(part.chances((axis,), size, cells)[0] for part, axis in zip(self.parts, axes, strict=True))

    def noise(self, columns: int, size: float) -> int:  # noqa: ARG002
        return sum(part.noise(1, size) for part in self.parts)

    def statistic(self, x: Floats, size: float, u: Floats) -> Floats:
        found, used = [], 0
        for part, column in zip(self.parts, x.T, strict=True):
            count = part.noise(1, size)
            found.append(part.statistic(column[:, None], size, u[:, used : used + count]))
            used += count
        return np.concatenate(found, axis=1)


def joint(parts: Sequence[Likelihood]) -> Likelihood:
    """One likelihood of several: its own where there is but one."""
    return parts[0] if len(parts) == 1 else Joint(tuple(parts))


def shifted(x: Floats, logs: Floats, odds: bool) -> Floats:
    """x, or its odds, times exp(logs)."""
    factor = np.exp(logs)
    return np.asarray(x * factor / (1 - x + x * factor) if odds else x * factor)


def nodes() -> tuple[Floats, Floats]:
    """Places and weights of a standard normal by Gauss-Hermite quadrature."""
    places, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return places, weights / weights.sum()
