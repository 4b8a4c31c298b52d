"""What was read from files of evidence, on a terminal: facts, where they stand, under which assumption."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from simulator.evidence.derive import Derived
from simulator.evidence.reading import KEEP_REJECTED, Fact, Reading
from simulator.report.console import paragraph
from simulator.report.figures import figure

if TYPE_CHECKING:
    from rich.console import Console

DIGITS = 5
SHOWN = 40  # facts of one file; a bill of many groups is for --json


def show_evidence(
    readings: Iterable[Reading], derived: Sequence[Derived], console: Console, with_rejected: bool = False
) -> None:
    """Print each file's account and facts, then what they mean for the model's inputs."""
    for reading in readings:
        _file(reading, console, with_rejected)
    if derived:
        console.print("For the model", style="bold")
    for each in derived:
        value = "not known" if each.value is None else figure(each.value, DIGITS)
        console.print(f"  {each.input:<22}{value:>12}  {each.unit}", markup=False)
        console.print(paragraph(each.basis, console.width, 6, "dim"))


def _file(reading: Reading, console: Console, with_rejected: bool) -> None:
    width = console.width
    console.print(paragraph(reading.path, width, style="bold"))
    account = (
        f"read as {reading.reader}: {reading.lines:,} lines or records = {reading.used:,} used"
        f" + {reading.merged:,} merged + {reading.ignored:,} ignored + {reading.rejected_count:,} rejected"
    )
    console.print(paragraph(account, width))
    for fact in reading.facts[:SHOWN]:
        _fact(fact, console)
    if not reading.facts:
        console.print("  no fact", markup=False)
    if len(reading.facts) > SHOWN:
        console.print(f"  ... and {len(reading.facts) - SHOWN:,} more facts: --json shows them", markup=False)
    for note in reading.notes:
        console.print(paragraph(f"- {note}", width, 2, hang=2))
    if with_rejected:
        for each in reading.rejected:
            console.print(paragraph(f"line {each.line}: {each.reason}: {each.text}", width, 2, "yellow", hang=2))
        if reading.rejected_count > len(reading.rejected):
            console.print(f"  ... the first {KEEP_REJECTED:,} of {reading.rejected_count:,}", markup=False)
    elif reading.rejected_count:
        console.print(paragraph("--rejected shows each rejected line", width, 2, "dim"))
    console.print()


def _fact(fact: Fact, console: Console) -> None:
    at_least = ">=" if fact.censored else ""
    value = f"{at_least}{figure(fact.value, DIGITS)}"
    spread = f" +- {figure(fact.sd, 2)}" if fact.sd is not None else ""
    number = f", n = {fact.count:,}" if fact.count > 1 else ""
    first, last = fact.lines
    where = f"line {first:,}" if first == last else f"lines {first:,} to {last:,}"
    console.print(f"  {fact.quantity:<22}{value:>12}{spread}  {fact.unit}{number}", markup=False, soft_wrap=True)
    group = ", ".join(f"{key} {text}" for key, text in fact.group.items() if key not in ("source", "per"))
    basis = "; ".join(part for part in (where, group, fact.basis) if part)
    console.print(paragraph(basis, console.width, 6, "dim"))
