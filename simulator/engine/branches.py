"""Quantities with two branches: the migration goes through, or it is blocked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.engine.bins import Bins
from simulator.engine.carrier import Affine, Conditional

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
        total = bins.tally(through, goes)
        if not np.all(goes == 1):
            total = total + bins.tally(blocked, 1 - goes)
        return total / size


class Lines(NamedTuple):
    """A candidate's saving as lines in its carrier, in both branches, and the baseline's cost."""

    law: Conditional
    through: Affine
    blocked: Affine
    baseline: Affine
    goes: Floats

    def below(self, share: float, threshold: float) -> Floats:
        """P(saving <= share x TCO(baseline) + threshold) given all but the carrier, (draws,)."""
        through = self.law.below_zero(self.through.less(share, self.baseline).shifted(threshold))
        blocked = self.law.below_zero(self.blocked.less(share, self.baseline).shifted(threshold))
        return blocked + self.goes * (through - blocked)

    def shortfall(self, threshold: float) -> tuple[Floats, Floats]:
        """P(saving <= t) and E[max(0, t - saving)] given all but the carrier, (draws,) arrays."""
        below, short = self.law.shortfall(self.through.shifted(threshold))
        below_back, short_back = self.law.shortfall(self.blocked.shifted(threshold))
        return below_back + self.goes * (below - below_back), short_back + self.goes * (short - short_back)
