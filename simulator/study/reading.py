"""A value of a study that may be uncertain: a number, a law, or a reference into the prior library, with its facts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from simulator.study.domain import SANE, as_share, check_divisor, in_words, kept, sane
from simulator.study.faults import StudyError, dotted, nearest, shown
from simulator.study.findings import Findings
from simulator.study.library import Entry, Library
from simulator.study.nearby import NotNearbyError, column
from simulator.study.scalars import Scalar, same_unit
from simulator.study.values import Input, Path, Provenance

if TYPE_CHECKING:
    from simulator.inputs import Distribution

BASES = ("measured", "vendor", "judgement")
PRICE_KINDS = ("on_demand", "reserved_1y", "reserved_3y", "capacity_block", "spot")
FACTS = ("unit", "source", "as_of", "basis", "note", "luck", "kind", "region")


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
        value = finite(raw)
        if math.isnan(value):
            findings.add(path, shown(raw), "a finite number")
            return None
        if not scalar.holds(value):
            findings.add(path, shown(raw), f"{in_words(scalar)}, {scalar.domain}", as_share(value, scalar))
            return None
        if not sane(value):
            findings.add(path, shown(raw), SANE)
            return None
        return value

    def _table(self, raw: Mapping[str, Any], scalar: Scalar, name: str, path: Path, findings: Findings) -> Input | None:
        """The input of a table: its own value, or that of the entry that it refers to, with the facts of both."""
        spec = {key: value for key, value in raw.items() if key not in FACTS}
        facts = self._facts(raw, scalar, path, findings)
        entry = None
        if "prior" in spec:
            entry = self._entry(spec, path, findings)
            value = self._referred(entry, spec, facts, scalar, name, path, findings) if entry else None
        else:
            value = self._value(spec, scalar, name, path, self.folder, findings)
        luck = bool(facts.pop("luck", False))
        if luck and isinstance(value, float):
            findings.add((*path, "luck"), "luck of a number", "a distribution: a number holds no luck")
        if value is None or findings.wrong:
            return None
        facts.pop("unit", None)
        provenance = Provenance(**facts, prior=entry.name if entry else None) if facts or entry else None
        return Input(name, value, scalar.unit_in(self.currency), luck=luck, provenance=provenance, key=path)

    def _entry(self, spec: Mapping[str, Any], path: Path, findings: Findings) -> Entry | None:
        """The library's entry that a table refers to; beside the reference only its truncation may change."""
        for key in spec.keys() - {"prior", "min", "max"}:
            expected = "min, max, luck or a fact such as note"
            findings.add((*path, key), "no such key beside a prior", expected, nearest(key, FACTS))
        prior = spec["prior"]
        if not isinstance(prior, str) or prior not in self.library:
            hint = nearest(prior, self.library)
            findings.add((*path, "prior"), f"no prior {shown(prior)}", "a name that `simulate priors` lists", hint)
            return None
        entry = self.library[prior]
        if (absent := entry.table.get("absent")) is not None:
            findings.add(path, f"prior {shown(prior)}: {absent}", "a value with its source and date")
            return None
        return entry

    def _referred(
        self, entry: Entry, spec: Mapping[str, Any], facts: dict[str, Any], scalar: Scalar, name: str, path: Path,
        findings: Findings,
    ) -> float | Distribution | None:  # fmt: skip
        """The value of an entry, whose facts are added to those beside the reference.

        What is wrong with an entry of a study's own file stands in that file; what is wrong with a shipped one, in the
        study that took it.
        """
        inner, place = Findings(), (entry.name,)
        for key, fact in self._facts(entry.table, scalar, place, inner).items():
            facts.setdefault(key, fact)
        folder = entry.document.folder if entry.document else self.folder
        cut = {key: spec[key] for key in ("min", "max") if key in spec}
        value = self._value({**entry.spec, **cut}, scalar, name, place, folder, inner)
        for problem in inner.problems:
            if entry.document:
                findings.faults.append(entry.document.fault(problem))
            else:
                findings.add(path, f"prior {dotted(problem.path)}: {problem.found}", *problem[2:])
        findings.faults += inner.faults
        findings.notes += inner.notes
        return value

    def _value(
        self, spec: dict[str, Any], scalar: Scalar, name: str, path: Path, folder: FilePath, findings: Findings
    ) -> float | Distribution | None:
        """The number or law of a table without its facts."""
        if "value" in spec:
            for key in spec.keys() - {"value"}:
                expected = "facts such as unit, source, as_of or note"
                findings.add((*path, key), "no such key beside a value", expected, nearest(key, FACTS))
            return self.number(spec["value"], scalar, (*path, "value"), findings, "a finite number")
        if (law := _law(spec, scalar, path, folder, findings)) is None:
            return None
        if not (sane(law.mean) and sane(law.sd)):
            findings.add(path, f"a law with mean {law.mean:.3g} and sd {law.sd:.3g}", SANE)
            return None
        law = kept(law, spec, scalar, name, path, findings)
        if law and scalar.divides:
            check_divisor(law, name, path, findings)
        return law

    def _facts(self, raw: Mapping[str, Any], scalar: Scalar, path: Path, findings: Findings) -> dict[str, Any]:
        """Unit, source, date and the like of a value, checked."""
        facts = {key: raw[key] for key in FACTS if key in raw}
        for key, value in facts.items():
            right, expected, known = self._fact(key, value, scalar)
            if not right:
                findings.add((*path, key), shown(value), expected, nearest(value, known))
        return facts

    def _fact(self, key: str, value: object, scalar: Scalar) -> tuple[bool, str, Sequence[str]]:
        """Whether a fact is right, what was expected, and the words that it may be."""
        match key:
            case "unit":
                unit = scalar.unit_in(self.currency)
                return isinstance(value, str) and same_unit(value, unit), f"{scalar.name} in {unit}", ()
            case "as_of":
                return type(value) is date, "a date without quotes: 2026-11-30", ()
            case "luck":
                return isinstance(value, bool), "true or false", ()
            case "basis":
                return value in BASES, ", ".join(BASES), BASES
            case "kind" | "region" if scalar.name != "price":
                return False, f"no such fact: only a price has a {key}", ()
            case "kind":
                return value in PRICE_KINDS, ", ".join(PRICE_KINDS), PRICE_KINDS
        return isinstance(value, str), "text", ()


def _law(
    spec: Mapping[str, Any], scalar: Scalar, path: Path, folder: FilePath, findings: Findings
) -> Distribution | None:
    from simulator.inputs import BadSpec, distribution

    try:
        return distribution(spec, partial(column, folder))
    except BadSpec as error:
        for bad in error:
            hint = bad.nearest or as_share(_number_at(spec, bad.path), scalar)
            findings.add((*path, *bad.path), bad.found, bad.expected, hint)
    except NotNearbyError as bad:
        findings.add((*path, bad.key), bad.found, bad.expected, bad.nearest)
    except StudyError as bad:  # cells of a column that are no numbers
        findings.faults += bad.faults
    return None


def finite(raw: object) -> float:
    """A number as a float; nan for what is no finite number."""
    try:
        value = float(raw) if isinstance(raw, int | float) else math.nan
    except OverflowError:  # an integer beyond all floats
        return math.nan
    return value if math.isfinite(value) else math.nan


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
    return finite(spec)


def _numeric(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
