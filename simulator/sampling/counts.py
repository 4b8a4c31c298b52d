"""Quantiles of counts whose mean differs from draw to draw."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, pdtr

Floats = NDArray[np.float64]

# Below this mean the count is found by adding up probabilities from zero; above, by correcting a normal guess.
_FEW = 64.0
# Above this one, the normal guess is right to a part in 10^9 of the count, and the distribution function no better.
_HUGE = 1e9


def poisson_quantile(mean: Floats, u: Floats) -> Floats:
    """Smallest count k with P(Poisson(mean) <= k) >= u.

    Parameters
    ----------
    mean : (draws,) array
        Expected count, >= 0 and finite.
    u : (draws,) array
        Levels in the open unit interval.

    Returns
    -------
    (draws,) array
        Whole numbers as floats.
    """
    many = mean > _FEW
    if not many.any():
        return _from_zero(mean, u)
    counts = np.empty_like(u)
    counts[~many] = _from_zero(mean[~many], u[~many])
    counts[many] = _from_normal(mean[many], u[many])
    return counts


def _from_zero(mean: Floats, u: Floats) -> Floats:
    """Add up probabilities; those still short are compressed, so the work follows the counts."""
    counts = np.zeros_like(u)
    probability = np.exp(-mean)
    short: NDArray[np.intp] = np.flatnonzero(u > probability)
    u, mean, probability = u[short], mean[short], probability[short]
    reached = probability.copy()
    count = 0
    while short.size:
        count += 1
        probability *= mean / count
        reached += probability
        counts[short] = count
        # a level above what rounding lets the sum reach stops when a term no longer counts
        going = np.flatnonzero((u > reached) & ((probability > 1e-17) | (count < mean)))
        short = short[going]
        u, mean, probability, reached = u[going], mean[going], probability[going], reached[going]
    return counts


def _from_normal(mean: Floats, u: Floats) -> Floats:
    """Cornish-Fisher guess, then single steps until the definition holds."""
    z = ndtri(u)
    counts = np.maximum(np.rint(mean + np.sqrt(mean) * z + (z * z - 1) / 6 - 0.5), 0)
    near = mean < _HUGE
    while (low := near & (pdtr(counts, mean) < u)).any():
        counts[low] += 1
    while (high := near & (counts > 0) & (pdtr(counts - 1, mean) >= u)).any():
        counts[high] -= 1
    return counts
