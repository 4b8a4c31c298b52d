"""What is believed of what a PoC would find, gathered from draws, and what the options are worth given it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.decision.measure import Kind, nodes, shifted

Floats = NDArray[np.float64]

GROUPS = 400  # into which the draws are gathered by what the PoC would find


@dataclass(frozen=True, slots=True)
class Belief:
    """What is believed of what a PoC would find in the long run, and what each option is worth given it.

    Attributes
    ----------
    kind : Kind
    finds : (groups,) array
        The long-run logarithm, rate per run, or probability; ascending.
    weights : (groups,) array
        Their probabilities.
    gains : (groups, options) array
        Expected net benefit given them.
    noise : float
        sd of one run, of the logarithm.
    """

    kind: Kind
    finds: Floats
    weights: Floats
    gains: Floats
    noise: float


def belief(kind: Kind, x: Floats, gains: Floats, noise: float, discrepancy: float, exposure: float) -> Belief:
    """What is believed of what a PoC would find.

    Parameters
    ----------
    kind : Kind
    x : (draws,) array
        The input in production.
    gains : (draws, options) array
        E[net benefit | x].
    noise, discrepancy, exposure : float
        As of a `measure.Way`; `exposure` is what x is multiplied by to give events per run.
    """
    order = np.argsort(x, kind="stable")
    parts = np.array_split(order, min(2 * GROUPS, len(x)))
    places = np.array([x[part].mean() for part in parts])
    shares = np.array([len(part) for part in parts]) / len(x)
    means: Floats = np.array([gains[part].mean(axis=0) for part in parts])
    errors, weights = nodes() if discrepancy > 0 else (np.zeros(1), np.ones(1))
    # measured = production / exp(discrepancy e); e and -e are alike
    finds = shifted(places[:, None], discrepancy * errors, kind == "trials") * (exposure if kind == "counts" else 1.0)
    if kind == "runs":
        finds = np.log(finds)
    mass = (shares[:, None] * weights).ravel()
    worth = np.repeat(means, len(errors), axis=0)
    return _gathered(kind, finds.ravel(), mass, worth, noise)


def _gathered(kind: Kind, finds: Floats, mass: Floats, worth: Floats, noise: float) -> Belief:
    """At most `GROUPS` groups, even over the values where these are logarithms, else over their ranks."""
    low, high = finds.min(), finds.max()
    if kind == "runs":
        place = np.minimum(((finds - low) / ((high - low) or 1) * GROUPS).astype(np.intp), GROUPS - 1)
    else:
        place = np.empty(len(finds), dtype=np.intp)
        order = np.argsort(finds, kind="stable")
        place[order] = np.minimum((np.cumsum(mass[order]) * GROUPS).astype(np.intp), GROUPS - 1)
    place = np.unique(place, return_inverse=True)[1]
    weights = _sums(place, mass)
    means = _sums(place, mass * finds) / weights
    gains = np.stack([_sums(place, mass * column) / weights for column in worth.T], axis=1)
    return Belief(kind, means, weights, gains, noise)


def _sums(place: NDArray[np.intp], values: Floats) -> Floats:
    return np.asarray(np.bincount(place, values), dtype=np.float64)
