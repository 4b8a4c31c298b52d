"""What decides a choice, on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from simulator.decision.drivers import Driver, Drivers, Point
from simulator.decision.worth import Group
from simulator.report.cells import (
    WIDTH,
    amount,
    choice,
    error,
    listed,
    quantity,
    section,
    share,
    show,
    simulated,
    table,
    words,
)
from simulator.report.console import paragraph
from simulator.report.numbers import cases, per_cent

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table


def show_drivers(found: Drivers, console: Console) -> None:
    """Print what decides a choice, for 80 columns and up."""
    show(_parts(found, min(console.width, WIDTH)), console)


def _parts(found: Drivers, width: int) -> Iterator[RenderableType]:
    study = found.study
    yield paragraph(study.title, width, style="bold")
    yield ""
    for i, sentence in enumerate(reading(found)):
        yield paragraph(sentence, width, style="bold" if i == 0 else "")
    if found.inputs:
        yield from section("Inputs, by what could change the decision", _inputs(found))
        yield paragraph(
            "worth knowing: expected gain from knowing the input before deciding (EVPPI). saving, pays: of "
            f"{found.option}, with the input known to be at its 10 or 90 % point.",
            width,
        )
        yield from section("The same inputs, and what the saving's spread owes to them", _variance(found))
        yield paragraph(
            "alone: share of the variance, luck aside, that knowing the input takes away; in all: share left when all "
            "others are known; Shapley: its fair share, all of which add up to 100 %.",
            width,
        )
        if found.correlated:
            yield paragraph(
                f"{listed(found.correlated)} hang together: to know one says something of the others, which its "
                "figures include.",
                width,
            )
    if rest := [each.input for each in found.inputs if each not in found.matter]:
        yield paragraph(f"Hardly anything hangs on {listed(rest)}.", width)
    if found.luck:
        yield paragraph(f"Luck, of which nothing can be learnt: {listed(found.luck)}.", width)
    if found.groups:
        yield from section("Groups: what a team would find out together", _groups(found))
        if starred := [f"{each.at_least} ({each.name})" for each in found.groups if _starred(each)]:
            words = "alone is worth; the estimate for the whole group was lower, which cannot be but by its error."
            yield paragraph(f"* What {listed(starred)} {words}", width)
    yield from section("How sure these figures are", paragraph(simulated(found.draws, found.seed), width))


def reading(found: Drivers) -> Iterator[str]:
    """What decides it, in sentences."""
    study, currency = found.study, found.study.currency
    most = found.inputs[0] if found.inputs else None
    if most is None:
        yield f"Nothing is uncertain that could be known: {choice(study, found.best)}."
        return
    if not found.evpi.distinguishable:
        yield (
            f"{choice(study, found.best).capitalize()}: no input can change that. Knowing all of them in advance would "
            "be worth nothing that can be told from 0."
        )
    elif most.evppi.distinguishable:
        yield (
            f"What decides it is {most.input}: knowing it in advance would be worth "
            f"{words(error(most.evppi), currency)} on average, out of {words(error(found.evpi), currency)} for knowing "
            "everything."
        )
        yield f"On what is known today: {choice(study, found.best)}. {_at(found, most)}"
    else:
        yield (
            "No single input decides it: only several together could change the choice. Knowing everything would be "
            f"worth {words(error(found.evpi), currency)} on average."
        )
    if found.overrated:
        yield _overrated(found)


def _at(found: Drivers, each: Driver) -> str:
    """What would be chosen at either end of an input, and what the option told of would bring there."""
    points = ((10, each.low), (90, each.high))
    return " ".join(
        f"With {each.input} at {quantity(point.value)}, its {level} % point: {choice(found.study, point.best)}"
        f"{_brings(found, point) if each.low.saving.value != each.high.saving.value else '.'}"
        for level, point in points
    )


def _brings(found: Drivers, point: Point) -> str:
    verb, more = ("save", "") if point.saving.value >= 0 else ("cost", " more")
    money = words(point.saving, found.study.currency)
    return f"; {found.option} would {verb} {money}{more} on average and pay in {cases(point.p_beats)}."


def _overrated(found: Drivers) -> str:
    by_variance = sorted(found.inputs, key=lambda one: -(one.shares.total.value if one.shares else 0.0))
    places = [
        f"{each.input} {('first', 'second', 'third')[by_variance.index(each)]} ({share(each.shares.total)})"
        for each in found.overrated
        if each.shares
    ]
    worths = [
        words(error(each.evppi), found.study.currency) if each.evppi.distinguishable else "nothing"
        for each in found.overrated
    ]
    one = len(places) == 1
    return (
        f"By share of the spread one would put {listed(places)}; but knowing {'it' if one else 'them'} is worth "
        f"{'' if one else 'in this order '}{listed(worths)}"
        f"{' that can be told from 0' if worths[-1] == 'nothing' else ''}: spread is not yet a decision."
    )


def _inputs(found: Drivers) -> Table:
    unit = f"thousand {found.study.currency}"
    made = table(unit, "worth\nknowing", "saving\nat p10", "saving\nat p90", "pays\nat p10", "pays\nat p90")
    for each in found.matter:
        made.add_row(
            each.input,
            amount(error(each.evppi)) if each.evppi.distinguishable else "~ 0",
            amount(each.low.saving),
            amount(each.high.saving),
            per_cent(each.low.p_beats),
            per_cent(each.high.p_beats),
        )
    made.add_row("as it stands", "", amount(found.saving), "", per_cent(found.p_beats), "", style="dim")
    return made


def _variance(found: Drivers) -> Table:
    made = table("", "p10", "p90", "alone", "in all", "Shapley")
    for each in found.matter:
        split = each.shares
        shares = [share(part) for part in (split.first, split.total, split.shapley)] if split else [""] * 3
        made.add_row(each.input, quantity(each.low.value), quantity(each.high.value), *shares)
    return made


def _starred(group: Group) -> bool:
    """Whether a group's worth is that of one of its inputs."""
    return group.at_least is not None and group.evppi.distinguishable


def _groups(found: Drivers) -> Table:
    made = table(f"thousand {found.study.currency}", "worth\nknowing", "what is in it")
    for each in found.groups:
        worth = amount(error(each.evppi)) if each.evppi.distinguishable else "~ 0"
        made.add_row(each.name, worth + " *" * _starred(each), ", ".join(each.inputs))
    made.columns[-1].justify = "left"
    made.columns[-1].no_wrap = False
    return made
