"""Measures of risk on draws of a net benefit (higher is better), each a pure function of arrays.

They take one sample and return one number; the error comes from applying them to each independent randomization.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

TOLERANCES = 200  # of which neighbours are compared for a change of choice


def value_at_risk(x: ArrayLike, level: float = 0.05) -> float:
    """Quantile of (draws,) x at `level`: only in so small a share of cases is the outcome worse."""
    return float(np.quantile(_sample(x), _inside(level, "level")))


def conditional_value_at_risk(x: ArrayLike, level: float = 0.05) -> float:
    """Mean of the worst `level` of (draws,) x, the draw at the edge counted in part (Rockafellar & Uryasev, 2002)."""
    worst = np.sort(_sample(x))
    count = _inside(level, "level") * len(worst)
    whole = int(count)
    edge = (count - whole) * worst[whole] if whole < len(worst) else 0.0
    return float((worst[:whole].sum() + edge) / count)


def probability_of_loss(x: ArrayLike, beyond: float = 0.0) -> float:
    """Share of (draws,) x below -beyond: the probability of losing more than that."""
    return float((_sample(x) < -beyond).mean())


def downside_deviation(x: ArrayLike, target: float = 0.0) -> float:
    """Root mean square of how far (draws,) x falls short of the target, over all draws."""
    return float(np.sqrt((np.minimum(_sample(x) - target, 0) ** 2).mean()))


def expected_regret(nb: ArrayLike) -> Floats:
    """(options,) mean of what each option of (draws, options) nb falls short of the best of its draw; least: EVPI."""
    benefit = _options(nb)
    return np.asarray((benefit.max(axis=1, keepdims=True) - benefit).mean(axis=0))


def maximum_regret(nb: ArrayLike, level: float = 1.0) -> Floats:
    """(options,) quantile of the regret at `level`; at 1 the largest one, which grows with the number of draws.

    The option with the least is the minimax-regret choice (Savage, 1951).
    """
    benefit = _options(nb)
    return np.asarray(np.quantile(benefit.max(axis=1, keepdims=True) - benefit, level, axis=0))


def certainty_equivalent(x: ArrayLike, tolerance: float) -> float:
    """Sure amount worth as much as (draws,) x under constant absolute risk aversion, -T log E exp(-x / T).

    Parameters
    ----------
    x : (draws,) array
    tolerance : float
        Risk tolerance T > 0, in the unit of x, the inverse of the aversion; infinite for the mean.
    """
    return float(_equivalents(_sample(x)[:, None], tolerance)[0])


def flip_tolerances(nb: ArrayLike, low: float | None = None, high: float | None = None) -> list[tuple[float, int, int]]:
    """Risk tolerances at which the option with the highest certainty equivalent changes.

    Parameters
    ----------
    nb : (draws, options) array
    low, high : float, optional
        Range looked through; by default a thousandth and a thousand times the largest sd of an option.

    Returns
    -------
    list of (tolerance, option below it, option above it), ascending; empty if the choice never changes
    """
    benefit = _options(nb)
    scale = float(benefit.std(axis=0).max())
    if scale == 0:
        return []
    tried = np.geomspace(low or scale / 1000, high or scale * 1000, TOLERANCES)
    best = [int(_equivalents(benefit, t).argmax()) for t in tried]
    flips = []
    for k in np.flatnonzero(np.diff(best)):
        below, above = tried[k], tried[k + 1]
        for _ in range(50):  # bisection
            middle = math.sqrt(below * above)
            same = int(_equivalents(benefit, middle).argmax()) == best[k]
            below, above = (middle, above) if same else (below, middle)
        flips.append((math.sqrt(below * above), best[k], best[k + 1]))
    return flips


def _equivalents(benefit: Floats, tolerance: float) -> Floats:
    if not tolerance > 0:
        raise ValueError(f"tolerance is {tolerance}; expected a positive number")
    if math.isinf(tolerance):
        return np.asarray(benefit.mean(axis=0))
    worst = benefit.min(axis=0)  # taken out, so that no exponential overflows; expm1 keeps digits at high tolerance
    return np.asarray(worst - tolerance * np.log1p(np.expm1(-(benefit - worst) / tolerance).mean(axis=0)))


def _sample(x: ArrayLike) -> Floats:
    array = np.asarray(x, dtype=np.float64)
    if array.ndim != 1 or not len(array):
        raise ValueError(f"x has shape {array.shape}; expected (draws,)")
    return _finite(array)


def _options(nb: ArrayLike) -> Floats:
    array = np.asarray(nb, dtype=np.float64)
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"nb has shape {array.shape}; expected (draws, options)")
    return _finite(array)


def _finite(array: Floats) -> Floats:
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        raise ValueError(f"row {wrong[0][0]} is {array[tuple(wrong[0])]}; expected finite numbers")
    return array


def _inside(share: float, name: str) -> float:
    if not 0 < share <= 1:
        raise ValueError(f"{name} is {share}; expected a share above 0, at most 1")
    return share
