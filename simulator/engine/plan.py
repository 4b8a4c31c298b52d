"""A study made ready to run: its dimensions, its points, and a case for it and for each scenario."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from simulator.engine.case import Case
from simulator.engine.dimensions import Block, Dimensions, Marginals
from simulator.engine.means import means
from simulator.engine.memory import keep_freed_memory
from simulator.engine.pilot import PILOT, Pilot, carried, direction, prepared
from simulator.engine.tree import CaseSums, Tree
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
    way, and leaves always added as the same tree, so that no division of the work changes a bit.
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

    def measure(self, replicate: int, leaf: int, scenarios: Collection[str] | None = None) -> CaseSums:
        """Means over a leaf, for the study and for scenarios: all of them, or those that are named."""
        block = self.block(replicate, leaf)
        base = means(self.cases[_BASE], block)
        names = self.scenarios if scenarios is None else scenarios
        return {_BASE: base.means, **{name: means(self.cases[name], block, base).means for name in names}}

    def stretches(self, done: Sequence[int], scenarios: tuple[str, ...], level: int) -> Iterator[Stretch]:
        """Pieces of work that are missing, all replicates in step.

        Parameters
        ----------
        done : sequence of int
            Leaves of each replicate that are summed.
        scenarios : tuple of str
            Those that are summed beside the study.
        level : int
            A piece has 2**level leaves at most; it starts at a multiple of its own number.
        """

        def missing(replicate: int) -> Iterator[Stretch]:
            first = done[replicate]
            while first < self.leaves:
                aligned = (first & -first).bit_length() - 1 if first else level
                own = min(level, aligned, (self.leaves - first).bit_length() - 1)
                yield Stretch(scenarios, self.leaf, replicate, first, own)
                first += 1 << own

        for row in zip_longest(*map(missing, range(len(done)))):
            yield from (stretch for stretch in row if stretch is not None)

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Names of the scenarios, in file order."""
        return tuple(name for name in self.cases if name != _BASE)

    @property
    def fingerprint(self) -> str:
        """Digest of the inputs in the first draws: what a study's text does not show, such as a posterior, does."""
        block = self.dimensions.block(self.points, 0, 0, 16)
        columns = self.cases[_BASE].draw(block).columns
        return hashlib.sha256(b"".join(np.ascontiguousarray(each).tobytes() for each in columns.values())).hexdigest()


class Stretch(NamedTuple):
    """A piece of work: 2**level leaves of a replicate from `first` on, for the study and some of its scenarios."""

    scenarios: tuple[str, ...]
    leaf: int
    replicate: int
    first: int
    level: int

    @property
    def draws(self) -> int:
        """Draws in it."""
        return self.leaf << self.level


def summed(plan: Plan, stretch: Stretch) -> CaseSums:
    """Sums over a stretch, whatever the number of draws that the plan aims at."""
    keep_freed_memory()
    plan = replace(plan, per_replicate=stretch.leaf)
    tree = Tree()
    for leaf in range(stretch.first, stretch.first + (1 << stretch.level)):
        tree.grow(0, plan.measure(stretch.replicate, leaf, stretch.scenarios))
    return tree.total


def _pilots(
    study: Callable[[Case, Block, Pilot | None], Pilot], cases: Mapping[str, Case], block: Block
) -> dict[str, Pilot]:
    """What a pilot block shows of the study, and of each scenario beside it."""
    base = study(cases[_BASE], block, None)
    return {_BASE: base, **{name: study(case, block, base) for name, case in cases.items() if name != _BASE}}
