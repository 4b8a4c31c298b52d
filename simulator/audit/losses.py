"""Faults and waste: a count needs an exposure, and a loss is counted once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammainc, gammaincc

from simulator.audit.finding import Case, Finding
from simulator.audit.formula import naive_total
from simulator.audit.throughput import AGREE
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
        sums = f"with {prior} P({count} or more) = {many:.1%}, P({count} or fewer) = {few:.1%}"
        if fleet is not None:
            expected = fleet * hours / 1000
            sums = (
                f"at a large fleet's rate {expected:.3g} are expected, P({count} or more) = {many_by_fleet:.1%}; {sums}"
            )
        yield Finding(
            code="fault_count_out_of_line",
            severity="error" if impossible else "warning",
            where=f"reported.{name}.faults",
            message=f"{count} faults of {name} in {hours:,.0f} instance-hours are "
            + ("hardly possible" if impossible else "unlikely, not impossible"),
            arithmetic=sums,
            source=case.reference.source(prior if fleet is None else f"{prior}/large_fleet"),
            advice="Ask for the log with its hours: a count without its exposure is no rate.",
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
                message=f"waste and faults of {name} make {each:.3g} h a fault, not {stated:g} h",
                arithmetic=f"{facts.waste_share:.0%} x {hours:,.0f} h / {facts.faults:g} faults = {each:.3g} h",
                source=facts.source,
                advice="Ask for the time base of the waste, and whether the count covers all of it.",
            )
        if each <= usual:
            continue
        yield Finding(
            code="waste_contradicts_faults",
            severity="warning",
            where=f"reported.{name}.waste_share",
            message=f"a fault of {name} would lose {each:.0f} h, {each / usual:.0f} times the 95 % point of the prior",
            arithmetic=f"{facts.waste_share:.0%} x {hours:,.0f} h / {facts.faults:g} faults = {each:.0f} h; half an "
            f"interval is lost on average, so checkpoints would be {2 * each / 24:.1f} days apart",
            source=case.reference.source(prior),
            advice="Ask for the time base of the waste and for the checkpoint interval.",
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
            message=f"the total of {name} adds its idle time to hours that were run at that utilization already",
            arithmetic=f"{rent:,.0f} + {labour(facts):,.0f} + {rent:,.0f} x (1 / {facts.utilization:g} - 1) = "
            f"{naive:,.2f}, printed {printed:,.0f}; once counted {once:,.0f}",
            source=facts.source,
            advice="Utilization belongs into how many hours the work takes; charge those hours once.",
        )


def labour(facts: ReportedFigures) -> float:
    """Engineering cost that the source counts, 0 where none is stated."""
    return (facts.engineer_hours or 0) * (facts.engineer_rate or 0)
