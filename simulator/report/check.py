"""The check of a study on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from simulator.audit.check import Check
from simulator.audit.explain import Told
from simulator.audit.finding import Finding
from simulator.report.console import paragraph
from simulator.report.figures import figure

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

COLOURS = {"error": "bold red", "warning": "yellow", "info": "cyan"}
DIGITS = 4
LUCK = "which faults happen, and whether a migration fails, is luck that no measurement takes away"


def show_check(check: Check, console: Console) -> None:
    """Print a check, for 80 columns and up."""
    for part in _parts(check, console.width):
        console.print(part)


def _parts(check: Check, width: int) -> Iterator[RenderableType]:
    from rich.text import Text

    study = check.study
    yield paragraph(study.title, width, style="bold")
    about = f"baseline {study.baseline}, hurdle {study.hurdle:.0%}, as of {study.as_of or 'no date'}; {study.path}"
    yield paragraph(about, width)
    yield ""
    yield Text("Inputs: a number, or the 5, 50 and 95 % points of what is not known\n", "bold")
    for owner, inputs in groupby(check.inputs, key=lambda each: each.name.rpartition(".")[0].split(".")[0]):
        yield Text(study.options[owner].label if owner in study.options else "the study", "underline")
        for each in inputs:
            yield from _input(each, owner, width)
        yield ""
    if study.correlations:
        yield Text("Dependence", "underline")
    for pair in study.correlations:
        yield f"  {pair.between[0]} and {pair.between[1]}: rank correlation {pair.spearman:+.2f}"
    if study.correlations:
        yield ""
    yield Text("What this study leaves out", "bold")
    for line in check.not_modelled:
        yield paragraph(f"- {line}", width, 2, hang=2)
    yield paragraph(f"- {LUCK}", width, 2, hang=2)
    yield Text(f"\nAudit: {_summary(check)}", "bold")
    for finding in check.findings:
        yield from _finding(finding, width)


def _summary(check: Check) -> str:
    counts = [f"{number} {severity}{'s' * (number > 1)}" for severity, number in check.counts.items()]
    return ", ".join(counts) if counts else "nothing found"


def _input(each: Told, owner: str, width: int) -> Iterator[RenderableType]:
    name = each.name.removeprefix(f"{owner}.")
    points = [each.value] if each.value is not None else [each.p05, each.p50, each.p95]
    numbers = "".join(f"{figure(point, DIGITS):>9}" for point in points if point is not None)
    yield f"  {name:<23}{numbers}  {each.unit}{', luck' * (each.kind == 'luck')}"
    if origin := _origin(each):
        yield paragraph(origin, width, 6, "dim")


def _origin(each: Told) -> str:
    parts = (each.price_kind, each.region, each.basis, str(each.as_of) if each.as_of else None)
    facts = ", ".join(part for part in parts if part)
    named = f"prior {each.prior}" if each.prior else None
    return "; ".join(part for part in (named, facts, each.source) if part)


def _finding(finding: Finding, width: int) -> Iterator[RenderableType]:
    head = paragraph(f"{finding.severity}: {finding.message}", width)
    head.stylize(COLOURS[finding.severity], 0, len(finding.severity) + 1)
    yield ""
    yield head
    yield paragraph(f"at {finding.where} [{finding.code}]", width, 4, "dim")
    for label, text in (("", finding.arithmetic), ("source: ", finding.source), ("do: ", finding.advice)):
        if text:
            yield paragraph(label + text, width, 4)
