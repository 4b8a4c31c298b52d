"""Random studies that are valid, with every part of the model in them, as the tables of their files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from simulator.study import Study, load_study

Tables = dict[str, Any]

MONEY = ("price", "engineer", "delay_week", "amount", "per_instance_hour", "per_week")
"""Keys whose values are in the study's currency."""


def toml(value: Any) -> str:
    """A value as TOML; numbers with all their digits."""
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(key)} = {toml(child)}" for key, child in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(toml, value)) + "]"
        case bool() | str():
            return json.dumps(value)
    return repr(value)


def loaded(tables: Tables, folder: Path, *overrides: str) -> Study:
    """The study of these tables, through a file."""
    path = folder / "study.toml"
    path.write_text("\n".join(f"{json.dumps(key)} = {toml(value)}" for key, value in tables.items()), "utf-8")
    return load_study(path, overrides)


def scaled(value: Any, factor: float, money: bool = False) -> Any:
    """Tables with all money in another currency."""
    match value:
        case dict():
            return {key: scaled(child, factor, money or key in MONEY) for key, child in _unshaped(value, money, factor)}
        case list():
            return [scaled(child, factor, money) for child in value]
        case int() | float() if money:
            return value * factor
    return value


def _unshaped(table: Mapping[str, Any], money: bool, factor: float) -> list[tuple[str, Any]]:
    """Items of a table; of a law of money the shapes, which have no unit, are divided beforehand."""
    return [(key, child / factor if money and key in ("sigma", "shape") else child) for key, child in table.items()]


def _between(low: float, high: float) -> st.SearchStrategy[float]:
    # what is next to nothing is nothing: a study refuses sizes beyond all sense
    return st.floats(low, high, allow_nan=False).map(lambda x: float(f"{x:.6g}") if abs(x) > 1e-9 else 0.0)


@st.composite
def positive(draw: st.DrawFn, low: float, high: float, uncertain: bool = True) -> Any:
    """A number of this size, or a law around it."""
    middle = draw(_between(low, high))
    if not uncertain or draw(st.booleans()):
        return middle
    match draw(st.sampled_from(["lognormal", "gamma", "pert", "uniform", "quantiles", "discrete"])):
        case "lognormal":
            return {"dist": "lognormal", "median": middle, "sigma": draw(_between(0.05, 0.8))}
        case "gamma":
            return {"dist": "gamma", "shape": draw(_between(3.0, 30.0)), "mean": middle}
        case "pert":
            return {"dist": "pert", "low": 0.5 * middle, "mode": middle, "high": 2.5 * middle}
        case "uniform":
            return {"dist": "uniform", "low": 0.5 * middle, "high": 1.5 * middle}
        case "quantiles":
            return {"p05": 0.6 * middle, "p50": middle, "p95": 1.8 * middle, "min": 0.0}
    return {"dist": "discrete", "values": [0.7 * middle, middle, 1.6 * middle], "weights": [1, 2, 1]}


@st.composite
def share(draw: st.DrawFn, low: float, high: float, uncertain: bool = True) -> Any:
    """A share, or a law of one."""
    middle = draw(_between(low, high))
    if not uncertain or draw(st.booleans()):
        return middle
    if draw(st.booleans()):
        return {"dist": "beta", "mean": middle, "sd": 0.2 * middle * (1 - middle)}
    return {"dist": "pert", "low": 0.8 * middle, "mode": middle, "high": min(0.95, 1.3 * middle)}


def _some(draw: st.DrawFn, **keys: st.SearchStrategy[Any]) -> Tables:
    """Some of these keys."""
    return {key: draw(value) for key, value in keys.items() if draw(st.booleans())}


@st.composite
def _option(draw: st.DrawFn, baseline: bool, tokens: bool, uncertain: bool) -> Tables:
    def size(low: float, high: float) -> st.SearchStrategy[Any]:
        return positive(low, high, uncertain)

    def part(low: float, high: float) -> st.SearchStrategy[Any]:
        return share(low, high, uncertain)

    instances = draw(st.integers(1, 6))
    option: Tables = {"instances": instances, "price": draw(size(5, 80))}
    if tokens and draw(st.booleans()):
        option["tokens_per_second"] = draw(size(2e4, 2e5))
    else:
        option |= {"peak_pflops": draw(size(4, 12)), "utilization": draw(part(0.2, 0.6))}
    option |= _some(
        draw,
        discount=part(0.05, 0.6),
        scaling_efficiency=part(0.6, 0.9),
        engineer_hours=size(5, 400),
        upkeep_hours_per_month=size(1, 40),
        delay_weeks=size(0.2, 6),
    )
    if draw(st.booleans()):
        option |= {"recompiles": draw(size(2, 60)), "compile_minutes": draw(size(5, 60))}
        option |= _some(draw, compile_idle=part(0.2, 0.9), compile_attention=part(0.1, 0.8))
    if draw(st.booleans()):
        option |= {"faults_per_1000h": draw(size(0.1, 12)), "hours_lost_per_fault": draw(size(0.5, 8))}
        option |= _some(draw, unworkable=_between(0.2, 0.8))
    if not baseline and draw(st.booleans()):
        option["blocked"] = draw(part(0.05, 0.4))
        option |= _some(draw, blocked_spent=part(0.2, 0.9), trial_instance_hours=size(20, 500))
    if draw(st.booleans()):
        commitment = {"instance_hours": draw(size(200, 5000)), **_some(draw, resale=part(0.1, 0.8))}
        option["commitment"] = commitment | _some(
            draw, signed=st.sampled_from(["already", "before_trial", "after_trial"])
        )
        if baseline:
            option["commitment"].pop("signed", None)
    if draw(st.booleans()):
        kind = draw(st.sampled_from(["amount", "per_instance_hour", "per_week"]))
        option["other_costs"] = [{"label": "other", kind: draw(size(0.5, 900))}]
    return option


@st.composite
def studies(draw: st.DrawFn, uncertain: bool = True) -> Tables:
    """Tables of a study; with `uncertain` false every value is a number."""
    workload: Tables = draw(
        st.sampled_from(
            [
                {"pflop_hours": 2e4},
                {"parameters": 7e9, "tokens": 3e11},
                {"parameters": 7e9, "tokens": 3e11, "layers": 32, "hidden": 4096, "sequence": 4096},
                {"baseline_hours": 3000.0, "baseline_utilization": 0.4},
            ]
        )
    )
    scalable = next(iter(workload))
    workload = workload | {scalable: draw(positive(0.3 * workload[scalable], 2 * workload[scalable], uncertain))}
    names = draw(st.permutations(["a", "b", "c", "d"]))[: draw(st.integers(2, 3))]
    tokens = "tokens" in workload
    options = {name: draw(_option(name == names[0], tokens, uncertain)) for name in names}
    if "baseline_hours" in workload and "peak_pflops" not in options[names[0]]:
        options[names[0]]["peak_pflops"] = 8.0
    tables: Tables = {
        "baseline": names[0],
        "currency": "USD",
        "hurdle": draw(st.sampled_from([0, 0.05, 0.2, -0.1])),
        "workload": workload,
        "rates": {"engineer": draw(positive(60, 250, uncertain)), "delay_week": draw(positive(100, 5000, uncertain))},
        "options": options,
        "claims": {"claimed": {"option": names[1], "saving_share": draw(_between(-0.2, 0.5))}},
    }
    laws = [f"{name}.{key}" for name, each in options.items() for key, value in each.items() if _is_law(value)]
    if len(laws) > 1 and draw(st.booleans()):
        pair = draw(st.permutations(laws))[:2]
        tables["correlations"] = [{"between": list(pair), "spearman": draw(_between(-0.6, 0.6))}]
    return tables


def _is_law(value: Any) -> bool:
    return isinstance(value, dict) and "dist" in value and value["dist"] != "discrete"
