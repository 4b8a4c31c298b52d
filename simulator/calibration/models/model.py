"""What every likelihood answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Model(Protocol):
    """The likelihood of data given x, the quantity that the PoC measured, and parameters that nobody asks for.

    The hidden parameters are spreads, each with a half-normal prior. Both forms of the likelihood are written down:
    `log_likelihood` for quadrature, `add` for PyMC; tests hold them together.
    """

    @property
    def hidden(self) -> Mapping[str, float]:
        """Scale of the half-normal prior of each hidden parameter."""

    @property
    def estimate(self) -> float:
        """The value of x that the data suggest by themselves; nan where they do not."""

    @property
    def statistics(self) -> Mapping[str, float]:
        """Numbers in which simulated data are compared with these; the first is about x, the others about the form."""

    @property
    def least(self) -> float:
        """Below it x is impossible, whatever the prior says; -inf where nothing is."""

    def log_likelihood(self, x: Floats, hidden: Mapping[str, Floats]) -> Floats:
        """Log density of the data, up to a constant, at arrays that broadcast; -inf where x is impossible."""

    def add(self, x: Any, name: str) -> None:
        """Add the data to the PyMC model in whose context this is called; `x` is a tensor, `name` a prefix."""

    def blurred(self, sd: float) -> Self | None:
        """The model with a discrepancy of this sd integrated out, where that has a closed form; else None."""

    def simulate(self, x: float, hidden: Mapping[str, float], rng: np.random.Generator) -> Self:
        """Data of the same shape, made by the model."""
