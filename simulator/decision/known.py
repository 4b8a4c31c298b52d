"""What can be known of a study, as draws: the normal scores of its inputs, and what the options cost given any of them.

The draws are those of `simulate run` at the same seed. Everything is a function of the scores, so that an input can be
set to a value (the others keep their laws), learnt (the others follow, by their conditional law under the copula), or
drawn anew given the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from simulator.decision.costing import Works, expected_costs, touched
from simulator.engine import Figure, Plan, outcome
from simulator.engine.case import Case, Drawn
from simulator.engine.plan import REPLICATES
from simulator.study import Study

Floats = NDArray[np.float64]
Columns = Mapping[str, Floats]


@dataclass(frozen=True)
class State:
    """Inputs of the draws, some of them moved.

    Attributes
    ----------
    columns : mapping of name to (draws,) or 0-d array
        Values of all inputs.
    scores : mapping of name to (draws,) array
        Normal scores of the uncertain ones.
    moved : set of str
        Inputs whose values are not those of the draws.
    held : set of str
        Inputs that have one value in all draws although they are uncertain.
    """

    columns: Columns
    scores: Columns
    moved: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Known:
    """A study's draws, (draws,) arrays, the replicates one after another.

    Attributes
    ----------
    plan : Plan
    case : Case
    names : tuple of str
        Uncertain inputs that can be known, in file order.
    pearson : (k, k) array
        Correlation of their normal scores.
    now : State
        The draws as they are.
    faults : mapping of option to (draws,) array
        Uniform levels of the luck of its faults.
    luck : tuple of mappings of name to (draws,) array
        Points over which what is declared as luck is averaged: its scores, independent of everything.
    """

    plan: Plan
    case: Case
    names: tuple[str, ...]
    pearson: Floats
    now: State
    faults: Columns
    luck: tuple[Columns, ...]

    @classmethod
    def of(cls, study: Study, draws: int, seed: int) -> Known:
        """At least `draws` draws of a study, scenarios left aside."""
        plan = Plan.of(replace(study, scenarios={}), draws, seed)
        case = plan.cases[""]
        blocks = [plan.block(replicate, leaf) for replicate in range(REPLICATES) for leaf in range(plan.leaves)]
        scores = _joined([case.marginals.scores(block) for block in blocks])
        laws = case.marginals.laws
        names = tuple(name for name, each in study.inputs.items() if name in laws and not each.luck)
        luck = tuple(
            _joined([{name: np.full(block.size, z) for name, z in point.items()} for block, point in each])
            for each in zip(*[[(block, point) for point in block.luck] for block in blocks], strict=True)
        )
        now = State(case.marginals.columns(scores), scores)
        faults = _joined([block.faults for block in blocks])
        return cls(plan, case, names, correlation(study, names), now, faults, luck)

    @property
    def study(self) -> Study:
        return self.case.study

    @property
    def draws(self) -> int:
        return self.plan.draws

    def fewer(self, draws: int) -> Known:
        """The first of each replicate's draws, at least `draws` in all if there are so many."""
        per = max(1, -(-draws // REPLICATES))
        per = min(1 << (per - 1).bit_length(), self.plan.per_replicate)

        def cut(columns: Columns) -> dict[str, Floats]:
            return {
                name: each.reshape(REPLICATES, -1)[:, :per].ravel() if each.ndim else each
                for name, each in columns.items()
            }

        return replace(
            self,
            plan=replace(self.plan, per_replicate=per),
            now=State(cut(self.now.columns), cut(self.now.scores)),
            faults=cut(self.faults),
            luck=tuple(cut(point) for point in self.luck),
        )

    def column(self, name: str) -> Floats:
        """Values of an uncertain input, (draws,)."""
        return self.now.columns[name]

    # ---- states --------------------------------------------------------------------------------------------------

    def put(self, values: Mapping[str, Floats | float]) -> State:
        """Inputs set to values, whatever they are made of; the others keep their laws, as with `--set`."""
        columns = {**self.now.columns, **{name: np.asarray(x, dtype=np.float64) for name, x in values.items()}}
        return State(columns, self.now.scores, frozenset(values), frozenset(values))

    def learnt(self, scores: Mapping[str, float]) -> State:
        """Inputs known to have these normal scores; the others follow by their conditional law."""
        own = [self.names.index(name) for name in scores]
        slopes = np.asarray(np.linalg.solve(self.pearson[np.ix_(own, own)], self.pearson[own]), dtype=np.float64)
        shifts = [z - self.now.scores[name] for name, z in scores.items()]
        moved: dict[str, Floats] = {}
        for j, name in enumerate(self.names):
            if name in scores:
                moved[name] = np.full(self.draws, scores[name])
            elif np.any(slopes[:, j]):
                moved[name] = self.now.scores[name] + _mixed(slopes[:, j], shifts)
        return replace(self.at(moved), held=frozenset(scores))

    def at(self, scores: Columns) -> State:
        """The draws with these scores in place of their own; what is luck and hangs on them follows."""
        laws = self.case.marginals.laws
        scores = {**scores, **self._followed(scores)}
        columns = {name: laws[name].at_score(z) for name, z in scores.items()}
        return State({**self.now.columns, **columns}, {**self.now.scores, **scores}, frozenset(scores))

    # ---- what follows from a state -------------------------------------------------------------------------------

    @cached_property
    def benefits(self) -> Floats:
        """Net benefit of each option with luck in expectation, (draws, options), of the draws as they are."""
        return self.net_benefits(self.now)

    def net_benefits(self, state: State, averaged: bool = True) -> Floats:
        """Net benefit of each option, luck in expectation, (draws, options).

        That of a candidate is its saving less the hurdle's share of the baseline's cost; the baseline's is 0.
        """
        return self.case.net_benefits(self.costs(state, averaged), self.draws)

    def saving(self, option: str, state: State) -> Floats:
        """Saving of an option, luck in expectation, (draws,)."""
        costs = self.costs(state)
        return np.broadcast_to(costs[self.study.baseline] - costs[option], (self.draws,))

    def costs(self, state: State, averaged: bool = True) -> dict[str, Floats]:
        """Expected TCO of each option, (draws,) or 0-d arrays: over faults and being blocked.

        Over what is declared as luck too; or not `averaged` over that, each draw with its own, which has the same mean.
        """
        if not self.luck or not averaged:
            works = self._works(state, outcome.expected_luck, self._expected)
            return expected_costs(self.study, works, state.columns)
        total: dict[str, Floats] = dict.fromkeys(self.study.options, np.zeros(()))
        laws = self.case.marginals.laws
        for point in self.luck:
            drawn = {name: laws[name].at_score(z) for name, z in self._lucky(point, state.scores).items()}
            columns = {**state.columns, **{name: x for name, x in drawn.items() if name not in state.held}}
            works = {
                name: outcome.work(self.study, each, columns, outcome.expected_luck)
                for name, each in self.study.options.items()
            }
            for name, cost in expected_costs(self.study, works, columns).items():
                total[name] = total[name] + cost / len(self.luck)
        return total

    def beats(self, option: str, state: State) -> Floats:
        """Probability that an option's saving share exceeds the hurdle, luck drawn, (draws,).

        It is averaged in closed form over being blocked and over the option's carrier, if that is not held.
        """
        case, study, columns = self.case, self.study, state.columns
        works = self._works(state, outcome.drawn_luck(self.faults), self._drawn)
        carriers = {name: each for name, each in case.carriers.items() if each.name not in state.held}
        found = case.outcomes(works, columns)
        drawn = Drawn(works, works, found, found, state.scores, columns)
        if (lines := replace(case, carriers=carriers).lines(option, drawn)) is not None:
            return np.broadcast_to(1 - lines.given_others(study.hurdle).below(), (self.draws,))
        base, move = found[study.baseline], found[option]
        most = (1 - study.hurdle) * base.through
        chance = move.goes * (move.through < most) + (1 - move.goes) * (move.blocked < most)
        return np.broadcast_to(chance, (self.draws,))

    def mean(self, values: Floats) -> Figure:
        """Mean of (draws,) values with its error, from the spread between the replicates."""
        by_replicate = np.broadcast_to(values, (self.draws,)).reshape(REPLICATES, -1).mean(axis=1)
        return Figure(float(by_replicate.mean()), float(by_replicate.std(ddof=1) / np.sqrt(REPLICATES)))

    @cached_property
    def fresh(self) -> Mapping[str, Floats]:
        """Independent normal scores of the inputs that can be known, independent of the draws: further dimensions."""
        count, leaf = self.plan.dimensions.count, min(self.plan.leaf, self.plan.per_replicate)
        points = replace(self.plan.points, dimensions=count + len(self.names))
        blocks = [points.block(r, i * leaf, leaf)[count:] for r in range(REPLICATES) for i in range(self.plan.leaves)]
        return dict(zip(self.names, ndtri(np.concatenate(blocks, axis=1)), strict=True))

    @cached_property
    def _expected(self) -> Works:
        return self._all_works(outcome.expected_luck)

    @cached_property
    def _drawn(self) -> Works:
        return self._all_works(outcome.drawn_luck(self.faults))

    def _all_works(self, luck: outcome.Luck) -> Works:
        options = self.study.options.items()
        return {name: outcome.work(self.study, each, self.now.columns, luck) for name, each in options}

    def _works(self, state: State, luck: outcome.Luck, unmoved: Works) -> Works:
        """Hours of each option; of those that no moved input touches, the draws' own."""
        again = touched(self.study, state.moved)
        return {
            name: outcome.work(self.study, each, state.columns, luck) if name in again else unmoved[name]
            for name, each in self.study.options.items()
        }

    @cached_property
    def _pull(self) -> tuple[tuple[str, ...], Floats, Floats]:
        """What is luck and hangs on something: its names, slopes on the known scores, factor of what is left."""
        dependence = self.case.marginals.dependence
        luck = tuple(self.luck[0]) if self.luck else ()
        if dependence is None or not set(luck) & set(dependence.names):
            return (), np.zeros((0, len(self.names))), np.zeros((0, 0))
        pearson = correlation(self.study, (*self.names, *luck))
        k = len(self.names)
        slopes = np.asarray(np.linalg.solve(pearson[:k, :k], pearson[:k, k:]).T, dtype=np.float64)
        return luck, slopes, np.asarray(np.linalg.cholesky(pearson[k:, k:] - slopes @ pearson[:k, k:]))

    def _lucky(self, point: Columns, scores: Columns) -> Columns:
        """Scores of what is luck at a point, which may hang on those of what is known."""
        luck, slopes, own = self._pull
        if not luck:
            return point
        known = [scores[name] for name in self.names]
        independent = [point[name] for name in luck]
        return {name: _mixed(slopes[i], known) + _mixed(own[i], independent) for i, name in enumerate(luck)}

    def _followed(self, scores: Columns) -> dict[str, Floats]:
        """Scores of what is luck when known ones move."""
        luck, slopes, _ = self._pull
        shifts = [scores.get(name, self.now.scores[name]) - self.now.scores[name] for name in self.names]
        return {
            name: self.now.scores[name] + _mixed(slopes[i], shifts) for i, name in enumerate(luck) if slopes[i].any()
        }


def correlation(study: Study, names: Sequence[str]) -> Floats:
    """Correlation of the inputs' normal scores, (names, names)."""
    whole = np.eye(len(names))
    if study.copula is not None:
        inside = [i for i, name in enumerate(names) if name in study.copula.names]
        places = [study.copula.names.index(names[i]) for i in inside]
        whole[np.ix_(inside, inside)] = study.copula.pearson[np.ix_(places, places)]
    return whole


def _joined(parts: Sequence[Columns]) -> dict[str, Floats]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _mixed(weights: Floats, columns: Sequence[Floats]) -> Floats:
    total: Floats = np.zeros(())
    for weight, column in zip(weights, columns, strict=True):
        if weight:
            total = total + weight * column
    return total
