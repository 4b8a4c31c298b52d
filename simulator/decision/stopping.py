"""A PoC that is looked at run by run: when to stop, as a table in what was measured so far.

Dynamic programming on the state (runs made, their sufficient statistic), which is that of the conjugate models, with
the input's own law in place of a conjugate prior: normal logarithms (the state is the geometric mean), counts, trials.
`voi.optimal_stopping` does the same for net benefits that are lines in a quantity with a conjugate prior.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.decision.beliefs import Belief
from simulator.decision.stages import Stage, ahead, looks_at_most, stage_of

Floats = NDArray[np.float64]

RUN = -1  # to make another run; options count from 0
SEEN = 1e-3  # probability of states together, at either end, that a table leaves out


@dataclass(frozen=True, slots=True)
class Region:
    """A range of what was measured in which the choice is the same: an option's place, or `RUN`."""

    low: float
    high: float
    choice: int


@dataclass(frozen=True, slots=True)
class Look:
    """What to do after so many runs, by their geometric mean or by the events so far; regions are in order."""

    runs: int
    regions: tuple[Region, ...]


@dataclass(frozen=True, slots=True)
class Stopping:
    """A sequential PoC; net values are over deciding now.

    Attributes
    ----------
    net : float
        Expected gain less costs; 0 where no run is best.
    expected_runs : float
    looks : tuple of Look
        From the first run on, as far as the rule can lead.
    fixed : tuple of (runs, net)
        The same for fixed numbers of runs, by the same reckoning.
    """

    net: float
    expected_runs: float
    looks: tuple[Look, ...]
    fixed: tuple[tuple[int, float], ...]

    @property
    def best_fixed(self) -> tuple[int, float]:
        """Runs and net of the best fixed size; 0 and 0 where none pays."""
        return max(((0, 0.0), *self.fixed), key=lambda each: each[1])


def optimal(known: Belief, cost: float, setup: float, most: int) -> Stopping:
    """The best rule for stopping, at `cost` a run and `setup` once if any is made, with `most` runs or `LOOKS`."""
    stages = [stage_of(known, runs) for runs in range(1, min(most, looks_at_most(known)) + 1)]
    now = float((known.weights @ known.gains).max())
    value: Floats = np.zeros(0)
    further: Floats = np.zeros(0)
    choices: list[Floats] = []
    for stage, after in zip(reversed(stages), [None, *reversed(stages[1:])], strict=True):
        options = stage.posterior @ known.gains
        stop = options.max(axis=1)
        on, left = np.full_like(stop, -np.inf), np.zeros_like(stop)
        if after is not None:
            to_come = ahead(known, stage, after)
            on, left = to_come @ value - cost, 1 + to_come @ further
        worth = np.concatenate([options, on[:, None]], axis=1)  # the last place is RUN, as it is of every list
        value, further = np.maximum(stop, on), np.where(on > stop, left, 0.0)
        choices.append(worth)
    choices.reverse()
    first = stages[0].chance
    net = float(first @ value) - cost - setup - now
    fixed = tuple(
        (runs, float(stage.chance @ (stage.posterior @ known.gains).max(axis=1)) - now - cost * runs - setup)
        for runs, stage in enumerate(stages, 1)
    )
    if net <= 0:
        return Stopping(0.0, 0.0, (), fixed)
    return Stopping(net, 1 + float(first @ further), _looks(known, stages, choices), fixed)


def decision_at(known: Belief, runs: int) -> tuple[Region, ...]:
    """The best option after a fixed number of runs, by what they measured."""
    stage = stage_of(known, runs)
    options = stage.posterior @ known.gains
    worth = np.concatenate([options, np.full((len(options), 1), -np.inf)], axis=1)
    return _regions(known, stage, worth, _likely(stage.chance))


def _looks(known: Belief, stages: list[Stage], worths: list[Floats]) -> tuple[Look, ...]:
    """Regions of the states that the rule can lead to."""
    looks = []
    reach = stages[0].chance
    for i, (stage, worth) in enumerate(zip(stages, worths, strict=True)):
        looks.append(Look(stage.runs, _regions(known, stage, worth, _likely(reach))))
        going = reach * (_choices(worth) == RUN)
        if going.sum() <= SEEN:
            break
        reach = going @ ahead(known, stage, stages[i + 1])
    return tuple(looks)


def _choices(worth: Floats) -> NDArray[np.intp]:
    """The best of (states, options + 1) by state: an option's place, or `RUN` for the last; a tie stops."""
    best = worth.argmax(axis=1)
    return np.where(best == worth.shape[1] - 1, RUN, best)


def _likely(chance: Floats) -> NDArray[np.bool_]:
    """States but for the least likely at either end."""
    below, above = np.cumsum(chance), np.cumsum(chance[::-1])[::-1]
    return np.asarray((below > SEEN * chance.sum()) & (above > SEEN * chance.sum()) & (chance > 0))


def _regions(known: Belief, stage: Stage, worth: Floats, shown: NDArray[np.bool_]) -> tuple[Region, ...]:
    """Runs of equal choices; an edge of a mean lies where the two are worth the same, a count belongs to its region."""
    rows = np.flatnonzero(shown)
    choice = _choices(worth)[rows]
    cuts = np.flatnonzero(np.diff(choice) != 0)
    starts, ends = [0, *(cuts + 1)], [*cuts, len(rows) - 1]
    if known.kind == "runs":
        edges = [_edge(stage, worth, int(rows[cut]), int(rows[cut + 1])) for cut in cuts]
        lows, highs = [0.0, *edges], [*edges, float("inf")]
    else:
        lows = [float(stage.states[rows[first]]) for first in starts]
        highs = [float(stage.states[rows[last]]) for last in ends]
    return tuple(Region(low, high, int(choice[first])) for low, high, first in zip(lows, highs, starts, strict=True))


def _edge(stage: Stage, worth: Floats, left: int, right: int) -> float:
    """The geometric mean between two states at which their choices are worth the same, by linear interpolation."""
    a, b = int(worth[left].argmax()), int(worth[right].argmax())
    lead = worth[[left, right], a] - worth[[left, right], b]
    part = float(lead[0] / (lead[0] - lead[1])) if np.isfinite(lead).all() and lead[0] != lead[1] else 0.5
    return float(np.exp(stage.states[left] + part * (stage.states[right] - stage.states[left])))
