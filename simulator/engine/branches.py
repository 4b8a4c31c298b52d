"""Quantities with two branches: the migration goes through, or it is blocked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.engine.bins import Bins
from simulator.engine.carrier import Affine, Carrier, Conditional, Reached

Floats = NDArray[np.float64]


class Mixed(NamedTuple):
    """A quantity that takes one value where the migration goes through and another where it is blocked."""

    through: Floats
    blocked: Floats
    goes: Floats

    def mean(self) -> Floats:
        """Expectation over being blocked, (draws,)."""
        return self.goes * self.through + (1 - self.goes) * self.blocked

    def square(self) -> Floats:
        """Expected square over being blocked, (draws,)."""
        return self.goes * self.through * self.through + (1 - self.goes) * self.blocked * self.blocked

    def tally(self, bins: Bins, size: int) -> Floats:
        """Shares of `size` draws, and means, by bin; each branch counts with its probability."""
        through, blocked, goes = (np.broadcast_to(part, (size,)) for part in self)
        if np.all(goes == 1):
            return bins.tally(through) / size
        return bins.tally(np.concatenate([through, blocked]), np.concatenate([goes, 1 - goes])) / size


class Lines(NamedTuple):
    """A candidate's saving as lines in its carrier, in both branches, and the baseline's cost as one."""

    carrier: Carrier
    mean_score: Floats
    through: Affine
    blocked: Affine
    baseline: Affine
    goes: Floats

    def given_others(self, share: float = 0.0) -> SavingGivenOthers:
        """The saving less a share of the baseline's cost, given all inputs but the carrier."""
        through, blocked = self.through, self.blocked
        if share:
            through, blocked = through.less(share, self.baseline), blocked.less(share, self.baseline)
        return SavingGivenOthers(
            Conditional.of(self.carrier, self.mean_score, through),
            Conditional.of(self.carrier, self.mean_score, blocked),
            self.goes,
        )

    def square(self, mean: Floats) -> Floats:
        """Expected square of the saving over the carrier, whose mean this is, and over being blocked, (draws,)."""
        variance = self.carrier.variance(self.mean_score)
        through, blocked = (
            (line.at_zero + line.slope * mean) ** 2 + line.slope * line.slope * variance
            for line in (self.through, self.blocked)
        )
        return blocked + self.goes * (through - blocked)


class SavingGivenOthers(NamedTuple):
    """The law of a saving in each draw, over its carrier and over being blocked."""

    through: Conditional
    blocked: Conditional
    goes: Floats

    @property
    def steady(self) -> bool:
        """Whether the saving depends on its carrier in every draw, so that it has a density."""
        return self.through.steady and (self.blocked.steady or bool(np.all(self.goes == 1)))

    def below(self, threshold: float = 0.0) -> Floats:
        """P(saving <= threshold), (draws,)."""
        return self._mixed(self.through.below(threshold), self.blocked.below(threshold))

    def reached(self, threshold: float, *, shortfall: bool = False) -> Reached:
        """P(saving <= threshold), the density there and E[max(0, threshold - saving)], (draws,)."""
        through = self.through.reached(threshold, shortfall=shortfall)
        blocked = self.blocked.reached(threshold, shortfall=shortfall)
        return Reached(*map(self._mixed, through, blocked))

    def _mixed(self, through: Floats, blocked: Floats) -> Floats:
        return blocked + self.goes * (through - blocked)
