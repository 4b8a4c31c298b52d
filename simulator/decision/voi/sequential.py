"""When to stop a PoC that is looked at run by run: dynamic programming on the state of a conjugate model.

At each look the state decides between the options and another run. The value of each comes from the last look backwards
(DeGroot, 1970, ch. 12): stop if the best option's expected net benefit is at least that of going on, less its cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from simulator.decision.voi import exact
from simulator.decision.voi.draws import Floats

RUN = -1  # the choice to make another run; options count from 0
POINTS = 6001  # of the grid for a state that is not a count
Gaussian = exact.Normal | exact.LogNormal
Counted = exact.GammaPoisson | exact.BetaBinomial
REACH = 8.0  # standard deviations of the posterior mean to each side that the grid covers


@dataclass(frozen=True, slots=True)
class Region:
    """A range of the state in which the choice is the same; of counts both ends belong to it."""

    low: float
    high: float
    choice: int


@dataclass(frozen=True, slots=True)
class Stage:
    """What to do after so many runs.

    Attributes
    ----------
    runs : int
        Runs made.
    by_count : bool
        The state of the regions is the number of events so far, else the posterior mean of theta.
    regions : tuple of Region
        In order, without gaps.
    """

    runs: int
    by_count: bool
    regions: tuple[Region, ...]

    def choice(self, state: float) -> int:
        """What to do in a state: an option, or `RUN`."""
        return next((region.choice for region in self.regions if state <= region.high), self.regions[-1].choice)


@dataclass(frozen=True, slots=True)
class Plan:
    """A sequential PoC and the fixed ones that it competes with; net values are over deciding now, in the lines' unit.

    Attributes
    ----------
    net : float
        Expected gain of the plan, less its costs; 0 where making no run is best.
    expected_runs : float
    stages : tuple of Stage
        The decision table, one stage a look, the first before any run.
    fixed_net : float
        That of the best fixed number of runs, 0 if it is none.
    fixed_runs : int
    """

    net: float
    expected_runs: float
    stages: tuple[Stage, ...]
    fixed_net: float
    fixed_runs: int


def optimal_stopping(
    model: Gaussian | Counted,
    intercepts: Sequence[float],
    slopes: Sequence[float],
    *,
    cost: float,
    most: int,
    setup: float = 0.0,
    batch: int = 1,
) -> Plan:
    """The best rule for stopping a PoC.

    Parameters
    ----------
    model : conjugate model of `voi.exact` with a one-dimensional state
    intercepts, slopes : sequence of float
        Net benefit of option d is intercepts[d] + slopes[d] theta.
    cost : float
        Of a run.
    most : int
        Runs at most.
    setup : float
        Cost once, if any run is made.
    batch : int
        Runs between looks.

    Returns
    -------
    Plan
    """
    if min(cost, setup) < 0 or not 1 <= batch <= most:
        raise ValueError(
            f"cost {cost}, setup {setup}, batch {batch}, most {most}; expected costs >= 0, batch in 1..most"
        )
    looks = range(0, most // batch * batch + 1, batch)
    lines = np.asarray(intercepts, dtype=np.float64), np.asarray(slopes, dtype=np.float64)
    states = _states(model, looks)
    by_count = isinstance(model, Counted)
    value, to_come = np.empty(0), np.empty(0)
    stages: list[Stage] = []
    for runs in reversed(looks):
        state = states[runs]
        options = lines[0] + lines[1] * state.means[:, None]
        stop = options.max(axis=1)
        go_on, further = np.full_like(stop, -math.inf), np.zeros_like(stop)
        if runs < looks[-1]:
            go_on = state.ahead(value) - cost * batch - (setup if runs == 0 else 0)
            further = batch + state.ahead(to_come)
        choice = np.where(go_on > stop, RUN, options.argmax(axis=1))
        value, to_come = np.maximum(stop, go_on), np.where(choice == RUN, further, 0.0)
        regions = _count_regions(state, choice) if by_count else _mean_regions(state, choice, options, go_on)
        stages.append(Stage(runs, by_count, regions))
    start = states[0].start
    now = float((lines[0] + lines[1] * model.prior.mean).max())
    nets = {n: exact.evsi(model, intercepts, slopes, n) - cost * n - setup for n in looks[1:]}
    fixed = max(nets, key=lambda n: nets[n])
    return Plan(
        net=float(value[start]) - now,
        expected_runs=float(to_come[start]),
        stages=tuple(reversed(stages)),
        fixed_net=max(nets[fixed], 0.0),
        fixed_runs=fixed if nets[fixed] > 0 else 0,
    )


@dataclass(frozen=True, slots=True)
class _State:
    """States of a stage, by posterior mean; `ahead` averages a function of the next stage's over the next batch."""

    means: Floats
    ahead: Callable[[Floats], Floats]
    start: int = 0  # where the stage before any run begins
    most: float = math.inf  # the highest count that can be


def _states(model: Counted | Gaussian, looks: range) -> dict[int, _State]:
    if isinstance(model, Counted):
        return {runs: _counted(model, runs, looks) for runs in looks}
    log = model.log if isinstance(model, exact.LogNormal) else model
    half = REACH * log.learnt_sd(looks[-1])
    scores = log.mean + np.linspace(-half, half, POINTS)
    states = {}
    for runs in looks:
        learnt, later = log.learnt_sd(runs), log.learnt_sd(runs + looks.step)
        left = log.sd**2 - learnt**2
        means = np.exp(scores + left / 2) if isinstance(model, exact.LogNormal) else scores
        step = math.sqrt(max(later**2 - learnt**2, 0.0))
        width = step / float(scores[1] - scores[0]) if half > 0 else 0.0  # nothing is learnt of what is known
        states[runs] = _State(means, _blur(width), POINTS // 2)
    return states


def _counted(model: Counted, runs: int, looks: range) -> _State:
    if isinstance(model, exact.BetaBinomial):
        most, highest = float(runs), runs
    else:
        most, highest = math.inf, model.next_counts(np.zeros(1), 0, looks[-1]).shape[1] - 1
    counts = np.arange(highest + 1, dtype=np.float64)

    def ahead(following: Floats) -> Floats:
        chances = model.next_counts(counts, runs, looks.step)
        reached = np.minimum(counts.astype(np.intp)[:, None] + np.arange(chances.shape[1]), len(following) - 1)
        return np.asarray((chances * following[reached]).sum(axis=1))

    return _State(model.means(counts, runs), ahead, most=most)


def _blur(width: float) -> Callable[[Floats], Floats]:
    """Mean over a normal step, its sd `width` grid steps, of a function that is linear between grid points: exact.

    The weight of a point is the mean of its hat function, a second difference of the unit normal loss. Beyond the grid
    the function keeps its last slope.
    """
    if width == 0:
        return lambda values: values
    reach = min(math.ceil(REACH * width), POINTS - 1)
    z = np.arange(-reach - 1, reach + 2) / width
    loss = width * (np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) - np.abs(z) * ndtr(-np.abs(z)))
    weights = np.diff(loss, 2)
    weights[reach] += 1  # the kink of -|z| / 2 in the loss

    def ahead(values: Floats) -> Floats:
        outward = np.arange(1, reach + 1)
        before = values[0] - outward[::-1] * (values[1] - values[0])
        after = values[-1] + outward * (values[-1] - values[-2])
        return np.asarray(np.convolve(np.concatenate([before, values, after]), weights, mode="valid"))

    return ahead


def _count_regions(state: _State, choice: NDArray[np.intp]) -> tuple[Region, ...]:
    turns = np.flatnonzero(np.diff(choice))
    lows, highs = [0, *(turns + 1)], [*turns, state.most]
    return tuple(Region(float(a), float(b), int(choice[a])) for a, b in zip(lows, highs, strict=True))


def _mean_regions(state: _State, choice: NDArray[np.intp], options: Floats, go_on: Floats) -> tuple[Region, ...]:
    """Between grid points the border is where the two choices are worth the same."""
    turns = np.flatnonzero(np.diff(choice))
    worth = np.concatenate([options, go_on[:, None]], axis=1)  # going on stands last, where the index RUN finds it
    borders = []
    for turn in turns:
        lead = worth[turn : turn + 2, choice[turn]] - worth[turn : turn + 2, choice[turn + 1]]
        share = lead[0] / (lead[0] - lead[1])
        borders.append(float(state.means[turn] + share * (state.means[turn + 1] - state.means[turn])))
    lows, highs, chosen = [-math.inf, *borders], [*borders, math.inf], [*choice[turns], choice[-1]]
    return tuple(Region(low, high, int(what)) for low, high, what in zip(lows, highs, chosen, strict=True))
