"""Sobol' points under a random linear scramble and a digital shift, any stretch of them at any time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bits = NDArray[np.uint32]

MOST_DIMENSIONS = 2048
_WORD = 32
# Direction numbers of Joe and Kuo (2008), "Constructing Sobol' sequences with better two-dimensional projections",
# set new-joe-kuo-6, as (dimension, bit) words.
_DIRECTIONS = Path(__file__).parent / "directions.npy"


@dataclass(frozen=True)
class Points:
    """Independent randomizations of the first dimensions of the Sobol' sequence.

    The scramble is the linear matrix scramble of Matousek (1998) with a digital shift: every replicate is uniform
    on the unit cube and keeps the net property, so that the spread between replicates is an honest standard error.
    Dimension k of a replicate depends on (seed, replicates, k) alone: a study that gains an input keeps the
    points of those it had.

    Parameters
    ----------
    dimensions : int
        Number of coordinates, at most `MOST_DIMENSIONS`.
    replicates : int
        Number of independent randomizations.
    seed : int
        Fixes every point.
    """

    dimensions: int
    replicates: int
    seed: int

    def __post_init__(self) -> None:
        if self.dimensions > MOST_DIMENSIONS:
            raise ValueError(f"{self.dimensions} dimensions asked for; the table of directions holds {MOST_DIMENSIONS}")

    @cached_property
    def _scrambled(self) -> tuple[Bits, Bits]:
        """Scrambled directions (replicates, dimensions, 32) and shifts (replicates, dimensions)."""
        directions = np.load(_DIRECTIONS)[: self.dimensions]
        random = np.random.default_rng(self.seed).integers(
            0, 2**_WORD, (self.dimensions, _WORD + 1, self.replicates), dtype=np.uint32
        )
        scrambled = np.zeros((self.replicates, self.dimensions, _WORD), np.uint32)
        for bit in range(_WORD):
            above = np.uint32((0xFFFFFFFF << (_WORD - bit)) & 0xFFFFFFFF)
            row = random[:, bit].T & above | np.uint32(1 << (_WORD - 1 - bit))
            parity = np.bitwise_count(directions & row[..., None]) & 1
            scrambled |= parity.astype(np.uint32) << np.uint32(_WORD - 1 - bit)
        return scrambled, np.ascontiguousarray(random[:, _WORD].T)

    def block(self, replicate: int, start: int, size: int) -> Floats:
        """Uniform points number `start` to `start + size - 1` of a replicate.

        Parameters
        ----------
        replicate : int
            Which randomization, from 0.
        start, size : int
            `size` is a power of two and `start` a multiple of it, both below 2**32.

        Returns
        -------
        (dimensions, size) array
            In the open unit interval: multiples of 2**-32 shifted by half of one.
        """
        if size & (size - 1) or start % size or start + size > 2**_WORD:
            raise ValueError(f"points {start} to {start + size} are not an aligned block of a power of two")
        directions, shifts = self._scrambled
        bits = _first(directions[replicate], size)
        bits ^= _offset(directions[replicate], shifts[replicate], start)[:, None]
        u: Floats = bits.astype(np.float64)
        u += 0.5
        u *= 2.0**-_WORD
        return u


def _first(directions: Bits, size: int) -> Bits:
    """The first `size` points of a sequence, (dimensions, size), by doubling."""
    points = np.zeros((len(directions), size), np.uint32)
    for bit in range(size.bit_length() - 1):
        half = 1 << bit
        np.bitwise_xor(points[:, :half], directions[:, bit : bit + 1], out=points[:, half : 2 * half])
    return points


def _offset(directions: Bits, shift: Bits, start: int) -> Bits:
    """What is to be added (xor) to the first points to make them start at `start`."""
    offset = shift.copy()
    for bit in range(start.bit_length()):
        if start >> bit & 1:
            offset ^= directions[:, bit]
    return offset
