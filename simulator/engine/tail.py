"""Quantiles and the lower tail mean of a saving that is averaged over its carrier in closed form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Floats = NDArray[np.float64]

_STEPS = 40
_CLOSE = 1e-3
"""Levels to which a pilot's quantiles are solved for; its own sampling error is no smaller."""


@dataclass(frozen=True)
class Tangents:
    """A threshold near each quantile, where the distribution function is known with its slope."""

    levels: tuple[float, ...]
    at: tuple[float, ...]

    @classmethod
    def near(
        cls,
        levels: tuple[float, ...],
        reached: Callable[[Floats], tuple[Floats, Floats]],
        guess: Floats,
        range_: tuple[float, float],
    ) -> Tangents | None:
        """Thresholds at a pilot's quantiles, by Newton's method held inside shrinking brackets.

        Parameters
        ----------
        levels : tuple of float
            Levels of the quantiles.
        reached : callable
            The pilot's P(saving <= t) and density at thresholds t, (levels,) each.
        guess : (levels,) array
            Where to start.
        range_ : tuple of float
            Thresholds that hold all the quantiles between them.

        Returns
        -------
        Tangents or None
            None where no density is found at a quantile: then there is no line to draw.
        """
        target = np.array(levels)
        low, high = (np.full(target.size, end) for end in range_)
        t = guess
        for _ in range(_STEPS):
            below, density = reached(t)
            if np.all(np.abs(below - target) < _CLOSE):
                break
            low, high = np.where(below < target, t, low), np.where(below < target, high, t)
            with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                newton = t + (target - below) / density
            t = np.where((newton > low) & (newton < high), newton, 0.5 * (low + high))
        if not np.all(density > 0):
            return None
        return cls(levels, tuple(t.tolist()))

    def quantiles(self, below: Floats, density: Floats) -> Floats:
        """Quantiles from P(saving <= t) and the density at all the thresholds.

        The tangent is drawn in normal scores, in which most distribution functions are nearly straight.

        Parameters
        ----------
        below, density : (estimates, levels) array

        Returns
        -------
        (levels, estimates) array
        """
        score = ndtri(below)
        slope = density * np.sqrt(2 * np.pi) * np.exp(0.5 * score * score)
        return np.asarray(self.at + (ndtri(self.levels) - score) / slope).T

    def lower_tail_means(self, level: float, below: Floats, density: Floats, shortfall: Floats) -> Floats:
        """E[saving | the lowest share `level`] = q - E[max(0, q - saving)] / level, (estimates,)."""
        i = self.levels.index(level)
        quantile = self.quantiles(below, density)[i]
        # the shortfall's derivative is the distribution function: trapezium from the threshold to the quantile
        at_quantile = shortfall + (quantile - self.at[i]) * 0.5 * (below[:, i] + level)
        return np.asarray(quantile - at_quantile / level)

    def usable(self, below: Floats, density: Floats) -> bool:
        """False where the line leads astray: no density, or a threshold that proved far from its quantile."""
        levels = np.array(self.levels)
        far = np.abs(below - levels) > 0.25 * np.minimum(levels, 1 - levels)
        return bool(np.all(density > 0) and not np.any(far))
