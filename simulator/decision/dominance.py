"""Stochastic dominance: would anyone who likes more, or anyone who dislikes risk as well, take the first option?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

Floats = NDArray[np.float64]

LEVELS = 200  # probabilities at which the two are compared
CONFIDENCE = 0.95  # over all levels together (Bonferroni)
FOLDS = 20  # parts of plain draws, for the error


@dataclass(frozen=True, slots=True)
class Dominance:
    """How far a sample dominates another, and how sure that is.

    Attributes
    ----------
    verdict : "dominates", "equal", "undecided" or "does not"
        "does not": surely worse somewhere. "dominates": surely better somewhere, worse nowhere in the sample.
        "undecided": worse somewhere, by no more than the draws can tell.
    worst, best : float
        The least and the largest lead over all levels, in the unit of the samples.
    worst_se : float
        Standard error of the lead where it is least.
    violation : float
        Share of the area between the two in which the first is behind: 0 for dominance, 1 for the reverse; small values
        are almost dominance (Leshno & Levy, 2002).
    violation_se : float
    """

    verdict: Literal["dominates", "equal", "undecided", "does not"]
    worst: float
    worst_se: float
    best: float
    violation: float
    violation_se: float


def first_order(a: ArrayLike, b: ArrayLike, *, replicates: int | None = None) -> Dominance:
    """Does a have the higher quantile at every probability?

    Parameters
    ----------
    a, b : (draws,) array
        Net benefit of two options on the same draws.
    replicates : int, optional
        The draws are so many equal consecutive independent randomizations; without it, they are independent.
    """
    return _compared(a, b, replicates, order=1)


def second_order(a: ArrayLike, b: ArrayLike, *, replicates: int | None = None) -> Dominance:
    """Does a have the higher mean of the worst share p (times p) for every p? Otherwise as `first_order`."""
    return _compared(a, b, replicates, order=2)


def _compared(a: ArrayLike, b: ArrayLike, replicates: int | None, order: int) -> Dominance:
    pair = np.stack([np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)])
    wrong = np.argwhere(~np.isfinite(pair))
    if pair.ndim != 2 or len(wrong):
        raise ValueError(f"expected two (draws,) arrays of finite numbers; first wrong place: {wrong[:1].tolist()}")
    parts = _parts(pair, replicates)
    lead = _lead(pair, order)
    count = len(parts)
    rest = [np.concatenate(parts[:i] + parts[i + 1 :], axis=1) for i in range(count)]
    leads = np.stack([_lead(part, order) for part in rest])
    se = leads.std(axis=0) * np.sqrt(count - 1)  # jackknife over the parts
    violation_se = float(np.std([_violation(part) for part in leads]) * np.sqrt(count - 1))
    sure = float(stdtrit(count - 1, 1 - (1 - CONFIDENCE) / LEVELS)) * se
    k = int(lead.argmin())
    return Dominance(
        _verdict(lead, sure), float(lead[k]), float(se[k]), float(lead.max()), _violation(lead), violation_se
    )


def _verdict(lead: Floats, sure: Floats) -> Literal["dominates", "equal", "undecided", "does not"]:
    if np.any(lead < -sure):
        return "does not"
    if np.any(lead < 0):
        return "undecided"
    if not lead.any():
        return "equal"
    return "dominates" if np.any(lead > sure) else "undecided"


def _parts(pair: Floats, replicates: int | None) -> list[Floats]:
    draws = pair.shape[1]
    if replicates is None:
        order = np.random.default_rng(0).permutation(draws)
        return [pair[:, rows] for rows in np.array_split(order, FOLDS)]
    if replicates < 2 or draws % replicates:
        raise ValueError(f"replicates is {replicates} for {draws} draws; expected 2 or more equal parts of them")
    return list(np.split(pair, replicates, axis=1))


def _lead(pair: Floats, order: int) -> Floats:
    """a's lead at each level: of quantiles, or of the mean below them times the level; (levels,)."""
    a, b = np.sort(pair, axis=1)
    if order == 1:
        at = np.floor((np.arange(LEVELS) + 0.5) / LEVELS * len(a)).astype(np.intp)
        return np.asarray(a[at] - b[at])
    at = np.ceil((np.arange(LEVELS) + 1) / LEVELS * len(a)).astype(np.intp) - 1
    return np.asarray(np.cumsum(a - b)[at] / len(a))


def _violation(lead: Floats) -> float:
    area = float(np.abs(lead).sum())
    return float(np.maximum(-lead, 0).sum()) / area if area > 0 else 0.0
