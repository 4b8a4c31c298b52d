"""The rules, and the audit that applies them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from simulator.audit.ceilings import chips_contradict_peak, peak_is_another_figure, utilization_above_ceiling
from simulator.audit.finding import SEVERITIES, Case, Finding
from simulator.audit.losses import fault_count_out_of_line, waste_contradicts_faults, waste_counted_twice
from simulator.audit.prices import price_bases_differ, price_belongs_elsewhere, price_cannot_be_bought, price_is_old
from simulator.audit.reference import Reference
from simulator.audit.software import sdk_older_than_hardware
from simulator.audit.throughput import (
    busy_share_used_as_utilization,
    samples_contradict_tokens,
    speed_contradicts_efficiency,
    speed_contradicts_peak,
    step_contradicts_tokens,
    steps_contradict_duration,
    utilization_is_busy_time,
)
from simulator.audit.totals import saving_not_reproduced, total_contradicts_saving
from simulator.study import Study

Rule = Callable[[Case], Iterator[Finding]]

RULES: tuple[Rule, ...] = (
    total_contradicts_saving,
    saving_not_reproduced,
    waste_counted_twice,
    price_belongs_elsewhere,
    price_is_old,
    price_cannot_be_bought,
    price_bases_differ,
    peak_is_another_figure,
    chips_contradict_peak,
    utilization_is_busy_time,
    busy_share_used_as_utilization,
    utilization_above_ceiling,
    speed_contradicts_peak,
    speed_contradicts_efficiency,
    step_contradicts_tokens,
    samples_contradict_tokens,
    steps_contradict_duration,
    fault_count_out_of_line,
    waste_contradicts_faults,
    sdk_older_than_hardware,
)


def audit(study: Study, reference: Reference | None = None) -> tuple[Finding, ...]:
    """What the rules find in a study, its scenarios and its reported figures; the gravest first.

    Of two that say the same, the one of the study's own input stands, not that of the reported figure. Whether a claim
    lies outside the distribution takes a result: `simulator.audit.totals.claim_outside`.
    """
    reference = reference or Reference.shipped()
    cases = [Case(study, reference), *(Case(s, reference, name, study) for name, s in study.scenarios.items())]
    found: dict[tuple[str, str], Finding] = {}
    for finding in (each for case in cases for rule in RULES for each in rule(case)):
        found.setdefault((finding.code, finding.message), finding)
    return tuple(sorted(found.values(), key=lambda each: SEVERITIES.index(each.severity)))
