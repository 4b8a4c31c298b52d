"""From columns of inputs to what each option costs, with luck drawn or taken in expectation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator import model
from simulator.sampling import poisson_quantile
from simulator.study import Option, Study

Floats = NDArray[np.float64]

Columns = Mapping[str, Floats]
"""Inputs by canonical name: a (draws,) array, or a 0-d array for a fixed one."""


class Met(NamedTuple):
    """The luck that met a run: its faults N, and its hours beyond the commitment."""

    faults: Floats
    beyond: Floats


Luck = Callable[[str, model.Running, Floats, Floats, Floats | None], Met]
"""(option, run, instance-hours lost per fault, hours billed without a fault, hours committed) -> Met."""

_ZERO = np.zeros(())


def expected_luck(_: str, run: model.Running, per_fault: Floats, certain: Floats, committed: Floats | None) -> Met:
    """Faults in expectation, which is exact for cost: it is linear in them but for a commitment's excess."""
    if committed is None:
        return Met(run.expected_faults, _ZERO)
    return Met(run.expected_faults, model.expected_excess(certain, per_fault, run.expected_faults, committed))


def drawn_luck(levels: Mapping[str, Floats]) -> Luck:
    """Faults drawn at the given levels, (draws,) uniforms by option."""

    def luck(name: str, run: model.Running, per_fault: Floats, certain: Floats, committed: Floats | None) -> Met:
        if name not in levels:
            return expected_luck(name, run, per_fault, certain, committed)
        mean = np.broadcast_to(run.expected_faults, levels[name].shape)
        faults = poisson_quantile(mean, levels[name])
        if committed is None:
            return Met(faults, _ZERO)
        return Met(faults, model.excess(certain + faults * per_fault, committed))

    return luck


class Certain(NamedTuple):
    """What an option has to run before any luck: hours without a fault, and what one fault costs in instance-hours."""

    run: model.Running
    hours: model.Hours
    per_fault: Floats
    committed: Floats | None


class Work(NamedTuple):
    """What an option has to run: hours on which no price, rate or date bears."""

    run: model.Running
    hours: model.Hours
    beyond: Floats


class Outcome(NamedTuple):
    """Cost of an option, (draws,) arrays: when it goes through, when it is blocked, how likely it goes through."""

    through: Floats
    blocked: Floats
    goes: Floats
    weeks: Floats
    parts: model.Components

    @property
    def expected(self) -> Floats:
        """Cost in expectation over being blocked."""
        return self.blocked + self.goes * (self.through - self.blocked)


def productive_hours(study: Study, option: Option, columns: Columns) -> Floats:
    """Productive instance-hours H of the study's work on an option."""
    given = {key: columns[each.name] for key, each in option.inputs.items()}
    if "tokens_per_second" in given:
        return model.hours_at_rate(columns["tokens"], given["tokens_per_second"], given["scaling_efficiency"])
    return model.hours_at_utilization(
        pflop_hours(study, columns), given["peak_pflops"], given["utilization"], given["scaling_efficiency"]
    )


def pflop_hours(study: Study, columns: Columns) -> Floats:
    """The study's work W in PFLOP/s-hours, from whichever form it was given in."""
    workload = study.workload
    if "pflop_hours" in workload.inputs:
        return columns["pflop_hours"]
    if "baseline_hours" in workload.inputs:
        peak = columns[study.options[study.baseline].inputs["peak_pflops"].name]
        return columns["baseline_hours"] * peak * columns["baseline_utilization"]
    shape = (workload.layers or 0, workload.hidden or 0, workload.sequence or 0)
    return model.pflop_hours(columns["parameters"], columns["tokens"], *shape)


def work(study: Study, option: Option, columns: Columns, luck: Luck) -> Work:
    """Hours of an option's run under a way of meeting luck."""
    return met(option.name, certain(study, option, columns), luck)


def certain(study: Study, option: Option, columns: Columns) -> Certain:
    """Hours of an option's run before luck."""

    def column(key: str) -> Floats:
        return columns[option.inputs[key].name]

    run = model.running(
        productive_hours(study, option, columns),
        option.instances,
        column("faults_per_1000h"),
        column("hours_lost_per_fault"),
        column("unworkable"),
    )
    compiling = (column("recompiles"), column("compile_minutes"), column("compile_idle"))
    smooth = model.billed(run, _ZERO, option.instances, *compiling)
    committed = columns[option.commitment.instance_hours.name] if option.commitment else None
    return Certain(run, smooth, option.instances * run.hours_lost_per_fault, committed)


def met(name: str, before: Certain, luck: Luck) -> Work:
    """The hours when luck has met them."""
    run, smooth, per_fault, committed = before
    faults, beyond = luck(name, run, per_fault, smooth.billed if committed is not None else _ZERO, committed)
    return Work(run, smooth._replace(faults=faults * per_fault), beyond)


def baseline_outcome(study: Study, done: Work, columns: Columns) -> Outcome:
    """Cost of staying: nothing can block it, and its schedule is what the others' are held against."""
    option = study.options[study.baseline]
    weeks = done.hours.weeks(option.instances, columns[option.inputs["delay_weeks"].name])
    parts = _parts(study, option, done, columns, weeks, weeks)
    total = parts.total()
    return Outcome(total, total, np.ones(()), weeks, parts)


def candidate_outcome(study: Study, name: str, done: Work, columns: Columns, baseline: Outcome) -> Outcome:
    """Cost of moving to an option, given what the baseline costs in the same draws."""
    option = study.options[name]
    weeks = done.hours.weeks(option.instances, columns[option.inputs["delay_weeks"].name])
    parts = _parts(study, option, done, columns, weeks, baseline.weeks)
    back = model.blocked(values(option, columns), rates(study, columns), baseline.through)
    goes = done.run.workable * (1 - columns[option.inputs["blocked"].name])
    return Outcome(parts.total(), back, goes, weeks, parts)


def _parts(
    study: Study, option: Option, done: Work, columns: Columns, weeks: Floats, weeks_baseline: Floats
) -> model.Components:
    return model.through(
        values(option, columns),
        rates(study, columns),
        done.hours,
        done.beyond,
        weeks,
        weeks - weeks_baseline,
        sunk(study, option.name, columns),
    )


def values(option: Option, columns: Columns) -> model.OptionValues:
    """The inputs of an option that cost money."""
    signed = option.commitment
    bound = None
    if signed is not None:
        bound = model.Bound(columns[signed.instance_hours.name], columns[signed.resale.name], signed.signed)
    return model.OptionValues(
        **{key: columns[option.inputs[key].name] for key in model.OptionValues._fields[:-2]},
        commitment=bound,
        other_costs=tuple((cost.per, columns[cost.value.name]) for cost in option.other_costs),
    )


def rates(study: Study, columns: Columns) -> model.Rates:
    """The study's prices of an engineer's hour and of a week."""
    return model.Rates(columns[study.engineer_rate.name], columns[study.delay_week_rate.name])


def sunk(study: Study, name: str, columns: Columns) -> Floats:
    """What the other options' commitments that are signed already cost whatever is chosen."""
    total = _ZERO
    for other in study.options.values():
        bound = other.commitment
        if other.name != name and bound is not None and bound.signed == "already":
            price, discount = (columns[other.inputs[key].name] for key in ("price", "discount"))
            hours, resale = columns[bound.instance_hours.name], columns[bound.resale.name]
            total = total + model.stranded(price, discount, hours, resale)
    return total
