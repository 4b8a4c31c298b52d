"""What one observation of x looks like, and what n of them tell: the law of a sufficient statistic given x."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrik, chdtr, chdtri, ndtr, ndtri, pdtr, pdtrc, pdtrik

from simulator.decision.voi.draws import Floats

TAIL = 5.0  # standard deviations of the statistic beyond the extreme draws that its cells cover
SCORES = 21  # of the error at which averages are looked at for their cells
RARE = 1e-12  # probability of counts above those told apart
Axes = tuple[Floats, ...]


class Likelihood(Protocol):
    """Law of one observation given x; a PoC of size n makes n of them, independent given x."""

    def check(self, x: Floats, size: float) -> None:
        """ValueError where (draws, k) x, the size or the parameters do not fit; names the row."""

    def chances(self, axes: Axes, size: float, cells: int) -> Axes:
        """Probabilities of a statistic a column of x, cut into at most so many cells; they add up to 1.

        `axes` are the places of one or two columns. Of each column comes (places, cells); that of the first may depend
        on the second as well, (places of the second, places, cells).
        """

    def noise(self, columns: int, size: float) -> int:
        """How many uniform numbers `statistic` takes for x with so many columns."""

    def statistic(self, x: Floats, size: float, u: Floats) -> Floats:
        """Simulated statistic, (draws, statistics), at (draws, k) x from (draws, noise) uniform numbers u."""


@dataclass(frozen=True, slots=True)
class Normal:
    """Observations x + N(0, sd), sd known; with several columns of x, one observation of each.

    `sd` and `discrepancy` are one number or one a column. `discrepancy` is the sd of what all observations of a PoC
    have in common and production does not: more runs do not average it out, so that it caps what a PoC is worth.
    `size` may be infinite.
    """

    sd: float | Sequence[float]
    discrepancy: float | Sequence[float] = 0.0

    def check(self, x: Floats, size: float) -> None:
        _require(size > 0, size, "a positive number")
        for name, value in (("sd", self.sd), ("discrepancy", self.discrepancy)):
            array = np.asarray(value, dtype=np.float64)
            fits = array.ndim == 0 or array.shape == (x.shape[1],)
            if not fits or not np.all(np.isfinite(array) & (array >= 0)):
                raise ValueError(f"{name} is {value}; expected a number >= 0, or one for each of {x.shape[1]} columns")

    def error(self, size: float) -> Floats:
        """Standard deviation of the mean of `size` observations about x."""
        return np.hypot(np.asarray(self.sd, dtype=np.float64) / math.sqrt(size), self.discrepancy)

    def chances(self, axes: Axes, size: float, cells: int) -> Axes:
        errors = np.broadcast_to(self.error(size), len(axes))
        return tuple(_normal_cells(x, error, cells) for x, error in zip(axes, errors, strict=True))

    def noise(self, columns: int, size: float) -> int:  # noqa: ARG002
        return columns

    def statistic(self, x: Floats, size: float, u: Floats) -> Floats:
        return np.asarray(x + self.error(size) * ndtri(u))


@dataclass(frozen=True, slots=True)
class LogNormal:
    """Observations x exp(N(0, sigma)): x is the median, sigma the sd of the logarithm; otherwise as `Normal`."""

    sigma: float | Sequence[float]
    discrepancy: float | Sequence[float] = 0.0

    @property
    def _log(self) -> Normal:
        return Normal(self.sigma, self.discrepancy)

    def check(self, x: Floats, size: float) -> None:
        self._log.check(x, size)
        _within(x, x > 0, "a median > 0")

    def chances(self, axes: Axes, size: float, cells: int) -> Axes:
        return self._log.chances(tuple(np.log(x) for x in axes), size, cells)

    def noise(self, columns: int, size: float) -> int:
        return self._log.noise(columns, size)

    def statistic(self, x: Floats, size: float, u: Floats) -> Floats:
        return self._log.statistic(np.log(x), size, u)


@dataclass(frozen=True, slots=True)
class Poisson:
    """Counts with mean x times `exposure`, each; x is a rate. `size` need not be whole."""

    exposure: float = 1.0

    def check(self, x: Floats, size: float) -> None:
        _require(0 < size < math.inf, size, "a positive, finite number")
        if not 0 < self.exposure < math.inf:
            raise ValueError(f"exposure is {self.exposure}; expected a positive, finite number")
        _within(x, x >= 0, "a rate >= 0")

    def chances(self, axes: Axes, size: float, cells: int) -> Axes:
        return tuple(self._cells(x[:, None] * self.exposure * size, cells) for x in axes)

    @staticmethod
    def _cells(mean: Floats, cells: int) -> Floats:
        top = max(float(mean.max()), np.finfo(np.float64).tiny)
        most = math.ceil(pdtrik(1 - RARE, top)) if pdtrc(0, top) > RARE else 0
        return _diff(pdtr(_last_counts(most, cells), mean))

    def noise(self, columns: int, size: float) -> int:  # noqa: ARG002
        return columns

    def statistic(self, x: Floats, size: float, u: Floats) -> Floats:
        mean = np.maximum(x * self.exposure * size, np.finfo(np.float64).tiny)
        return _least(lambda k: pdtr(k, mean), pdtrik(u, mean), u)


@dataclass(frozen=True, slots=True)
class Binomial:
    """Successes with probability x."""

    def check(self, x: Floats, size: float) -> None:
        _require(size >= 1 and float(size).is_integer(), size, "a whole number of trials")
        _within(x, (x >= 0) & (x <= 1), "a probability")

    def chances(self, axes: Axes, size: float, cells: int) -> Axes:
        last = _last_counts(int(size) - 1, cells)
        return tuple(_diff(bdtr(last, int(size), x[:, None])) for x in axes)

    def noise(self, columns: int, size: float) -> int:  # noqa: ARG002
        return columns

    def statistic(self, x: Floats, size: float, u: Floats) -> Floats:
        p = np.clip(x, RARE, 1 - RARE)
        near = np.clip(bdtrik(u, size, p), 0, size)
        return np.minimum(_least(lambda k: bdtr(np.minimum(k, size), int(size), p), near, u), size)


@dataclass(frozen=True, slots=True)
class NormalUnknownSd:
    """Normal observations whose sd is itself unknown: x is (draws, 2), mean and sd.

    The statistic is the sample mean and, from two observations on, the logarithm of the sample sd.
    """

    def check(self, x: Floats, size: float) -> None:
        _require(size >= 1 and float(size).is_integer(), size, "a whole number of observations")
        if x.shape[1] != 2:
            raise ValueError(f"x has {x.shape[1]} columns; expected 2, mean and sd")
        _within(x[:, 1:], x[:, 1:] > 0, "an sd > 0 (the second column of x)")

    def chances(self, axes: Axes, size: float, cells: int) -> Axes:
        mean, sd = axes
        error = sd / math.sqrt(size)
        # The places are even in normal score, so that quantiles over them are close where most of the averages fall.
        spread = mean[:, None, None] + error[:, None] * np.linspace(-TAIL, TAIL, SCORES)
        inner = np.quantile(spread, np.linspace(0, 1, cells - 1))
        average = _diff(ndtr((inner - mean[:, None]) / error[:, None, None]))
        if size == 1:
            return average, np.ones((len(sd), 1))
        freedom = size - 1
        quantiles = np.sqrt(chdtri(freedom, [1 - RARE, RARE]) / freedom)
        inner = np.geomspace(sd.min() * quantiles[0], sd.max() * quantiles[1], cells - 1)
        return average, _diff(chdtr(freedom, freedom * (inner / sd[:, None]) ** 2))

    def noise(self, columns: int, size: float) -> int:  # noqa: ARG002
        return 1 if size == 1 else 2

    def statistic(self, x: Floats, size: float, u: Floats) -> Floats:
        mean, sd = x.T
        average = mean + sd / math.sqrt(size) * ndtri(u[:, 0])
        if size == 1:
            return np.asarray(average[:, None])
        freedom = size - 1
        return np.stack([average, np.log(sd) + 0.5 * np.log(chdtri(freedom, u[:, 1]) / freedom)], axis=1)


def _normal_cells(x: Floats, error: float, cells: int) -> Floats:
    error = max(error, 1e-9 * float(np.ptp(x)), np.finfo(np.float64).tiny)
    inner = np.linspace(x.min() - TAIL * error, x.max() + TAIL * error, cells - 1)
    return _diff(ndtr((inner - x[:, None]) / error))


def _diff(below: NDArray[np.floating]) -> Floats:
    return np.asarray(np.diff(below, axis=-1, prepend=0, append=1), dtype=np.float64)


def _last_counts(most: int, cells: int) -> Floats:
    """The last count of each cell but the one above `most`; a count a cell if there are cells enough."""
    return np.asarray(np.unique(np.linspace(0, most, min(most + 1, cells - 1)).round()))


def _least(cdf: Callable[[Floats], NDArray[np.floating]], near: NDArray[np.floating], u: Floats) -> Floats:
    """Least whole k with cdf(k) >= u, next to a solution that is not whole."""
    k = np.maximum(np.ceil(np.asarray(near, dtype=np.float64)) - 1, 0)
    return np.asarray(np.where(cdf(k) >= u, k, k + 1))


def _require(holds: bool, size: float, expected: str) -> None:
    if not holds:
        raise ValueError(f"size is {size}; expected {expected}")


def _within(x: Floats, holds: NDArray[np.bool_], expected: str) -> None:
    wrong = np.argwhere(~holds)
    if len(wrong):
        row, column = wrong[0]
        raise ValueError(f"x: row {row}, column {column} is {x[row, column]}; expected {expected}")
