"""What decides the choice: for each input and group, what knowing it is worth, and what it does to the answer.

The ranking is by expected value of partial perfect information (EVPPI): an input that owns most of the spread may be
unable to change the choice, and then it is not worth asking about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import ndtri

from simulator.decision import themes, variance, voi
from simulator.decision.asked import candidate
from simulator.decision.documents import facts, told
from simulator.decision.known import Known
from simulator.decision.steps import Progress, Steps, silent
from simulator.decision.variance import Shares
from simulator.decision.voi import Estimate
from simulator.decision.worth import Group, group_worths, worths
from simulator.engine import DEFAULT_SEED, Figure
from simulator.engine.plan import REPLICATES
from simulator.study import Study

SCHEMA: Final = "switchodds/drivers/1"
DRAWS: Final = 2**14
LOW, HIGH = 0.1, 0.9  # points of an input between which it is moved
_MATTERS = 0.01  # of the mean cost of staying, or of the variance: what moves less is told in a sentence
_TOP = 3  # ranks in which a difference between ranking by variance and by value is told


@dataclass(frozen=True, slots=True)
class Point:
    """The answer when an input is known to have a value; the others follow by their conditional law.

    Attributes
    ----------
    value : float
        In the unit of the input.
    saving : Figure
        Expected saving of the option.
    p_beats : Figure
        Probability that the option beats the hurdle, luck included.
    best : str
        The option with the highest expected net benefit then.
    """

    value: float
    saving: Figure
    p_beats: Figure
    best: str


@dataclass(frozen=True, slots=True)
class Driver:
    """One input: its worth for the decision, the answer at its 10 and 90 % points, its shares of the variance."""

    input: str
    group: str
    unit: str
    evppi: Estimate
    low: Point
    high: Point
    shares: Shares | None

    @property
    def swing(self) -> float:
        """Change of the expected saving between the two points."""
        return self.high.saving.value - self.low.saving.value


@dataclass(frozen=True, slots=True)
class Drivers:
    """What decides a choice.

    Attributes
    ----------
    option : str
        The candidate whose saving and P(beats) are told; EVPI and EVPPI are about all options.
    best : str
        The option with the highest expected net benefit on what is known.
    saving, p_beats : Figure
        Today's.
    stay : float
        Mean cost of the baseline.
    evpi : Estimate
    inputs : tuple of Driver
        The most valuable first.
    groups : tuple of Group
        The most valuable first.
    luck : tuple of str
        Uncertain inputs of which nothing can be learnt.
    correlated : tuple of str
        Inputs that depend on others: to know one says something of the others, and is told with it.
    """

    study: Study
    draws: int
    seed: int
    option: str
    best: str
    saving: Figure
    p_beats: Figure
    stay: float
    evpi: Estimate
    inputs: tuple[Driver, ...]
    groups: tuple[Group, ...]
    luck: tuple[str, ...]
    correlated: tuple[str, ...]

    @property
    def matter(self) -> tuple[Driver, ...]:
        """The inputs that move the answer at all."""
        return tuple(each for each in self.inputs if self._matters(each))

    def _matters(self, driver: Driver) -> bool:
        total = driver.shares.total.value if driver.shares else 0.0
        least = _MATTERS * abs(self.stay)
        return driver.evppi.distinguishable or abs(driver.swing) > least or total > _MATTERS

    @property
    def overrated(self) -> tuple[Driver, ...]:
        """Inputs among the first by share of the variance that are further back, or worth nothing, for the decision."""
        by_variance = sorted(self.inputs, key=lambda each: -(each.shares.total.value if each.shares else 0.0))
        places = {each.input: rank for rank, each in enumerate(self.inputs)}
        return tuple(
            each
            for rank, each in enumerate(by_variance[:_TOP])
            if self._matters(each) and (places[each.input] > rank + 1 or not each.evppi.distinguishable)
        )

    def to_json(self) -> dict[str, object]:
        """The document that `simulate drivers --json` prints."""
        return {
            "schema": SCHEMA,
            "study": facts(self.study),
            "run": {"draws": self.draws, "seed": self.seed, "replicates": REPLICATES},
            "option": self.option,
            "best": self.best,
            "saving": self.saving.to_json(),
            "p_beats": self.p_beats.to_json(),
            "evpi": told(self.evpi),
            "inputs": [_driver(each) for each in self.inputs],
            "groups": [each.to_json() for each in self.groups],
            "overrated": [each.input for each in self.overrated],
            "luck": list(self.luck),
            "correlated": list(self.correlated),
        }


def _driver(each: Driver) -> dict[str, object]:
    def point(at: Point) -> dict[str, object]:
        return {
            "value": at.value,
            "saving": at.saving.to_json(),
            "p_beats": at.p_beats.to_json(),
            "best": at.best,
        }

    split = each.shares
    return {
        "input": each.input,
        "group": each.group,
        "unit": each.unit,
        "evppi": told(each.evppi),
        "p10": point(each.low),
        "p90": point(each.high),
        "first_order": split.first.to_json() if split else None,
        "total": split.total.to_json() if split else None,
        "shapley": split.shapley.to_json() if split else None,
    }


def drivers(
    study: Study,
    draws: int = DRAWS,
    seed: int = DEFAULT_SEED,
    option: str | None = None,
    progress: Progress = silent,
) -> Drivers:
    """What decides a study's choice, and what one candidate's saving hangs on.

    Parameters
    ----------
    study : Study
        Its scenarios are left aside.
    draws, seed : int
        As of `run`: the same draws at the same numbers.
    option : str, optional
        The candidate told of; by default the one with the highest expected net benefit.
    progress : callable, optional
        Called with (steps done, steps planned).

    Raises
    ------
    StudyError
        When there is no such candidate.
    """
    known = Known.of(study, draws, seed)
    name = candidate(study, option, known.benefits)
    groups = themes.grouped(known.names)
    steps = Steps(progress, 2 * len(known.names) + len(groups) + 3)
    worth = worths(known, steps)
    points = {each: _points(known, name, each, steps) for each in known.names}
    split = variance.shares(known, name, steps)
    inputs = study.inputs
    rows = [
        Driver(each, themes.group_of(each), inputs[each].unit, worth[each], *points[each], split.get(each))
        for each in known.names
    ]
    costs = known.costs(known.now)
    return Drivers(
        study=study,
        draws=known.draws,
        seed=seed,
        option=name,
        best=list(study.options)[int(known.benefits.mean(axis=0).argmax())],
        saving=known.mean(costs[study.baseline] - costs[name]),
        p_beats=known.mean(known.beats(name, known.now)),
        stay=float(np.mean(costs[study.baseline])),
        evpi=voi.evpi(known.benefits, replicates=REPLICATES),
        inputs=tuple(sorted(rows, key=_rank)),
        groups=group_worths(known, worth, steps),
        luck=tuple(each for each in inputs if inputs[each].luck and not inputs[each].fixed),
        correlated=tuple(
            each for each, row in zip(known.names, known.pearson, strict=True) if np.count_nonzero(row) > 1
        ),
    )


def _points(known: Known, option: str, name: str, step: Callable[[], None]) -> tuple[Point, Point]:
    low, high = (_point(known, option, name, level) for level in (LOW, HIGH))
    step()
    return low, high


def _point(known: Known, option: str, name: str, level: float) -> Point:
    state = known.learnt({name: float(ndtri(level))})
    costs, study = known.costs(state, averaged=False), known.study
    saving = known.mean(costs[study.baseline] - costs[option])
    best = list(study.options)[int(known.case.net_benefits(costs, known.draws).mean(axis=0).argmax())]
    return Point(float(state.columns[name][0]), saving, known.mean(known.beats(option, state)), best)


def _rank(driver: Driver) -> tuple[bool, float, float]:
    total = driver.shares.total.value if driver.shares else 0.0
    known = driver.evppi.distinguishable
    return (not known, -driver.evppi.value if known else 0.0, -total)
