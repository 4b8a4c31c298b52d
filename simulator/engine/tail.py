"""Quantiles and the lower tail mean of a saving that is averaged over its carrier in closed form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Thresholds to either side of a pilot's quantile: this many standard errors of 10^6 plain draws.
_WIDTH = 2e-3
_GRID = 33


@dataclass(frozen=True)
class Brackets:
    """Two thresholds around each quantile; between them the distribution function is taken as a line."""

    levels: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    @classmethod
    def around(cls, levels: tuple[float, ...], below: Callable[[float], float], start: float, end: float) -> Brackets:
        """Brackets found on a pilot's distribution function, by repeated subdivision.

        Parameters
        ----------
        levels : tuple of float
            Levels of the quantiles.
        below : callable
            The pilot's P(saving <= t).
        start, end : float
            Thresholds that hold all the quantiles between them.
        """
        grid = np.linspace(start, end, _GRID)
        reached = np.array([below(t) for t in grid])
        low, high = [], []
        for level in levels:
            t, density = _solve(level, grid, reached, below)
            half = max(_WIDTH * float(np.sqrt(level * (1 - level))) / density, 1e-9 * (end - start))
            low.append(t - half)
            high.append(t + half)
        return cls(levels, tuple(low), tuple(high))

    def quantile(self, below: Floats, level: float) -> float:
        """Quantile from P(saving <= t) at all the thresholds, (2, levels): the low ones, then the high ones."""
        i = self.levels.index(level)
        return self.low[i] + (self.high[i] - self.low[i]) * self._part(i, below)

    def lower_tail_mean(self, level: float, below: Floats, shortfall: Floats) -> float:
        """E[saving | the lowest share `level`] = q - E[max(0, q - saving)] / level."""
        i = self.levels.index(level)
        quantile = self.quantile(below, level)
        # the shortfall's derivative is the distribution function: trapezium from the low threshold to the quantile
        at_quantile = shortfall + (quantile - self.low[i]) * 0.5 * (below[0, i] + level)
        return float(quantile - at_quantile / level)

    def usable(self, below: Floats) -> bool:
        """False where a distribution function stands still between thresholds: then no line can be drawn."""
        return bool(np.all(below[1] - below[0] > 0))

    def _part(self, i: int, below: Floats) -> float:
        return float((self.levels[i] - below[0, i]) / (below[1, i] - below[0, i]))


def _solve(level: float, grid: Floats, reached: Floats, below: Callable[[float], float]) -> tuple[float, float]:
    """Root of below(t) = level inside the cell that holds it, by regula falsi with bisection, and the slope there."""
    i = int(np.clip(np.searchsorted(reached, level), 1, grid.size - 1))
    a, b, fa, fb = float(grid[i - 1]), float(grid[i]), float(reached[i - 1]), float(reached[i])
    slope = max((fb - fa) / (b - a), 1e-12 / (b - a))
    for step in range(6):
        t = a + (b - a) * (level - fa) / (fb - fa) if step % 2 == 0 and fb > fa else 0.5 * (a + b)
        f = below(t)
        if f < level:
            a, fa = t, f
        else:
            b, fb = t, f
    if fb > fa:
        slope = max((fb - fa) / (b - a), 1e-3 * slope)
        return a + (b - a) * (level - fa) / (fb - fa), slope
    return 0.5 * (a + b), slope
