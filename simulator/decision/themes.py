"""Natural groups of inputs: what a team would find out together, and whom it would ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from simulator.study import Study

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "price": ("price", "discount", "instance_hours", "resale", "amount", "per_instance_hour", "per_week"),
    "speed": ("peak_pflops", "utilization", "tokens_per_second", "scaling_efficiency"),
    "people": ("engineer_hours", "upkeep_hours_per_month", "compile_attention", "engineer_rate"),
    "reliability": ("faults_per_1000h", "hours_lost_per_fault", "unworkable"),
    "schedule": ("delay_weeks", "delay_week_rate"),
    "compiling": ("recompiles", "compile_minutes", "compile_idle"),
    "failing": ("blocked", "blocked_spent", "trial_instance_hours"),
    "work": ("pflop_hours", "parameters", "tokens", "baseline_hours", "baseline_utilization"),
}
"""Keys by group, of whichever option: commitments and other costs belong to the price."""


def group_of(name: str) -> str:
    """The group of an input's canonical name."""
    key = name.rpartition(".")[2]
    return next(group for group, keys in GROUPS.items() if key in keys)


def grouped(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The groups that some inputs fall into, in the order of `GROUPS`."""
    found: dict[str, list[str]] = {group: [] for group in GROUPS}
    for name in names:
        found[group_of(name)].append(name)
    return {group: tuple(each) for group, each in found.items() if each}


def short(study: Study, name: str) -> str:
    """An input's name without the option, where there is only one candidate and it is that one's."""
    candidates = [each for each in study.options if each != study.baseline]
    return name.removeprefix(f"{candidates[0]}.") if len(candidates) == 1 else name
