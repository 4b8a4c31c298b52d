"""The posterior of one input, whatever its prior: exact on a grid of the prior's normal score.

Under the score the prior is standard normal, be it a beta, a metalog, a mixture or a list of values. The posterior
density of the score is phi(z) times the likelihoods at the prior's quantile of z; its distribution function, inverted,
is the bend from posterior to prior scores. No sampler, no seed, and as exact as the grid is fine.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from simulator.calibration.fit import CHAINS, DRAWS, Fit, Group
from simulator.inputs.law import score_of
from simulator.inputs.warped import nodes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from simulator.calibration.likelihood import Curve

Floats = NDArray[np.float64]

FARTHEST: Final = 9.0  # in normal scores of the prior
DEPTH: Final = 42.0
SCOUTS: Final = 401
ZOOMS: Final = 6
ENOUGH: Final = 0.8
SMOOTH, STEPPED = 2001, 20_001
"""Grid points under a prior without and with atoms or kinks: across a jump a trapezoid errs by half a cell."""
PAIRS: Final = 2**14  # points of the correlations
MOST: Final = 7.5  # posterior scores beyond are extrapolated: 6e-14 of the probability
LEAST_STEP: Final = 1e-9


def log_posterior(group: Group, curves: Mapping[str, Curve], z: Floats, power: float = 1.0) -> Floats:
    """Log posterior density of the prior score of a group's one measured input, up to a constant, (nodes,).

    `power` is that of the likelihood; 1 but for the test of how much hangs on it.
    """
    values = group.values({group.measured[0]: z})
    total = -0.5 * z * z
    for each in group.observations:
        total = total + power * curves[each.key](each.quantity.of(values))
    return np.asarray(total)


def posterior_grid(group: Group, curves: Mapping[str, Curve]) -> tuple[Floats, Floats]:
    """Nodes of the prior score, close where the posterior is, and the log posterior density at them."""
    z = np.linspace(-FARTHEST, FARTHEST, SCOUTS)
    for _ in range(ZOOMS):
        log = log_posterior(group, curves, z)
        deep = np.flatnonzero(log > log.max() - DEPTH)
        low, high = max(0, deep[0] - 1), min(z.size - 1, deep[-1] + 1)
        if high - low > ENOUGH * (z.size - 1):
            break
        z = np.linspace(z[low], z[high], SCOUTS)
    law = group.laws[group.measured[0]]
    count = STEPPED if law.discrete or law.kinks else SMOOTH
    z = np.linspace(z[0], z[-1], count)
    for _ in range(2):  # nodes even in the posterior's own score: heavy tails take none from the middle
        log = log_posterior(group, curves, z)
        z = np.unique(np.interp(np.linspace(-MOST, MOST, count), nodes(), _bend(z, *_cumulative(z, _scaled(log)))))
    return z, log_posterior(group, curves, z)


def _scaled(log: Floats) -> Floats:
    return np.asarray(np.exp(log - log.max()))


def quadrature(group: Group, curves: Mapping[str, Curve], seed: int) -> Fit:
    """Fit a group in which one input is measured."""
    start = time.perf_counter()
    z, log = posterior_grid(group, curves)
    bends = [_bend(z, *_cumulative(z, _scaled(log)))]
    weight = trapezoid(z, _scaled(log))
    bends += [_mixed_bend(z, weight, float(slope)) for slope in group.pearson[0, 1:]]
    rng = np.random.default_rng(seed)
    scores = rng.permutation(_draws(group, bends[0], rng, CHAINS * DRAWS)).reshape(CHAINS, DRAWS, -1)
    correlation = normal_correlation(_draws(group, bends[0], rng, PAIRS), np.stack(bends))
    return Fit(group, "quadrature", scores, np.stack(bends), correlation, seconds=time.perf_counter() - start)


def normal_correlation(scores: Floats, bends: Floats) -> Floats:
    """Correlation of the posterior's normal scores, (k, k), from draws of the prior's, (draws, k)."""
    if scores.shape[1] == 1:
        return np.eye(1)
    normal = np.stack([np.interp(scores[:, i], bend, nodes()) for i, bend in enumerate(bends)])
    return np.asarray(np.corrcoef(normal))


def _draws(group: Group, bend: Floats, rng: np.random.Generator, count: int) -> Floats:
    """Scores of the group's inputs, (draws, k): the measured one in strata of equal probability."""
    level = ndtri((np.arange(count) + rng.random(count)) / count)
    return group.completed(np.interp(level, nodes(), bend)[:, None], rng)


def trapezoid(z: Floats, density: Floats) -> Floats:
    """Probability of each node."""
    weight = density * (np.diff(z, prepend=z[0]) + np.diff(z, append=z[-1])) / 2
    return np.asarray(weight / weight.sum())


def _cumulative(z: Floats, density: Floats) -> tuple[Floats, Floats]:
    """Probability below and above each node, each summed from its own end."""
    cells = (density[1:] + density[:-1]) / 2 * np.diff(z)
    total = cells.sum()
    below = np.concatenate([[0.0], np.cumsum(cells)]) / total
    above = np.concatenate([np.cumsum(cells[::-1])[::-1], [0.0]]) / total
    return below, above


def _mixed_bend(z: Floats, weight: Floats, slope: float) -> Floats:
    """Bend of an input that is not measured: its score is normal around slope z, averaged over the posterior of z."""
    rest = np.sqrt(1 - slope * slope)
    at = np.linspace(-FARTHEST, FARTHEST, SCOUTS)
    standard = (at[:, None] - slope * z) / rest
    return _bend(at, ndtr(standard) @ weight, ndtr(-standard) @ weight)


def _bend(score: Floats, below: Floats, above: Floats) -> Floats:
    """Prior scores at the posterior scores of `nodes()`; beyond what is known, in the last slope."""
    with np.errstate(divide="ignore", invalid="ignore"):
        posterior = score_of(below, above)
        known = np.isfinite(posterior) & (np.abs(posterior) < MOST)
        known[1:] &= np.diff(posterior) > LEAST_STEP
    return extended(posterior[known], score[known])


def extended(posterior: Floats, score: Floats) -> Floats:
    """A rising function through points, on `nodes()`, continued beyond them in the slope of its outer parts."""
    z = nodes()
    inside = np.interp(z, posterior, score)
    low, high = _outer(posterior, score, 0), _outer(posterior, score, -1)
    return np.asarray(inside + np.minimum(z - posterior[0], 0) * low + np.maximum(z - posterior[-1], 0) * high)


def _outer(posterior: Floats, score: Floats, end: int) -> float:
    """Slope over the outer unit of posterior scores."""
    inner = int(np.argmin(np.abs(posterior - (posterior[end] + (1.0 if end == 0 else -1.0)))))
    if inner == end % posterior.size:
        inner = posterior.size - 1 if end == 0 else 0
    return float((score[inner] - score[end]) / (posterior[inner] - posterior[end]))
