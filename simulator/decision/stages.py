"""States of a PoC after so many runs: their statistic, how likely they are, and what is believed in each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, pdtrc, xlog1py, xlogy

from simulator.decision.beliefs import GROUPS, Belief
from simulator.decision.measure import nodes

Floats = NDArray[np.float64]

STATES = 401  # of the geometric mean
REACH = 4.0  # standard deviations of a run's noise beyond the extreme values that the states cover
MOST_COUNTS = 1000  # states of a count; the last stands for that many and more
LOOKS = 40  # at most: a rule that looks after more runs is hardly worth more


@dataclass(frozen=True, slots=True)
class Stage:
    """States after so many runs: their statistic, their probability, and the posterior over the groups in each."""

    runs: int
    states: Floats
    chance: Floats
    posterior: Floats


def stage_of(known: Belief, runs: int) -> Stage:
    """The stage after so many runs."""
    if known.kind == "runs":
        error = max(known.noise / np.sqrt(runs), _least_error(known))
        states = _grid(known)
        logs = -0.5 * ((states[:, None] - known.finds) / error) ** 2
        joint = np.exp(logs) * known.weights
        # the row's own best group is kept where all others underflow
        chance = joint.sum(axis=1)
        nearest = np.abs(states[:, None] - known.finds).argmin(axis=1)
        joint[chance == 0, nearest[chance == 0]] = 1e-300
    else:
        states = np.arange(_most_count(known, runs) + 1, dtype=np.float64)
        joint = _counts(known, states, runs) * known.weights
        chance = joint.sum(axis=1)
        joint[chance == 0, -1] = 1e-300
    total = joint.sum(axis=1)
    return Stage(runs, states, chance / chance.sum(), joint / total[:, None])


def _least_error(known: Belief) -> float:
    """No finer than the groups and the states are."""
    return float(np.ptp(known.finds)) / GROUPS or 1e-12


def _grid(known: Belief) -> Floats:
    margin = REACH * max(known.noise, _least_error(known))
    return np.linspace(known.finds[0] - margin, known.finds[-1] + margin, STATES)


def _most_count(known: Belief, runs: int) -> int:
    return runs if known.kind == "trials" else int(min(_highest(known, runs), MOST_COUNTS))


def _highest(known: Belief, runs: int) -> float:
    """A count that is hardly ever exceeded."""
    top = float(known.finds[-1]) * runs
    return float(np.ceil(top + 8 * np.sqrt(top) + 8))


def looks_at_most(known: Belief) -> int:
    """Looks at whose end all counts are still told apart: a state that stands for several would be no state."""
    if known.kind != "counts":
        return LOOKS
    return next((runs for runs in range(1, LOOKS) if _highest(known, runs + 1) > MOST_COUNTS), LOOKS)


def _counts(known: Belief, counts: Floats, runs: int) -> Floats:
    """Chances of counts in so many runs, (counts, groups)."""
    k, mean = counts[:, None], known.finds
    if known.kind == "trials":
        choose = gammaln(runs + 1) - gammaln(k + 1) - gammaln(runs - k + 1)
        return np.asarray(np.exp(choose + xlogy(k, mean) + xlog1py(runs - k, -mean)))
    chances = np.exp(xlogy(k, runs * mean) - runs * mean - gammaln(k + 1))
    if len(counts) > MOST_COUNTS:
        chances[-1] = pdtrc(counts[-1] - 1, runs * mean)
    return np.asarray(chances)


def ahead(known: Belief, stage: Stage, after: Stage) -> Floats:
    """Chances of the next stage's states from each state of this one, after one run more, (states, next states)."""
    if known.kind != "runs":
        more = _counts(known, np.arange(_most_count(known, 1) + 1, dtype=np.float64), 1)
        chance = stage.posterior @ more.T
        weights = np.zeros((len(stage.states), len(after.states)))
        for events in range(chance.shape[1]):
            reached = np.minimum(np.arange(len(stage.states)) + events, len(after.states) - 1)
            np.add.at(weights, (np.arange(len(stage.states)), reached), chance[:, events])
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))
    error = max(known.noise, _least_error(known))
    places, shares = nodes()
    shown = known.finds[:, None] + error * places
    weights = np.zeros((len(stage.states), len(after.states)))
    step = after.states[1] - after.states[0]
    for i, state in enumerate(stage.states):
        reached = np.clip(((stage.runs * state + shown) / after.runs - after.states[0]) / step, 0, STATES - 1 - 1e-9)
        below = reached.astype(np.intp)
        part = reached - below
        mass = stage.posterior[i][:, None] * shares
        weights[i] = np.bincount(below.ravel(), (mass * (1 - part)).ravel(), STATES)
        weights[i] += np.bincount(below.ravel() + 1, (mass * part).ravel(), STATES)
    return weights
