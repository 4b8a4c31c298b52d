"""What every estimator returns, and how its error and its two-sided interval come about."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy.special import ndtr, stdtr

from simulator.decision.voi.draws import Floats, Groups

LEVEL = 0.90  # of the intervals


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value of information with its error; nothing is clipped.

    Attributes
    ----------
    value : float
        The plug-in estimate E max_d g_d - max_d E NB_d, g the fitted conditional mean. What it gains by fitting noise
        pushes it up.
    se : float
        Standard error of `value`.
    low, high : float
        90 % interval. It reaches down from `policy` and up from `value`, so that it holds the truth wherever that
        lies between the two (Imbens & Manski, 2004).
    policy : float
        What the fitted rule earned on draws that it was not fitted to; no rule earns more than the true value, so
        what it loses by fitting noise pushes it down. May be negative. For `evpi`, which fits nothing, it is `value`.
    bound : float or None
        Plug-in value of knowing more (EVPI for an EVPPI, EVPPI for an EVSI); None for EVPI.
    """

    value: float
    se: float
    low: float
    high: float
    policy: float
    bound: float | None = None

    @property
    def distinguishable(self) -> bool:
        """Whether the interval lies above zero."""
        return self.low > 0

    @property
    def exceeds_bound(self) -> bool:
        """Whether the value is above that of knowing more by over two standard errors: a poor fit or too few draws."""
        return self.bound is not None and self.value - 2 * self.se > self.bound * (1 + 1e-9)

    @property
    def note(self) -> str:
        """What a reader must be told about the estimate; empty if nothing."""
        notes = {
            "not distinguishable from 0": not self.distinguishable,
            "above the value of knowing more, which is an error of approximation": self.exceeds_bound,
        }
        return "; ".join(text for text, holds in notes.items() if holds)

    def affine(self, scale: float, shift: float = 0.0) -> Self:
        """scale x estimate + shift, scale >= 0: another unit, a population, less a cost."""
        moved = {name: scale * getattr(self, name) + shift for name in ("value", "low", "high", "policy")}
        bound = None if self.bound is None else scale * self.bound + shift
        return replace(self, **moved, se=scale * self.se, bound=bound)


def bracketed(
    gains: Floats, earned: Floats, sensitivity: Floats | None, difference: Floats, groups: Groups, bound: float | None
) -> Estimate:
    """Estimate, with its error and its interval.

    Parameters
    ----------
    gains : (1 + groups,) array
        E max(0, max_d g_d), g the conditional mean of `difference`: by all draws, then by the draws outside each group.
    earned : (draws,) array
        Difference earned at each draw by a rule that was fitted to the other groups.
    sensitivity : (draws,) array, or None
        What each draw adds to the value to first order, E[difference of the option chosen | x]: its spread gives the
        standard error. None, and for randomizations: the jackknife over the groups does.
    difference : (draws, options - 1) array
        Net benefit less that of the option which is best on the average.
    groups : Groups
    bound : float or None
        Value of knowing more.
    """
    value, policy = float(gains[0]), float(earned.mean())
    if sensitivity is None or groups.randomized:
        left_out = gains[1:] - np.maximum(groups.without(difference).max(axis=1), 0)
        se = float(left_out.std() * math.sqrt(len(left_out) - 1))
    else:
        se = float(groups.se_of_mean(sensitivity))
    low, high = interval(min(policy, value), float(groups.se_of_mean(earned)), value, se, groups.degrees)
    # A rule that earns more than the fit says shows a fit that is too smooth.
    return Estimate(value, se, low, max(high + tie_bias(difference, groups), policy), policy, bound)


def tie_bias(difference: Floats, groups: Groups) -> float:
    """By how much at most the best of the sampled means overstates the best of the true ones; 0.4 se at a tie of two.

    The sum over the other options of what each may add: the unit normal loss of the least lead within one se.
    """
    lead, se = -difference.mean(axis=0), groups.se_of_mean(difference)
    z = np.maximum(lead / np.where(se > 0, se, 1) - 1, 0)
    return float(np.sum(se * (np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) - z * ndtr(-z))))


def interval(low: float, low_se: float, high: float, high_se: float, degrees: float) -> tuple[float, float]:
    """Ends of an interval that holds a truth known to lie between two estimates with probability `LEVEL`.

    Imbens & Manski (2004), eq. 7: the quantile is that of a two-sided interval where the estimates agree and falls to
    the one-sided one as they part.
    """
    error = max(low_se, high_se)
    gap = max(high - low, 0) / error if error > 0 else 0.0
    least, most = 0.0, 1e3
    for _ in range(60):  # bisection, to the last bit
        middle = (least + most) / 2
        covered = stdtr(degrees, middle + gap) - stdtr(degrees, -middle)
        least, most = (middle, most) if covered < LEVEL else (least, middle)
    return low - most * low_se, high + most * high_se
