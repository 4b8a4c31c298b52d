"""Sums over blocks of draws that come out the same to the last bit, however the blocks are shared out.

The leaves of a replicate are added as a binary tree: two neighbours, then two neighbouring pairs, and so on. A
stretch of 2^k leaves that starts at a multiple of 2^k is a subtree, which any worker may sum on its own; and a run of
twice the draws only adds a second half to the tree that is there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from simulator.engine.figures import Sums

CaseSums = dict[str, Sums]
"""Sums of the study ("") and of scenarios by name."""


class Branch(NamedTuple):
    """Sums over 2**level leaves."""

    level: int
    sums: CaseSums


@dataclass
class Tree:
    """Sums of one replicate, as far as they are made: subtrees of falling size, the first leaves first."""

    branches: list[Branch] = field(default_factory=list)

    @property
    def leaves(self) -> int:
        """Leaves summed so far."""
        return sum(1 << branch.level for branch in self.branches)

    def grow(self, level: int, sums: CaseSums) -> None:
        """Add the next 2**level leaves, already summed; they must follow the last at a multiple of their number."""
        if self.leaves % (1 << level):
            raise ValueError(f"a stretch of 2^{level} leaves cannot follow {self.leaves} leaves")
        while self.branches and self.branches[-1].level == level:
            sums = {name: added(self.branches[-1].sums[name], each) for name, each in sums.items()}
            self.branches.pop()
            level += 1
        self.branches.append(Branch(level, sums))

    @property
    def total(self) -> CaseSums:
        """Sums over all leaves, once they are a power of two."""
        (whole,) = self.branches
        return whole.sums


def added(first: Sums, second: Sums) -> Sums:
    """Sums of two halves."""
    return {key: first[key] + value for key, value in second.items()}
