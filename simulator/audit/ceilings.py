"""Peaks that are another figure's, and efficiencies that the hardware does not allow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from simulator.audit.finding import Case, Finding, precision
from simulator.audit.reference import Ceiling, Peak
from simulator.audit.speeds import sustained_pflops
from simulator.study.said import Said, Series

if TYPE_CHECKING:
    from simulator.inputs import Distribution

SAME = 0.02  # relative; data sheets round to two digits
UNLIKELY = 0.05  # of a law beyond what is possible


def peak_is_another_figure(case: Case) -> Iterator[Finding]:
    """A peak that is not the dense one of the training precision but a sparse one, another precision's, or unknown."""
    for option, each in case.inputs("peak_pflops"):
        if isinstance(each.value, float):
            yield from _peak(case, option.name, each.value, "bf16", case.where(option.name, "peak_pflops"))
    for name, facts in case.stated().items():
        if facts.peak_pflops is not None:
            place = f"reported.{name}.peak_pflops"
            yield from _peak(case, name, facts.peak_pflops, precision(facts), place)


def _peak(case: Case, name: str, value: float, of: str, where: str) -> Iterator[Finding]:
    hardware = case.hardware(name)
    right = case.reference.peak(hardware, of)
    if right is None or abs(value / right.value - 1) <= SAME or _some_chips(value, right):
        return
    looks = [p for p in case.reference.peaks if p.hardware == hardware and abs(value / p.value - 1) <= SAME]
    what = Series(" or ", (Said("the {peak} peak", peak=peak.label) for peak in looks))
    listed = Series(", ", (Said("{peak} {value:g}", peak=peak.label, value=peak.value) for peak in (right, *looks)))
    yield Finding(
        code="peak_is_another_figure" if looks else "peak_not_on_record",
        severity="error" if looks else "warning",
        where=where,
        message=Said(
            "{value:g} PFLOP/s is {what} of {instance}, not its {right} peak"
            if looks
            else "{value:g} PFLOP/s is no peak on record of {instance}, not its {right} peak",
            value=value,
            what=what,
            instance=right.instance,
            right=right.label,
        ),
        arithmetic=Said(
            "{listed}; {value:g} / {right:g} = {ratio:.2f}",
            listed=listed,
            value=value,
            right=right.value,
            ratio=value / right.value,
        ),
        source=right.source,
        advice=Said(
            "Use {right:g}: a run is measured against the dense peak of the precision it computes in.",
            right=right.value,
        ),
    )


def _some_chips(value: float, whole: Peak) -> bool:
    """Whether it is the peak of a few of the instance's chips: a smaller instance type."""
    chips = value / whole.value * whole.chips
    return 1 <= round(chips) < whole.chips and abs(chips / round(chips) - 1) <= SAME / whole.chips


def chips_contradict_peak(case: Case) -> Iterator[Finding]:
    """Peak of a chip x chips against the peak of the instance."""
    for name, facts in case.stated().items():
        chip, chips, peak = facts.peak_per_chip_pflops, facts.chips, facts.peak_pflops
        if chip is None or chips is None or peak is None or abs(chip * chips / peak - 1) < SAME:
            continue
        yield Finding(
            code="chips_contradict_peak",
            severity="error",
            where=f"reported.{name}.peak_per_chip_pflops",
            message=Said(
                "{chips} chips of {chip:g} PFLOP/s are not an instance of {peak:g}", chips=chips, chip=chip, peak=peak
            ),
            arithmetic=Said(
                "{chip:g} x {chips} = {all:g}; / {peak:g} = {ratio:.2f}",
                chip=chip,
                chips=chips,
                all=chip * chips,
                peak=peak,
                ratio=chip * chips / peak,
            ),
            source=facts.source,
            advice=Said("Find out whether a core, a chip or an instance is meant, and in which precision."),
        )


def utilization_above_ceiling(case: Case) -> Iterator[Finding]:
    """A utilization beyond the best matrix product measured on the hardware: no training run does better."""
    for option, each in case.inputs("utilization"):
        ceiling = case.reference.ceiling(case.hardware(option.name))
        if ceiling is not None:
            beyond = float(each.value > ceiling.share) if isinstance(each.value, float) else _sf(each.value, ceiling)
            yield from _above(case.where(option.name, "utilization"), each.value, beyond, ceiling)
    for name, facts in case.stated().items():
        ceiling = case.reference.ceiling(case.hardware(name), precision(facts))
        if ceiling is None:
            continue
        achieved, peak = sustained_pflops(facts), case.dense_peak(name, facts)
        mfu = None if achieved is None or peak is None else achieved / peak.value
        for key, value in (("utilization", facts.utilization), ("tokens_per_second", mfu)):
            if value is not None:
                yield from _above(f"reported.{name}.{key}", value, float(value > ceiling.share), ceiling)


def _sf(law: Distribution, ceiling: Ceiling) -> float:
    return 1 - float(law.cdf(np.array([ceiling.share]))[0])


def _above(where: str, value: float | Distribution, beyond: float, ceiling: Ceiling) -> Iterator[Finding]:
    if beyond <= UNLIKELY:
        return
    if fixed := isinstance(value, float):
        message = Said("{share:.1%} of the dense peak is more than the hardware allows", share=value)
        arithmetic = Said(
            "the best matrix product measured reaches {best:.1%} of the dense peak < {share:.1%}",
            best=ceiling.share,
            share=value,
        )
    else:
        message = Said("{share:.0%} of this law lies above what the hardware allows", share=beyond)
        arithmetic = Said("the best matrix product measured reaches {best:.1%} of the dense peak", best=ceiling.share)
    yield Finding(
        code="utilization_above_ceiling",
        severity="error" if fixed else "warning",
        where=where,
        message=message,
        arithmetic=arithmetic,
        source=ceiling.source,
        advice=Said("Recompute it from tokens/s against the dense peak; it may be busy time, or of another precision."),
    )
