"""What a scenario has in common with the study: inputs, hours, costs and savings that need not be computed anew."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from simulator.engine.dimensions import Marginals
from simulator.study import Option, Study

_WORK = (
    "peak_pflops",
    "utilization",
    "tokens_per_second",
    "scaling_efficiency",
    "faults_per_1000h",
    "hours_lost_per_fault",
    "unworkable",
    "recompiles",
    "compile_minutes",
    "compile_idle",
)
"""Keys on which an option's hours depend; on all the others, its costs alone."""


@dataclass(frozen=True)
class Shared:
    """Names of inputs, and of options by what of them is the same in every draw as in the study."""

    inputs: frozenset[str] = frozenset()
    work: frozenset[str] = frozenset()
    costs: frozenset[str] = frozenset()
    savings: frozenset[str] = frozenset()
    averages: bool = False
    """Whether the same inputs are averaged over in closed form."""

    @classmethod
    def of(cls, study: Study, marginals: Marginals, base: Study, base_marginals: Marginals) -> Shared:
        """What a scenario shares with the study whose scenario it is."""
        same_scores = marginals.dependence == base_marginals.dependence
        dependent = _dependent(marginals) | _dependent(base_marginals)
        inputs = frozenset(
            name
            for name in (*marginals.fixed, *marginals.laws)
            if _given(marginals, name) is _given(base_marginals, name) and (same_scores or name not in dependent)
        )
        both = [name for name in study.options if name in base.options]
        work = frozenset(name for name in both if _same(_hours(study, name), _hours(base, name), inputs))
        if study.baseline != base.baseline:
            return cls(inputs, work)

        def same_costs(name: str) -> bool:
            return name in work and _same(_money(study, name), _money(base, name), inputs)

        costs = frozenset(name for name in both if same_costs(name) and same_costs(study.baseline))
        if study.hurdle != base.hurdle:
            return cls(inputs, work, costs)
        claims = {name: [c.saving_share for c in study.claims if c.option == name] for name in both}
        known = {name: [c.saving_share for c in base.claims if c.option == name] for name in both}
        return cls(inputs, work, costs, frozenset(name for name in costs if claims[name] == known[name]))


Needs = tuple[Hashable, frozenset[str]]
"""How a quantity is computed, and from which inputs."""


def _same(own: Needs, other: Needs, shared: Iterable[str]) -> bool:
    return own == other and own[1] <= set(shared)


def _hours(study: Study, name: str) -> Needs:
    option, workload = study.options[name], study.workload
    names = {option.inputs[key].name for key in _WORK if key in option.inputs}
    names |= {each.name for each in workload.inputs.values()}
    if "baseline_hours" in workload.inputs:
        names.add(study.options[study.baseline].inputs["peak_pflops"].name)
    if option.commitment:
        names.add(option.commitment.instance_hours.name)
    how = (option.instances, option.commitment is None, workload.layers, workload.hidden, workload.sequence)
    return how, frozenset(names)


def _money(study: Study, name: str) -> Needs:
    option = study.options[name]
    names = {each.name for key, each in option.inputs.items() if key not in _WORK}
    names |= {cost.value.name for cost in option.other_costs}
    names |= {study.engineer_rate.name, study.delay_week_rate.name}
    if option.commitment:
        names |= {option.commitment.instance_hours.name, option.commitment.resale.name}
    sunk = [other for other in study.options.values() if other.name != name and _signed(other) == "already"]
    for other in sunk:
        assert other.commitment is not None
        names |= {other.inputs["price"].name, other.inputs["discount"].name}
        names |= {other.commitment.instance_hours.name, other.commitment.resale.name}
    how = (_signed(option), *(cost.per for cost in option.other_costs), *(other.name for other in sunk))
    return how, frozenset(names)


def _signed(option: Option) -> str | None:
    return option.commitment.signed if option.commitment else None


def _given(marginals: Marginals, name: str) -> object:
    return marginals.fixed.get(name, marginals.laws.get(name))


def _dependent(marginals: Marginals) -> set[str]:
    return set(marginals.dependence.names) if marginals.dependence else set()
