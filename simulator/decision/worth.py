"""What knowing one input is worth, or all the inputs of a group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from simulator.decision import themes, voi
from simulator.decision.documents import told
from simulator.decision.known import Known
from simulator.decision.voi import Estimate
from simulator.engine.plan import REPLICATES


@dataclass(frozen=True, slots=True)
class Group:
    """Inputs that a team would find out together, and what knowing all of them is worth.

    To know them all is worth at least as much as to know one. Where the estimates say less, which their errors allow,
    the group has that of the input `at_least`.
    """

    name: str
    inputs: tuple[str, ...]
    evppi: Estimate
    at_least: str | None = None

    def to_json(self) -> dict[str, object]:
        """The group in a document."""
        worth = told(self.evppi)
        return {"name": self.name, "inputs": list(self.inputs), "evppi": worth, "at_least": self.at_least}


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
        most = max(inputs, key=lambda each: singles[each].value)
        worth = singles[most] if len(inputs) == 1 else voi.evppi(known.benefits, together, replicates=REPLICATES)
        less = worth.value < singles[most].value
        found.append(Group(name, inputs, singles[most] if less else worth, most if less else None))
        step()
    return tuple(sorted(found, key=lambda each: -each.evppi.value))
