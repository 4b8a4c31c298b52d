"""Numbers for a reader."""

from __future__ import annotations


def figure(value: float, digits: int = 3) -> str:
    """A number in as few characters as its reader needs, thousands grouped; powers of ten from ten million on."""
    if value == 0:
        return "0"
    if 10**digits <= abs(value) < 1e7:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"
