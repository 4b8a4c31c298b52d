"""One comparison of a figure with what it must be."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Check:
    """A figure that was computed twice: by this program, and by other means.

    Attributes
    ----------
    name : str
        What is computed, on which problem.
    expected, got : float
        What it must be, and what the program makes of it.
    tolerance : float
        By how much the two may differ, in the figure's own unit.
    source : str
        Where `expected` comes from.
    """

    name: str
    expected: float
    got: float
    tolerance: float
    source: str = "closed form"

    @classmethod
    def relative(cls, name: str, expected: float, got: float, share: float, source: str = "closed form") -> Self:
        """A check whose tolerance is a share of what is expected."""
        return cls(name, expected, got, share * abs(expected), source)

    @property
    def error(self) -> float:
        return self.got - self.expected

    @property
    def passed(self) -> bool:
        """Whether the error is within the tolerance; a figure that is no number never is."""
        return math.isfinite(self.got) and abs(self.error) <= self.tolerance

    def to_json(self) -> dict[str, object]:
        numbers = {"expected": self.expected, "got": self.got, "error": self.error, "tolerance": self.tolerance}
        finite = {key: number if math.isfinite(number) else None for key, number in numbers.items()}
        return {"name": self.name, **finite, "passed": self.passed, "source": self.source}


Checks = Iterator[Check]
