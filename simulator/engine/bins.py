"""A distribution kept as counts and sums in bins, so that memory does not grow with the draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BINS = 512
# A pilot that shows no more than this many values belongs to a law of separate points: each has its own bin then.
_FEW_VALUES = 64


@dataclass(frozen=True)
class Bins:
    """Bins (edges[i-1], edges[i]], the first and the last of them open.

    Between edges a quantile is found linearly: with 512 bins over about ten standard deviations that is wrong by less
    than 1e-4 sd. Where the values are separate points they are the edges, and the quantile is the point itself.
    """

    edges: tuple[float, ...]
    points: bool

    @classmethod
    def covering(cls, pilot: Floats) -> Self:
        """Bins for a quantity of which some values are known.

        The range reaches beyond the pilot's 5 and 95 % points by twice their distance from the median: every
        reported quantile lies inside, however heavy the tails.
        """
        distinct = np.unique(pilot)
        if distinct.size <= _FEW_VALUES:
            return cls(tuple(distinct.tolist()), points=True)
        low, middle, high = np.quantile(pilot, (0.05, 0.5, 0.95))
        least = 1e-9 * max(abs(low), abs(high)) + 1e-300
        start, end = low - 2 * (middle - low) - least, high + 2 * (high - middle) + least
        return cls(tuple(np.linspace(start, end, BINS - 1).tolist()), points=False)

    def tally(self, values: Floats, weights: Floats | None = None) -> Floats:
        """Weights and weighted sums by bin.

        Parameters
        ----------
        values, weights : (draws,) array
            Draws and their probabilities; 1 without.

        Returns
        -------
        (2, bins) array
        """
        count = len(self.edges) + 1
        if self.points:
            place = np.searchsorted(np.asarray(self.edges), values - 1e-12 * np.abs(values), side="left")
        else:
            first, last = self.edges[0], self.edges[-1]
            at = values - first
            at *= (count - 2) / (last - first)
            np.maximum(at, -0.5, out=at)
            np.minimum(at, count - 1.5, out=at)
            place = np.ceil(at, out=at).astype(np.intp)
        weighted = values if weights is None else values * weights
        return np.stack([np.bincount(place, weights, count).astype(np.float64), np.bincount(place, weighted, count)])

    def quantiles(self, tallies: Floats, levels: Sequence[float]) -> Floats:
        """The values below which shares of each tally lie.

        Parameters
        ----------
        tallies : (tallies, 2, bins) array
        levels : sequence of float

        Returns
        -------
        (levels, tallies) array
        """
        edges = np.asarray(self.edges)
        reached = np.cumsum(tallies[:, 0], axis=1)
        target = np.outer(levels, reached[:, -1])
        if self.points:
            place = self._places(reached, target * (1 - 1e-12))
            return edges[np.minimum(place, edges.size - 1)]
        below = np.maximum.accumulate(reached[:, :-1], axis=1)
        i = np.clip(self._places(below, target), 1, edges.size - 1)
        row = np.arange(len(tallies))
        before = below[row, i - 1]
        step = below[row, i] - before
        part = np.where(step > 0, (target - before) / np.where(step > 0, step, 1.0), 0.5)
        return np.asarray(edges[i - 1] + np.clip(part, 0, 1) * (edges[i] - edges[i - 1]))

    @staticmethod
    def _places(reached: Floats, target: Floats) -> NDArray[np.intp]:
        """First bin at which each tally has reached its target, (levels, tallies)."""
        return np.stack([each.searchsorted(wanted) for each, wanted in zip(reached, target.T, strict=True)], axis=1)

    def lower_tail_means(self, tallies: Floats, level: float) -> Floats:
        """Mean of the lowest share `level` of each tally (expected shortfall), the last bin taken in part at its mean.

        Parameters
        ----------
        tallies : (tallies, 2, bins) array
        level : float

        Returns
        -------
        (tallies,) array
        """
        quantiles = self.quantiles(tallies, (level,))[0]
        return np.array([self._tail(*each, level) for each in zip(tallies, quantiles, strict=True)])

    def _tail(self, tally: Floats, quantile: float, level: float) -> float:
        counts, sums = tally
        reached = np.cumsum(counts)
        target = level * reached[-1]
        last = int(np.searchsorted(reached, target * (1 - 1e-12)))
        before = reached[last] - counts[last]
        if self.points or last == 0:
            at = sums[last] / counts[last] if counts[last] else quantile
        else:  # values in the part of the bin that counts lie between its lower edge and the quantile
            at = 0.5 * (self.edges[last - 1] + quantile)
        return float((sums[:last].sum() + (target - before) * at) / target)

    def share_at_most(self, tally: Floats, value: float) -> float:
        """Share of the tally at or below a value."""
        counts = tally[0]
        edges = np.asarray(self.edges)
        reached = np.cumsum(counts)[:-1]
        return float(np.interp(value, edges, reached, left=0.0, right=float(counts.sum())) / counts.sum())
