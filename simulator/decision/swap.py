"""The parts of which a study is made, which of them differ between two studies, and mixtures of the two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Final

from simulator.inputs import gaussian_copula
from simulator.study import Input, Study
from simulator.study.describe import describe

THEMES: Final[Mapping[str, tuple[str, ...]]] = {
    "prices": ("price", "discount"),
    "speed": ("peak_pflops", "utilization", "tokens_per_second", "scaling_efficiency"),
    "compiling": ("recompiles", "compile_minutes", "compile_idle", "compile_attention"),
    "faults": ("faults_per_1000h", "hours_lost_per_fault", "unworkable"),
    "labour": ("engineer_hours", "upkeep_hours_per_month"),
    "delay": ("delay_weeks",),
    "failure": ("blocked", "blocked_spent", "trial_instance_hours"),
}
"""Inputs of an option that are swapped together: one of them says little without the others."""

WORK_AND_SPEED: Final = "work and speed"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a study: where it stands, what it is, and the study with another one in its place."""

    group: str
    where: str
    get: Callable[[Study], Any]
    put: Callable[[Study, Any], Study]


@dataclass(frozen=True, slots=True)
class Change:
    """A part that differs, in words."""

    where: str
    before: str
    after: str


def parts(a: Study, b: Study) -> Iterator[Part]:
    """The parts of two studies with the same options."""
    apart = _forms(a) != _forms(b)  # utilization needs work in FLOPs, tokens/s needs tokens: they move together
    work = WORK_AND_SPEED if apart else "workload"
    yield Part(work, "workload", lambda study: study.workload, lambda study, new: replace(study, workload=new))
    yield _field("rates", "rates.engineer", "engineer_rate")
    yield _field("rates", "rates.delay_week", "delay_week_rate")
    yield _field("hurdle", "hurdle", "hurdle")
    for name in a.options:
        for theme, keys in THEMES.items():
            group = WORK_AND_SPEED if apart and theme == "speed" else f"{name} {theme}"
            yield from (_input(group, name, key) for key in keys)
        yield _of_option(f"{name} speed" if not apart else WORK_AND_SPEED, name, "instances")
        yield _of_option(f"{name} prices", name, "commitment")
        yield _of_option(f"{name} prices", name, "other_costs")
    yield _field("dependence", "correlations", "correlations")


def _forms(study: Study) -> object:
    speeds = {name: "utilization" in option.inputs for name, option in study.options.items()}
    return speeds, sorted(study.workload.inputs)


def _field(group: str, where: str, name: str) -> Part:
    return Part(group, where, lambda study: getattr(study, name), lambda study, new: replace(study, **{name: new}))


def _of_option(group: str, option: str, name: str) -> Part:
    def put(study: Study, new: Any) -> Study:
        changed = replace(study.options[option], **{name: new})
        return replace(study, options={**study.options, option: changed})

    return Part(group, f"options.{option}.{name}", lambda study: getattr(study.options[option], name), put)


def _input(group: str, option: str, key: str) -> Part:
    def put(study: Study, new: Input | None) -> Study:
        inputs = {name: each for name, each in study.options[option].inputs.items() if name != key}
        if new is not None:
            inputs[key] = new
        return replace(study, options={**study.options, option: replace(study.options[option], inputs=inputs)})

    return Part(group, f"options.{option}.{key}", lambda study: study.options[option].inputs.get(key), put)


def differing(a: Study, b: Study) -> dict[str, list[Part]]:
    """The parts that differ, by group; a source or a date alone is no difference."""
    groups: dict[str, list[Part]] = {}
    for part in parts(a, b):
        if _plain(part.get(a)) != _plain(part.get(b)):
            groups.setdefault(part.group, []).append(part)
    return groups


def _plain(value: Any) -> Any:
    """What of a part enters the cost."""
    match value:
        case Input():
            return value.value, value.luck
        case Mapping():
            return {key: _plain(each) for key, each in value.items()}
        case tuple():
            return [_plain(each) for each in value]
    if hasattr(value, "__dataclass_fields__") and not hasattr(value, "ppf"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def changes(parts: Iterable[Part], a: Study, b: Study) -> tuple[Change, ...]:
    """The parts' values in words."""
    return tuple(Change(part.where, in_words(part.get(a)), in_words(part.get(b))) for part in parts)


def in_words(value: Any) -> str:
    """A part for a reader."""
    match value:
        case None | ():
            return "none"
        case Input():
            return describe(value.value) + (" by default" if not value.given else "")
        case float():
            return describe(value)
        case Mapping():
            return ", ".join(f"{key} {in_words(each)}" for key, each in value.items())
        case tuple():
            return "; ".join(map(in_words, value))
    if hasattr(value, "__dataclass_fields__"):
        told = ((name, getattr(value, name)) for name in value.__dataclass_fields__)
        return ", ".join(f"{name} {in_words(each)}" for name, each in told if each is not None)
    return str(value)


def swapped(a: Study, b: Study, parts: Iterable[Part]) -> Study:
    """Study A with these parts of B; correlations that have lost an uncertain input fall away."""
    mixed = reduce(lambda study, part: part.put(study, part.get(b)), parts, a)
    laws = {name: each.value for name, each in mixed.inputs.items() if not isinstance(each.value, float)}
    kept = tuple(each for each in mixed.correlations if set(each.between) <= laws.keys())
    pairs = {each.between: each.spearman for each in kept}
    return replace(mixed, correlations=kept, copula=gaussian_copula(pairs, laws) if pairs else None)
