"""Faults and waste: a count needs an exposure, and a loss is counted once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammainc, gammaincc

from simulator.audit.finding import Case, Finding
from simulator.audit.formula import naive_total
from simulator.audit.throughput import AGREE
from simulator.study.said import Said, Series
from simulator.study.sections import ReportedFigures

if TYPE_CHECKING:
    from simulator.inputs import Distribution

UNLIKELY = 0.05  # a count this far out is worth a question
IMPOSSIBLE = 0.001
NODES = 4096  # midpoints of the prior's quantiles; the tail is then right to about 1e-4
ROUNDING = 0.005  # relative; totals are printed in whole units or thousands


def at_least(count: int, mean: float) -> float:
    """P(N >= count) of a Poisson count, the regularised incomplete gamma function."""
    return float(gammainc(count, mean)) if count > 0 else 1.0


def tails(count: int, rate: Distribution, exposure: float) -> tuple[float, float]:
    """P(N >= count) and P(N <= count) of a Poisson count whose rate is uncertain.

    Parameters
    ----------
    count : int
        Events seen.
    rate : Distribution
        Events per 1,000 instance-hours.
    exposure : float
        Instance-hours in which they were counted.
    """
    means = rate.ppf((np.arange(NODES) + 0.5) / NODES) * exposure / 1000
    many = float(gammainc(count, means).mean()) if count > 0 else 1.0
    return many, float(gammaincc(count + 1, means).mean())


def exposure_hours(facts: ReportedFigures) -> float | None:
    """Instance-hours in which the faults were counted."""
    if facts.exposure_hours is not None:
        return facts.exposure_hours
    return None if facts.period_hours is None else facts.period_hours * (facts.instances or 1)


def fault_count_out_of_line(case: Case) -> Iterator[Finding]:
    """A fault count against its exposure: the Poisson tail under the library's prior and at a large fleet's rate."""
    for name, facts in case.stated().items():
        prior = f"{case.hardware(name)}/faults_per_1000h"
        rate, hours = case.reference.law(prior), exposure_hours(facts)
        if facts.faults is None or hours is None or rate is None:
            continue
        count = round(facts.faults)
        many, few = tails(count, rate, hours)
        fleet = case.reference.number(f"{prior}/large_fleet")
        many_by_fleet = 1.0 if fleet is None else at_least(count, fleet * hours / 1000)
        if min(many, few, many_by_fleet) > UNLIKELY:
            continue
        impossible = min(many, few) < IMPOSSIBLE
        sums: list[str] = [
            Said(
                "with {prior} P({count} or more) = {many:.1%}, P({count} or fewer) = {few:.1%}",
                prior=prior,
                count=count,
                many=many,
                few=few,
            )
        ]
        if fleet is not None:
            at_fleet = Said(
                "at a large fleet's rate {expected:.3g} are expected, P({count} or more) = {many:.1%}",
                expected=fleet * hours / 1000,
                count=count,
                many=many_by_fleet,
            )
            sums.insert(0, at_fleet)
        yield Finding(
            code="fault_count_out_of_line",
            severity="error" if impossible else "warning",
            where=f"reported.{name}.faults",
            message=Said(
                "{count} faults of {option} in {hours:,.0f} instance-hours are hardly possible"
                if impossible
                else "{count} faults of {option} in {hours:,.0f} instance-hours are unlikely, not impossible",
                count=count,
                option=name,
                hours=hours,
            ),
            arithmetic=Series("; ", sums),
            source=case.reference.source(prior if fleet is None else f"{prior}/large_fleet"),
            advice=Said("Ask for the log with its hours: a count without its exposure is no rate."),
        )


def waste_contradicts_faults(case: Case) -> Iterator[Finding]:
    """Waste x time / faults is what one fault loses, which a checkpoint interval has to explain."""
    for name, facts in case.stated().items():
        prior = f"{case.hardware(name)}/hours_lost_per_fault"
        law, hours = case.reference.law(prior), exposure_hours(facts)
        if not facts.faults or hours is None or facts.waste_share is None or law is None:
            continue
        each = facts.waste_share * hours / facts.faults / (facts.instances or 1)
        stated, usual = facts.hours_lost_per_fault, float(law.ppf(np.array([0.95]))[0])
        if stated is not None and abs(each - stated) > AGREE * stated:
            yield Finding(
                code="waste_contradicts_hours_lost",
                severity="error",
                where=f"reported.{name}.waste_share",
                message=Said(
                    "waste and faults of {option} make {each:.3g} h a fault, not {stated:g} h",
                    option=name,
                    each=each,
                    stated=stated,
                ),
                arithmetic=Said(
                    "{waste:.0%} x {hours:,.0f} h / {faults:g} faults = {each:.3g} h",
                    waste=facts.waste_share,
                    hours=hours,
                    faults=facts.faults,
                    each=each,
                ),
                source=facts.source,
                advice=Said("Ask for the time base of the waste, and whether the count covers all of it."),
            )
        if each <= usual:
            continue
        yield Finding(
            code="waste_contradicts_faults",
            severity="warning",
            where=f"reported.{name}.waste_share",
            message=Said(
                "a fault of {option} would lose {each:.0f} h, {times:.0f} times the 95 % point of the prior",
                option=name,
                each=each,
                times=each / usual,
            ),
            arithmetic=Said(
                "{waste:.0%} x {hours:,.0f} h / {faults:g} faults = {each:.0f} h; half an interval is lost on average, "
                "so checkpoints would be {days:.1f} days apart",
                waste=facts.waste_share,
                hours=hours,
                faults=facts.faults,
                each=each,
                days=2 * each / 24,
            ),
            source=case.reference.source(prior),
            advice=Said("Ask for the time base of the waste and for the checkpoint interval."),
        )


def waste_counted_twice(case: Case) -> Iterator[Finding]:
    """A total that equals rent + labour + rent (1 / utilization - 1): the hours were run at that utilization."""
    for name, facts in case.stated().items():
        if facts.price is None or facts.hours is None or not facts.utilization or facts.total_cost is None:
            continue
        rent, printed = facts.price * facts.hours, facts.total_cost
        naive, once = naive_total(facts.price, facts.hours, facts.utilization, labour(facts)), rent + labour(facts)
        if abs(printed / naive - 1) > ROUNDING or abs(printed / once - 1) < ROUNDING:
            continue
        yield Finding(
            code="waste_counted_twice",
            severity="error",
            where=f"reported.{name}.total_cost",
            message=Said(
                "the total of {option} adds its idle time to hours that were run at that utilization already",
                option=name,
            ),
            arithmetic=Said(
                "{rent:,.0f} + {labour:,.0f} + {rent:,.0f} x (1 / {utilization:g} - 1) = {naive:,.2f}, "
                "printed {printed:,.0f}; once counted {once:,.0f}",
                rent=rent,
                labour=labour(facts),
                utilization=facts.utilization,
                naive=naive,
                printed=printed,
                once=once,
            ),
            source=facts.source,
            advice=Said("Utilization belongs into how many hours the work takes; charge those hours once."),
        )


def labour(facts: ReportedFigures) -> float:
    """Engineering cost that the source counts, 0 where none is stated."""
    return (facts.engineer_hours or 0) * (facts.engineer_rate or 0)
