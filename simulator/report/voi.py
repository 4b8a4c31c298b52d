"""What knowing is worth, on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from simulator.decision.value import Value, Worth
from simulator.decision.voi import Estimate
from simulator.report.cells import WIDTH, amount, choice, error, listed, noise, section, show, simulated, table, words
from simulator.report.console import paragraph

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table


def show_value(found: Value, console: Console) -> None:
    """Print what knowing is worth, for 80 columns and up."""
    show(_parts(found, min(console.width, WIDTH)), console)


def _parts(found: Value, width: int) -> Iterator[RenderableType]:
    yield paragraph(found.study.title, width, style="bold")
    yield ""
    for i, sentence in enumerate(reading(found)):
        yield paragraph(sentence, width, style="bold" if i == 0 else "")
    yield from section("Worth of knowing, before the decision", _knowing(found))
    yield paragraph(
        "from, to: a 90 % interval; below, what a rule fitted to other draws earns, above, what the fit itself says.",
        width,
    )
    measured = [each for each in found.inputs if each.measured]
    if measured:
        yield from section("Worth of measuring, by number of observations", _measuring(found, measured))
        yield from (paragraph(_how(each), width, hang=2) for each in measured)
        yield paragraph(
            "What more observations do not tell, the difference between PoC and production, keeps each below the worth "
            "of knowing. What a PoC costs is for simulate poc.",
            width,
        )
    if found.luck:
        yield paragraph(f"Luck, of which nothing can be learnt: {listed(found.luck)}.", width)
    yield from section("How sure these figures are", paragraph(simulated(found.draws, found.seed), width))


def reading(found: Value) -> Iterator[str]:
    """What knowing is worth, in sentences."""
    study, currency = found.study, found.study.currency
    if not found.evpi.distinguishable:
        yield f"Whatever were known, the choice would be the same: {choice(study, found.best)}. No PoC can pay."
        return
    yield (
        f"Knowing every input in advance would be worth {words(error(found.evpi), currency)} on average: no PoC, "
        "study or consultant is worth more before this decision."
    )
    yield f"On what is known today: {choice(study, found.best)}."
    worthy = [each for each in found.inputs if each.evppi.distinguishable]
    if worthy:
        told = [f"{each.input} ({words(error(each.evppi), currency)})" for each in worthy[:3]]
        yield f"By itself, most is worth knowing of {listed(told)}."
    if len(worthy) < len(found.inputs):
        rest = len(found.inputs) - len(worthy)
        yield f"Of {rest} other input{'s' * (rest > 1)} the worth is not distinguishable from 0, taken one at a time."


def _knowing(found: Value) -> Table:
    made = table(f"thousand {found.study.currency}", "worth", "+-", "from", "to")
    made.add_row("everything (EVPI)", *_cells(found.evpi), style="bold")
    for each in found.inputs:
        if each.evppi.distinguishable or each.measured:
            made.add_row(each.input, *_cells(each.evppi))
    for group in found.groups:
        if len(group.inputs) > 1:
            made.add_row(f"group: {group.name}", *_cells(group.evppi))
    return made


def _cells(found: Estimate) -> list[str]:
    if not found.distinguishable:
        return ["~ 0", *(f"{each / 1e3:.2f}" for each in (found.se, found.low, found.high))]
    return [amount(error(found)), noise(found.se), *(f"{each / 1e3:,.3g}" for each in (found.low, found.high))]


def _measuring(found: Value, measured: list[Worth]) -> Table:
    first = measured[0].measured
    assert first is not None
    made = table(f"thousand {found.study.currency}", *(str(size) for size, _ in first.sizes), "all")
    for each in measured:
        assert each.measured is not None
        cells = [amount(error(evsi)) if evsi.distinguishable else "~ 0" for _, evsi in each.measured.sizes]
        made.add_row(each.input, *cells, amount(error(each.evppi)) if each.evppi.distinguishable else "~ 0")
    return made


def _how(each: Worth) -> str:
    assert each.measured is not None
    way = each.measured.way
    spread = f", sd {100 * way.noise:g} % each" if way.kind == "runs" and way.noise else ""
    hours = f" ({each.measured.hours:g} instance-hours)" if way.kind == "counts" and way.share is None else ""
    odds = " of the odds" if way.kind == "trials" else ""
    apart = f"{100 * way.discrepancy:g} %{odds}"
    return f"{each.input}: {way.one}{hours}{spread}; production differs from the PoC by {apart} (sd)."
