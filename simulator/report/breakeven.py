"""Where an answer changes, on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from simulator.decision.flips import BreakEven, Curve, Flips, Root, Threshold
from simulator.engine import Figure
from simulator.report.cells import WIDTH, listed, quantity, section, show, simulated, table, words
from simulator.report.console import paragraph
from simulator.report.numbers import cases, per_cent

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

DIGITS = 4
_QUANTILE = 1.753  # of Student's t with 15 degrees of freedom, 95 %: by which an interval is wider than its error


def show_breakeven(found: BreakEven, console: Console, detailed: bool) -> None:
    """Print where an answer changes, for 80 columns and up; input by input where a few were asked for."""
    show(_parts(found, min(console.width, WIDTH), detailed), console)


def _parts(found: BreakEven, width: int, detailed: bool) -> Iterator[RenderableType]:
    yield paragraph(found.study.title, width, style="bold")
    yield ""
    for i, sentence in enumerate(reading(found)):
        yield paragraph(sentence, width, style="bold" if i == 0 else "")
    if detailed:
        for each in found.thresholds:
            yield from section(f"{each.input} ({each.unit}), {_believed(each)}", *_told(found, each, width))
    elif any(each.saving.roots for each in found.thresholds):
        yield from section("Where it flips, one input at a time", _flips(found))
        yield paragraph(
            "pays: where the expected saving reaches the hurdle. sd: how far that is from today's mean, in standard "
            "deviations of what is believed. 50, 80, 90 %: where it pays in so many of 100 cases; - for never. Each "
            "can be checked with simulate run and --set INPUT=VALUE.",
            width,
        )
    if found.curve:
        yield from section(f"{found.curve.second} at which it pays, by {found.curve.first}", _curve(found.curve))
    yield from section("How sure these figures are", paragraph(simulated(found.draws, found.seed), width))


def reading(found: BreakEven) -> Iterator[str]:
    """Where it flips, in sentences."""
    study, label = found.study, found.study.options[found.option].label
    gain, hurdle = found.gain, f" of {100 * study.hurdle:g} %" if study.hurdle else ""
    side = "above" if gain.value > 0 else "below"
    yield (
        f"Today the expected saving of {label} lies {words(gain, study.currency)} {side} the hurdle{hurdle}, and it "
        f"pays in {cases(found.p_beats)}."
    )
    if len(study.options) > 2:
        yield "It is told of this option against the baseline; --option tells of another."
    flipping = [each for each in found.thresholds if each.saving.roots]
    if flipping:
        yield _nearest(flipping[0])
    if never := [each.input for each in found.thresholds if each.saving.verdict == "never"]:
        yield f"No value of {listed(never)} makes it pay by itself."
    if always := [each.input for each in found.thresholds if each.saving.verdict == "always"]:
        yield f"It pays at every value of {listed(always)}."
    if idle := [each.input for each in found.thresholds if each.saving.verdict == "no effect"]:
        yield f"Nothing hangs on {listed(idle)}."
    for each in found.thresholds:
        if each.learnt and each.learnt.roots and not each.saving.roots:
            yield (
                f"Learning that {each.input} is {_where(each.learnt.roots)} would make it pay all the same, since it "
                "says something of the inputs that hang together with it."
            )


def _nearest(each: Threshold) -> str:
    flips = each.saving
    root = min(flips.roots, key=lambda one: abs(one.value - each.mean))
    text = f"The nearest flip: it pays with {each.input} {_where(flips.roots)}"
    if root.sds is None:
        return f"{text}; it is {quantity(each.mean)} today."
    chance = "" if flips.chance is None else f"; on what is believed of it, it lies there in {_chance(flips)}"
    return f"{text}, {abs(root.sds):.2g} standard deviations from today's mean of {quantity(each.mean)}{chance}."


def _chance(flips: Flips) -> str:
    assert flips.chance is not None
    return cases(Figure(flips.chance, 0.0))


def _where(roots: tuple[Root, ...]) -> str:
    """above 0.45; below 3; between 2 and 5."""
    if len(roots) == 2 and roots[0].above and not roots[1].above:
        return f"between {_value(roots[0])} and {_value(roots[1])}"
    return " or ".join(f"{'above' if root.above else 'below'} {_value(root)}" for root in roots)


def _value(root: Root) -> str:
    return quantity(root.value, (root.high - root.low) / 2 / _QUANTILE, DIGITS)


def _believed(each: Threshold) -> str:
    spread = f" +- {quantity(each.sd)}" if each.sd else ""
    return f"today {quantity(each.mean, digits=DIGITS)}{spread}"


def _flips(found: BreakEven) -> Table:
    made = table("", "today", "pays", "sd", "50 %", "80 %", "90 %")
    for each in found.thresholds:
        if not each.saving.roots:
            continue
        chances = [
            _signed(flips.roots) or ("all" if flips.verdict == "always" else "-") for flips in each.chances.values()
        ]
        sds = ", ".join(f"{root.sds:+.1f}" for root in each.saving.roots if root.sds is not None)
        name = each.input if each.input in found.study.inputs else f"{each.input}, {each.unit}"
        made.add_row(name, quantity(each.mean), _signed(each.saving.roots), sds, *chances)
    return made


def _signed(roots: tuple[Root, ...]) -> str:
    return ", ".join(f"{'>' if root.above else '<'} {_value(root)}" for root in roots)


def _told(found: BreakEven, each: Threshold, width: int) -> Iterator[RenderableType]:
    looked = f"from {quantity(each.looked[0])} to {quantity(each.looked[1])}"
    hurdle = f"{100 * found.study.hurdle:g} %"
    yield paragraph(f"Expected saving above the hurdle of {hurdle}: {_found(each.saving, looked)}", width, 2, hang=2)
    for root in each.saving.roots:
        away = "" if root.sds is None else f", {root.sds:+.2f} standard deviations from today's mean"
        yield paragraph(
            f"{_value(root)}{away}; simulation error alone leaves it between {quantity(root.low, digits=5)} and "
            f"{quantity(root.high, digits=5)} (90 %)",
            width,
            4,
            hang=2,
        )
    if each.saving.chance is not None:
        yield paragraph(f"on what is believed of it, it lies there in {_chance(each.saving)}", width, 4, hang=2)
    if each.learnt is not None:
        yield paragraph(
            f"If it were learnt, and what hangs together with it followed: {_found(each.learnt, looked)}",
            width,
            2,
            hang=2,
        )
    for p, flips in each.chances.items():
        best = f"; at most in {per_cent(Figure(flips.at_best, 1e-3))}, at {quantity(flips.best)}"
        told = _found(flips, looked) + (best if flips.verdict == "never" else "")
        yield paragraph(f"Pays in {100 * p:.0f} of 100 cases: {told}", width, 2, hang=2)


def _found(flips: Flips, looked: str) -> str:
    if flips.roots:
        return _where(flips.roots)
    return {"always": f"at every value {looked}", "never": f"at no value {looked}", "no effect": "it has no effect"}[
        flips.verdict
    ]


def _curve(curve: Curve) -> Table:
    made = table(f"{curve.first} ({curve.first_unit})", f"{curve.second} ({curve.second_unit})")
    for x, roots in curve.points:
        made.add_row(quantity(x), ", ".join(quantity(root, digits=DIGITS) for root in roots) or "none")
    return made
