"""The study told back: what each input is and rests on, and what the study leaves out of the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from typing import Literal

import numpy as np

from simulator.study import Input, Option, Study
from simulator.study.describe import describe
from simulator.study.said import Said, Series

POINTS = np.array([0.05, 0.5, 0.95])

LEFT_OUT = {
    "discount": Said("any discount"),
    "scaling_efficiency": Said("the loss of speed from running on several instances"),
    "recompiles": Said("compiling"),
    "faults_per_1000h": Said("faults"),
    "engineer_hours": Said("engineering work"),
    "upkeep_hours_per_month": Said("upkeep of the stack"),
    "delay_weeks": Said("a delay before the start"),
    "blocked": Said("the chance that the migration fails"),
}
"""What is not modelled while an input has its default, by the input's key."""


@dataclass(frozen=True, slots=True)
class Told:
    """An input as a reader checks it: a number, or the quantiles of its law; its kind, and where it comes from."""

    name: str
    unit: str
    kind: Literal["fixed", "epistemic", "luck"]
    value: float | None
    p05: float | None
    p50: float | None
    p95: float | None
    mean: float
    law: str | None
    prior: str | None
    source: str | None
    basis: str | None
    as_of: date | None
    price_kind: str | None
    region: str | None
    note: str | None

    def to_json(self) -> dict[str, object]:
        """The input as a JSON object."""
        return asdict(self) | {"as_of": self.as_of.isoformat() if self.as_of else None}


def told(study: Study) -> tuple[Told, ...]:
    """Every input that the study gives, in file order; defaults are told by `not_modelled`."""
    return tuple(tell(each) for each in study.inputs.values() if each.given)


def tell(each: Input) -> Told:
    """One input told back."""
    law = None if isinstance(each.value, float) else each.value
    p05, p50, p95 = (None, None, None) if law is None else map(float, law.ppf(POINTS))
    origin = each.provenance
    return Told(
        name=each.name,
        unit=each.unit,
        kind="luck" if each.luck else "epistemic" if law else "fixed",
        value=each.value if isinstance(each.value, float) else None,
        p05=p05,
        p50=p50,
        p95=p95,
        mean=each.value if isinstance(each.value, float) else each.value.mean,
        law=None if law is None else describe(law),
        prior=origin.prior if origin else None,
        source=origin.source if origin else None,
        basis=origin.basis if origin else None,
        as_of=origin.as_of if origin else None,
        price_kind=origin.kind if origin else None,
        region=origin.region if origin else None,
        note=origin.note if origin else None,
    )


def not_modelled(study: Study) -> tuple[Said, ...]:
    """What this study leaves out, so that a reader can object."""
    return tuple(_of_the_study(study)) + tuple(
        Said("{option}: {left_out}", option=option.name, left_out=each)
        for option in study.options.values()
        for each in _of(study, option)
    )


def _of_the_study(study: Study) -> Iterator[Said]:
    if not study.delay_week_rate.given:
        yield Said("a week of delay is worth 0: give `rates.delay_week`")
    if not study.correlations and sum(not each.fixed for each in study.inputs.values()) > 1:
        yield Said("all inputs are independent: give `[[correlations]]` where one tells something of another")
    if study.hurdle == 0:
        yield Said("any saving counts as one: give a `hurdle` below which nobody would move")
    if all(option.inputs["price"].fixed for option in study.options.values()):
        yield Said("prices are numbers: they do not move between today and the day on which the hours are bought")


def _of(study: Study, option: Option) -> Iterator[str]:
    baseline = option.name == study.baseline
    skipped = {"blocked", "delay_weeks", "engineer_hours"} if baseline else set()
    if option.instances == 1:
        skipped.add("scaling_efficiency")
    left = [words for key, words in LEFT_OUT.items() if key not in skipped and not option.inputs[key].given]
    if left:
        yield Series(", ", left)
    if option.commitment is None:
        yield Said("a commitment; every hour used is paid, and no other")
    if not option.other_costs:
        yield Said("other costs, such as storage, data transfer or support")
