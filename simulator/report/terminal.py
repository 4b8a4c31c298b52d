"""The verdict on a terminal, at 80 columns, with or without colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from simulator.engine import Figure, Histogram, OptionFigures, Result
from simulator.report.console import paragraph
from simulator.report.numbers import decimals_beside, per_cent, thousands
from simulator.report.verdict import answer, leading, question, recommendation, remarks, spread_of
from simulator.study import Note, Study

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

_ROWS = 14
_BAR = 34
_EIGHTHS = " ▏▎▍▌▋▊▉"

Bar = Callable[[float], str]

COMPONENTS = {
    "rent_productive": "rent, productive hours",
    "rent_faults": "rent, lost to faults",
    "rent_compiling": "rent, compiling",
    "unused_commitment": "unused commitment",
    "sunk": "commitments left behind",
    "labour": "engineers",
    "schedule": "schedule",
    "other": "other costs",
    "blocked": "failed move and way back",
}
LADDER = {
    "list_at_peak": "list price, all hours at peak",
    "discount": "after discount",
    "utilization": "at the utilization reached",
    "scaling": "at the scaling reached",
    "faults": "with faults",
    "compiling": "with compiling",
    "commitment": "with commitments",
    "labour": "with engineers",
    "other": "with other costs",
    "delay": "with the schedule",
    "blocked": "with the risk of going back",
}


def show_result(study: Study, result: Result, console: Console) -> None:
    """Print the whole verdict."""
    width = min(console.width, 100)
    for part in _parts(study, result, width, bar if console.encoding.startswith("utf") else plain_bar):
        console.print(part)


def _parts(study: Study, result: Result, width: int, bar: Bar) -> Iterator[RenderableType]:
    name = leading(study, result)
    yield paragraph(study.title, width, style="bold")
    yield ""
    yield paragraph(question(study), width)
    yield ""
    yield paragraph(answer(study, result, name), width, style="bold")
    yield paragraph(recommendation(study, result.decision), width)
    for other in study.options:
        if other not in (study.baseline, name):
            yield paragraph(answer(study, result, other), width)
    for option, found in result.options.items():
        for remark in remarks(study, option, found):
            yield paragraph(remark, width)
    yield from _section("Options", _options(study, result))
    yield from _section(
        f"Saving of {study.options[name].label}", _histogram(result.histograms[name], study.currency, bar)
    )
    yield from _section("From the list price to the bill", _waterfall(study, result, name))
    yield from _section("Where the money goes", _components(study, result))
    if result.claims:
        yield from _section("What the claims are worth", _claims(result))
    if result.scenarios:
        yield from _section("Scenarios", _scenarios(study, result))
    if result.findings:
        yield from _section("Findings", *(_finding(each, width) for each in result.findings))
    yield from _section("How sure these figures are", *(paragraph(text, width) for text in _sureness(result)))
    yield from _section("What to do next", *(paragraph(text, width, hang=2) for text in _next(study, result)))


def _section(title: str, *parts: RenderableType) -> Iterator[RenderableType]:
    from rich.text import Text

    yield ""
    yield Text(title, style="bold")
    yield from parts


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim")
    for i, title in enumerate(columns):
        table.add_column(title, justify="left" if i == 0 else "right", no_wrap=i > 0, overflow="fold")
    return table


def _options(study: Study, result: Result) -> Table:
    unit = f"thousand {study.currency}"
    beats = "pays" if study.hurdle == 0 else f"saves {100 * study.hurdle:g} %"
    table = _table(unit, "TCO", "saving", "5 %", "median", "95 %", "worst 5 %", beats, "cheapest")
    for name, found in result.options.items():
        if found.p_beats is None or found.cvar05 is None:
            table.add_row(f"{name} (now)", _cell(found.tco.mean, result), *[""] * 6, per_cent(found.p_best))
            continue
        amounts = (
            found.tco.mean,
            found.saving.mean,
            found.saving.p05,
            found.saving.p50,
            found.saving.p95,
            found.cvar05,
        )
        cells = (_cell(each, result) for each in amounts)
        table.add_row(name, *cells, per_cent(found.p_beats), per_cent(found.p_best))
    return table


def _cell(amount: Figure, result: Result) -> str:
    """An amount in thousands, with the digits that suit the largest bill of the study."""
    return thousands(amount, decimals_beside(max(each.tco.mean.value for each in result.options.values())))


def _histogram(histogram: Histogram, currency: str, bar: Bar) -> Table:
    """Rows of equal width from the 1 % to the 99 % point, what lies beyond added to the outer rows."""
    from rich.text import Text

    edges, shares = np.asarray(histogram.edges), np.asarray(histogram.shares)
    table = _table(f"thousand {currency}", "", "cases of 100")
    if not shares.size or shares.sum() <= 0:
        return table
    reached = np.concatenate([[0.0], np.cumsum(shares) / shares.sum()])
    low, high = np.interp((0.01, 0.99), reached, edges)
    step = _nice((high - low) / _ROWS)
    cuts = np.arange(np.floor(low / step), np.ceil(high / step) + 1) * step
    levels = np.interp(cuts, edges, reached)
    levels[0], levels[-1] = 0.0, 1.0
    rows = 100 * np.diff(levels)
    most = rows.max()
    for i, row in enumerate(rows):
        first, last = i == 0, i == len(rows) - 1
        sides = (f"{cuts[i] / 1e3:,.5g}", f"{cuts[i + 1] / 1e3:,.5g}")
        place = f"below {sides[1]}" if first else f"above {sides[0]}" if last else f"{sides[0]} to {sides[1]}"
        colour = "red" if cuts[i + 1] <= 0 else "green"
        table.add_row(place, Text(bar(row / most), style=colour), f"{row:.1f}")
    table.columns[0].justify = "right"
    table.columns[1].justify = "left"
    return table


def _nice(step: float) -> float:
    """1, 2 or 5 times a power of ten, not below a step: with it, zero is a cut."""
    if not step > 0:
        return 1.0
    size = 10.0 ** np.floor(np.log10(step))
    return float(next(m * size for m in (1, 2, 5, 10) if m * size >= step * (1 - 1e-9)))


def bar(share: float) -> str:
    """A bar of eighth blocks."""
    eighths = round(share * _BAR * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def plain_bar(share: float) -> str:
    """A bar for an output that has no blocks."""
    return "#" * round(share * _BAR)


def _waterfall(study: Study, result: Result, name: str) -> Table:
    """Running totals of the baseline and of the leading candidate, and the saving so far."""
    stay, move = result.options[study.baseline], result.options[name]
    table = _table(f"running total, thousand {study.currency}", study.baseline, name, "saving so far")
    total_stay = total_move = 0.0
    for key, words in LADDER.items():
        step_stay, step_move = stay.waterfall[key], move.waterfall[key]
        total_stay, total_move = total_stay + step_stay.value, total_move + step_move.value
        if key != "list_at_peak" and not _counts(step_stay, stay) and not _counts(step_move, move):
            continue
        table.add_row(
            words,
            _cell(Figure(total_stay, stay.tco.mean.mcse), result),
            _cell(Figure(total_move, move.tco.mean.mcse), result),
            per_cent(Figure(1 - total_move / total_stay, 1e-4)) if total_stay > 0 else "",
        )
    return table


def _counts(amount: Figure, option: OptionFigures) -> bool:
    """Whether an amount would show in a table beside the TCO."""
    return abs(amount.value) >= 5e-5 * abs(option.tco.mean.value)


def _components(study: Study, result: Result) -> Table:
    table = _table(f"thousand {study.currency}", *study.options)
    for key, words in COMPONENTS.items():
        parts = {name: found.components[key] for name, found in result.options.items()}
        if any(_counts(part, result.options[name]) for name, part in parts.items()):
            table.add_row(words, *(_cell(part, result) for part in parts.values()))
    table.add_row("total", *(_cell(found.tco.mean, result) for found in result.options.values()), style="bold")
    return table


def _claims(result: Result) -> Table:
    table = _table("claim", "option", "claimed saving", "reached in")
    for name, claim in result.claims.items():
        table.add_row(name, claim.option, f"{100 * claim.saving_share:g} %", per_cent(claim.p_reached))
    return table


def _scenarios(study: Study, result: Result) -> Table:
    candidates = [name for name in study.options if name != study.baseline]
    headings = [f"{name}: {what}" for name in candidates for what in ("pays", "saving")]
    table = _table(f"thousand {study.currency}", *headings, "best")
    rows: Mapping[str, tuple[Mapping[str, OptionFigures], str]] = {
        "as given": (result.options, result.decision.best),
        **{name: (case.options, case.decision.best) for name, case in result.scenarios.items()},
    }
    for scenario, (options, best) in rows.items():
        cells: list[str] = []
        for name in candidates:
            found = options.get(name)
            beats = found.p_beats if found else None
            cells += [per_cent(beats), _cell(found.saving.mean, result)] if found and beats else ["", ""]
        table.add_row(scenario, *cells, best)
    return table


def _finding(finding: Note, width: int) -> RenderableType:
    return paragraph(f"{finding.severity}: {finding.message} [{finding.where}]", width, hang=2)


def _sureness(result: Result) -> Iterator[str]:
    found = [each for each in result.options.values() if each.p_beats is not None]
    error = max((each.p_beats.mcse for each in found if each.p_beats is not None), default=0.0)
    money = max((each.saving.mean.mcse for each in found), default=0.0)
    run = result.run
    yield (
        f"{run.draws:,} draws in {run.replicates} independent sets, seed {run.seed}. Simulation error (one standard "
        f"error): {100 * error:.2g} percentage points on how often it pays, {_amount(money)} "
        f"{result.study.currency} on the mean saving."
    )
    if not run.converged:
        yield "The tolerance asked for was not reached."
    if (spread := spread_of(result.decision)) is not None:
        yield spread
    yield "The figures are as good as the priors: the simulation error says nothing about those."


def _amount(value: float) -> str:
    """A small amount to two significant digits, without an exponent."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _next(study: Study, result: Result) -> Iterator[str]:
    """What is worth doing after this answer: measuring only where knowing more could change it."""
    path = study.path or "STUDY"
    yield f"simulate check {path}: what every input rests on, and what cannot be true"
    evpi = result.decision.evpi
    if evpi.value > 3 * evpi.mcse:
        yield f"simulate drivers {path}: which unknowns decide it"
        yield f"simulate breakeven {path}: at which values the answer flips"
        yield f"simulate poc {path}: whether measuring first pays, and what to measure"
    yield f"simulate memo {path}: one page for those who decide"
