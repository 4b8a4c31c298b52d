"""Integrals over a law as integrals over its normal score z, where at_score is smooth and the weight decays fast.

Gauss-Legendre on panels of 1/4 in z, split at the kinks of the law: 12 digits or more for every family here, the logit
metalog with its nearby poles included.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from simulator.inputs.law import Floats

NODES: Final = 12
PANEL: Final = 0.25
REACH: Final = 12.0  # phi(12) is 2e-32


class Scored(Protocol):
    """What an integral needs of a law."""

    @property
    def kinks(self) -> tuple[float, ...]: ...
    def at_score(self, z: Floats) -> Floats: ...
    def score(self, x: Floats) -> Floats: ...


def density(z: Floats) -> Floats:
    """Density of the standard normal."""
    return np.asarray(np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi), dtype=float)


def moments(law: Scored, reach: float = REACH) -> tuple[float, float]:
    """Mean and standard deviation of a law without atoms, from its quantiles."""
    edges = _edges(law, reach)
    z, weight = panels(edges[:-1], edges[1:])
    x, weight = law.at_score(z), weight * density(z)
    mean = float(np.sum(weight * x))
    return mean, float(np.sqrt(np.sum(weight * (x - mean) ** 2)))


def partial_mean_by_quadrature(law: Scored, x: Floats, reach: float = REACH) -> Floats:
    """E[X 1(X <= x)] of a law without atoms: whole panels up to the one of x, then what is left of that one."""
    edges = _edges(law, reach)
    whole = np.concatenate([[0.0], np.cumsum(_mean_between(law, edges[:-1], edges[1:]))])
    z = np.clip(law.score(np.asarray(x, dtype=float)), edges[0], edges[-1])
    panel = np.clip(np.searchsorted(edges, z) - 1, 0, edges.size - 2)
    return np.asarray(whole[panel] + _mean_between(law, edges[panel], z), dtype=float)


def panels(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes and weights of each interval, in a new last axis."""
    node, weight = _gauss()
    half = np.asarray(right - left)[..., None] / 2
    return np.asarray(left)[..., None] + half * (1 + node), half * weight


@cache
def _gauss() -> tuple[Floats, Floats]:
    node, weight = np.polynomial.legendre.leggauss(NODES)
    return node, weight


def _mean_between(law: Scored, left: Floats, right: Floats) -> Floats:
    z, weight = panels(left, right)
    return np.asarray(np.sum(weight * density(z) * law.at_score(z), axis=-1))


def _edges(law: Scored, reach: float) -> Floats:
    kinks = law.score(np.array(law.kinks, dtype=float))
    regular = np.linspace(-reach, reach, 1 + round(2 * reach / PANEL))
    return np.union1d(regular, kinks[np.abs(kinks) < reach])
