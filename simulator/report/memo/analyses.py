"""What decides it, where it flips and what a PoC is worth, as the memo shows them: computed once, with fewer draws."""

from __future__ import annotations

import math
from typing import NamedTuple, get_args

import numpy as np

from simulator.decision import breakeven, drivers, poc
from simulator.decision.voi import Estimate
from simulator.engine import Figure
from simulator.report.memo import content
from simulator.study import Study

DRAWS = 2**12
LOOKED_AT = 6  # uncertain inputs for which a break-even is told, the most valuable ones
KINDS: dict[str, content.Kind] = {kind: kind for kind in get_args(content.Kind)}
BELIEVED = np.array([0.01, 0.99])


class Analyses(NamedTuple):
    """Each is None where it does not apply."""

    drivers: content.Drivers | None
    break_even: content.BreakEven | None
    poc: content.PocPlan | None


def analyses(study: Study, draws: int, seed: int) -> Analyses:
    """The decision analyses of a study whose inputs are not all numbers; a PoC plan where it has a `[poc]`."""
    if all(each.fixed or each.luck for each in study.inputs.values()):
        return Analyses(None, None, None)
    few = min(draws, DRAWS)
    found = drivers.drivers(study, few, seed)
    plan = told_plan(study, poc.poc_plan(study, few, seed)) if study.poc is not None else None
    return Analyses(told_drivers(found), _break_even(study, found, few, seed), plan)


def _figure(estimate: Estimate) -> Figure:
    return Figure(estimate.value, estimate.se)


def told_drivers(found: drivers.Drivers) -> content.Drivers | None:
    """The inputs that move the answer at all."""
    inputs = tuple(
        content.Driver(
            input=each.input,
            unit=each.unit,
            low=each.low.value,
            high=each.high.value,
            saving_low=each.low.saving.value,
            saving_high=each.high.saving.value,
            p_beats_low=each.low.p_beats.value,
            p_beats_high=each.high.p_beats.value,
            evppi=_figure(each.evppi),
        )
        for each in found.matter
    )
    return content.Drivers(found.option, found.saving.value, inputs) if inputs else None


def _break_even(study: Study, found: drivers.Drivers, draws: int, seed: int) -> content.BreakEven:
    """Break-evens of the inputs that matter most, of prices and discounts, and of the volume; the map of the first."""
    first = [each.input for each in found.matter][:LOOKED_AT]
    stated = [f"{name}.{key}" for name in (found.option, study.baseline) for key in ("price", "discount")]
    names = tuple(dict.fromkeys((*first, *stated)))
    volume = (breakeven.VOLUME,) if study.workload.inputs else ()
    told = breakeven.breakeven(study, draws, seed, found.option, (*names, *volume))
    price = f"{found.option}.price"
    axis = next((name for name in names if name != price), None)
    over = breakeven.breakeven(study, draws, seed, found.option, (axis,), price) if axis else None
    return told_break_even(study, told, over, axis)


def told_break_even(
    study: Study, found: breakeven.BreakEven, over: breakeven.BreakEven | None, axis: str | None
) -> content.BreakEven:
    """Where the answer flips, and the curve of one input."""
    thresholds = tuple(_threshold(found.option, each) for each in found.thresholds)
    shown = next((each for each in found.thresholds if each.input == axis), None)
    curve = over.curve if over else None
    return content.BreakEven(
        thresholds,
        None if shown is None else _trade(study, found.option, shown),
        None if curve is None else _map(found.option, curve),
    )


def _threshold(option: str, each: breakeven.Threshold) -> content.Threshold:
    roots = each.saving.roots
    interval = (roots[0].low, roots[0].high) if len(roots) == 1 else None
    return content.Threshold(option, each.input, each.unit, each.mean, tuple(root.value for root in roots), interval)


def _trade(study: Study, option: str, each: breakeven.Threshold) -> content.Trade | None:
    """The curve over what is believed, from half to twice of a number, and as far as the flips."""
    given = study.inputs.get(each.input)
    if given is None or isinstance(given.value, float):
        low, high = each.mean / 2, each.mean * 2
    else:
        low, high = (float(x) for x in given.value.ppf(BELIEVED))
    places = [low, high, *(root.value for root in each.saving.roots)]
    inside = [
        (x, gain) for x, gain in zip(each.x, each.gain, strict=True) if min(places) * 0.95 <= x <= max(places) * 1.05
    ]
    if len(inside) < 2:
        return None
    return content.Trade(option, each.input, each.unit, each.mean, *map(tuple, zip(*inside, strict=True)))


def _map(option: str, curve: breakeven.Curve) -> content.Map:
    return content.Map(
        option=option,
        x_input=curve.first,
        x_unit=curve.first_unit,
        y_input=curve.second,
        y_unit=curve.second_unit,
        now=curve.now,
        x=curve.x,
        y=curve.y,
        gain=curve.gain,
    )


def told_plan(study: Study, found: poc.PocPlan) -> content.PocPlan:
    """The best design by size, or the least bad one, and what it would have to show."""
    name = found.best[0] if found.best else found.rule.design
    design = next((each for each in found.designs if each.offer.name == name), found.designs[0])
    sizes = tuple(
        content.PocSize(size.runs, _figure(size.evsi), size.cost, _figure(size.enbs)) for size in design.sizes
    )
    best = None if found.best is None else next(size for size in sizes if size.runs == found.best[1].runs)
    rule, place = found.rule, list(study.options).index(found.option)
    needed = tuple(
        content.Needed(
            input=rule.input,
            unit=rule.unit,
            kind=KINDS[rule.kind],
            runs=rule.runs,
            low=region.low if region.low > 0 else None,
            high=region.high if math.isfinite(region.high) else None,
        )
        for region in rule.after
        if region.choice == place
    )
    return content.PocPlan(found.option, design.counted, sizes, best, needed)
