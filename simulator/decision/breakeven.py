"""At which value of an input the answer changes, and how far that is from what is believed today.

An input is set to a value and the others keep their laws, as `--set` does: so each break-even can be checked with
`simulate run --set`. Where inputs are correlated, to *learn* the value says something of the others as well; the
break-even of that is told beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from simulator.decision.asked import candidate, moveable
from simulator.decision.drivers import facts
from simulator.decision.known import Known, State
from simulator.decision.ranges import TIMES, grid, today, volume
from simulator.decision.roots import crossings
from simulator.decision.steps import Progress, Steps, silent
from simulator.engine import DEFAULT_SEED, Figure
from simulator.engine.outcome import productive_hours
from simulator.engine.plan import REPLICATES
from simulator.study import Input, Study

Floats = NDArray[np.float64]

SCHEMA: Final = "switchodds/breakeven/1"
DRAWS: Final = 2**14
FEWER: Final = 2**12  # draws for the probabilities, each of which takes ten times as long as a mean
CHANCES: Final = (0.5, 0.8, 0.9)
VOLUME: Final = "volume"
CONFIDENCE = 0.9  # of the intervals
_FLAT = 1e-9  # of the cost: a change below it is none
_SCORES = np.linspace(-3.5, 3.5, 29)  # at which an input is looked at when it is learnt
_SLOPE = 0.05  # step of a difference quotient, of the distance to the next point looked at: P is a count of draws
_SPARSE = 3  # of the values are looked at for probabilities where the expected saving never is the hurdle
_CURVE = 17  # values of the first input of a curve
_MAP = 21  # values of each input of a map


@dataclass(frozen=True, slots=True)
class Root:
    """A value at which the answer changes.

    Attributes
    ----------
    value : float
    low, high : float
        90 % interval of the simulation error alone: where more draws would put it. It says nothing of the priors.
    above : bool
        Whether it pays above the value, or else below.
    sds : float or None
        Distance from today's mean in standard deviations of what is believed; None for a number.
    """

    value: float
    low: float
    high: float
    above: bool
    sds: float | None


@dataclass(frozen=True, slots=True)
class Flips:
    """All the values at which one target is reached.

    Attributes
    ----------
    verdict : "flips", "always", "never" or "no effect"
        Over the values looked at. "no effect": the input does not enter.
    roots : tuple of Root
        Ascending.
    best : float
        The value looked at at which the target is met best.
    at_best : float
        What is reached there: the expected net benefit, or the probability.
    chance : float or None
        Probability, on what is believed of the input alone, that it lies where the target is met; None for a number.
    """

    verdict: Literal["flips", "always", "never", "no effect"]
    roots: tuple[Root, ...]
    best: float
    at_best: float
    chance: float | None


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where the answer changes in one input.

    Attributes
    ----------
    input, unit : str
    mean, sd : float
        What is believed today; sd 0 for a number.
    looked : (float, float)
        The range looked through.
    saving : Flips
        Where the expected saving is the hurdle.
    chances : mapping of probability to Flips
        Where P(beats) reaches it; empty when not asked for.
    learnt : Flips or None
        As `saving` when the value is learnt and correlated inputs follow; None where there are none.
    x, gain : tuple of float
        Values looked at, and the expected net benefit there.
    """

    input: str
    unit: str
    mean: float
    sd: float
    looked: tuple[float, float]
    saving: Flips
    chances: Mapping[float, Flips]
    learnt: Flips | None
    x: tuple[float, ...]
    gain: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """Two inputs at once: for values of the first, those of the second at which the expected saving is the hurdle.

    `gain[i][j]` is the expected net benefit at `y[i]`, `x[j]`, over what is believed of the two.
    """

    first: str
    first_unit: str
    second: str
    second_unit: str
    now: tuple[float, float]
    points: tuple[tuple[float, tuple[float, ...]], ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    gain: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Where the answer changes for one candidate.

    Attributes
    ----------
    gain : Figure
        Expected net benefit today: the saving less the hurdle's share of the cost of staying.
    p_beats : Figure
    thresholds : tuple of Threshold
        The nearest first, in standard deviations; numbers after them, then those without a flip.
    curve : Curve or None
    """

    study: Study
    draws: int
    seed: int
    option: str
    gain: Figure
    p_beats: Figure
    thresholds: tuple[Threshold, ...]
    curve: Curve | None = None

    def to_json(self) -> dict[str, object]:
        """The document that `simulate breakeven --json` prints."""
        return {
            "schema": SCHEMA,
            "study": facts(self.study),
            "run": {"draws": self.draws, "seed": self.seed, "replicates": REPLICATES},
            "option": self.option,
            "gain": self.gain.to_json(),
            "p_beats": self.p_beats.to_json(),
            "thresholds": [_threshold(each) for each in self.thresholds],
            "curve": None if self.curve is None else asdict(self.curve),
        }


def _threshold(each: Threshold) -> dict[str, object]:
    document = asdict(each)
    document["chances"] = {f"p{100 * p:.0f}": asdict(found) for p, found in each.chances.items()}
    return document


def breakeven(
    study: Study,
    draws: int = DRAWS,
    seed: int = DEFAULT_SEED,
    option: str | None = None,
    inputs: tuple[str, ...] = (),
    beside: str | None = None,
    progress: Progress = silent,
) -> BreakEven:
    """Where the answer changes.

    Parameters
    ----------
    study : Study
        Its scenarios are left aside.
    draws, seed : int
        As of `run`. The probabilities are taken over at most `FEWER` of the draws.
    option : str, optional
        The candidate; by default the one with the highest expected net benefit.
    inputs : tuple of str
        Inputs to look at; by default all that are given, the discounts, and the volume of work.
    beside : str, optional
        A second input, for a curve with the first of `inputs`.
    progress : callable, optional
        Called with (steps done, steps planned).

    Raises
    ------
    StudyError
        When there is no such candidate or input.
    """
    known = Known.of(study, draws, seed)
    name = candidate(study, option, known.benefits)
    asked = tuple(moveable(study, each, VOLUME) for each in inputs) or _all(study)
    other = None if beside is None else moveable(study, beside, VOLUME)
    axes = [_axis(known, each) for each in asked]
    steps = Steps(progress, len(axes) + (other is not None))
    search = _Search(known, known.fewer(FEWER), name)
    found = []
    for axis in axes:
        found.append(search.threshold(axis))
        steps()
    curve = None
    if other is not None:
        curve = search.curve(axes[0], _axis(known, other))
        steps()
    benefit = known.benefits[:, list(study.options).index(name)]
    p_beats = known.mean(known.beats(name, known.now))
    return BreakEven(
        study, known.draws, seed, name, known.mean(benefit), p_beats, tuple(sorted(found, key=_nearness)), curve
    )


def _all(study: Study) -> tuple[str, ...]:
    """Inputs that someone stated, the discounts, and the volume; luck cannot be set."""
    names = [name for name, each in study.inputs.items() if _stated(name, each)]
    return (*names, VOLUME) if volume(study) else tuple(names)


def _stated(name: str, each: Input) -> bool:
    return not each.luck and (each.given or name.endswith(".discount"))


def _nearness(each: Threshold) -> tuple[bool, bool, float]:
    near = min((abs(root.sds) for root in each.saving.roots if root.sds is not None), default=np.inf)
    away = min((abs(root.value / each.mean - 1) for root in each.saving.roots if each.mean), default=np.inf)
    return not each.saving.roots, not np.isfinite(near), near if np.isfinite(near) else float(away)


@dataclass(frozen=True)
class _Axis:
    """A quantity that can be moved: its name, what is believed of it, where to look, and how to set it."""

    name: str
    unit: str
    mean: float
    sd: float
    grid: Floats
    values: Callable[[Known, float], Mapping[str, Floats | float]]
    input: Input | None

    def put(self, known: Known, x: float) -> State:
        return known.put(self.values(known, x))

    def belief(self, count: int) -> Floats:
        """Values over what is believed, or from half to twice a number."""
        if self.input is None or self.input.fixed:
            inside = (
                self.grid[(self.grid >= self.mean / 2) & (self.grid <= self.mean * 2)] if self.mean > 0 else self.grid
            )
            return np.linspace(inside[0], inside[-1], count) if len(inside) > 1 else self.grid[:count]
        low, high = self.input.law.ppf(np.array([0.01, 0.99]))
        return np.linspace(float(low), float(high), count)

    def chance(self, roots: tuple[Root, ...]) -> float | None:
        """Probability of the ranges above a root from which it pays and below the next."""
        if self.input is None or self.input.fixed or not roots:
            return None
        below = self.input.law.cdf(np.array([root.value for root in roots]))
        total = 0.0 if roots[0].above else float(below[0])
        for i, root in enumerate(roots):
            if root.above:
                total += (float(below[i + 1]) if i + 1 < len(roots) else 1.0) - float(below[i])
        return total


def _axis(known: Known, name: str) -> _Axis:
    study = known.study
    if name == VOLUME:
        hours = float(np.mean(productive_hours(study, study.options[study.baseline], known.now.columns)))
        scaled = volume(study)
        return _Axis(
            VOLUME,
            f"instance-hours of {study.baseline}",
            hours,
            0.0,
            hours * np.geomspace(1 / TIMES, TIMES, 49),
            lambda at, x: {each: at.now.columns[each] * (x / hours) for each in scaled},
            None,
        )
    each = study.inputs[name]
    mean, sd = today(each)
    stay = float(np.mean(known.costs(known.now)[study.baseline]))
    return _Axis(name, each.unit, mean, sd, grid(each, stay), lambda _, x: {name: x}, each)


@dataclass(frozen=True)
class _Search:
    """Looks for break-evens of a candidate, means over all draws and probabilities over fewer."""

    known: Known
    fewer: Known
    option: str

    def threshold(self, axis: _Axis) -> Threshold:
        gains = np.array([self.gain(axis.put(self.known, x)).value for x in axis.grid])
        stay = abs(float(np.mean(self.known.costs(self.known.now)[self.known.study.baseline])))
        flat = float(np.ptp(gains)) <= _FLAT * stay
        saving = self._flips(axis, axis.grid, gains, lambda x: self.gain(axis.put(self.known, x)), 0.0, flat)
        chances = {} if flat else self._chances(axis, axis.grid[:: 1 if saving.roots else _SPARSE])
        learnt = None if flat else self._learnt(axis)
        ends = (float(axis.grid[0]), float(axis.grid[-1]))
        return Threshold(
            axis.name, axis.unit, axis.mean, axis.sd, ends, saving, chances, learnt,
            tuple(axis.grid.tolist()), tuple(gains.tolist()),
        )  # fmt: skip

    def gain(self, state: State) -> Figure:
        """Expected net benefit of the candidate."""
        column = list(self.known.study.options).index(self.option)
        return self.known.mean(self.known.net_benefits(state)[:, column])

    def beats(self, state: State) -> Figure:
        return self.fewer.mean(self.fewer.beats(self.option, state))

    def _chances(self, axis: _Axis, places: Floats) -> dict[float, Flips]:
        reached = np.array([self.beats(axis.put(self.fewer, x)).value for x in places])
        return {
            p: self._flips(axis, places, reached, lambda x: self.beats(axis.put(self.fewer, x)), p, False)
            for p in CHANCES
        }

    def _learnt(self, axis: _Axis) -> Flips | None:
        known, each = self.known, axis.input
        if each is None or axis.name not in known.names or each.law.discrete:
            return None
        if np.count_nonzero(known.pearson[known.names.index(axis.name)]) < 2:
            return None

        def at(score: float) -> Figure:
            return self.gain(known.learnt({axis.name: score}))

        gains = np.array([at(z).value for z in _SCORES])
        scored = self._flips(axis, _SCORES, gains, at, 0.0, False)

        def value(score: float) -> float:
            return float(each.law.at_score(np.array([score]))[0])

        roots = tuple(
            _root(axis, value(root.value), value(root.low), value(root.high), root.above) for root in scored.roots
        )
        return Flips(scored.verdict, roots, value(scored.best), scored.at_best, axis.chance(roots))

    def _flips(
        self, axis: _Axis, places: Floats, values: Floats, at: Callable[[float], Figure], level: float, flat: bool
    ) -> Flips:
        best = int(values.argmax())
        if flat:
            return Flips("no effect", (), axis.mean, float(values[best]), None)
        found = crossings(lambda x: at(x).value, places, values, level)
        gaps = {each.x: _gap(places, each.x) for each in found}
        roots = []
        for each in found:
            half = _half(at, each.x, gaps[each.x])
            roots.append(_root(axis, each.x, each.x - half, each.x + half, each.rising))
        verdict: Literal["flips", "always", "never"] = "flips" if roots else "always" if values[0] > level else "never"
        return Flips(verdict, tuple(roots), float(places[best]), float(values[best]), axis.chance(tuple(roots)))

    def curve(self, first: _Axis, second: _Axis) -> Curve:
        """Pairs of values at which the expected saving is the hurdle, and the expected net benefit around them."""
        known = self.fewer
        column = list(known.study.options).index(self.option)

        def gain(x: float, y: float) -> float:
            state = known.put({**first.values(known, x), **second.values(known, y)})
            return float(known.net_benefits(state)[:, column].mean())

        points = []
        for x in first.belief(_CURVE):
            values = np.array([gain(float(x), float(y)) for y in second.grid])
            found = crossings(lambda y, x=x: gain(float(x), y), second.grid, values)  # type: ignore[misc]
            points.append((float(x), tuple(each.x for each in found)))
        across, up = first.belief(_MAP), second.belief(_MAP)
        surface = tuple(tuple(gain(float(x), float(y)) for x in across) for y in up)
        return Curve(
            first.name, first.unit, second.name, second.unit, (first.mean, second.mean), tuple(points),
            tuple(across.tolist()), tuple(up.tolist()), surface,
        )  # fmt: skip


def _root(axis: _Axis, value: float, low: float, high: float, above: bool) -> Root:
    return Root(value, low, high, above, (value - axis.mean) / axis.sd if axis.sd > 0 else None)


def _half(at: Callable[[float], Figure], x: float, gap: float) -> float:
    """Half the width of a root's interval: that of the function there over its slope; the gap if it has none."""
    step = _SLOPE * gap
    slope = (at(x + step).value - at(x - step).value) / (2 * step)
    error = at(x).mcse * float(stdtrit(REPLICATES - 1, (1 + CONFIDENCE) / 2))
    return abs(error / slope) if slope else gap


def _gap(places: Floats, x: float) -> float:
    i = int(np.clip(np.searchsorted(places, x), 1, len(places) - 1))
    return float(min(places[i] - places[i - 1], x - places[0] if x > places[0] else np.inf, places[-1] - x or np.inf))
