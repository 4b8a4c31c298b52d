"""A value of a study that may be uncertain: a number, a law, or a reference into the prior library, with its facts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date
from functools import partial
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.study.faults import StudyError, nearest, shown
from simulator.study.findings import Findings
from simulator.study.library import Entry, Library
from simulator.study.nearby import NotNearbyError, column
from simulator.study.scalars import Scalar, same_unit
from simulator.study.values import Input, Note, Path, Provenance

if TYPE_CHECKING:
    from simulator.inputs import Distribution

BASES = ("measured", "vendor", "judgement")
PRICE_KINDS = ("on_demand", "reserved_1y", "reserved_3y", "capacity_block", "spot")
FACTS = ("unit", "source", "as_of", "basis", "note", "luck", "kind", "region")
PRICE_FACTS = frozenset({"kind", "region"})

MASS_REFUSED = 1e-6  # more of a law than this outside what its input can be is a mistake in the law
MASS_IGNORED = 1e-12  # less is beyond the reach of any draw; between them the law is cut, and a note says so


class Reader:
    """Reads values into inputs, each table once: scenarios share the tables that they do not touch."""

    def __init__(self, folder: FilePath, library: Library, currency: str) -> None:
        self.folder = folder
        self.library = library
        self.currency = currency
        self._known: dict[tuple[Path, int], tuple[object, Input | None, Findings]] = {}

    def read(self, raw: object, scalar: Scalar, name: str, path: Path, findings: Findings) -> Input | None:
        """The input that a value stands for, or None and what is wrong with it among the findings."""
        if not isinstance(raw, dict):
            value = self.number(raw, scalar, path, findings)
            return None if value is None else Input(name, value, scalar.unit_in(self.currency), key=path)
        if (path, id(raw)) not in self._known:
            own = Findings()
            self._known[path, id(raw)] = (raw, self._table(raw, scalar, name, path, own), own)  # raw kept: ids recur
        _, value_, own = self._known[path, id(raw)]
        findings.take(own)
        return value_

    def number(
        self, raw: object, scalar: Scalar, path: Path, findings: Findings, expected: str | None = None
    ) -> float | None:
        """A plain number in the scalar's domain."""
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            hint = raw if isinstance(raw, str) and _numeric(raw) else None
            findings.add(path, shown(raw), expected or f"a number ({scalar.unit_in(self.currency)}), or a table of one "
                         "such as {p05 = 1, p50 = 2, p95 = 4}", hint)  # fmt: skip
            return None
        try:
            value = float(raw)
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            findings.add(path, shown(value), "a finite number")
            return None
        if not scalar.holds(value):
            findings.add(path, shown(raw), f"{_words(scalar)}, {scalar.domain}", _as_share(value, scalar))
            return None
        return value

    def _table(self, raw: Mapping[str, Any], scalar: Scalar, name: str, path: Path, findings: Findings) -> Input | None:
        before = len(findings.problems) + len(findings.faults)
        spec = {key: value for key, value in raw.items() if key not in FACTS}
        facts = _facts(raw, path, findings)
        entry = self._entry(spec, path, findings) if "prior" in spec else None
        if len(findings.problems) + len(findings.faults) > before:
            return None
        if entry:
            if (absent := entry.table.get("absent")) is not None:
                findings.add(path, f"prior {shown(entry.name)}: {absent}", "a value with its source and date")
                return None
            spec = {**entry.spec, **{key: spec[key] for key in ("min", "max") if key in spec}}
            facts = {**_facts(entry.table, path, findings), **facts}
        for key in PRICE_FACTS & raw.keys():
            if scalar.name != "price":
                findings.add((*path, key), "no such key", f"a fact of {scalar.name}; only a price has a {key}")
        unit = scalar.unit_in(self.currency)
        if not same_unit(str(facts.get("unit", unit)), unit):
            of = f" of prior {shown(entry.name)}" if entry else ""
            findings.add((*path, "unit") if "unit" in raw else path, f"unit {shown(facts['unit'])}{of}", f'"{unit}"')
        value = self._value(spec, scalar, name, path, findings, entry)
        if facts.get("luck") and isinstance(value, float):
            findings.add((*path, "luck"), "luck of a number", "a distribution: a number holds no luck")
        if value is None or len(findings.problems) + len(findings.faults) > before:
            return None
        luck = bool(facts.pop("luck", False))
        facts.pop("unit", None)
        provenance = Provenance(**facts, prior=entry.name if entry else None) if facts or entry else None
        return Input(name, value, unit, luck=luck, provenance=provenance, key=path)

    def _entry(self, spec: Mapping[str, Any], path: Path, findings: Findings) -> Entry | None:
        """The library's entry that a table refers to; beside the reference only its truncation may change."""
        for key in spec.keys() - {"prior", "min", "max"}:
            findings.add((*path, key), "no such key beside a prior", "min, max, luck or a fact such as note",
                         nearest(key, FACTS))  # fmt: skip
        prior = spec["prior"]
        if isinstance(prior, str) and prior in self.library:
            return self.library[prior]
        findings.add((*path, "prior"), f"no prior {shown(prior)}", "a name that `simulate priors` lists",
                     nearest(prior, self.library))  # fmt: skip
        return None

    def _value(
        self, spec: dict[str, Any], scalar: Scalar, name: str, path: Path, findings: Findings, entry: Entry | None
    ) -> float | Distribution | None:
        """The number or law of a table without its facts."""
        if "value" in spec:
            for key in spec.keys() - {"value"}:
                findings.add((*path, key), "no such key beside a value", "facts such as unit, source, as_of or note",
                             nearest(key, FACTS))  # fmt: skip
            return self.number(spec["value"], scalar, path if entry else (*path, "value"), findings, "a finite number")
        law = self._law(spec, scalar, path, findings, entry)
        law = law and self._inside(law, spec, scalar, name, path, findings)
        if law and scalar.divides:
            self._dividing(law, name, path, findings)
        return law

    def _law(
        self, spec: Mapping[str, Any], scalar: Scalar, path: Path, findings: Findings, entry: Entry | None
    ) -> Distribution | None:
        from simulator.inputs import BadSpec, distribution

        home = entry.document if entry else None
        try:
            return distribution(spec, partial(column, home.folder if home else self.folder))
        except BadSpec as error:
            of = f"prior {shown(entry.name)}: " if entry else ""
            for bad in error:
                hint = bad.nearest or _as_share(_number_at(spec, bad.path), scalar)
                findings.add(path if entry else (*path, *bad.path), of + bad.found, bad.expected, hint)
        except NotNearbyError as bad:
            findings.add(path if entry else (*path, bad.key), bad.found, bad.expected, bad.nearest)
        except StudyError as bad:  # cells of a column that are no numbers
            findings.faults += bad.faults
        return None

    def _inside(
        self, law: Distribution, spec: Mapping[str, Any], scalar: Scalar, name: str, path: Path, findings: Findings
    ) -> Distribution | None:
        """The law, if it keeps to what the input can be; bounded or cut to it, with a note, where that is no matter.

        A judgement by quantiles alone says nothing of its ends: the law through them is ours to choose, and is taken
        bounded. A law that was spelled out is cut when next to nothing of it lies outside, and refused otherwise.
        """
        from simulator.inputs import BadSpec, distribution, truncate

        below, above = outside(law, scalar)
        if max(below, above) <= MASS_IGNORED:
            return law
        low = scalar.low if below > MASS_IGNORED else -math.inf
        high = scalar.high if above > MASS_IGNORED else math.inf
        bounds = {key: bound for key, bound in (("min", low), ("max", high)) if math.isfinite(bound)}
        if _judged(spec) and not bounds.keys() & spec.keys():
            try:
                bounded = distribution({**spec, **bounds})
            except BadSpec:
                pass  # the quantiles themselves lie outside: the message below says so better
            else:
                words = " and ".join(f"{key} = {bound:g}" for key, bound in bounds.items())
                message = f"the quantiles are fitted with {words}, since the value is {scalar.domain}"
                findings.notes.append(Note("law_bounded", "info", name, message))
                return bounded
        if below + above > MASS_REFUSED:
            findings.add(path, *_astray(law, below, above, scalar))
            return None
        message = f"cut to {scalar.domain}: {below + above:.1g} of the law lay outside"
        findings.notes.append(Note("law_cut", "info", name, message))
        return truncate(law, low, high)

    def _dividing(self, law: Distribution, name: str, path: Path, findings: Findings) -> None:
        """Whether the mean and the spread of 1 / x exist; without them no figure of the cost would ever settle."""
        power = power_at_zero(law)
        if power <= 1:
            found = "the law crowds at 0, where the cost is infinite: its mean does not exist"
            findings.add(path, found, "a law that keeps clear of 0: min, a beta with alpha above 2, or a lognormal")
        elif power <= 2:
            message = "the law crowds at 0: the cost has a mean but no standard deviation, and errors are understated"
            findings.notes.append(Note("wild_cost", "warning", name, message))


def _judged(spec: Mapping[str, Any]) -> bool:
    """Whether a table gives quantiles and leaves the family to us."""
    return spec.get("dist", "metalog") == "metalog"


def _astray(law: Distribution, below: float, above: float, scalar: Scalar) -> tuple[str, str, str | None]:
    """Found, expected and nearest of a law that reaches beyond what its input can be."""
    if below > above:
        where, word = f"{'at or ' if scalar.low_open else ''}below {scalar.low:g}", "min"
    else:
        where, word = f"{'at or ' if scalar.high_open else ''}above {scalar.high:g}", "max"
    advice = f"add {word}, or take a law that stays inside" + (", such as a beta" if scalar.share else "")
    found = f"{max(below, above):.2g} of the probability lies {where}"
    return found, f"{_words(scalar)}, {scalar.domain}: {advice}", _as_share(law.mean, scalar)


def power_at_zero(law: Distribution) -> float:
    """k of P(X <= x) ~ x^k near 0: E[X^-j] exists for j < k alone. inf where nothing is met there."""
    near, nearer = 1e-6, 1e-12
    first, second = (float(each) for each in law.cdf(law.mean * np.array([near, nearer])))
    if first <= MASS_IGNORED or second <= 0:
        return math.inf
    return round(math.log(first / second) / math.log(near / nearer), 3)


def outside(law: Distribution, scalar: Scalar) -> tuple[float, float]:
    """Probabilities that a law lies below and above what its input can be."""
    low, high = law.support
    below = above = 0.0
    if not scalar.holds(low) and low <= scalar.low:
        edge = scalar.low if scalar.low_open else np.nextafter(scalar.low, -math.inf)
        below = float(law.cdf(np.array([edge]))[0])
    if not scalar.holds(high) and high >= scalar.high:
        edge = np.nextafter(scalar.high, -math.inf) if scalar.high_open else scalar.high
        above = 1 - float(law.cdf(np.array([edge]))[0])
    return below, above


def _facts(raw: Mapping[str, Any], path: Path, findings: Findings) -> dict[str, Any]:
    """Unit, source, date and the like of a value, checked."""
    facts = {key: raw[key] for key in FACTS if key in raw}
    for key, value in facts.items():
        match key:
            case "as_of":
                right, expected = type(value) is date, "a date without quotes: 2026-11-30"
            case "luck":
                right, expected = isinstance(value, bool), "true or false"
            case "basis":
                right, expected = value in BASES, ", ".join(BASES)
            case "kind":
                right, expected = value in PRICE_KINDS, ", ".join(PRICE_KINDS)
            case _:
                right, expected = isinstance(value, str), "text"
        if not right:
            known = {"basis": BASES, "kind": PRICE_KINDS}.get(key, ())
            findings.add((*path, key), shown(value), expected, nearest(value, known))
    return facts


def _words(scalar: Scalar) -> str:
    return "a share" if scalar.share else f"a number of {scalar.unit}".replace("{currency}", "currency")


def _as_share(value: float, scalar: Scalar) -> str | None:
    """What a percentage would be as a share; a value up to 1.5 is hardly a percentage."""
    meant = value / 100
    return f"{meant:.10g}" if scalar.share and abs(value) >= 1.5 and scalar.holds(meant) else None


def _number_at(spec: object, path: Path) -> float:
    """The number at a path of a table; nan when there is none."""
    for step in path:
        match spec, step:
            case (dict(), str()) if step in spec:
                spec = spec[step]
            case (list(), int()) if step < len(spec):
                spec = spec[step]
            case _:
                return math.nan
    return float(spec) if isinstance(spec, int | float) else math.nan


def _numeric(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
