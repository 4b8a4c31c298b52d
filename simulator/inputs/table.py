"""The same law with a fast inverse: cubic Hermite cells in the normal score, or a search in a list of steps.

A cell whose interpolation error exceeds `TOLERANCE` is not used: its draws take the exact path, so a kink, a gap or an
atom costs time and never a wrong figure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from simulator.inputs.law import Law

if TYPE_CHECKING:
    from simulator.inputs.law import Distribution, Floats

REACH: Final = 6.5  # in normal scores; beyond, 2e-10 of the draws take the exact path
CELLS: Final = (512, 4096)  # the finer table where the coarser would leave many draws to the exact path
MANY_DRAWS: Final = 1e-3
TOLERANCE: Final = 3e-10  # of an sd, at the middle of a cell; nowhere more than 1e-9
GUIDES: Final = 4096  # of a discrete law: cells that say where the search starts
MOST_HOPS: Final = 3  # steps in a guide's cell, beyond which a binary search is faster


@dataclass(frozen=True, slots=True)
class Tabulated(Law):
    """Another law; what a table answers fast is overridden below, all else comes from the law itself."""

    law: Distribution

    @property
    def mean(self) -> float:
        return self.law.mean

    @property
    def sd(self) -> float:
        return self.law.sd

    @property
    def support(self) -> tuple[float, float]:
        return self.law.support

    @property
    def discrete(self) -> bool:
        return self.law.discrete

    @property
    def kinks(self) -> tuple[float, ...]:
        return self.law.kinks

    def cdf(self, x: Floats) -> Floats:
        return self.law.cdf(x)

    def sf(self, x: Floats) -> Floats:
        return self.law.sf(x)

    def lower(self, u: Floats) -> Floats:
        return self.law.lower(u)

    def upper(self, v: Floats) -> Floats:
        return self.law.upper(v)

    def score(self, x: Floats) -> Floats:
        return self.law.score(x)

    def partial_mean(self, x: Floats) -> Floats:
        return self.law.partial_mean(x)

    def atoms(self, least: float = 1e-3) -> Floats:
        return self.law.atoms(least)

    def _exact_beyond(self, z: Floats, x: Floats) -> Floats:
        if z.size and (z.min() < -REACH or z.max() >= REACH):
            self._exact_where((z < -REACH) | (z >= REACH), z, x)
        return x

    def _exact_where(self, mask: NDArray[np.bool_], z: Floats, x: Floats) -> None:
        if mask.any():
            x[mask] = self.law.at_score(z[mask])


@dataclass(frozen=True, slots=True)
class Curve(Tabulated):
    """Cubic Hermite cells over |z| <= 6.5, slopes by differences of fourth order."""

    cubic: Floats = field(init=False, repr=False, compare=False)  # (4, cells), by rising power
    exact: NDArray[np.bool_] = field(init=False, repr=False, compare=False)  # (cells,): the cell is not used
    all_used: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for cells in CELLS:
            cubic, exact = _hermite(self.law, cells)
            edges = ndtr(np.linspace(-REACH, REACH, cells + 1))
            if np.diff(edges)[exact].sum() < MANY_DRAWS:
                break
        for name, value in {"cubic": cubic, "exact": exact, "all_used": not exact.any()}.items():
            object.__setattr__(self, name, value)

    def at_score(self, z: Floats) -> Floats:
        z = np.asarray(z, dtype=float)
        cell, place = _cell(z, self.exact.size)
        x = evaluated(self.cubic, cell, place)
        if not self.all_used:
            self._exact_where(self.exact.take(cell, mode="clip"), z, x)
        return self._exact_beyond(z, x)


@dataclass(frozen=True, slots=True)
class Steps(Tabulated):
    """The values of a discrete law, the score up to which each holds, and where in them to start searching."""

    values: Floats = field(repr=False, compare=False)
    scores: Floats = field(init=False, repr=False, compare=False)
    guide: NDArray[np.intp] = field(init=False, repr=False, compare=False)
    hops: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        scores = np.append(self.law.score(self.values[:-1]), np.inf)
        places = scores.searchsorted(np.linspace(-REACH, REACH, GUIDES + 1))
        guide, hops = places[:-1], int(np.diff(places).max())
        for name, value in {"scores": scores, "guide": guide, "hops": hops}.items():
            object.__setattr__(self, name, value)

    def at_score(self, z: Floats) -> Floats:
        z = np.asarray(z, dtype=float)
        if self.hops > MOST_HOPS:
            step = self.scores.searchsorted(z)
        else:
            step = np.asarray(self.guide.take(_cell(z, GUIDES)[0], mode="clip"))
            for _ in range(self.hops):
                step += self.scores.take(step, mode="clip") < z
        return self._exact_beyond(z, np.asarray(self.values.take(step, mode="clip")))


def _cell(z: Floats, cells: int) -> tuple[NDArray[np.intp], Floats]:
    """Which of the cells over |z| <= 6.5 holds the score, and where in it; nonsense beyond."""
    place = np.asarray(z * (cells / (2 * REACH)) + cells / 2)
    with np.errstate(invalid="ignore"):  # an infinite score
        cell = place.astype(np.intp)
        place -= cell
    return cell, place


def _hermite(law: Distribution, cells: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Coefficients of the cells, and which of them are not good enough."""
    step = 2 * REACH / cells
    nodes = step * np.arange(-2, cells + 3) - REACH
    every = law.at_score(np.concatenate([nodes, nodes[2:-3] + step / 2]))
    y, middle = every[: nodes.size], every[nodes.size :]
    slope = (y[:-4] - 8 * y[1:-3] + 8 * y[3:-1] - y[4:]) / 12
    left, rise, at_left, at_right = y[2:-3], np.diff(y[2:-2]), slope[:-1], slope[1:]
    exact = ~(np.abs(left + rise / 2 + (at_left - at_right) / 8 - middle) <= TOLERANCE * law.sd)
    kinks = np.array(law.kinks)
    for score in np.concatenate([law.score(np.nextafter(kinks, -np.inf)), law.score(kinks)]):
        if abs(score) < REACH:
            cell = int((score + REACH) / step)
            exact[max(0, cell - 2) : cell + 3] = True  # a slope reaches over two nodes
    return hermite(left, rise, at_left, at_right), exact


def hermite(left: Floats, rise: Floats, at_left: Floats, at_right: Floats) -> Floats:
    """Coefficients, by rising power of the fraction of a cell, from its first value, its rise and its end slopes."""
    return np.stack([left, at_left, 3 * rise - 2 * at_left - at_right, at_left + at_right - 2 * rise])


def evaluated(cubic: Floats, cell: NDArray[np.intp], fraction: Floats) -> Floats:
    x = np.asarray(cubic[3].take(cell, mode="clip"))
    for power in (2, 1, 0):
        x *= fraction
        x += cubic[power].take(cell, mode="clip")
    return x
