"""A PoC that is looked at run by run: when to stop, as a table in what was measured so far.

Dynamic programming on the state (runs made, their sufficient statistic), which is that of the conjugate models, with
the input's own law in place of a conjugate prior: normal logarithms (the state is the geometric mean), counts, trials.
`voi.optimal_stopping` does the same for net benefits that are lines in a quantity with a conjugate prior.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, pdtrc, xlog1py, xlogy

from simulator.decision.measure import Kind, nodes, shifted

Floats = NDArray[np.float64]

RUN = -1  # to make another run; options count from 0
GROUPS = 400  # into which the draws are gathered by what the PoC would find
STATES = 401  # of the geometric mean
REACH = 4.0  # standard deviations of a run's noise beyond the extreme values that the states cover
SEEN = 1e-3  # probability of states together, at either end, that a table leaves out
MOST_COUNTS = 1000  # states of a count; the last stands for that many and more
LOOKS = 40  # at most: a rule that looks after more runs is hardly worth more


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
    stages = [_stage(known, runs) for runs in range(1, min(most, _looks_at_most(known)) + 1)]
    now = float((known.weights @ known.gains).max())
    value: Floats = np.zeros(0)
    further: Floats = np.zeros(0)
    choices: list[Floats] = []
    for stage, after in zip(reversed(stages), [None, *reversed(stages[1:])], strict=True):
        options = stage.posterior @ known.gains
        stop = options.max(axis=1)
        on, left = np.full_like(stop, -np.inf), np.zeros_like(stop)
        if after is not None:
            ahead = _ahead(known, stage, after)
            on, left = ahead(value) - cost, 1 + ahead(further)
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
    stage = _stage(known, runs)
    options = stage.posterior @ known.gains
    worth = np.concatenate([options, np.full((len(options), 1), -np.inf)], axis=1)
    return _regions(known, stage, worth, _likely(stage.chance))


@dataclass(frozen=True, slots=True)
class _Stage:
    """States after so many runs: their statistic, their probability, and the posterior over the groups in each."""

    runs: int
    states: Floats
    chance: Floats
    posterior: Floats


def _stage(known: Belief, runs: int) -> _Stage:
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
    return _Stage(runs, states, chance / chance.sum(), joint / total[:, None])


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


def _looks_at_most(known: Belief) -> int:
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


@dataclass(frozen=True, slots=True)
class _Mean:
    """Averages a function of the next stage's states over the next run, from each state of this one."""

    weights: Floats

    def __call__(self, following: Floats) -> Floats:
        return np.asarray(self.weights @ following)


def _ahead(known: Belief, stage: _Stage, after: _Stage) -> _Mean:
    if known.kind != "runs":
        more = _counts(known, np.arange(_most_count(known, 1) + 1, dtype=np.float64), 1)
        chance = stage.posterior @ more.T
        weights = np.zeros((len(stage.states), len(after.states)))
        for events in range(chance.shape[1]):
            reached = np.minimum(np.arange(len(stage.states)) + events, len(after.states) - 1)
            np.add.at(weights, (np.arange(len(stage.states)), reached), chance[:, events])
        return _Mean(weights / weights.sum(axis=1, keepdims=True))
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
    return _Mean(weights)


def _looks(known: Belief, stages: list[_Stage], worths: list[Floats]) -> tuple[Look, ...]:
    """Regions of the states that the rule can lead to."""
    looks = []
    reach = stages[0].chance
    for i, (stage, worth) in enumerate(zip(stages, worths, strict=True)):
        looks.append(Look(stage.runs, _regions(known, stage, worth, _likely(reach))))
        going = reach * (_choices(worth) == RUN)
        if going.sum() <= SEEN:
            break
        reach = going @ _ahead(known, stage, stages[i + 1]).weights
    return tuple(looks)


def _choices(worth: Floats) -> NDArray[np.intp]:
    """The best of (states, options + 1) by state: an option's place, or `RUN` for the last; a tie stops."""
    best = worth.argmax(axis=1)
    return np.where(best == worth.shape[1] - 1, RUN, best)


def _likely(chance: Floats) -> NDArray[np.bool_]:
    """States but for the least likely at either end."""
    below, above = np.cumsum(chance), np.cumsum(chance[::-1])[::-1]
    return np.asarray((below > SEEN * chance.sum()) & (above > SEEN * chance.sum()) & (chance > 0))


def _regions(known: Belief, stage: _Stage, worth: Floats, shown: NDArray[np.bool_]) -> tuple[Region, ...]:
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


def _edge(stage: _Stage, worth: Floats, left: int, right: int) -> float:
    """The geometric mean between two states at which their choices are worth the same, by linear interpolation."""
    a, b = int(worth[left].argmax()), int(worth[right].argmax())
    lead = worth[[left, right], a] - worth[[left, right], b]
    part = float(lead[0] / (lead[0] - lead[1])) if np.isfinite(lead).all() and lead[0] != lead[1] else 0.5
    return float(np.exp(stage.states[left] + part * (stage.states[right] - stage.states[left])))
