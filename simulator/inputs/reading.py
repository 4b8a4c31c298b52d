"""From the table that spells a distribution to the distribution."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from simulator.inputs.atoms import Bernoulli, Constant, Discrete, Empirical
from simulator.inputs.bounded import Beta, Pert, Triangular, Uniform
from simulator.inputs.counts import NegativeBinomial, Poisson
from simulator.inputs.elicited import FITS, fitted
from simulator.inputs.faults import BadSpec, nearest, number, refuse, shown
from simulator.inputs.gamma import Gamma
from simulator.inputs.law import Distribution, Floats
from simulator.inputs.metalog import Metalog, Stated, quantile_key
from simulator.inputs.mixture import Mixture
from simulator.inputs.normal import LogNormal, Normal, StudentT
from simulator.inputs.truncated import truncate

ReadColumn: TypeAlias = Callable[[str, str], Floats]


class Key(NamedTuple):
    """What a key of a distribution's table holds: number, numbers, text or parts."""

    kind: str
    doc: str


FAMILIES: Final[Mapping[str, type]] = MappingProxyType(
    {
        "beta": Beta,
        "normal": Normal,
        "lognormal": LogNormal,
        "gamma": Gamma,
        "pert": Pert,
        "triangular": Triangular,
        "uniform": Uniform,
        "student_t": StudentT,
        "poisson": Poisson,
        "negative_binomial": NegativeBinomial,
        "bernoulli": Bernoulli,
        "discrete": Discrete,
        "empirical": Empirical,
        "mixture": Mixture,
        "metalog": Metalog,
    }
)
BY_QUANTILES: Final = ("metalog", *FITS)  # the families that a judgement by quantiles may name
QUANTILES: Final = tuple(f"p{percent:02d}" for percent in range(1, 100))
KEYS: Final[Mapping[str, Key]] = MappingProxyType(
    {
        "mean": Key("number", "mean value"),
        "sd": Key("number", "standard deviation, above 0"),
        "median": Key("number", "value that is exceeded with probability 1/2"),
        "sigma": Key("number", "standard deviation of the logarithm"),
        "alpha": Key("number", "first shape, above 0"),
        "beta": Key("number", "second shape, above 0"),
        "shape": Key("number", "shape, above 0 (gamma: (mean / sd)^2; pert: 4 unless given)"),
        "scale": Key("number", "scale, above 0 (gamma: mean / shape; student_t: sd sqrt((df - 2) / df))"),
        "low": Key("number", "lowest possible value"),
        "mode": Key("number", "likeliest value"),
        "high": Key("number", "highest possible value"),
        "df": Key("number", "degrees of freedom, above 2"),
        "loc": Key("number", "centre, which is the mean"),
        "dispersion": Key("number", "k of the variance mean + mean^2 / k, above 0"),
        "p": Key("number", "probability of 1"),
        "values": Key("numbers", "the values"),
        "weights": Key("numbers", "a weight for each value or part; they need not add up to 1"),
        "file": Key("text", "CSV file, relative to the study"),
        "column": Key("text", "column of the file"),
        "parts": Key("parts", "numbers and tables of distributions"),
        "min": Key("number", "lower bound: the law given a value of at least this"),
        "max": Key("number", "upper bound: the law given a value of at most this"),
    }
)
_ANY_QUANTILE: Final = re.compile(r"p\d\d")


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
    faults = _faulty_keys(name, keys, quantiles)
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
    law: Distribution = FAMILIES[name].from_spec(numbers)  # type: ignore[attr-defined]
    return law


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


def _faulty_keys(name: str, keys: set[str], quantiles: list[str]) -> list[BadSpec]:
    """Keys that the family does not know, that it lacks, and one thing given in two ways."""
    spellings: tuple[tuple[str, ...], ...] = FAMILIES[name].spellings  # type: ignore[attr-defined]
    own = [key for spelling in spellings for key in spelling]
    if name in BY_QUANTILES:
        ways = [*map(" and ".join, map(_listed, spellings)), "quantiles p01 to p99"]
    else:
        ways = list(map(" and ".join, map(_listed, spellings)))
    expected = ", or ".join(ways)
    known = (*dict.fromkeys(own), "min", "max", *(QUANTILES if name in BY_QUANTILES else ()))
    unknown = [
        BadSpec((key,), "no such key", f"for {name}: {expected}", _nearest_key(key, known))
        for key in sorted(keys - set(own))
    ]
    given = keys & set(own)
    if quantiles and name not in BY_QUANTILES:
        return [
            *unknown,
            BadSpec(
                (quantiles[0],), f"quantiles for {name}", expected + "; quantiles go with " + ", ".join(BY_QUANTILES)
            ),
        ]
    if quantiles and given:
        return [
            *unknown,
            BadSpec((), f"two ways at once: {', '.join([*sorted(given), *quantiles])}", f"one way: {expected}"),
        ]
    if any(fault.nearest for fault in unknown):
        return unknown  # a key that is merely misspelt is not missing as well
    if len(quantiles) == 1:
        return [*unknown, BadSpec((), f"one quantile, {quantiles[0]}", "at least two quantiles p01 to p99")]
    if quantiles or any(given == set(spelling) for spelling in spellings):
        return unknown
    if any(given > set(spelling) for spelling in spellings):
        return [
            *unknown,
            BadSpec(
                (),
                f"two ways at once: {', '.join(k for k in dict.fromkeys(own) if k in given)}",
                f"one way: {expected}",
            ),
        ]
    found = ", ".join(k for k in dict.fromkeys(own) if k in given)
    return [*unknown, BadSpec((), f"{name} with {found or 'nothing'}" + (" alone" if found else ""), expected)]


def _listed(spelling: tuple[str, ...]) -> tuple[str, ...]:
    return (", ".join(spelling[:-1]), spelling[-1]) if len(spelling) > 1 else spelling


def _nearest_key(key: str, known: tuple[str, ...]) -> str | None:
    if re.fullmatch(r"p\d", key):
        return f"p0{key[1]}" if f"p0{key[1]}" in known else None
    return nearest(key.lower(), known)


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
