"""Laws on a list of values: a constant, bernoulli, discrete, empirical."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from scipy.special import ndtri

from simulator.inputs.faults import BadSpec, shown
from simulator.inputs.law import Floats, Law, score_of


@dataclass(frozen=True, slots=True, eq=False)
class Discrete(Law):
    """One of a list of values, with a weight each; weights need not add up to one.

    Parameters
    ----------
    values, weights : (n,) array
        In any order; a value may repeat, a weight may be 0.
    """

    values: Floats
    weights: Floats
    _below: Floats = field(init=False, repr=False)  # P(X <= value)
    _above: Floats = field(init=False, repr=False)  # P(X > value)
    _scores: Floats = field(init=False, repr=False)

    spellings: ClassVar = (("values", "weights"),)
    closed_form: ClassVar = True

    def __post_init__(self) -> None:
        weights = np.asarray(self.weights, dtype=float)
        values, where = np.unique(np.asarray(self.values, dtype=float)[weights > 0], return_inverse=True)
        weights = np.bincount(where, weights[weights > 0])
        total = weights.sum()
        below = np.cumsum(weights) / total
        above = np.append(np.cumsum(weights[:0:-1])[::-1] / total, 0.0)
        below[-1] = 1.0
        for name, array in {
            "values": values,
            "weights": weights / total,
            "_below": below,
            "_above": above,
            "_scores": score_of(below, above),
        }.items():
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Discrete):
            return NotImplemented
        return np.array_equal(self.values, other.values) and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash((self.values.tobytes(), self.weights.tobytes()))

    @property
    def mean(self) -> float:
        return float(self.weights @ self.values)

    @property
    def sd(self) -> float:
        return float(np.sqrt(self.weights @ (self.values - self.mean) ** 2))

    @property
    def discrete(self) -> bool:
        return True

    @property
    def support(self) -> tuple[float, float]:
        return float(self.values[0]), float(self.values[-1])

    @property
    def kinks(self) -> tuple[float, ...]:
        return tuple(self.values.tolist())

    def cdf(self, x: Floats) -> Floats:
        return np.append(0.0, self._below)[np.searchsorted(self.values, x, side="right")]

    def sf(self, x: Floats) -> Floats:
        return np.append(1.0, self._above)[np.searchsorted(self.values, x, side="right")]

    def lower(self, u: Floats) -> Floats:
        return self.values[np.searchsorted(self._below[:-1], u, side="left")]

    def upper(self, v: Floats) -> Floats:
        rising = self._above[:-1][::-1]
        return self.values[rising.size - np.searchsorted(rising, v, side="right")]

    def at_score(self, z: Floats) -> Floats:
        return self.values[np.searchsorted(self._scores[:-1], z, side="left")]

    def partial_mean(self, x: Floats) -> Floats:
        sums = np.append(0.0, np.cumsum(self.weights * self.values))
        return sums[np.searchsorted(self.values, x, side="right")]

    def atoms(self, least: float = 1e-3) -> Floats:
        return self.values[self.weights >= least]


@dataclass(frozen=True, slots=True, eq=False)
class Empirical(Discrete):
    """The numbers of a column of a file, each as likely as the next."""

    spellings: ClassVar = (("file", "column"),)

    @classmethod
    def of(cls, sample: Floats) -> Self:
        return cls(sample, np.ones(np.size(sample)))


@dataclass(frozen=True, slots=True)
class Bernoulli(Law):
    """1 with probability p, else 0."""

    p: float

    spellings: ClassVar = (("p",),)
    closed_form: ClassVar = True

    @classmethod
    def from_spec(cls, spec: Mapping[str, float]) -> Self:
        if not 0 <= spec["p"] <= 1:
            raise BadSpec(("p",), shown(spec["p"]), "a probability between 0 and 1")
        return cls(spec["p"])

    @property
    def mean(self) -> float:
        return self.p

    @property
    def sd(self) -> float:
        return float(np.sqrt(self.p * (1 - self.p)))

    @property
    def discrete(self) -> bool:
        return True

    @property
    def support(self) -> tuple[float, float]:
        return float(self.p == 1), float(self.p > 0)

    @property
    def kinks(self) -> tuple[float, ...]:
        return 0.0, 1.0

    def cdf(self, x: Floats) -> Floats:
        return np.where(np.less(x, 0), 0.0, np.where(np.less(x, 1), 1 - self.p, 1.0))

    def sf(self, x: Floats) -> Floats:
        return np.where(np.less(x, 0), 1.0, np.where(np.less(x, 1), self.p, 0.0))

    def lower(self, u: Floats) -> Floats:
        return np.where(np.greater(u, 1 - self.p), 1.0, 0.0)

    def upper(self, v: Floats) -> Floats:
        return np.where(np.less(v, self.p), 1.0, 0.0)

    def at_score(self, z: Floats) -> Floats:
        return np.where(np.greater(z, -ndtri(self.p)), 1.0, 0.0)

    def partial_mean(self, x: Floats) -> Floats:
        return np.where(np.less(x, 1), 0.0, self.p)

    def atoms(self, least: float = 1e-3) -> Floats:
        return np.array([value for value, mass in ((0.0, 1 - self.p), (1.0, self.p)) if mass >= least])


@dataclass(frozen=True, slots=True)
class Constant(Law):
    """One value for certain: a part of a mixture."""

    value: float

    closed_form: ClassVar = True

    @property
    def mean(self) -> float:
        return self.value

    @property
    def sd(self) -> float:
        return 0.0

    @property
    def discrete(self) -> bool:
        return True

    @property
    def support(self) -> tuple[float, float]:
        return self.value, self.value

    @property
    def kinks(self) -> tuple[float, ...]:
        return (self.value,)

    def cdf(self, x: Floats) -> Floats:
        return np.where(np.less(x, self.value), 0.0, 1.0)

    def sf(self, x: Floats) -> Floats:
        return np.where(np.less(x, self.value), 1.0, 0.0)

    def lower(self, u: Floats) -> Floats:
        return np.full(np.shape(u), self.value)

    def upper(self, v: Floats) -> Floats:
        return np.full(np.shape(v), self.value)

    def at_score(self, z: Floats) -> Floats:
        return np.full(np.shape(z), self.value)

    def partial_mean(self, x: Floats) -> Floats:
        return self.value * self.cdf(x)

    def atoms(self, least: float = 1e-3) -> Floats:  # noqa: ARG002
        return np.array([self.value])
