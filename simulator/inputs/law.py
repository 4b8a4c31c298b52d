"""What a distribution is: a frozen value with its moments, its CDF and its inverse, right in both tails."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from simulator.inputs.quadrature import partial_mean_by_quadrature

Floats = NDArray[np.float64]


class Distribution(Protocol):
    """A probability law of one input.

    Every law answers both from the lower and from the upper tail, so that neither loses digits: `lower(u)` inverts
    P(X <= x), `upper(v)` inverts P(X > x), and `at_score(z)` is the quantile at the probability Phi(z).
    """

    @property
    def mean(self) -> float: ...
    @property
    def sd(self) -> float: ...
    @property
    def support(self) -> tuple[float, float]:
        """Smallest interval that holds all the probability."""

    @property
    def discrete(self) -> bool:
        """Whether the law has atoms, values of positive probability."""

    @property
    def kinks(self) -> tuple[float, ...]:
        """Values at which the CDF is not smooth, the ends of the support aside."""

    @property
    def closed_form(self) -> bool:
        """Whether `at_score` is fast as it is, so that no table is made of it."""

    @property
    def stated(self) -> tuple[tuple[float, float], ...]:
        """Quantiles (probability, value) that the law was elicited by; empty for a law given by its parameters."""

    @property
    def residuals(self) -> Floats:
        """Quantiles of the law less the stated ones, in the order of `stated`."""

    def cdf(self, x: Floats) -> Floats:
        """P(X <= x)."""

    def sf(self, x: Floats) -> Floats:
        """P(X > x)."""

    def lower(self, u: Floats) -> Floats:
        """Smallest x with P(X <= x) >= u; made for u <= 0.5."""

    def upper(self, v: Floats) -> Floats:
        """Smallest x with P(X > x) <= v; made for v <= 0.5."""

    def ppf(self, u: Floats) -> Floats:
        """Smallest x with P(X <= x) >= u."""

    def at_score(self, z: Floats) -> Floats:
        """ppf(Phi(z)), without loss in the upper tail."""

    def score(self, x: Floats) -> Floats:
        """Phi^-1(cdf(x)); -inf below and inf above the support."""

    def partial_mean(self, x: Floats) -> Floats:
        """E[X 1(X <= x)]."""

    def atoms(self, least: float = 1e-3) -> Floats:
        """Values whose probability is at least `least`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Law(ABC):
    """What the families share: everything that follows from the CDF, its complement and their two inverses."""

    stated: tuple[tuple[float, float], ...] = field(default=(), repr=False)

    spellings: ClassVar[tuple[tuple[str, ...], ...]] = ()
    closed_form: ClassVar[bool] = False

    @classmethod
    def from_spec(cls, spec: Mapping[str, float]) -> Self:
        """The law that the numbers of one of the `spellings` mean; BadSpec where they cannot."""
        raise NotImplementedError(f"{cls.__name__} is not spelt by numbers alone: {sorted(spec)}")

    @property
    def discrete(self) -> bool:
        return False

    @property
    def kinks(self) -> tuple[float, ...]:
        return ()

    @property
    def residuals(self) -> Floats:
        p, x = np.array(self.stated, dtype=float).reshape(-1, 2).T
        return np.asarray(self.ppf(p) - x)

    @abstractmethod
    def cdf(self, x: Floats) -> Floats: ...
    @abstractmethod
    def sf(self, x: Floats) -> Floats: ...
    @abstractmethod
    def lower(self, u: Floats) -> Floats: ...
    @abstractmethod
    def upper(self, v: Floats) -> Floats: ...

    def ppf(self, u: Floats) -> Floats:
        u = np.asarray(u, dtype=float)
        below = u <= 0.5
        out = np.full(u.shape, np.nan)
        out[below] = self.lower(u[below])
        above = u > 0.5  # 1 - u is exact there
        out[above] = self.upper(1 - u[above])
        return out

    def at_score(self, z: Floats) -> Floats:
        z = np.asarray(z, dtype=float)
        below = z <= 0
        out = np.full(z.shape, np.nan)
        out[below] = self.lower(ndtr(z[below]))
        above = z > 0
        out[above] = self.upper(ndtr(-z[above]))
        return out

    def score(self, x: Floats) -> Floats:
        return score_of(self.cdf(x), self.sf(x))

    def partial_mean(self, x: Floats) -> Floats:
        return partial_mean_by_quadrature(self, x)

    def atoms(self, least: float = 1e-3) -> Floats:  # noqa: ARG002
        return np.empty(0)


def score_of(below: Floats, above: Floats) -> Floats:
    """Normal score of a probability, from whichever of it and its complement is the smaller."""
    return np.asarray(np.where(below <= 0.5, ndtri(below), -ndtri(above)), dtype=float)
