"""From the table that spells a distribution to the distribution."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias, cast

import numpy as np

from simulator.inputs.atoms import Constant, Discrete, Empirical
from simulator.inputs.elicited import fitted
from simulator.inputs.families import FAMILIES, KEYS, QUANTILES
from simulator.inputs.faults import BadSpec, nearest, number, refuse, shown
from simulator.inputs.keys import faulty_keys
from simulator.inputs.law import Distribution, Floats
from simulator.inputs.metalog import Metalog, Stated, quantile_key
from simulator.inputs.mixture import Mixture
from simulator.inputs.truncated import truncate

ReadColumn: TypeAlias = Callable[[str, str], Floats]


def distribution(spec: object, read_column: ReadColumn | None = None) -> Distribution:
    """The distribution that a table of docs/model.md, section 5, spells.

    Parameters
    ----------
    spec : mapping or number
        The table as TOML gives it; a plain number is the law of one value.
    read_column : callable, optional
        Gives the numbers of (file, column) for an empirical law. What it raises passes through.

    Raises
    ------
    BadSpec
        With every fault that can be told apart, the first one on top and the others in `also`.
    """
    if not isinstance(spec, Mapping):
        return Constant(number(spec))
    name = _family_name(spec)
    try:
        with np.errstate(all="ignore"):
            law = _law(name, spec, read_column)
            finite = math.isfinite(law.mean) and math.isfinite(law.sd)
    except (OverflowError, ZeroDivisionError):
        finite = False
    if not finite:
        raise BadSpec((), f"a {name} whose mean or standard deviation overflows", "numbers of a size that can be meant")
    return law


def _law(name: str, spec: Mapping[str, object], read_column: ReadColumn | None) -> Distribution:
    quantiles = [key for key in QUANTILES if key in spec]
    keys = spec.keys() - {"dist", "min", "max"} - set(quantiles)
    faults = faulty_keys(name, keys, quantiles)
    numbers, bad_numbers = _numbers(spec, [key for key in spec if key in quantiles or _kind(key) == "number"])
    refuse(faults + bad_numbers)
    low, high = numbers.pop("min", -math.inf), numbers.pop("max", math.inf)
    if not low < high:
        raise BadSpec(("max",), f"max = {shown(high)} with min = {shown(low)}", "max above min")
    if quantiles:
        stated = _stated(numbers)
        if name == "metalog":
            _check_bounds(stated, low, high)
            return Metalog.through(stated, low, high)
        law = fitted(name, stated)
    else:
        law = _from_parameters(name, spec, numbers, read_column)
    return law if low == -math.inf and high == math.inf else truncate(law, low, high)


def _from_parameters(
    name: str, spec: Mapping[str, object], numbers: Mapping[str, float], read_column: ReadColumn | None
) -> Distribution:
    match name:
        case "discrete":
            return _discrete(spec)
        case "mixture":
            return _mixture(spec, read_column)
        case "empirical":
            return _empirical(spec, read_column)
    return cast(Distribution, FAMILIES[name].from_spec(numbers))  # a Law has all but the moments, which families bring


def _family_name(spec: Mapping[str, object]) -> str:
    match spec.get("dist"):
        case None if any(key in spec for key in QUANTILES):
            return "metalog"
        case None:
            given = ", ".join(map(str, spec)) or "an empty table"
            raise BadSpec((), f"{given} without dist", "dist, or at least two quantiles p01 to p99", _guess(spec))
        case str(name) if name in FAMILIES:
            return name
        case other:
            hint = (
                nearest(other.lower().replace("-", "_").replace(" ", "_"), tuple(FAMILIES))
                if isinstance(other, str)
                else None
            )
            raise BadSpec(("dist",), shown(other), "one of " + ", ".join(FAMILIES), hint)


def _guess(spec: Mapping[str, object]) -> str | None:
    """The key that was meant for dist, or for a quantile."""
    hints = (nearest(key, ("dist", *QUANTILES)) for key in spec if isinstance(key, str) and key not in KEYS)
    return next((hint for hint in hints if hint), None)


def _kind(key: str) -> str:
    return KEYS[key].kind if key in KEYS else ""


def _numbers(spec: Mapping[str, object], keys: Sequence[str]) -> tuple[dict[str, float], list[BadSpec]]:
    numbers, faults = {}, []
    for key in keys:
        try:
            numbers[key] = number(spec[key])
        except BadSpec as fault:
            faults.append(fault.under(key))
    return numbers, faults


def _stated(quantiles: Mapping[str, float]) -> Stated:
    """(probability, value) in rising order."""
    stated = tuple((int(key[1:]) / 100, quantiles[key]) for key in sorted(quantiles))
    refuse(
        [
            BadSpec(
                (quantile_key(p),),
                f"{quantile_key(p)} = {shown(x)} with {quantile_key(q)} = {shown(y)}",
                f"{quantile_key(p)} above {quantile_key(q)}",
            )
            for (q, y), (p, x) in pairwise(stated)
            if not y < x
        ]
    )
    return stated


def _check_bounds(stated: Stated, low: float, high: float) -> None:
    (p, least), (q, most) = stated[0], stated[-1]
    faults = []
    if not low < least:
        faults.append(
            BadSpec(("min",), f"{shown(low)} with {quantile_key(p)} = {shown(least)}", f"min below {quantile_key(p)}")
        )
    if not most < high:
        faults.append(
            BadSpec(("max",), f"{shown(high)} with {quantile_key(q)} = {shown(most)}", f"max above {quantile_key(q)}")
        )
    refuse(faults)


def _array(spec: Mapping[str, object], key: str, holds: str) -> Sequence[object]:
    value = spec[key]
    if not isinstance(value, list | tuple) or not value:
        raise BadSpec(
            (key,), "an empty array" if isinstance(value, list | tuple) else shown(value), f"an array of {holds}"
        )
    return value


def _weights(spec: Mapping[str, object], beside: str, count: int) -> tuple[list[float], list[BadSpec]]:
    array = _array(spec, "weights", "numbers")
    numbers, faults = _array_of_numbers(array, "weights")
    if len(array) != count:
        faults.append(
            BadSpec(("weights",), f"{len(array)} weights for {count} {beside}", f"one weight for each of the {beside}")
        )
    faults += [BadSpec(("weights", i), shown(w), "a weight not below 0") for i, w in enumerate(numbers) if w < 0]
    if not faults and not sum(numbers) > 0:
        faults.append(BadSpec(("weights",), "weights that are all 0", "at least one weight above 0"))
    return numbers, faults


def _array_of_numbers(array: Sequence[object], key: str) -> tuple[list[float], list[BadSpec]]:
    numbers, faults = [], []
    for place, value in enumerate(array):
        try:
            numbers.append(number(value))
        except BadSpec as fault:
            faults.append(fault.under(key, place))
    return numbers, faults


def _discrete(spec: Mapping[str, object]) -> Discrete:
    array = _array(spec, "values", "numbers")
    values, faults = _array_of_numbers(array, "values")
    weights, more = _weights(spec, "values", len(array))
    refuse(faults + more)
    return Discrete(np.array(values), np.array(weights))


def _mixture(spec: Mapping[str, object], read_column: ReadColumn | None) -> Mixture:
    array = _array(spec, "parts", "numbers and tables of distributions")
    weights, faults = _weights(spec, "parts", len(array))
    parts = []
    for place, part in enumerate(array):
        try:
            parts.append(distribution(part, read_column))
        except BadSpec as fault:
            expected = (
                "a number or a table of a distribution"
                if fault.expected == "a number" and not fault.path
                else fault.expected
            )
            faults.append(BadSpec(fault.path, fault.found, expected, fault.nearest, fault.also).under("parts", place))
    refuse(faults)
    kept = [(weight, part) for weight, part in zip(weights, parts, strict=True) if weight > 0]
    return Mixture(tuple(weight for weight, _ in kept), tuple(part for _, part in kept))


def _empirical(spec: Mapping[str, object], read_column: ReadColumn | None) -> Empirical:
    texts = {key: spec[key] for key in ("file", "column")}
    refuse(
        [BadSpec((key,), shown(text), "a text") for key, text in texts.items() if not isinstance(text, str) or not text]
    )
    if read_column is None:
        raise BadSpec(("file",), shown(texts["file"]), "no empirical law here: there is no folder to read it from")
    sample = np.asarray(read_column(str(texts["file"]), str(texts["column"])), dtype=float)
    if not sample.size or not np.isfinite(sample).all():
        raise BadSpec(
            ("column",), "no number" if not sample.size else "a value that is not finite", "a column of finite numbers"
        )
    return Empirical.of(sample)
