"""From hours to expected costs, and which options' hours an input bears on."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from simulator.engine import outcome
from simulator.study import Option, Study

Floats = NDArray[np.float64]
Works = Mapping[str, outcome.Work]

# Inputs of an option that bear on its hours or on its share beyond a commitment; the others bear on money alone.
_OF_HOURS = frozenset(
    {
        "peak_pflops", "utilization", "tokens_per_second", "scaling_efficiency", "faults_per_1000h",
        "hours_lost_per_fault", "unworkable", "recompiles", "compile_minutes", "compile_idle",
    }
)  # fmt: skip


def expected_costs(study: Study, works: Works, columns: Mapping[str, Floats]) -> dict[str, Floats]:
    """Expected TCO of each option from its hours; faults and being blocked in expectation."""
    base = outcome.baseline_outcome(study, works[study.baseline], columns)
    return {
        name: (base if name == study.baseline else outcome.candidate_outcome(study, name, work, columns, base)).expected
        for name, work in works.items()
    }


def touched(study: Study, moved: Collection[str]) -> set[str]:
    """Options whose hours change when these inputs do."""
    work = {each.name for each in study.workload.inputs.values()}
    base = study.options[study.baseline]
    if "baseline_hours" in study.workload.inputs:  # the work is then told through the baseline's peak
        work.add(base.inputs["peak_pflops"].name)
    if work & set(moved):
        return set(study.options)
    return {name for name, option in study.options.items() if _of_hours(option) & set(moved)}


def _of_hours(option: Option) -> set[str]:
    names = {each.name for key, each in option.inputs.items() if key in _OF_HOURS}
    return names | {option.commitment.instance_hours.name} if option.commitment else names
