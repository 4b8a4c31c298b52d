"""How bad it can get, on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from simulator.decision.exposure import RiskReport
from simulator.engine import Figure
from simulator.report.cells import WIDTH, amount, choice, section, show, simulated, table, words
from simulator.report.console import paragraph
from simulator.report.numbers import cases, per_cent

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table


def show_risk(found: RiskReport, console: Console) -> None:
    """Print the risk of every option, for 80 columns and up."""
    show(_parts(found, min(console.width, WIDTH)), console)


def _parts(found: RiskReport, width: int) -> Iterator[RenderableType]:
    yield paragraph(found.study.title, width, style="bold")
    yield ""
    for i, sentence in enumerate(reading(found)):
        yield paragraph(sentence, width, style="bold" if i == 0 else "")
    yield from section("Saving and regret, luck included", _options(found))
    yield paragraph(
        "worst 5 %: mean saving there. downside: root mean square of what it costs more than staying. regret: what its "
        "net benefit (the saving above the hurdle) falls short of the best option's in the same case, on average and "
        "at the 99 % point."
        + ("" if found.tolerance is None else " certain: sure net benefit worth as much at that risk tolerance."),
        width,
    )
    yield from section("Does one option beat another whatever your taste?", *_dominance(found, width))
    yield from section("How sure these figures are", paragraph(simulated(found.draws, found.seed), width))


def reading(found: RiskReport) -> Iterator[str]:
    """How bad it can get, in sentences."""
    study, currency = found.study, found.study.currency
    for name, each in found.options.items():
        if name == study.baseline:
            continue
        worst = "saves" if each.cvar.value >= 0 else "costs"
        yield (
            f"Switching to {study.options[name].label} costs over {words(Figure(found.loss, 0.0), currency)} more than "
            f"staying in {cases(each.p_loss)}; in the worst 5 % it {worst} {words(each.cvar, currency)}"
            f"{'' if each.cvar.value >= 0 else ' more'} on average."
        )
    yield (
        f"On average it is best to {choice(study, found.best)}; to regret as little as possible (at the 99 % point), "
        f"{choice(study, found.minimax)}."
    )
    if not found.flips:
        yield "Caution does not change the choice, at any risk tolerance."
    for flip in found.flips:
        yield (
            f"A team that is more cautious than a risk tolerance of {words(flip.tolerance, currency)} would "
            f"{choice(study, flip.below)}, a bolder one {choice(study, flip.above)}."
        )


def _options(found: RiskReport) -> Table:
    titles = ["saving", "sd", "worst 5 %", f"P(loss >\n{found.loss / 1e3:,.3g})", "downside", "regret", "regret\n99 %"]
    certain = found.tolerance is not None
    made = table(f"thousand {found.study.currency}", *titles, *(["certain"] if certain else []))
    for name, each in found.options.items():
        cells = (each.mean, each.sd, each.cvar)
        rest = (each.downside, each.regret, each.regret99, *([each.certain] if each.certain else []))
        made.add_row(name, *map(amount, cells), per_cent(each.p_loss), *map(amount, rest))
    return made


def _dominance(found: RiskReport, width: int) -> Iterator[RenderableType]:
    told = False
    for pair in found.pairs:
        first, second = pair.by_first_order.verdict, pair.by_second_order.verdict
        if first == "dominates":
            yield paragraph(f"{pair.first} beats {pair.second} for everyone who likes more (first order).", width)
        elif second == "dominates":
            yield paragraph(f"{pair.first} beats {pair.second} for everyone who dislikes risk (second order).", width)
        elif "undecided" in (first, second):
            yield paragraph(
                f"{pair.first} over {pair.second}: undecided. The worst lead, {amount(_lead(pair.by_second_order))} "
                f"thousand {found.study.currency}, is within what the draws can tell.",
                width,
            )
        else:
            continue
        told = True
    if not told:
        yield paragraph("No: each is better somewhere, so it depends on your taste for risk.", width)


def _lead(found: object) -> Figure:
    from simulator.decision.dominance import Dominance

    assert isinstance(found, Dominance)
    return Figure(found.worst, found.worst_se)
