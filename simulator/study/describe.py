"""A value of a study in words."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

import numpy as np

from simulator.inputs.warped import Warped

if TYPE_CHECKING:
    from simulator.inputs import Distribution


def describe(value: float | Distribution) -> str:
    """A number, or a law: its quantiles if it was made of some or learned, else its parameters, `Beta(alpha=2)`."""
    if not is_dataclass(value):
        return _short(value)
    if isinstance(value, Warped):
        points = zip((0.05, 0.5, 0.95), value.ppf(np.array([0.05, 0.5, 0.95])), strict=True)
        return "learned, " + ", ".join(f"p{100 * p:02.0f} {_short(float(x))}" for p, x in points)
    if stated := getattr(value, "stated", ()):
        return ", ".join(f"p{100 * p:02.0f} {_short(x)}" for p, x in stated)
    names = [each.name for each in fields(value) if each.repr]
    return f"{type(value).__name__}({', '.join(f'{name}={_short(getattr(value, name))}' for name in names)})"


def _short(value: object) -> str:
    match value:
        case float():
            return f"{value:.5g}"
        case tuple():
            return f"[{', '.join(map(_short, value))}]"
        case np.ndarray():
            return f"{value.size} numbers"
    return describe(value) if is_dataclass(value) else str(value)  # type: ignore[arg-type]
