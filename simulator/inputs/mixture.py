"""Mixtures: one of several laws, by weight; a part may be a single value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar, Final

import numpy as np
from scipy.special import ndtri

from simulator.inputs.law import Distribution, Floats, Law
from simulator.inputs.roots import TOLERANCE, first_at_least

LEAST_ATOM: Final = 1e-5  # rarer values are found to two units in the last place instead


@dataclass(frozen=True, slots=True)
class Mixture(Law):
    """One of several laws, with a weight each; weights need not add up to one, and a part may be a plain number."""

    weights: tuple[float, ...]
    parts: tuple[Distribution, ...]

    spellings: ClassVar = (("weights", "parts"),)

    def __post_init__(self) -> None:
        total = sum(self.weights)
        object.__setattr__(self, "weights", tuple(weight / total for weight in self.weights))

    @property
    def discrete(self) -> bool:
        return any(part.discrete for part in self.parts)

    @property
    def mean(self) -> float:
        return sum(weight * part.mean for weight, part in self._weighted)

    @property
    def sd(self) -> float:
        mean = self.mean
        return float(np.sqrt(sum(weight * (part.sd**2 + (part.mean - mean) ** 2) for weight, part in self._weighted)))

    @property
    def support(self) -> tuple[float, float]:
        ends = np.array([part.support for part in self.parts])
        return float(ends[:, 0].min()), float(ends[:, 1].max())

    @property
    def kinks(self) -> tuple[float, ...]:
        low, high = self.support
        places = {x for part in self.parts for x in (*part.support, *part.kinks, *part.atoms().tolist())}
        return tuple(sorted(x for x in places if low < x < high))

    def cdf(self, x: Floats) -> Floats:
        return self._sum(lambda part: part.cdf(x))

    def sf(self, x: Floats) -> Floats:
        return self._sum(lambda part: part.sf(x))

    def partial_mean(self, x: Floats) -> Floats:
        return self._sum(lambda part: part.partial_mean(x))

    def lower(self, u: Floats) -> Floats:
        return self.at_score(ndtri(u))

    def upper(self, v: Floats) -> Floats:
        return self.at_score(-ndtri(v))

    def at_score(self, z: Floats) -> Floats:
        """Between the least and the largest of the parts' quantiles there is the mixture's; atoms are met exactly."""
        z = np.asarray(z, dtype=float)
        quantiles = [part.at_score(z) for part in self.parts]
        low, high = reduce(np.minimum, quantiles), reduce(np.maximum, quantiles)
        atom = self._atom_at(z)
        low, high = np.where(np.isnan(atom), low, atom), np.where(np.isnan(atom), high, atom)
        x = first_at_least(lambda x, _: self.score(x), z, low, high)
        whole = np.rint(x)  # the rarer counts of a part, met to two units in the last place
        return np.where(np.isclose(x, whole, rtol=4 * TOLERANCE, atol=0), whole, x)

    def atoms(self, least: float = 1e-3) -> Floats:
        x = self._atoms_of_parts(least)
        return x[self.cdf(x) - self.cdf(np.nextafter(x, -np.inf)) >= least]

    @property
    def _weighted(self) -> Iterator[tuple[float, Distribution]]:
        return zip(self.weights, self.parts, strict=True)

    def _sum(self, of: Callable[[Distribution], Floats]) -> Floats:
        return np.asarray(sum(weight * of(part) for weight, part in self._weighted), dtype=float)

    def _atoms_of_parts(self, least: float) -> Floats:
        return np.unique(np.concatenate([part.atoms(least) for part in self.parts]))

    def _atom_at(self, z: Floats) -> Floats:
        """The atom that holds the score, nan where none does."""
        x = self._atoms_of_parts(LEAST_ATOM)
        bottom, top = np.append(self.score(np.nextafter(x, -np.inf)), np.inf), self.score(x)
        place = np.searchsorted(top, z, side="left")
        return np.where(z > bottom[place], np.append(x, np.nan)[place], np.nan)
