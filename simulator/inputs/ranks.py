"""Spearman's rank correlation of two laws under a Gaussian copula, atoms included.

With ties, Spearman's rho is the correlation of the mid-ranks G(X), G(x) = (P(X < x) + P(X <= x)) / 2. As a function of
the normal score, G rises like Phi where the law has no atom, and by half the atom's probability at either end of one.
Plackett's identity d E[1(Z > s) 1(W > t)] / dr = phi2(s, t; r) turns the covariance of G1(Z) and G2(W) into
integral from 0 to r of K(s) ds, with K the double integral of phi2 over dG1 and dG2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import ndtr

from simulator.inputs.quadrature import density, panels
from simulator.inputs.roots import first_at_least

if TYPE_CHECKING:
    from simulator.inputs.law import Distribution, Floats

LEAST_ATOM: Final = 1e-3  # a rarer value moves the correlation by less than 1e-6: it counts as continuous
FARTHEST: Final = 8.0  # in normal scores
PANELS: Final = math.pi / 2 * np.append(1 - 0.5 ** np.arange(9), 1.0)  # of the angle whose sine is r, finer towards 1


@dataclass(frozen=True, slots=True)
class MidRank:
    """dG of one law: jumps at points of the normal score, and intervals on which it is phi."""

    points: Floats
    jumps: Floats
    left: Floats
    right: Floats
    sd: float
    nodes: Floats  # quadrature of phi over the intervals
    weights: Floats

    @property
    def smooth(self) -> bool:
        return not self.points.size


def mid_rank(law: Distribution) -> MidRank:
    atoms = law.atoms(LEAST_ATOM) if law.discrete else np.empty(0)
    before = np.nextafter(atoms, -np.inf)
    bottom, top = law.score(before), law.score(atoms)
    mass = np.where(top <= 0, law.cdf(atoms) - law.cdf(before), law.sf(before) - law.sf(atoms))
    points, where = np.unique(np.concatenate([bottom, top]), return_inverse=True)
    jumps = np.bincount(where, np.concatenate([mass, mass]) / 2, minlength=points.size)
    finite = np.isfinite(points)
    left, right = np.append(-np.inf, top), np.append(bottom, np.inf)
    open_ = right > left
    # the variance of a mid-rank is 1/12 less a twelfth of the cubes of the atoms (0 for a law of one value)
    sd = math.sqrt(max(0.0, 1 - float(np.sum(mass**3))) / 12)
    return MidRank(points[finite], jumps[finite], left[open_], right[open_], sd, *_nodes(left[open_], right[open_]))


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Spearman's correlation of two laws as a function of the Pearson correlation of their normal scores."""

    first: MidRank
    second: MidRank

    def spearman(self, pearson: float) -> float:
        if self.first.smooth and self.second.smooth:
            return 6 / math.pi * math.asin(pearson / 2)
        angle = math.asin(pearson)
        edges = math.copysign(1.0, angle) * np.append(PANELS[abs(angle) > PANELS], abs(angle))
        return float(np.sum(self._integrals(edges[:-1], edges[1:]))) / self._scale

    def pearson(self, spearman: float) -> float:
        """The inverse; nan where no Gaussian copula gives the rank correlation."""
        if self.first.smooth and self.second.smooth:
            return 2 * math.sin(math.pi / 6 * spearman)
        sign = math.copysign(1.0, spearman)
        target = np.array([abs(spearman) * self._scale])
        reached = np.append(0.0, np.cumsum(self._integrals(sign * PANELS[:-1], sign * PANELS[1:]))) * sign
        if not target < reached[-1]:
            return math.nan
        panel = int(np.searchsorted(reached, target[0], side="right")) - 1
        start = PANELS[panel : panel + 1]
        angle = first_at_least(
            lambda end, _: reached[panel] + sign * self._integrals(sign * start, sign * end),
            target,
            start,
            PANELS[panel + 1 : panel + 2],
        )
        return sign * math.sin(float(angle[0]))

    @property
    def attainable(self) -> tuple[float, float]:
        return self.spearman(-1.0), self.spearman(1.0)

    @property
    def _scale(self) -> float:
        return self.first.sd * self.second.sd

    def _integrals(self, left: Floats, right: Floats) -> Floats:
        """Integral of K(sin a) cos a over each interval of the angle a."""
        angles, weight = panels(left, right)
        kernel = np.array([self._kernel(math.sin(angle)) for angle in angles.flat]).reshape(angles.shape)
        return np.asarray(np.sum(kernel * np.cos(angles) * weight, axis=-1))

    def _kernel(self, r: float) -> float:
        """K(r): jumps with jumps, jumps with intervals either way, intervals with intervals; one law at least jumps."""
        one, two = self.first, self.second
        total = 0.0
        if one.points.size and two.points.size:
            total += float(one.jumps @ _bivariate(one.points[:, None], two.points, r) @ two.jumps)
        total += float(one.jumps @ _over_intervals(one.points, two, r)) + float(
            two.jumps @ _over_intervals(two.points, one, r)
        )
        if one.left.size and two.left.size:
            total += float(one.weights @ _over_intervals(one.nodes, two, r))
        return total


def _nodes(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Quadrature of phi over the intervals."""
    regular = np.linspace(-FARTHEST, FARTHEST, 17)
    edges = np.unique(np.clip(np.concatenate([left, right, regular]), -FARTHEST, FARTHEST))
    middle = (edges[:-1] + edges[1:]) / 2
    inside = ((middle[:, None] > left) & (middle[:, None] < right)).any(axis=1)
    z, weight = panels(edges[:-1][inside], edges[1:][inside])
    return z.ravel(), (weight * density(z)).ravel()


def _bivariate(x: Floats, y: Floats, r: float) -> Floats:
    """Density of the standard bivariate normal."""
    rest = (1 - r) * (1 + r)
    return np.asarray(np.exp(-(x * x - 2 * r * x * y + y * y) / (2 * rest)) / (2 * math.pi * math.sqrt(rest)))


def _over_intervals(x: Floats, rank: MidRank, r: float) -> Floats:
    """Integral of phi(y) phi2(x, y; r) over the intervals of y: a product of normal densities is a normal density."""
    spread = 2 - r * r
    centre, width = r * x[:, None] / spread, math.sqrt((1 - r) * (1 + r) / spread)
    share = np.sum(ndtr((rank.right - centre) / width) - ndtr((rank.left - centre) / width), axis=1)
    return np.asarray(density(x) * density(r * x / math.sqrt(spread)) / math.sqrt(spread) * share)
