"""All the places on a range at which a function of one variable crosses a level: scan, bracket, refine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Function = Callable[[float], float]

_PRECISION = 1e-9  # of a bracket


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where a function reaches a level; `rising` when it is above the level to the right."""

    x: float
    rising: bool


def crossings(f: Function, grid: Floats, values: Floats, level: float = 0.0) -> list[Crossing]:
    """Crossings of a continuous function, ascending.

    Parameters
    ----------
    f : callable
        The function.
    grid, values : (points,) array
        Where it was looked at, ascending, and what it was there. Between two points on one side of the level a
        parabola through three tells whether it dips to the other side in between; then that place is looked at too.
    level : float
    """
    grid, values = _with_dips(f, grid, values, level)
    above = values > level
    return [
        Crossing(_refined(f, float(grid[i]), float(grid[i + 1]), level), bool(above[i + 1]))
        for i in np.flatnonzero(above[1:] != above[:-1])
    ]


def _refined(f: Function, low: float, high: float, level: float) -> float:
    from scipy.optimize import brentq

    scale = max(abs(low), abs(high))
    return float(brentq(lambda x: f(x) - level, low, high, xtol=_PRECISION * scale, rtol=_PRECISION))


def _with_dips(f: Function, grid: Floats, values: Floats, level: float) -> tuple[Floats, Floats]:
    extra: dict[float, float] = {}
    for i in range(1, len(grid) - 1):
        x, y = grid[i - 1 : i + 2], values[i - 1 : i + 2] - level
        if not (np.all(y > 0) or np.all(y <= 0)) or abs(y[1]) > min(abs(y[0]), abs(y[2])):
            continue
        left, right = (y[1] - y[0]) / (x[1] - x[0]), (y[2] - y[1]) / (x[2] - x[1])
        bend = (right - left) / (x[2] - x[0])
        if bend == 0:
            continue
        lowest = float((x[0] + x[1]) / 2 - left / (2 * bend))
        if x[0] < lowest < x[2] and lowest not in grid:
            at = f(lowest)
            if (at > level) != (y[1] > 0):
                extra[lowest] = at
    if not extra:
        return grid, values
    both = np.concatenate([grid, list(extra)])
    order = np.argsort(both)
    return both[order], np.concatenate([values, list(extra.values())])[order]
