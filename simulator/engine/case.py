"""One study on one block of draws: every option's outcome, and the sums from which its figures are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.engine import outcome
from simulator.engine.bins import Bins
from simulator.engine.branches import Lines, Mixed
from simulator.engine.carrier import Carrier
from simulator.engine.dimensions import Block, Marginals
from simulator.engine.tail import Brackets
from simulator.study import Study

Floats = NDArray[np.float64]


class Drawn(NamedTuple):
    """A block of draws of a study, by option: hours and costs with luck drawn, and with luck in expectation."""

    work: Mapping[str, outcome.Work]
    expected_work: Mapping[str, outcome.Work]
    drawn: Mapping[str, outcome.Outcome]
    expected: Mapping[str, outcome.Outcome]
    scores: Mapping[str, Floats]
    columns: Mapping[str, Floats]

    def saving(self, name: str, baseline: str) -> Mixed:
        """Saving of a candidate over the baseline, luck drawn."""
        stay, move = self.drawn[baseline].through, self.drawn[name]
        return Mixed(stay - move.through, stay - move.blocked, move.goes)


class Averaged(NamedTuple):
    """A block of draws with luck and the carriers averaged over: columns, and each option's outcome."""

    columns: Mapping[str, Floats]
    outcomes: Mapping[str, outcome.Outcome]


@dataclass(frozen=True)
class Case:
    """A study, or one of its scenarios, made ready for blocks of draws.

    `carriers`, `bins` and `brackets` come from a pilot; without them a block is drawn but not summed up.
    """

    study: Study
    marginals: Marginals
    carriers: Mapping[str, Carrier] = field(default_factory=dict)
    bins: Mapping[tuple[str, str], Bins] = field(default_factory=dict)
    brackets: Mapping[str, Brackets] = field(default_factory=dict)

    @property
    def candidates(self) -> list[str]:
        """Options other than the baseline, in file order."""
        return [name for name in self.study.options if name != self.study.baseline]

    def draw(self, block: Block) -> Drawn:
        """Costs of every option in a block of draws."""
        scores = self.marginals.scores(block)
        columns = self.marginals.columns(scores)
        by_luck = self._works(columns, outcome.drawn_luck(block.faults))
        in_expectation = self._works(columns, outcome.expected_luck)
        drawn = self._outcomes(by_luck, columns)
        return Drawn(by_luck, in_expectation, drawn, self._outcomes(in_expectation, columns), scores, columns)

    def _works(self, columns: Mapping[str, Floats], luck: outcome.Luck) -> dict[str, outcome.Work]:
        return {name: outcome.work(self.study, each, columns, luck) for name, each in self.study.options.items()}

    def _outcomes(self, works: Mapping[str, outcome.Work], columns: Mapping[str, Floats]) -> dict[str, outcome.Outcome]:
        base = outcome.baseline_outcome(self.study, works[self.study.baseline], columns)
        return {
            name: base
            if name == self.study.baseline
            else outcome.candidate_outcome(self.study, name, done, columns, base)
            for name, done in works.items()
        }

    def lines(self, name: str, drawn: Drawn) -> Lines | None:
        """A candidate's saving as lines in its carrier, read off at two values of it; None without a carrier."""
        carrier = self.carriers.get(name)
        if carrier is None:
            return None
        ends = []
        for probe in carrier.probes:
            at = {**drawn.columns, carrier.name: np.asarray(probe)}
            base = outcome.baseline_outcome(self.study, drawn.work[self.study.baseline], at)
            ends.append((base, outcome.candidate_outcome(self.study, name, drawn.work[name], at, base)))
        (base_low, low), (base_high, high) = ends
        baseline = carrier.line(base_low.through, base_high.through)
        return Lines(
            carrier,
            carrier.mean_score(drawn.scores),
            baseline - carrier.line(low.through, high.through),
            baseline - carrier.line(low.blocked, high.blocked),
            baseline,
            low.goes,
        )

    def averaged(self, drawn: Drawn) -> Averaged:
        """Costs with luck and the carriers in expectation: exact for means, since cost is linear in both.

        It is linear in each carrier with the others fixed: in several at once only where none depends on another.
        """
        names = {carrier.name: carrier for carrier in self.carriers.values()}
        dependent = any(other in names for carrier in names.values() for other, _ in carrier.weights)
        if not names or dependent:
            return Averaged(drawn.columns, drawn.expected)
        columns = {**drawn.columns, **{name: carrier.mean(drawn.scores) for name, carrier in names.items()}}
        return Averaged(columns, self._outcomes(drawn.expected_work, columns))

    def known_costs(self, block: Block, drawn: Drawn) -> dict[str, Floats]:
        """Expected TCO of each option given all that can be known, (draws,) arrays; luck is averaged over."""
        luck = [name for name, each in self.study.inputs.items() if each.luck and name in self.marginals.laws]
        if not luck:
            return {name: each.expected for name, each in drawn.expected.items()}
        total = dict.fromkeys(self.study.options, np.zeros(()))
        for point in block.luck:
            scores = self.marginals.scores(block.with_luck(point))
            columns = self.marginals.columns(scores)
            works = self._works(columns, outcome.expected_luck)
            for name, each in self._outcomes(works, columns).items():
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
