"""A curve that is also read backwards, for laws whose CDF is a search: metalogs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from simulator.inputs.quadrature import density, panels
from simulator.inputs.table import REACH, Curve, evaluated, hermite

if TYPE_CHECKING:
    from simulator.inputs.law import Floats

NEWTON_STEPS: Final = 4


@dataclass(frozen=True, slots=True)
class Inverted(Curve):
    """Cubic Hermite cells whose CDF and partial mean come from the same cells."""

    def score(self, x: Floats) -> Floats:
        """By Newton's method on the cubic, to 1e-9 of an sd in x; cells that are not used are left to the law."""
        x = np.asarray(x, dtype=float)
        place, known = self._place(x)
        z = np.asarray(place * (2 * REACH / self.exact.size) - REACH)
        if not known.all():
            z[~known] = self.law.score(x[~known])
        return z

    def cdf(self, x: Floats) -> Floats:
        return ndtr(self.score(x))

    def sf(self, x: Floats) -> Floats:
        return ndtr(-self.score(x))

    def partial_mean(self, x: Floats) -> Floats:
        """By a table of the integral, whose slope in z is x phi(z); to 1e-8 of an sd."""
        x = np.asarray(x, dtype=float)
        place, known = self._place(x)
        cell = np.minimum(place.astype(np.intp), self.exact.size - 1)
        part = evaluated(_integral(self), cell, place - cell)
        if not known.all():
            part[~known] = self.law.partial_mean(x[~known])
        return part

    def _place(self, x: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Cell and fraction of it at which the curve takes the value, and whether that can be told."""
        left = self.cubic[0]
        cell = np.clip(left.searchsorted(x, side="right") - 1, 0, left.size - 1)
        rise = self.cubic[1:].sum(axis=0).take(cell)
        known = (rise > 0) & (x >= left[0]) & (x - left.take(cell) <= rise) & ~self.exact.take(cell)
        a, b, c, d = (
            np.where(known, power.take(cell), default) for power, default in zip(self.cubic, (0, 1, 0, 0), strict=True)
        )
        target = np.where(known, x, 0.0) - a
        fraction = target / np.where(known, rise, 1.0)
        for _ in range(NEWTON_STEPS):
            slope = b + fraction * (2 * c + fraction * 3 * d)
            miss = fraction * (b + fraction * (c + fraction * d)) - target
            fraction = np.clip(fraction - miss / np.where(slope > 0, slope, np.inf), 0, 1)
        return np.where(known, cell + fraction, 0.0), known


@lru_cache(maxsize=64)
def _integral(curve: Inverted) -> Floats:
    """E[X 1(X <= x)] as a Hermite table in z: rises by quadrature of the curve, slopes x phi."""
    cells = curve.exact.size
    step = 2 * REACH / cells
    edges = np.linspace(-REACH, REACH, cells + 1)
    z, weight = panels(edges[:-1], edges[1:])
    rise = np.sum(weight * density(z) * curve.at_score(z), axis=1)
    slope = step * density(edges) * curve.law.at_score(edges)
    start = float(curve.law.partial_mean(curve.law.at_score(edges[:1]))[0])
    left = start + np.append(0.0, np.cumsum(rise)[:-1])
    return hermite(left, rise, slope[:-1], slope[1:])
