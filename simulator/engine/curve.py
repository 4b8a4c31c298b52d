"""The distribution function of a continuous law as a table in the value, fast to ask for its integral and density."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from simulator.inputs import Distribution

Floats = NDArray[np.float64]

_REACH = np.array([-6.5, 6.5])  # normal scores; no 32-bit point lies beyond 6.3
_CELLS = (512, 4096, 32768)
_TOLERANCE = 1e-7
"""Error of a probability in the middle of a cell, at most: a hundredth of the finest error of a usual run."""


@dataclass(frozen=True)
class Curve:
    """P(X <= x) as cubic Hermite cells of equal width over the law's range; 0 and 1 beyond."""

    low: float
    step: float
    cubic: Floats = field(repr=False)  # (4, cells), by rising power of the fraction of a cell
    integral: Floats = field(repr=False)  # (cells,): of the CDF up to a cell's lower edge

    @classmethod
    def of(cls, law: Distribution) -> Curve | None:
        """The table of a law without atoms; None where no table of a decent size is right to 1e-7."""
        low, high = (float(x) for x in law.at_score(_REACH))
        for cells in _CELLS:
            if (curve := cls._of_size(law, low, high, cells)) is not None:
                return curve
        return None

    @classmethod
    def _of_size(cls, law: Distribution, low: float, high: float, cells: int) -> Curve | None:
        step = (high - low) / cells
        if not step > 0:
            return None
        at = law.cdf(low + step * np.arange(2 * cells + 1) / 2)
        nodes, middle = at[::2], at[1::2]
        left, right = nodes[:-1], nodes[1:]
        # the parabola through a cell's ends and middle gives both of its end slopes to third order
        first, last = 4 * middle - 3 * left - right, left + 3 * right - 4 * middle
        slope = np.concatenate([first[:1], 0.5 * (last[:-1] + first[1:]), last[-1:]])
        rise = right - left
        cubic = np.stack([left, slope[:-1], 3 * rise - 2 * slope[:-1] - slope[1:], slope[:-1] + slope[1:] - 2 * rise])
        miss = left + rise / 2 + (slope[:-1] - slope[1:]) / 8 - middle
        if not np.all(np.abs(miss) <= _TOLERANCE):
            return None
        area = step * (cubic / np.arange(1, 5)[:, None]).sum(axis=0)
        return cls(low, step, cubic, np.append(0.0, np.cumsum(area)[:-1]))

    def cdf(self, x: Floats) -> Floats:
        """P(X <= x)."""
        cell, part = self._place(x)
        a, b, c, d = (power.take(cell) for power in self.cubic)
        return np.asarray(np.clip(a + part * (b + part * (c + part * d)), 0.0, 1.0))

    def density(self, x: Floats) -> Floats:
        """Density; 0 beyond the table."""
        cell, part = self._place(x)
        _, b, c, d = (power.take(cell) for power in self.cubic)
        inside = (x > self.low) & (x < self.low + self.step * self.cubic.shape[1])
        return np.where(inside, np.maximum(b + part * (2 * c + part * (3 * d)), 0.0) / self.step, 0.0)

    def partial_mean(self, x: Floats) -> Floats:
        """E[X; X <= x] = x F(x) - integral of F up to x."""
        cell, part = self._place(x)
        a, b, c, d = (power.take(cell) for power in self.cubic)
        area = self.integral.take(cell) + self.step * part * (a + part * (b / 2 + part * (c / 3 + part * d / 4)))
        return np.asarray((self.low + self.step * (cell + part)) * self.cdf(x) - area)

    def _place(self, x: Floats) -> tuple[NDArray[np.intp], Floats]:
        """Cell, and fraction of it; at the ends of the table for what lies beyond."""
        cells = self.cubic.shape[1]
        place = np.clip((x - self.low) * (1 / self.step), 0.0, cells)
        cell = np.minimum(place.astype(np.intp), cells - 1)
        return cell, place - cell
