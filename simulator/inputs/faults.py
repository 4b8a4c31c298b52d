"""What is wrong with the table that spells a distribution; whoever read the table adds file and line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import pairwise
from typing import TypeAlias

Key: TypeAlias = str | int


class BadSpec(ValueError):  # noqa: N818  (the name says what is bad)
    """One fault of a specification, and further ones of the same table in `also`.

    Parameters
    ----------
    path : tuple of str or int
        Keys inside the specification; empty when the table as a whole is meant.
    found, expected : str
        What stands there, and what could.
    nearest : str, optional
        The valid name that comes closest to the one found.
    also : sequence of BadSpec
        Other faults of the same table.
    """

    def __init__(
        self,
        path: tuple[Key, ...],
        found: str,
        expected: str,
        nearest: str | None = None,
        also: tuple[BadSpec, ...] = (),
    ) -> None:
        super().__init__(path, found, expected, nearest, also)
        self.path, self.found, self.expected, self.nearest, self.also = path, found, expected, nearest, also

    def __iter__(self) -> Iterator[BadSpec]:
        """All faults, this one first."""
        yield self
        for other in self.also:
            yield from other

    def __str__(self) -> str:
        place = ".".join(map(str, self.path))
        hint = f'; did you mean "{self.nearest}"?' if self.nearest else ""
        return f"{place + ': ' if place else ''}{self.found}; expected {self.expected}{hint}"

    def under(self, *keys: Key) -> BadSpec:
        """The same faults, seen from the table that holds this one under the keys."""
        also = tuple(other.under(*keys) for other in self.also)
        return BadSpec((*keys, *self.path), self.found, self.expected, self.nearest, also)


def refuse(faults: list[BadSpec]) -> None:
    """Raise the faults as one, if there are any."""
    every = [fault for found in faults for fault in found]
    if every:
        first, *also = (BadSpec(fault.path, fault.found, fault.expected, fault.nearest) for fault in every)
        raise BadSpec(first.path, first.found, first.expected, first.nearest, tuple(also))


def nearest(name: str, known: Mapping[str, object] | list[str] | tuple[str, ...]) -> str | None:
    return next(iter(get_close_matches(name, known, n=1)), None)


def number(value: object) -> float:
    """A finite number, neither a bool nor a text that looks like one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadSpec((), shown(value), "a number")
    try:
        plain = float(value)
    except OverflowError:
        plain = math.inf
    if not math.isfinite(plain):
        raise BadSpec((), shown(value) if isinstance(value, float) else "too large a number", "a finite number")
    return plain


def shown(value: object) -> str:
    """A value as the message cites it: short, as TOML spells it."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"' if len(value) <= 60 else f'"{value[:57]}..."'
        case int() | float():
            return f"{value:.15g}" if isinstance(value, float) else str(value)
        case Mapping():
            return "a table"
        case list() | tuple():
            return "an array"
    return f"a {type(value).__name__}"


def positive(spec: Mapping[str, float], *keys: str) -> None:
    """Each of the keys holds a number above zero."""
    refuse([BadSpec((key,), shown(spec[key]), "a number above 0") for key in keys if not spec[key] > 0])


def increasing(spec: Mapping[str, float], *keys: str, strictly: bool = False) -> None:
    """The keys' values do not fall from one to the next; strictly when two may not be equal."""
    for left, right in pairwise(keys):
        if spec[left] > spec[right] or (strictly and spec[left] == spec[right]):
            raise BadSpec(
                (right,),
                f"{right} = {shown(spec[right])} with {left} = {shown(spec[left])}",
                f"{right} {'above' if strictly else 'not below'} {left}",
            )
