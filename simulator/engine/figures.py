"""Figures with their Monte Carlo error, from sums over independent randomizations."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Sums = dict[Hashable, Floats]


@dataclass(frozen=True, slots=True)
class Figure:
    """An estimate and its Monte Carlo standard error."""

    value: float
    mcse: float

    @classmethod
    def from_jackknife(cls, estimates: Floats) -> Self:
        """Estimate from all randomizations, and its error from leaving each out in turn.

        Parameters
        ----------
        estimates : (1 + replicates,) array
            The pooled estimate first, then those without replicate 0, 1, ... For a mean the error equals the
            spread of the replicates over the root of their number.
        """
        pooled, without = float(estimates[0]), estimates[1:]
        count = without.size
        spread = without - without.mean()
        return cls(pooled, math.sqrt((count - 1) / count * float(np.sum(spread * spread))))

    def to_json(self) -> dict[str, float | None]:
        """JSON has no nan: an infinite or missing number is null."""
        return {key: number if math.isfinite(number) else None for key, number in self.items()}

    def items(self) -> tuple[tuple[str, float], tuple[str, float]]:
        return ("value", self.value), ("mcse", self.mcse)


class Pool:
    """Sums of the replicates as estimates: pooled, and with each replicate left out."""

    def __init__(self, replicates: Sequence[Sums], leaves: int) -> None:
        self._replicates = replicates
        self._leaves = leaves

    def __getitem__(self, key: Hashable) -> Floats:
        """Means of a quantity, (1 + replicates, ...): the pooled one first."""
        each = np.stack([sums[key] for sums in self._replicates]) / self._leaves
        total = each.sum(axis=0)
        count = len(each)
        return np.concatenate([total[None] / count, (total - each) / (count - 1)])

    def figure(self, key: Hashable) -> Figure:
        """A quantity whose mean is the figure."""
        return Figure.from_jackknife(self[key])
