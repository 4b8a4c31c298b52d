"""A comparison of two studies on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from simulator.decision.compare import Answer, Comparison, Move
from simulator.report.console import paragraph
from simulator.report.figures import figure

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


def show_comparison(comparison: Comparison, console: Console) -> None:
    """Print a comparison, for 80 columns and up."""
    for part in _parts(comparison, console.width):
        console.print(part)


def _parts(comparison: Comparison, width: int) -> Iterator[RenderableType]:
    from rich.text import Text

    a, b = comparison.a, comparison.b
    yield paragraph(f"A: {a.title} ({a.path})", width, hang=3)
    yield paragraph(f"B: {b.title} ({b.path})", width, hang=3)
    if not comparison.changes:
        yield "\nNothing that enters the cost differs."
        return
    yield Text("\nWhat changed", "bold")
    for group, changes in comparison.changes.items():
        yield f"  {group}"
        for each in changes:
            yield paragraph(f"{each.where}: {each.before} -> {each.after}", width, 4, hang=4)
    yield Text("\nThe answer", "bold")
    yield f"  best on what is known: {comparison.best[0]} in A, {comparison.best[1]} in B"
    for name, answers in comparison.answers.items():
        yield from _option(name, answers, comparison.moves[name], a.currency, width)


def _option(
    name: str, answers: tuple[Answer, Answer], moves: tuple[Move, ...], currency: str, width: int
) -> Iterator[RenderableType]:
    from rich.text import Text

    before, after = answers
    yield (
        f"  {name}: P(beats) {before.p_beats.value:.3f} -> {after.p_beats.value:.3f}, "
        f"mean saving {figure(before.saving.value)} -> {figure(after.saving.value)} {currency}"
    )
    yield Text(f"\nWhat moved it, {name}: change of the mean saving, and of P(beats)", "bold")
    yield f"  {'':<24}{'first':>12}{'last':>12}{'mean':>12}{'P(beats)':>12}"
    for each in moves:
        first, last = each.saving_first.value, each.saving_last.value
        yield f"  {each.group:<24}{first:>+12,.0f}{last:>+12,.0f}{each.saving:>+12,.0f}{each.p_beats:>+12.3f}"
    left = after.saving.value - before.saving.value - sum(each.saving for each in moves)
    yield f"  {'acting together':<48}{left:>+12,.0f}"
    yield paragraph(
        "first: this change alone, made to A; last: made when all others are. Where the two differ, the change acts "
        "through others.",
        width,
        2,
    )
