"""What knowing one input is worth, or all the inputs of a group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from simulator.decision import themes, voi
from simulator.decision.known import Known
from simulator.decision.voi import Estimate
from simulator.engine.plan import REPLICATES


@dataclass(frozen=True, slots=True)
class Group:
    """Inputs that a team would find out together, and what knowing all of them is worth."""

    name: str
    inputs: tuple[str, ...]
    evppi: Estimate


def worths(known: Known, step: Callable[[], None] = lambda: None) -> Mapping[str, Estimate]:
    """EVPPI of each input that can be known."""
    found = {}
    for name in known.names:
        found[name] = voi.evppi(known.benefits, known.column(name), replicates=REPLICATES)
        step()
    return found


def group_worths(
    known: Known, singles: Mapping[str, Estimate], step: Callable[[], None] = lambda: None
) -> tuple[Group, ...]:
    """EVPPI of each natural group, the most valuable first."""
    found = []
    for name, inputs in themes.grouped(known.names).items():
        together = np.stack([known.column(each) for each in inputs], axis=1)
        single = len(inputs) == 1
        worth = singles[inputs[0]] if single else voi.evppi(known.benefits, together, replicates=REPLICATES)
        found.append(Group(name, inputs, worth))
        step()
    return tuple(sorted(found, key=lambda each: -each.evppi.value))
