"""One study on one block of draws: every option's hours and costs, in every way in which the figures need them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.engine import outcome
from simulator.engine.bins import Bins
from simulator.engine.branches import Lines, Mixed
from simulator.engine.carrier import Affine, Carrier
from simulator.engine.dimensions import Block, Marginals
from simulator.engine.outcome import Outcome, Work
from simulator.engine.sharing import Shared
from simulator.engine.slopes import baseline_slope, candidate_slope
from simulator.engine.tail import Tangents
from simulator.study import Study

Floats = NDArray[np.float64]
Columns = Mapping[str, Floats]


class Drawn(NamedTuple):
    """A block of draws of a study, by option: hours and costs with luck drawn, and with luck in expectation."""

    work: Mapping[str, Work]
    expected_work: Mapping[str, Work]
    drawn: Mapping[str, Outcome]
    expected: Mapping[str, Outcome]
    scores: Mapping[str, Floats]
    columns: Columns

    def saving(self, name: str, baseline: str) -> Mixed:
        """Saving of a candidate over the baseline, luck drawn."""
        stay, move = self.drawn[baseline].through, self.drawn[name]
        return Mixed(stay - move.through, stay - move.blocked, move.goes)


class Averaged(NamedTuple):
    """A block of draws with luck and the carriers averaged over: columns, and each option's outcome."""

    columns: Columns
    outcomes: Mapping[str, Outcome]


@dataclass(frozen=True)
class Case:
    """A study, or one of its scenarios, made ready for blocks of draws.

    `carriers`, `bins` and `tangents` come from a pilot; without them a block is drawn but not summed up. `shared` says
    what of a scenario is the study's own, and taken from there.
    """

    study: Study
    marginals: Marginals
    shared: Shared = field(default_factory=Shared)
    carriers: Mapping[str, Carrier] = field(default_factory=dict)
    bins: Mapping[tuple[str, str], Bins] = field(default_factory=dict)
    tangents: Mapping[str, Tangents] = field(default_factory=dict)

    @property
    def candidates(self) -> list[str]:
        """Options other than the baseline, in file order."""
        return [name for name in self.study.options if name != self.study.baseline]

    def draw(self, block: Block, base: Drawn | None = None) -> Drawn:
        """Costs of every option in a block of draws; `base` are the same draws of the study whose scenario this is."""
        scores = self.marginals.scores(block)
        known = {name: base.columns[name] for name in self.shared.inputs} if base else {}
        columns = self.marginals.columns(scores, known)
        luck = outcome.drawn_luck(block.faults)
        work: dict[str, Work] = {}
        expected_work: dict[str, Work] = {}
        for name, option in self.study.options.items():
            if base and name in self.shared.work:
                work[name], expected_work[name] = base.work[name], base.expected_work[name]
            else:
                before = outcome.certain(self.study, option, columns)
                work[name] = outcome.met(name, before, luck)
                expected_work[name] = outcome.met(name, before, outcome.expected_luck)
        drawn = self.outcomes(work, columns, base.drawn if base else None)
        expected = self.outcomes(expected_work, columns, base.expected if base else None)
        return Drawn(work, expected_work, drawn, expected, scores, columns)

    def outcomes(
        self, works: Mapping[str, Work], columns: Columns, base: Mapping[str, Outcome] | None = None
    ) -> dict[str, Outcome]:
        """Costs of every option; those that are the same in `base` are taken from there."""
        own = self.study.baseline
        stay = base[own] if base and own in self.shared.costs else None
        stay = stay or outcome.baseline_outcome(self.study, works[own], columns)
        found = {}
        for name, done in works.items():
            if name == own:
                found[name] = stay
            elif base and name in self.shared.costs:
                found[name] = base[name]
            else:
                found[name] = outcome.candidate_outcome(self.study, name, done, columns, stay)
        return found

    def lines(self, name: str, drawn: Drawn) -> Lines | None:
        """A candidate's saving as lines in its carrier; None without a carrier."""
        carrier = self.carriers.get(name)
        if carrier is None:
            return None
        study, own = self.study, self.study.baseline
        stay, move = drawn.drawn[own], drawn.drawn[name]
        rise = baseline_slope(study, carrier.place, drawn.columns, drawn.work[own], stay)
        moved = candidate_slope(
            study, name, carrier.place, drawn.columns, drawn.work[name], move.weeks, stay.weeks, rise
        )
        x = drawn.columns[carrier.name]
        baseline = Affine.through(x, stay.through, rise.through)
        return Lines(
            carrier,
            carrier.mean_score(drawn.scores),
            Affine.through(x, stay.through - move.through, rise.through - moved.through),
            Affine.through(x, stay.through - move.blocked, rise.through - moved.blocked),
            baseline,
            move.goes,
        )

    def averaged(self, drawn: Drawn, base: Averaged | None = None) -> Averaged:
        """Costs with luck and the carriers in expectation: exact for means, since cost is linear in both.

        It is linear in each carrier with the others fixed: in several at once only where none depends on another.
        """
        names = {carrier.name: carrier for carrier in self.carriers.values()}
        dependent = any(other in names for carrier in names.values() for other, _ in carrier.weights)
        if not names or dependent:
            return Averaged(drawn.columns, drawn.expected)
        columns = {**drawn.columns, **{name: carrier.mean(drawn.scores) for name, carrier in names.items()}}
        return Averaged(columns, self.outcomes(drawn.expected_work, columns, base.outcomes if base else None))

    def known_costs(self, block: Block, drawn: Drawn) -> dict[str, Floats]:
        """Expected TCO of each option given all that can be known, (draws,) arrays; luck is averaged over."""
        luck = [name for name, each in self.study.inputs.items() if each.luck and name in self.marginals.laws]
        if not luck:
            return {name: each.expected for name, each in drawn.expected.items()}
        total = dict.fromkeys(self.study.options, np.zeros(()))
        moved = set(luck)
        if self.marginals.dependence is not None:
            moved |= set(self.marginals.dependence.names)
        same = {name: each for name, each in drawn.columns.items() if name not in moved}
        for point in block.luck:
            columns = self.marginals.columns(self.marginals.scores(block.with_luck(point)), same)
            works = {
                name: outcome.work(self.study, option, columns, outcome.expected_luck)
                for name, option in self.study.options.items()
            }
            for name, each in self.outcomes(works, columns).items():
                total[name] = total[name] + each.expected / len(block.luck)
        return total

    def net_benefits(self, known: Mapping[str, Floats], size: int) -> Floats:
        """Net benefit of each option, luck aside, (size, options) in file order.

        That of a candidate is its saving less the hurdle's share of the baseline's cost; the baseline's is 0.
        """
        stay = known[self.study.baseline]
        worth = stay * (1 - self.study.hurdle)
        benefits = np.zeros((size, len(self.study.options)))
        for i, name in enumerate(self.study.options):
            if name != self.study.baseline:
                benefits[:, i] = worth - known[name]
        return benefits
