"""Draws of a run for charts and for the page: the first points of each replicate, and costs at other inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from simulator.engine import REPLICATES, Result, outcome
from simulator.engine.branches import Mixed
from simulator.engine.dimensions import Block
from simulator.study import Study

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """Draws of a study, the replicates one after another, with what each option costs in them.

    `columns` holds (draws,) arrays of the uncertain inputs and 0-d arrays of the fixed ones; `faults` the uniform
    levels of each option's count of faults.
    """

    study: Study
    columns: Mapping[str, Floats]
    uncertain: tuple[str, ...]
    faults: Mapping[str, Floats]
    size: int
    outcomes: Mapping[str, outcome.Outcome]

    @classmethod
    def of(cls, study: Study, result: Result, draws: int) -> Sample:
        """At most `draws` draws of a run, a power of two from each replicate."""
        plan, case = result.plan, result.plan.cases[""]
        each = min(1 << (max(draws // REPLICATES, 1).bit_length() - 1), plan.per_replicate)
        blocks = [plan.dimensions.block(plan.points, replicate, 0, each) for replicate in range(REPLICATES)]
        joined = Block(
            {name: np.concatenate([block.scores[name] for block in blocks]) for name in plan.dimensions.inputs},
            {name: np.concatenate([block.faults[name] for block in blocks]) for name in plan.dimensions.options},
            each * REPLICATES,
            (),
        )
        columns = case.marginals.columns(case.marginals.scores(joined))
        uncertain = tuple(name for name in study.inputs if name in case.marginals.laws)
        outcomes = costs(study, columns, joined.faults)
        return cls(study, columns, uncertain, joined.faults, joined.size, outcomes)

    def at(self, changed: Mapping[str, Floats]) -> Sample:
        """The same draws with some inputs replaced."""
        columns = {**self.columns, **changed}
        return replace(self, columns=columns, outcomes=costs(self.study, columns, self.faults))

    def first(self, each: int) -> Sample:
        """The first `each` draws of every replicate, or all where there are no more."""
        per = self.size // REPLICATES
        each = min(each, per)

        def cut(values: Floats) -> Floats:
            return values.reshape(REPLICATES, per)[:, :each].ravel() if values.ndim else values

        columns = {name: cut(values) for name, values in self.columns.items()}
        faults = {name: cut(values) for name, values in self.faults.items()}
        return replace(
            self,
            columns=columns,
            faults=faults,
            size=REPLICATES * each,
            outcomes=costs(self.study, columns, faults),
        )

    def full(self, values: Floats) -> Floats:
        """Values as a (draws,) array."""
        return np.broadcast_to(values, (self.size,))

    @property
    def stay(self) -> Floats:
        """TCO of the baseline, (draws,)."""
        return self.full(self.outcomes[self.study.baseline].through)

    def saving(self, name: str) -> Mixed:
        """A candidate's saving in both branches, (draws,) arrays."""
        found = self.outcomes[name]
        stay = self.stay
        return Mixed(self.full(stay - found.through), self.full(stay - found.blocked), self.full(found.goes))

    def p_beats(self, name: str, hurdle: float) -> float:
        """Probability that the saving share exceeds a hurdle."""
        through, blocked, goes = self.saving(name)
        least = hurdle * self.stay
        return float(np.mean(goes * (through > least) + (1 - goes) * (blocked > least)))

    def points(self, name: str, *, share: bool) -> tuple[Floats, Floats]:
        """A candidate's savings (or saving shares) and their weights, (2 x draws,) arrays; weights add up to 1."""
        through, blocked, goes = self.saving(name)
        scale = 1 / self.stay if share else 1.0
        values = np.concatenate([through * scale, blocked * scale])
        return values, np.concatenate([goes, 1 - goes]) / self.size


def costs(study: Study, columns: Mapping[str, Floats], faults: Mapping[str, Floats]) -> dict[str, outcome.Outcome]:
    """What every option costs with its faults drawn."""
    luck = outcome.drawn_luck(faults)
    done = {name: outcome.work(study, option, columns, luck) for name, option in study.options.items()}
    base = outcome.baseline_outcome(study, done[study.baseline], columns)
    return {
        name: base if name == study.baseline else outcome.candidate_outcome(study, name, each, columns, base)
        for name, each in done.items()
    }


def quantiles(values: Floats, weights: Floats, levels: tuple[float, ...]) -> Floats:
    """Weighted quantiles: the smallest value at which the weights reach each level."""
    order = np.argsort(values)
    reached = np.cumsum(weights[order])
    places = np.searchsorted(reached, np.asarray(levels) * reached[-1] * (1 - 1e-12))
    found: Floats = values[order][np.minimum(places, values.size - 1)]
    return found
