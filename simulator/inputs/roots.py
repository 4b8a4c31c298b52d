"""Inverse of a rising function, element by element, between brackets: no derivative needed, jumps allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from simulator.inputs.law import Floats

MOST_STEPS: Final = 200  # bisection alone settles any bracket of doubles long before
TOLERANCE: Final = 4 * np.finfo(float).eps


def first_at_least(
    rising: Callable[[Floats, NDArray[np.intp]], Floats], target: Floats, low: Floats, high: Floats
) -> Floats:
    """Smallest x of [low, high] with rising(x) >= target, to two units in the last place.

    Chandrupatla's method (Advances in Engineering Software 28, 1997): inverse quadratic interpolation where it is
    safe, bisection where it is not. `rising(x, at)` gives the values at x for the elements `at` of the target.
    """
    shape = np.shape(target)
    target, low, high = (np.array(np.broadcast_to(array, shape), dtype=float).ravel() for array in (target, low, high))
    going = np.arange(target.size)
    a, fa = high.copy(), rising(high, going)
    b, fb = low.copy(), rising(low, going)
    high = np.where(fb >= target, low, high)  # the bracket's low end satisfies already
    with np.errstate(invalid="ignore"):  # an infinite target is met at an end of the bracket
        fa, fb = fa - target, fb - target
    going = going[(fb < 0) & (fa >= 0)]
    a, fa, b, fb = a[going], fa[going], b[going], fb[going]
    step = np.full(going.size, 0.5)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        for _ in range(MOST_STEPS):
            if not going.size:
                break
            x = a + step * (b - a)
            fx = rising(x, going) - target[going]
            same = (fx >= 0) == (fa >= 0)
            c, fc = np.where(same, a, b), np.where(same, fa, fb)
            b, fb = np.where(same, b, a), np.where(same, fb, fa)
            a, fa = x, fx
            high[going] = np.where(fa >= 0, a, b)
            slack = TOLERANCE * np.maximum(np.abs(a), np.abs(b)) / np.abs(b - a)
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            quadratic = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
            step = np.where(
                quadratic,
                fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb),
                0.5,
            )
            step = np.clip(np.where(np.isfinite(step), step, 0.5), slack / 2, 1 - slack / 2)
            on = (slack < 1) & (a != b)
            going, a, fa, b, fb, step = going[on], a[on], fa[on], b[on], fb[on], step[on]
    return high.reshape(shape)
