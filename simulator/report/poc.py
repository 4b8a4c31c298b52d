"""The proof of concept that a study should do, if any, on a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from simulator.decision.plans import Design, PocPlan, Rule, Size, in_runs
from simulator.decision.stopping import RUN, Look, Region
from simulator.engine import Figure
from simulator.report.cells import (
    WIDTH,
    amount,
    choice,
    error,
    listed,
    noise,
    quantity,
    section,
    show,
    simulated,
    table,
    words,
)
from simulator.report.console import paragraph
from simulator.study import Study

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

_SLIGHT = 0.01  # of what a PoC brings: less is next to nothing


def show_poc(found: PocPlan, console: Console) -> None:
    """Print the plan, for 80 columns and up."""
    show(_parts(found, min(console.width, WIDTH)), console)


def _parts(found: PocPlan, width: int) -> Iterator[RenderableType]:
    yield paragraph(found.study.title, width, style="bold")
    yield ""
    for i, sentence in enumerate(reading(found)):
        yield paragraph(sentence, width, style="bold" if i == 0 else "")
    for each in found.designs:
        yield from section(f"Design {each.offer.name}", *_design(found, each, width))
    if len(found.rule.sequential.looks) > 1:
        yield from section(f"If you look after each run at {found.rule.input}", *_sequential(found, width))
    yield from section("Ways to decide", _policies(found))
    yield paragraph("worth: expected net benefit over staying, all costs of the PoC taken off.", width)
    yield from section("How sure these figures are", paragraph(simulated(found.draws, found.seed), width))


def reading(found: PocPlan) -> Iterator[str]:
    """Whether to do a PoC, of what, how long, and what it has to show, in sentences."""
    study, currency = found.study, found.study.currency
    if not found.evpi.distinguishable:
        yield f"Do no PoC: whatever it showed, the choice would be the same: {choice(study, found.now)}."
        return
    if found.best is None:
        leading = max(found.designs, key=lambda each: each.best.enbs.value)
        yield (
            f"Do no PoC: {choice(study, found.now)}. The least bad, {leading.offer.name} with "
            f"{in_runs(leading.best.runs)}, would tell {words(error(leading.best.evsi), currency)} worth and cost "
            f"{words(Figure(leading.best.cost, 0.0), currency)}."
        )
    else:
        name, size = found.best
        yield (
            f"Do a PoC before you decide: {in_runs(size.runs)} of {name}. What it tells is worth "
            f"{words(error(size.evsi), currency)} on average and it costs {words(Figure(size.cost, 0.0), currency)}, "
            f"{words(Figure(size.delay, 0.0), currency)} of it for the weeks: {words(error(size.enbs), currency)} net."
        )
        if not size.enbs.distinguishable:
            yield "That is not distinguishable from 0: the draws do not tell whether it pays."
        yield f"Without a PoC: {choice(study, found.now)}."
    yield from _to_show(found.study, found.rule)
    plan = found.rule.sequential
    runs, net = plan.best_fixed
    if plan.looks and plan.net - net < _SLIGHT * plan.net:
        yield f"To look at {found.rule.input} after each run and decide again would add next to nothing."
    elif plan.looks:
        yield (
            f"To look at {found.rule.input} after each run and stop by the table below is worth "
            f"{words(Figure(plan.net - net, 0.0), currency)} more than the best fixed size ({in_runs(runs)}), with "
            f"{plan.expected_runs:.1f} runs on average."
        )


def _to_show(study: Study, rule: Rule) -> Iterator[str]:
    names = list(study.options)
    seen = {region.choice for region in rule.after}
    if len(seen) == 1:
        yield f"Nothing that {in_runs(rule.runs)} could show of {rule.input} would change the choice by itself."
        return
    parts = [f"{choice(study, names[region.choice])} with {_span(rule, region)}" for region in rule.after]
    what = {"runs": "the average (geometric mean)", "counts": "the events", "trials": "the failures"}[rule.kind]
    yield (
        f"What it has to show, by {what} of {rule.input} over {in_runs(rule.runs)} of {rule.design}: "
        f"{'; '.join(parts)}. Today's guess is {quantity(rule.today)}."
    )


def _span(rule: Rule, region: Region) -> str:
    if rule.kind != "runs":
        low, high = int(region.low), int(region.high)
        return f"{low}" if low == high else f"{low} to {high}"
    if region.low == 0:
        return f"less than {quantity(region.high)}"
    return (
        f"{quantity(region.low)} or more"
        if math.isinf(region.high)
        else f"{quantity(region.low)} to {quantity(region.high)}"
    )


def _design(found: PocPlan, each: Design, width: int) -> Iterator[RenderableType]:
    offer, currency = each.offer, found.study.currency
    yield paragraph(
        f"Every run measures {listed(offer.measures)}"
        + (f"; {listed(each.counted)} are counted here" if len(each.counted) < len(offer.measures) else "")
        + f". {words(Figure(offer.setup, 0.0), currency)} to set up, "
        f"{words(Figure(offer.per_run, 0.0), currency)} a run. It takes {offer.weeks:g} weeks and "
        f"{offer.weeks_per_run:g} a run, at {words(Figure(offer.week, 0.0), currency)} a week.",
        width,
        2,
    )
    if not each.most.distinguishable:
        yield paragraph("However many the runs, they tell nothing whose worth can be told from 0.", width, 2)
        return
    made = table("  runs", "tells", "costs", "of it delay", "net", "+-")
    for size in each.sizes:
        made.add_row(*_row(size), style="bold" if found.best == (offer.name, size) else "")
    yield made
    yield paragraph(
        f"Endless runs in production itself would tell {words(error(each.most), currency)} worth.", width, 2
    )


def _row(size: Size) -> tuple[str, ...]:
    return (
        f"  {size.runs}",
        amount(error(size.evsi)),
        amount(Figure(size.cost, 0.0)),
        amount(Figure(size.delay, 0.0)),
        amount(error(size.enbs)),
        noise(size.enbs.se),
    )


def _sequential(found: PocPlan, width: int) -> Iterator[RenderableType]:
    rule, names = found.rule, list(found.study.options)
    order = sorted({region.choice for look in rule.sequential.looks for region in look.regions})
    made = table("after runs", *("another run" if each == RUN else choice_of(found, names[each]) for each in order))
    for look in rule.sequential.looks:
        made.add_row(str(look.runs), *(_cell(rule, look, each) for each in order))
    yield made
    by = {"runs": "geometric mean of the runs so far", "counts": "events so far", "trials": "failures so far"}
    yield paragraph(f"Ranges of the {by[rule.kind]}, {rule.unit}.", width)


def choice_of(found: PocPlan, name: str) -> str:
    """An option as a heading."""
    return "stay" if name == found.study.baseline else f"switch to {name}"


def _cell(rule: Rule, look: Look, each: int) -> str:
    return ", ".join(_span(rule, region) for region in look.regions if region.choice == each) or "-"


def _policies(found: PocPlan) -> Table:
    made = table(f"thousand {found.study.currency}", "worth", "how")
    for each in found.policies:
        made.add_row(each.name, amount(each.worth), each.what)
    made.columns[-1].justify = "left"
    return made
