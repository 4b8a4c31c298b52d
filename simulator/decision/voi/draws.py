"""What the estimators take: arrays of draws, checked once, and the groups that the draws fall into."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

FOLDS = 10  # groups for cross-fitting where the caller names no replicates


def net_benefit(nb: ArrayLike) -> Floats:
    """(draws, options) float64; ValueError naming the row where a value is NaN or infinite."""
    array = np.asarray(nb, dtype=np.float64)
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"nb has shape {array.shape}; expected (draws, options), one row a draw")
    return _finite(array, "nb")


def inputs(x: ArrayLike, draws: int) -> Floats:
    """(draws, k) float64 from (draws,) or (draws, k), checked as `net_benefit` is."""
    array = np.asarray(x, dtype=np.float64)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or array.shape[1] == 0:
        raise ValueError(f"x has shape {array.shape}; expected (draws,) or (draws, k)")
    if len(array) != draws:
        raise ValueError(f"x has {len(array)} rows and nb {draws}; expected one row a draw in both")
    return _finite(array, "x")


def _finite(array: Floats, name: str) -> Floats:
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        row, column = wrong[0]
        rows = len(np.unique(wrong[:, 0]))
        raise ValueError(
            f"{name}: row {row}, column {column} is {array[row, column]} ({rows} such rows of {len(array)}); "
            "drop or repair the draw yourself, a missing value is not left out in silence"
        )
    return array


@dataclass(frozen=True, slots=True)
class Groups:
    """The draws in parts: independent randomizations, or random folds of plain Monte Carlo draws."""

    rows: tuple[Rows, ...]
    randomized: bool  # each part is an independent randomization, so that errors come from the spread between them

    @property
    def draws(self) -> int:
        return sum(len(rows) for rows in self.rows)

    def means(self, values: Floats) -> Floats:
        """Mean of (draws, ...) values in each group, (groups, ...)."""
        return np.stack([values[rows].mean(axis=0) for rows in self.rows])

    def without(self, values: Floats) -> Floats:
        """Mean of (draws, ...) values over the draws outside each group, (groups, ...)."""
        sums: Floats = np.stack([values[rows].sum(axis=0) for rows in self.rows])
        outside = self.draws - np.array([len(rows) for rows in self.rows])
        return np.asarray((sums.sum(axis=0) - sums) / outside.reshape(-1, *[1] * (values.ndim - 1)))

    def own(self, fitted: Floats) -> Floats:
        """(draws, outcomes): at each draw the one of (1 + groups, draws, outcomes) fits that leaves its group out."""
        out: Floats = np.empty_like(fitted[0])
        for group, rows in enumerate(self.rows):
            out[rows] = fitted[1 + group, rows]
        return out

    def se_of_mean(self, values: Floats) -> Floats:
        """Standard error of the mean of (draws, ...) values."""
        units = self.means(values) if self.randomized else values
        return np.asarray(units.std(axis=0, ddof=1) / np.sqrt(len(units)))

    @property
    def degrees(self) -> float:
        """Degrees of freedom of the standard errors."""
        return float(len(self.rows) - 1 if self.randomized else self.draws - 1)


def grouped(draws: int, replicates: int | None) -> Groups:
    """Replicates are equal consecutive runs of rows; folds are drawn at random, lest sorted draws fool them."""
    if replicates is None:
        if draws < 2 * FOLDS:
            raise ValueError(f"{draws} draws; expected at least {2 * FOLDS}")
        order = np.random.default_rng(0).permutation(draws)
        return Groups(tuple(np.sort(part) for part in np.array_split(order, FOLDS)), randomized=False)
    if replicates < 2 or draws % replicates or draws // replicates < 2:
        raise ValueError(f"replicates is {replicates} for {draws} draws; expected 2 or more equal parts of them")
    return Groups(tuple(np.split(np.arange(draws), replicates)), randomized=True)
