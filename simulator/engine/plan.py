"""A study made ready to run: its dimensions, its points, and a case for it and for each scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from simulator.engine.case import Case
from simulator.engine.dimensions import Block, Dimensions, Marginals
from simulator.engine.figures import Sums
from simulator.engine.means import means
from simulator.engine.pilot import PILOT, Pilot, carried, direction, prepared
from simulator.sampling import Points
from simulator.study import Study

REPLICATES = 16
LEAF = 4096
DEFAULT_DRAWS = 65_536
LEAST_DRAWS = 256
MOST_DRAWS = 2**36
"""Sixteen replicates of 2**32 points: all there are at 32 bits."""

_BASE = ""


@dataclass(frozen=True)
class Plan:
    """What to compute at any block of points; the figures depend on (study, seed, draws) alone.

    A leaf is the smallest unit of work, `leaf` points of one replicate: sums over a leaf are always made in the same
    way, and leaves are always added in the order of their index, so that no division of the work changes a bit.
    """

    dimensions: Dimensions
    points: Points
    cases: Mapping[str, Case]
    per_replicate: int

    @classmethod
    def of(cls, study: Study, draws: int, seed: int) -> Plan:
        """Plan a run of at least `draws` draws: a power of two of them in each replicate."""
        least = max(-(-draws // REPLICATES), LEAST_DRAWS // REPLICATES)
        per_replicate = 1 << (least - 1).bit_length()
        base = Marginals.of(study)
        cases = {_BASE: Case(study, base)}
        cases |= {name: Case(each, Marginals.of(each, base)) for name, each in study.scenarios.items()}
        dimensions = Dimensions.of(study)
        points = dimensions.points(REPLICATES, seed)
        block = dimensions.block(points, 0, 0, PILOT)
        pilots = _pilots(carried, cases, block)
        carriers = {carrier.name for pilot in pilots.values() for carrier in pilot.case.carriers.values()}
        dimensions = dimensions.carrying(carriers)
        turning = set(dimensions.continuous) - carriers
        dimensions = dimensions.turned(direction(pilots[_BASE].case, dimensions.inputs, turning, block))
        cases = {name: pilot.case for name, pilot in pilots.items()}
        pilots = _pilots(prepared, cases, dimensions.block(points, 0, 0, PILOT))
        return cls(dimensions, points, {name: pilot.case for name, pilot in pilots.items()}, per_replicate)

    @property
    def leaf(self) -> int:
        """Points of a leaf."""
        return min(LEAF, self.per_replicate)

    @property
    def leaves(self) -> int:
        """Leaves of a replicate."""
        return self.per_replicate // self.leaf

    @property
    def draws(self) -> int:
        """Draws in all."""
        return REPLICATES * self.per_replicate

    def doubled(self) -> Plan:
        """The same plan with twice the draws: those it had, and as many again."""
        return replace(self, per_replicate=2 * self.per_replicate)

    def block(self, replicate: int, leaf: int) -> Block:
        """Draws of a leaf."""
        return self.dimensions.block(self.points, replicate, leaf * self.leaf, self.leaf)

    def measure(self, replicate: int, leaf: int) -> dict[str, Sums]:
        """Means over a leaf, for the study and each scenario."""
        block = self.block(replicate, leaf)
        base = means(self.cases[_BASE], block)
        scenarios = {name: means(case, block, base).means for name, case in self.cases.items() if name != _BASE}
        return {_BASE: base.means, **scenarios}


def _pilots(
    study: Callable[[Case, Block, Pilot | None], Pilot], cases: Mapping[str, Case], block: Block
) -> dict[str, Pilot]:
    """What a pilot block shows of the study, and of each scenario beside it."""
    base = study(cases[_BASE], block, None)
    return {_BASE: base, **{name: study(case, block, base) for name, case in cases.items() if name != _BASE}}
