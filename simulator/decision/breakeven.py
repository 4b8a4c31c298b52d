"""At which value of an input the answer changes, and how far that is from what is believed today.

An input is set to a value and the others keep their laws, as `--set` does: so each break-even can be checked with
`simulate run --set`. Where inputs are correlated, to *learn* the value says something of the others as well; the
break-even of that is told beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from simulator.decision.asked import candidate, moveable
from simulator.decision.axes import VOLUME, Axis, axis
from simulator.decision.flips import BreakEven, Curve, Flips, Root, Threshold
from simulator.decision.known import Known, State
from simulator.decision.ranges import volume
from simulator.decision.roots import crossings
from simulator.decision.steps import Progress, Steps, silent
from simulator.engine import DEFAULT_SEED, Figure
from simulator.engine.plan import REPLICATES
from simulator.study import Input, Study

Floats = NDArray[np.float64]

__all__ = ["VOLUME", "BreakEven", "Curve", "Flips", "Root", "Threshold", "breakeven"]

DRAWS: Final = 2**14
FEWER: Final = 2**12  # draws for the probabilities, each of which takes ten times as long as a mean
CHANCES: Final = (0.5, 0.8, 0.9)
CONFIDENCE = 0.9  # of the intervals
_FLAT = 1e-9  # of the cost: a change below it is none
_SCORES = np.linspace(-3.5, 3.5, 29)  # at which an input is looked at when it is learnt
_SLOPE = 0.05  # step of a difference quotient, of the distance to the next point looked at: P is a count of draws
_SPARSE = 3  # of the values are looked at for probabilities where the expected saving never is the hurdle
_CURVE = 17  # values of the first input of a curve
_MAP = 21  # values of each input of a map


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
    axes = [axis(known, each) for each in asked]
    steps = Steps(progress, len(axes) + (other is not None))
    search = _Search(known, known.fewer(FEWER), name)
    found = []
    for each in axes:
        found.append(search.threshold(each))
        steps()
    curve = None
    if other is not None:
        curve = search.curve(axes[0], axis(known, other))
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
class _Search:
    """Looks for break-evens of a candidate, means over all draws and probabilities over fewer."""

    known: Known
    fewer: Known
    option: str

    def threshold(self, axis: Axis) -> Threshold:
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
        return self.known.mean(self.known.net_benefits(state, averaged=False)[:, column])

    def beats(self, state: State) -> Figure:
        return self.fewer.mean(self.fewer.beats(self.option, state))

    def _chances(self, axis: Axis, places: Floats) -> dict[float, Flips]:
        reached = np.array([self.beats(axis.put(self.fewer, x)).value for x in places])
        return {
            p: self._flips(axis, places, reached, lambda x: self.beats(axis.put(self.fewer, x)), p, False)
            for p in CHANCES
        }

    def _learnt(self, axis: Axis) -> Flips | None:
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
        self, axis: Axis, places: Floats, values: Floats, at: Callable[[float], Figure], level: float, flat: bool
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

    def curve(self, first: Axis, second: Axis) -> Curve:
        """Pairs of values at which the expected saving is the hurdle, and the expected net benefit around them."""
        known = self.fewer
        column = list(known.study.options).index(self.option)

        def gain(x: float, y: float) -> float:
            state = known.put({**first.values(known, x), **second.values(known, y)})
            return float(known.net_benefits(state, averaged=False)[:, column].mean())

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


def _root(axis: Axis, value: float, low: float, high: float, above: bool) -> Root:
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
