"""A piece of evidence: data on a quantity that is made of one or more inputs, with its model and its discrepancy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from simulator.calibration.discrepancy import Discrepancy

if TYPE_CHECKING:
    from simulator.calibration.models import Model


def _only(values: Mapping[str, Any], name: str) -> Any:
    return values[name]


@dataclass(frozen=True, slots=True)
class Quantity:
    """What was measured as a function of inputs by name; made of operators, so that arrays and tensors both serve.

    The first of `inputs` is the one that the evidence is about; the function rises or falls in each of them.
    """

    name: str
    unit: str
    inputs: tuple[str, ...]
    of: Callable[[Mapping[str, Any]], Any]

    @classmethod
    def input(cls, name: str, unit: str) -> Quantity:
        """An input itself."""
        return cls(name, unit, (name,), lambda values: _only(values, name))


@dataclass(frozen=True, slots=True)
class Observation:
    """Data with all that their likelihood needs.

    Attributes
    ----------
    place : int
        Which `[[evidence]]` of the study it is from, from 0.
    label : str
        What a reader calls it.
    notes : tuple of str
        What was assumed in reading it.
    """

    place: int
    label: str
    quantity: Quantity
    model: Model
    discrepancy: Discrepancy
    notes: tuple[str, ...] = field(default=())

    @property
    def key(self) -> str:
        """A name of its own, under which its hidden parameters are kept."""
        return f"{self.quantity.name}[{self.place + 1}]"
