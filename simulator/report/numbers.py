"""Figures in words and cells: never more digits than their Monte Carlo error supports."""

from __future__ import annotations

import math

from simulator.engine import Figure


def resolution(figure: Figure) -> float:
    """The power of ten below which a figure's digits are noise: one above twice its MCSE; 0 for an exact figure."""
    if not figure.mcse > 0:
        return 0.0
    return 10.0 ** math.ceil(math.log10(2 * figure.mcse))


def rounded(figure: Figure, digits: int = 3) -> float:
    """The figure to as many significant digits as are asked for, or as its error supports, whichever are fewer."""
    if figure.value == 0 or not math.isfinite(figure.value):
        return figure.value
    wanted = 10.0 ** (math.floor(math.log10(abs(figure.value))) + 1 - digits)
    step = max(wanted, resolution(figure))
    value = round(figure.value / step) * step
    return value or 0.0  # never -0


def money(figure: Figure, currency: str, digits: int = 3) -> str:
    """An amount in words, without its sign: `38.2 thousand USD`."""
    value = abs(rounded(figure, digits))
    for size, word in ((1e9, " billion"), (1e6, " million"), (1e4, " thousand")):
        if value >= size or (size == 1e4 and value >= 1e4):
            unit = 1e3 if size == 1e4 else size
            return f"{value / unit:.{digits}g}{word} {currency}"
    return f"{value:,.0f} {currency}"


def thousands(figure: Figure, decimals: int = 0) -> str:
    """An amount in thousands for a cell, the digits after the point left out where the error does not allow them."""
    if not math.isfinite(figure.value):
        return "n/a"
    text = f"{figure.value / 1e3:,.{decimals if resolution(figure) <= 100 else 0}f}"
    return text.removeprefix("-") if set(text) <= set("-0.,") else text


def decimals_beside(largest: float) -> int:
    """Digits after the point for amounts in thousands that stand beside a largest one."""
    return 1 if abs(largest) < 200e3 else 0


def per_cent(figure: Figure) -> str:
    """A share as a percentage for a cell: to a tenth where the error allows, else to a whole one."""
    if not math.isfinite(figure.value):
        return "n/a"
    decimals = 1 if resolution(figure) <= 1e-3 else 0
    return f"{100 * figure.value:.{decimals}f} %"


def cases(probability: Figure) -> str:
    """A probability as cases in a hundred: `23 of 100 cases`; small ones in a larger number of cases."""
    p, noise = probability.value, 3 * probability.mcse
    if p <= max(noise, 1e-12):
        return "no case that was drawn" if p == 0 else f"fewer than 1 of {_round_down(1 / max(p + noise, 1e-12))} cases"
    if p >= 1 - max(noise, 1e-12):
        return "every case" if p == 1 else f"all but 1 of {_round_down(1 / max(1 - p + noise, 1e-12))} cases"
    for whole in (100, 1_000, 10_000, 100_000, 1_000_000):
        if whole * p >= 0.95 and whole * (1 - p) >= 0.95:
            return f"{whole * p:,.0f} of {whole:,} cases"
    return f"fewer than 1 of {_round_down(1 / p)} cases" if p < 0.5 else "all but 1 of a million cases"


def _round_down(number: float) -> str:
    step = 10 ** max(math.floor(math.log10(max(number, 1))), 0)
    return f"{math.floor(number / step) * step:,}"
