"""An independent computation of docs/model.md: plain Monte Carlo, drawn by scipy.stats, everything luck included.

Shares no code with the product but the reading of a study. Written from the equations, one option at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from simulator.study import Option, Study

Floats = NDArray[np.float64]


def draw_inputs(study: Study, size: int, rng: np.random.Generator) -> dict[str, Floats]:
    """Independent inputs by plain random numbers through their quantile functions."""
    assert study.copula is None
    columns = {}
    for name, each in study.inputs.items():
        if isinstance(each.value, float):
            columns[name] = np.full(size, each.value)
        else:
            columns[name] = np.asarray(each.value.ppf(rng.random(size)))
    return columns


def _work(study: Study, x: dict[str, Floats]) -> Floats | None:
    w = study.workload
    if "pflop_hours" in w.inputs:
        return x["pflop_hours"]
    if "baseline_hours" in w.inputs:
        return x["baseline_hours"] * x[f"{study.baseline}.peak_pflops"] * x["baseline_utilization"]
    if "parameters" not in w.inputs:
        return None
    flop = 6 * x["parameters"] + 12 * (w.layers or 0) * (w.hidden or 0) * (w.sequence or 0)
    return flop * x["tokens"] / 3.6e18


def simulate(study: Study, x: dict[str, Floats], rng: np.random.Generator) -> dict[str, Floats]:
    """TCO of each option in each draw, by name; also `NAME.blocked`, `NAME.goes` and `NAME.unworkable`."""
    size = len(next(iter(x.values())))
    found: dict[str, Floats] = {}
    names = [study.baseline, *(n for n in study.options if n != study.baseline)]
    weeks_base = np.zeros(size)
    for name in names:
        o = study.options[name]
        v = {key: x[each.name] for key, each in o.inputs.items()}
        n = o.instances
        if "tokens_per_second" in v:
            h = x["tokens"] / 3600 / v["tokens_per_second"] / v["scaling_efficiency"]
        else:
            work = _work(study, x)
            assert work is not None
            h = work / v["peak_pflops"] / v["utilization"] / v["scaling_efficiency"]
        rate, lost, limit = v["faults_per_1000h"], v["hours_lost_per_fault"].copy(), v["unworkable"]
        phi = rate * n * lost / 1000
        bad = phi >= limit
        lost[bad] = (limit * 1000 / np.maximum(rate, 1e-300) / n)[bad]
        t_bar = h / (1 - np.minimum(phi, limit))
        faults = rng.poisson(rate * t_bar / 1000)
        c = v["recompiles"] * v["compile_minutes"] / 60
        t = h + faults * n * lost + v["compile_idle"] * n * c
        weeks = v["delay_weeks"] + ((h + faults * n * lost) / n + c) / 168
        r, week = x["engineer_rate"], x["delay_week_rate"]
        labour = r * (
            v["engineer_hours"] + v["compile_attention"] * c + v["upkeep_hours_per_month"] * weeks * 168 / 730
        )
        total = _rent(o, v, x, t) + labour
        for cost in o.other_costs:
            amount = x[cost.value.name]
            total = total + {"amount": amount, "per_instance_hour": amount * t, "per_week": amount * weeks}[cost.per]
        for other in study.options.values():
            if other.name != name and other.commitment is not None and other.commitment.signed == "already":
                total = total + _stranded(other, x)
        if name == study.baseline:
            weeks_base = weeks
            found[name] = total
            continue
        total = total + week * (weeks - weeks_base)
        spent = v["blocked_spent"]
        back = spent * r * v["engineer_hours"] + spent * week * v["delay_weeks"] + found[study.baseline]
        trial = v["trial_instance_hours"]
        match o.commitment and o.commitment.signed:
            case None:
                back = back + trial * v["price"] * (1 - v["discount"])
            case "before_trial":
                back = back + _rent(o, v, x, trial)
            case "after_trial":
                back = back + trial * v["price"]
            case "already":
                back = back + _rent(o, v, x, trial) - _stranded(o, x)
        stopped = bad | (rng.random(size) < v["blocked"])
        found[name] = np.where(stopped, back, total)
        found[f"{name}.blocked"] = 1.0 * stopped
    return found


def _rent(o: Option, v: dict[str, Any], x: dict[str, Floats], hours: Floats) -> Floats:
    p, d = v["price"], v["discount"]
    if o.commitment is None:
        return hours * p * (1 - d)
    q, resale = x[o.commitment.instance_hours.name], x[o.commitment.resale.name]
    return q * p * (1 - d) + np.maximum(0, hours - q) * p - resale * np.maximum(0, q - hours) * p * (1 - d)


def _stranded(o: Option, x: dict[str, Floats]) -> Floats:
    assert o.commitment is not None
    q, resale = x[o.commitment.instance_hours.name], x[o.commitment.resale.name]
    return q * x[f"{o.name}.price"] * (1 - x[f"{o.name}.discount"]) * (1 - resale)


def standard_error(sample: Floats) -> float:
    """Of a sample's mean."""
    return float(stats.sem(sample))
