"""A rough schedule for rules that need one: at the means of the inputs, without faults and compiles."""

from __future__ import annotations

from simulator.study import Input, Study

SECONDS = 3600
TOKEN_PFLOP_HOURS = 6 / 3.6e18  # a parameter and token; docs/model.md, section 3


def mean(each: Input) -> float:
    """The mean of an input."""
    return each.value if isinstance(each.value, float) else each.value.mean


def work_pflop_hours(study: Study) -> float | None:
    """W of docs/model.md at the means; None for a workload of tokens alone."""
    given = {name: mean(each) for name, each in study.workload.inputs.items()}
    match given:
        case {"pflop_hours": work}:
            return work
        case {"parameters": parameters, "tokens": tokens}:
            return parameters * tokens * TOKEN_PFLOP_HOURS
        case {"baseline_hours": hours, "baseline_utilization": utilization}:
            peak = study.options[study.baseline].inputs.get("peak_pflops")
            return None if peak is None else hours * mean(peak) * utilization
    return None


def expected_days(study: Study, name: str) -> float | None:
    """Days of productive running on all of an option's instances; None where the inputs do not say."""
    option = study.options[name]
    inputs = {name: mean(each) for name, each in option.inputs.items()}
    scaled = option.instances * inputs["scaling_efficiency"]
    if "tokens_per_second" in inputs and "tokens" in study.workload.inputs:
        hours = mean(study.workload.inputs["tokens"]) / (SECONDS * inputs["tokens_per_second"] * scaled)
    elif "utilization" in inputs and (work := work_pflop_hours(study)) is not None:
        hours = work / (inputs["peak_pflops"] * inputs["utilization"] * scaled)
    else:
        return None
    return hours / 24
