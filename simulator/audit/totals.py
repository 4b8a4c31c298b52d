"""Claimed savings: against the source's own totals, against its own figures, and against the distribution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from simulator.audit.finding import Case, Finding
from simulator.audit.formula import break_even_hours, consistent_total, price_gap
from simulator.audit.losses import labour
from simulator.audit.speeds import effective_pflops
from simulator.study.said import Said, Series
from simulator.study.sections import ReportedFigures

NEAR = 0.02  # saving shares are quoted in whole per cents
OUTSIDE = 0.01  # a claim reached in fewer draws than this, or in all but this many


def total_contradicts_saving(case: Case) -> Iterator[Finding]:
    """The saving that the printed totals make, against the one that is claimed."""
    for name, facts, base in _pairs(case):
        if facts.total_cost is None or not base.total_cost or facts.saving_share is None:
            continue
        made = 1 - facts.total_cost / base.total_cost
        if abs(made - facts.saving_share) <= NEAR:
            continue
        yield Finding(
            code="total_contradicts_saving",
            severity="error",
            where=f"reported.{name}.saving_share",
            message=Said(
                "{option} is said to save {claimed:.0%}; the printed totals make it {made:.0%}",
                option=name,
                claimed=facts.saving_share,
                made=made,
            ),
            arithmetic=Said(
                "1 - {ours:,.0f} / {theirs:,.0f} = {made:.3f}",
                ours=facts.total_cost,
                theirs=base.total_cost,
                made=made,
            ),
            source=facts.source,
            advice=Said("Ask for the calculation; one of the two was not made with it."),
        )


def saving_not_reproduced(case: Case) -> Iterator[Finding]:
    """The consistent readings of a source's figures, where none of them gives the saving that it claims."""
    for name, facts, base in _pairs(case):
        readings = dict(_readings(facts, base))
        if facts.saving_share is None or not readings:
            continue
        if any(abs(made - facts.saving_share) <= NEAR for made in readings.values()):
            continue
        yield Finding(
            code="saving_not_reproduced",
            severity="error",
            where=f"reported.{name}.saving_share",
            message=Said(
                "no reading of the source's own figures makes {option} save {claimed:.0%}",
                option=name,
                claimed=facts.saving_share,
            ),
            arithmetic=Series("; ", [*_savings(readings), *_volumes(facts, base)]),
            source=facts.source,
            advice=Said("Take its inputs, once repaired, and simulate; leave its result."),
        )


def _pairs(case: Case) -> Iterator[tuple[str, ReportedFigures, ReportedFigures]]:
    stated = case.stated()
    base = stated.get(case.study.baseline)
    if base is not None:
        yield from ((name, facts, base) for name, facts in stated.items() if name != case.study.baseline)


def _savings(readings: Mapping[str, float]) -> Iterator[Said]:
    return (Said("{what} {made:+.1%}", what=what, made=made) for what, made in readings.items())


def _readings(facts: ReportedFigures, base: ReportedFigures) -> Iterator[tuple[str, float]]:
    if facts.price is None or base.price is None:
        return
    if facts.peak_pflops and base.peak_pflops:
        gap = price_gap(facts.price, facts.peak_pflops, base.price, base.peak_pflops)
        yield Said("price per peak PFLOP/s"), gap
    if (ours := effective_pflops(facts)) and (theirs := effective_pflops(base)):
        yield Said("price per effective PFLOP/s"), price_gap(facts.price, ours, base.price, theirs)
    yield Said("rent of equal hours"), 1 - facts.price / base.price
    if base.hours is None:
        return
    yield Said("and labour"), 1 - _total(facts, base.hours) / _total(base, base.hours)
    if facts.tokens_per_second and base.tokens_per_second:
        speed = facts.tokens_per_second / base.tokens_per_second
        ours, theirs = _total(facts, base.hours, speed, waste=True), _total(base, base.hours, waste=True)
        yield (
            Said("and speed and waste, {ours:,.0f} against {theirs:,.0f},", ours=ours, theirs=theirs),
            1 - ours / theirs,
        )


def _total(facts: ReportedFigures, hours: float, speed: float = 1, *, waste: bool = False) -> float:
    return consistent_total(facts.price or 0, hours, speed, _waste(facts) if waste else 0, labour(facts))


def _waste(facts: ReportedFigures) -> float:
    """Waste that the source counts; a run that loses all of its time has no total."""
    return facts.waste_share if facts.waste_share is not None and facts.waste_share < 1 else 0


def _volumes(facts: ReportedFigures, base: ReportedFigures) -> Iterator[Said]:
    """At which volume the figures, read consistently, would save the claimed share or anything."""
    if not (facts.price and base.price and facts.tokens_per_second and base.tokens_per_second):
        return
    speed = facts.tokens_per_second / base.tokens_per_second
    ours = (facts.price, speed, _waste(facts), labour(facts))
    theirs = (base.price, _waste(base), labour(base))
    claimed = facts.saving_share or 0
    yield Said("{share:.0%} needs {volume}", share=claimed, volume=_hours(break_even_hours(*ours, *theirs, claimed)))
    yield Said("break-even at {volume}", volume=_hours(break_even_hours(*ours, *theirs)))


def _hours(volume: float | None) -> Said:
    return Said("no volume") if volume is None else Said("{hours:,.0f} baseline hours", hours=volume)


def claim_outside(where: str, option: str, share: float, p_reached: float, mcse: float = 0.0) -> Iterator[Finding]:
    """A claimed saving that hardly any, or nearly every, draw reaches.

    Parameters
    ----------
    where, option : str
        Place of the claim (`claims.vendor`), and the option it is about.
    share : float
        The claimed saving / TCO(baseline).
    p_reached, mcse : float
        Probability that the saving share reaches it, and the Monte Carlo standard error of that.
    """
    if OUTSIDE <= p_reached <= 1 - OUTSIDE:
        return
    high = p_reached < OUTSIDE
    yield Finding(
        code="claim_outside",
        severity="warning",
        where=where,
        message=Said(
            "a saving of {share:.0%} with {option} lies above the whole distribution"
            if high
            else "a saving of {share:.0%} with {option} lies below the whole distribution",
            share=share,
            option=option,
        ),
        arithmetic=Said(
            "P(saving share >= {share:g}) = {p:.4f} (standard error {mcse:.1g})", share=share, p=p_reached, mcse=mcse
        ),
        advice=Said(
            "Ask for the case in which it was reached: volume, price basis, what it was compared with."
            if high
            else "The claim is modest for these inputs: look for one of them that is too kind."
        ),
    )
