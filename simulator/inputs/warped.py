"""A law that was learned: another law, its normal score bent by what was measured.

Below the score stands the prior as it was declared, whatever its family, its atoms and its ends: a posterior is the
prior read at other scores. The bend is a piecewise linear, rising function from the posterior's normal score to the
prior's, known at evenly spaced nodes and continued in its last slope beyond them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np
from scipy.special import ndtr, ndtri

from simulator.inputs.law import Distribution, Floats, Law
from simulator.inputs.quadrature import density
from simulator.inputs.tabulate import tabulated

REACH: Final = 8.0  # of the nodes, in normal scores
NODES: Final = 513
FINE: Final = 20_001  # points of the sums for the moments; a law with atoms is smooth nowhere


def nodes() -> Floats:
    """Posterior scores at which a bend is known, (NODES,)."""
    return np.linspace(-REACH, REACH, NODES)


@dataclass(frozen=True, slots=True, eq=False)
class Warped(Law):
    """The law of base.at_score(bend(Z)) of a standard normal Z.

    Attributes
    ----------
    base : Distribution
        The law before anything was measured.
    bend : (NODES,) array
        Score of the base at each of `nodes()`; rising.
    effective : float
        Independent draws that the bend rests on; infinite where it was computed and not sampled.
    """

    base: Distribution
    bend: Floats = field(repr=False)
    effective: float = math.inf
    mean: float = field(init=False)
    sd: float = field(init=False)
    fast: Distribution = field(init=False, repr=False)

    closed_form: ClassVar = True  # no table is made of it: its base has one

    def __post_init__(self) -> None:
        object.__setattr__(self, "fast", tabulated(self.base))
        z = np.linspace(-REACH, REACH, FINE)
        x, weight = self.at_score(z), density(z)
        weight = weight / weight.sum()
        mean = float(weight @ x)
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "sd", math.sqrt(float(weight @ (x - mean) ** 2)))

    @property
    def sampled(self) -> bool:
        """Whether the law is known from a sampler's draws only, and so is uncertain itself."""
        return math.isfinite(self.effective)

    @property
    def support(self) -> tuple[float, float]:
        return self.base.support

    @property
    def discrete(self) -> bool:
        return self.base.discrete

    @property
    def kinks(self) -> tuple[float, ...]:
        return self.base.kinks

    def at_score(self, z: Floats) -> Floats:
        return self.fast.at_score(self._bent(np.asarray(z, dtype=float)))

    def score(self, x: Floats) -> Floats:
        return self._straight(np.asarray(self.fast.score(x), dtype=float))

    def cdf(self, x: Floats) -> Floats:
        return np.asarray(ndtr(self.score(x)), dtype=float)

    def sf(self, x: Floats) -> Floats:
        return np.asarray(ndtr(-self.score(x)), dtype=float)

    def lower(self, u: Floats) -> Floats:
        return self.at_score(ndtri(u))

    def upper(self, v: Floats) -> Floats:
        return self.at_score(-ndtri(v))

    def atoms(self, least: float = 1e-3) -> Floats:
        values = self.base.atoms(least / 1000)  # what was rare may have become likely
        mass = self.cdf(values) - self.cdf(np.nextafter(values, -np.inf))
        return np.asarray(values[mass >= least], dtype=float)

    def _bent(self, z: Floats) -> Floats:
        at, step = self.bend, 2 * REACH / (NODES - 1)
        inside = np.interp(z, nodes(), at)
        low, high = (at[1] - at[0]) / step, (at[-1] - at[-2]) / step
        return np.asarray(inside + np.minimum(z + REACH, 0) * low + np.maximum(z - REACH, 0) * high)

    def _straight(self, score: Floats) -> Floats:
        at, step = self.bend, 2 * REACH / (NODES - 1)
        inside = np.interp(score, at, nodes())
        low, high = (at[1] - at[0]) / step, (at[-1] - at[-2]) / step
        return np.asarray(inside + np.minimum(score - at[0], 0) / low + np.maximum(score - at[-1], 0) / high)
