"""Quantities that can be moved: an input, or the volume of work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulator.decision.flips import Root
from simulator.decision.known import Known, State
from simulator.decision.ranges import TIMES, grid, today, volume
from simulator.engine.outcome import productive_hours
from simulator.study import Input

Floats = NDArray[np.float64]

VOLUME: Final = "volume"


@dataclass(frozen=True)
class Axis:
    """A quantity that can be moved: its name, what is believed of it, where to look, and how to set it."""

    name: str
    unit: str
    mean: float
    sd: float
    grid: Floats
    values: Callable[[Known, float], Mapping[str, Floats | float]]
    input: Input | None

    def put(self, known: Known, x: float) -> State:
        return known.put(self.values(known, x))

    def belief(self, count: int) -> Floats:
        """Values over what is believed, or from half to twice a number."""
        if self.input is None or self.input.fixed:
            inside = (
                self.grid[(self.grid >= self.mean / 2) & (self.grid <= self.mean * 2)] if self.mean > 0 else self.grid
            )
            return np.linspace(inside[0], inside[-1], count) if len(inside) > 1 else self.grid[:count]
        low, high = self.input.law.ppf(np.array([0.01, 0.99]))
        return np.linspace(float(low), float(high), count)

    def chance(self, roots: tuple[Root, ...]) -> float | None:
        """Probability of the ranges above a root from which it pays and below the next."""
        if self.input is None or self.input.fixed or not roots:
            return None
        below = self.input.law.cdf(np.array([root.value for root in roots]))
        total = 0.0 if roots[0].above else float(below[0])
        for i, root in enumerate(roots):
            if root.above:
                total += (float(below[i + 1]) if i + 1 < len(roots) else 1.0) - float(below[i])
        return total


def axis(known: Known, name: str) -> Axis:
    study = known.study
    if name == VOLUME:
        hours = float(np.mean(productive_hours(study, study.options[study.baseline], known.now.columns)))
        scaled = volume(study)
        return Axis(
            VOLUME,
            f"instance-hours of {study.baseline}",
            hours,
            0.0,
            hours * np.geomspace(1 / TIMES, TIMES, 49),
            lambda at, x: {each: at.now.columns[each] * (x / hours) for each in scaled},
            None,
        )
    each = study.inputs[name]
    mean, sd = today(each)
    stay = float(np.mean(known.costs(known.now)[study.baseline]))
    return Axis(name, each.unit, mean, sd, grid(each, stay), lambda _, x: {name: x}, each)
