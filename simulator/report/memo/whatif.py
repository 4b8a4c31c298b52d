"""What the page carries for its sliders: draws of the inputs as float32, the study's structure, and what may be moved.

The page computes the costs anew from the draws with the equations of docs/model.md, so that moving a slider is exact:
an uncertain input is multiplied in every draw so that its mean is the slider's value, and held to what it can be. What
the draws alone leave of simulation error is taken out with the run's own figures as a control variate.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

import numpy as np

from simulator.engine import REPLICATES, Figure, Result
from simulator.report.memo.curves import volume_inputs
from simulator.report.memo.sample import Sample
from simulator.study import Input, Option, Study

PER_REPLICATE = 256
MAX_BYTES = 900_000  # of draws; a third more as base64, which leaves room for the charts below 2 MB
LEAST_PER_REPLICATE = 16
MOST_OPTIONS = 12  # with sliders of their own
STEPS = 120
TINY = 2.0**-24  # distance that a level keeps from 1 in float32

SCHEMA = "switchodds/whatif/1"


@dataclass(frozen=True, slots=True)
class Slider:
    """A control that moves the mean of one input, or of several in proportion; `option` is empty for the study's."""

    id: str
    kind: str
    option: str
    inputs: tuple[str, ...]
    unit: str
    base: float
    low: float
    high: float
    step: float
    cap: float | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """An uncertain input that a reader may suppose to be measured: where its values lie."""

    input: str
    unit: str
    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Sliders, and the document from which the page computes."""

    sliders: tuple[Slider, ...]
    knowns: tuple[Known, ...]
    candidates: tuple[str, ...]
    document: Mapping[str, object]
    draws: str  # columns of float32, little-endian, one after another, as base64


def whatif(study: Study, result: Result, sample: Sample) -> WhatIf | None:
    """The what-if part of a memo; None where the draws of so many inputs would not fit into a page."""
    columns = len(sample.uncertain) + len(sample.faults)
    each = PER_REPLICATE
    while each >= LEAST_PER_REPLICATE and columns * each * REPLICATES * 4 > MAX_BYTES:
        each //= 2
    if each < LEAST_PER_REPLICATE:
        return None
    few = sample.first(each)
    names = (*few.uncertain, *(f"faults:{name}" for name in few.faults))
    stack = [few.full(few.columns[name]) for name in few.uncertain]
    stack += [np.minimum(few.full(level), 1 - TINY) for level in few.faults.values()]
    packed = np.stack(stack).astype("<f4") if stack else np.zeros((0, few.size), "<f4")
    sliders = tuple(_sliders(study, result))
    return WhatIf(
        sliders=sliders,
        knowns=tuple(_knowns(study, few)),
        candidates=tuple(name for name in study.options if name != study.baseline),
        document=_document(study, result, few, names, sliders),
        draws=base64.b64encode(packed.tobytes()).decode("ascii"),
    )


def _document(
    study: Study, result: Result, few: Sample, names: tuple[str, ...], sliders: tuple[Slider, ...]
) -> dict[str, object]:
    places = {name: i for i, name in enumerate(names)}
    workload = study.workload

    def source(each: Input) -> dict[str, object]:
        return {"column": places[each.name]} if each.name in places else {"value": each.value}

    return {
        "schema": SCHEMA,
        "size": few.size,
        "replicates": REPLICATES,
        "baseline": study.baseline,
        "hurdle": study.hurdle,
        "inputs": {name: source(each) for name, each in study.inputs.items()},
        "rates": [study.engineer_rate.name, study.delay_week_rate.name],
        "shape": (workload.layers or 0) * (workload.hidden or 0) * (workload.sequence or 0),
        "workload": {key: each.name for key, each in workload.inputs.items()},
        "options": {name: _option(study.options[name], places) for name in study.options},
        "engine": {name: _engine(result, name) for name in study.options},
        "claims": [{"name": c.name, "option": c.option, "share": c.saving_share} for c in study.claims],
        "sliders": [asdict(each) for each in sliders],
    }


def _option(option: Option, places: Mapping[str, int]) -> dict[str, object]:
    bound = option.commitment
    return {
        "label": option.label,
        "instances": option.instances,
        "keys": {key: each.name for key, each in option.inputs.items()},
        "faults": places.get(f"faults:{option.name}"),
        "commitment": bound
        and {"hours": bound.instance_hours.name, "resale": bound.resale.name, "signed": bound.signed},
        "other": [[cost.per, cost.value.name] for cost in option.other_costs],
    }


def _engine(result: Result, name: str) -> dict[str, list[float] | None]:
    """The run's own figures and their errors, from which the page starts."""
    found = result.options[name]

    def pair(figure: Figure | None) -> list[float] | None:
        return None if figure is None else [figure.value, figure.mcse]

    return {
        "p_beats": pair(found.p_beats),
        "saving": pair(found.saving.mean),
        "tco": pair(found.tco.mean),
        "cvar05": pair(found.cvar05),
    }


def _sliders(study: Study, result: Result) -> Iterator[Slider]:
    yield Slider("volume", "volume", "", volume_inputs(study), "share", 1.0, 0.1, 4.0, 0.05)
    yield _slider("engineer_rate", "engineer_rate", "", study.engineer_rate, 0.3, 2.5)
    stay = result.options[study.baseline].tco.mean.value
    yield _slider("delay_week_rate", "delay_week_rate", "", study.delay_week_rate, 0.0, 3.0, span=stay / 20)
    low, high = min(-0.2, study.hurdle - 0.1), max(0.5, study.hurdle + 0.1)
    yield Slider("hurdle", "hurdle", "", (), "share", study.hurdle, *_on_grid(study.hurdle, low, high, 0.01), 0.01)
    for name in list(study.options)[:MOST_OPTIONS]:
        yield from _option_sliders(study.options[name], candidate=name != study.baseline)


def _option_sliders(option: Option, *, candidate: bool) -> Iterator[Slider]:
    ranges = {
        "price": (0.3, 2.0, None, 0.0),
        "discount": (0.0, 2.0, 0.99, 0.7),
        "utilization": (0.5, 1.8, 1.0, 0.0),
        "tokens_per_second": (0.5, 2.0, None, 0.0),
    }
    if candidate:
        ranges |= {"engineer_hours": (0.0, 3.0, None, 500.0), "delay_weeks": (0.0, 3.0, None, 12.0)}
    for key, (low, high, cap, span) in ranges.items():
        if key in option.inputs:
            each = option.inputs[key]
            yield _slider(each.name, key, option.name, each, low, high, cap=cap, span=span)


def _slider(
    name: str, kind: str, option: str, each: Input, low: float, high: float, *, cap: float | None = None,
    span: float = 0.0,
) -> Slider:  # fmt: skip
    """A slider from `low` to `high` times the mean; from 0 to `span` where that is 0."""
    base = each.value if isinstance(each.value, float) else float(each.value.mean)
    bottom, top = (low * base, high * base) if base > 0 else (0.0, span or 1.0)
    if cap is not None:
        top = min(top, cap)
    step = _step((top - bottom) / STEPS)
    return Slider(name, kind, option, (each.name,), each.unit, base, *_on_grid(base, bottom, top, step), step, cap)


def _step(least: float) -> float:
    """1, 2 or 5 times a power of ten, not below a least step."""
    size = 10.0 ** math.floor(math.log10(least))
    return next(m * size for m in (1, 2, 5, 10) if m * size >= least * (1 - 1e-9))


def _on_grid(base: float, low: float, high: float, step: float) -> tuple[float, float]:
    """The range, moved inwards so that the base is one of its steps."""
    return base - math.floor((base - low) / step + 1e-9) * step, base + math.floor((high - base) / step + 1e-9) * step


def _knowns(study: Study, few: Sample) -> Iterator[Known]:
    """Uncertain inputs that a measurement could narrow, luck aside."""
    for name in few.uncertain:
        each = study.inputs[name]
        if each.luck or isinstance(each.value, float):
            continue
        low, median, high = (float(x) for x in each.value.ppf(np.array([0.02, 0.5, 0.98])))
        if high > low and low >= 0:
            yield Known(name, each.unit, low, median, high)
