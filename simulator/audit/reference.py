"""The facts of the prior library that the audit holds figures against: peaks, quotes, terms of purchase.

No figure stands in the code of a rule; all come from the library's tables, so that a correction there corrects the
audit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simulator.study.entries import value_of
from simulator.study.library import Library, library
from simulator.study.said import Said

if TYPE_CHECKING:
    from simulator.inputs import Distribution

Table = Mapping[str, Any]

SPELLINGS = {"trainium1": "trn1", "trainium2": "trn2", "trainium3": "trn3"}  # in labels, of names in the library


@dataclass(frozen=True, slots=True)
class Peak:
    """A peak of one instance, PFLOP/s."""

    name: str
    hardware: str
    instance: str
    precision: str
    sparse: bool
    value: float
    chips: int
    source: str

    @property
    def label(self) -> Said:
        """`dense BF16`, `sparse FP8`."""
        return Said("sparse {precision}" if self.sparse else "dense {precision}", precision=self.precision.upper())


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The largest share of the dense peak that a matrix product was seen to reach."""

    share: float
    source: str


@dataclass(frozen=True, slots=True)
class Quote:
    """A price that was on offer from `as_of` to `until`; still, as far as is known, when that is None."""

    name: str
    hardware: str
    instance: str
    kind: str
    value: float
    as_of: date
    until: date | None
    source: str

    @property
    def label(self) -> Said:
        """The quote in words."""
        span = (
            Said("{first} to {last}", first=self.as_of, last=self.until)
            if self.until
            else Said("as of {first}", first=self.as_of)
        )
        return Said(
            "{value:g} {instance} {kind} ({span})",
            value=self.value,
            instance=self.instance,
            kind=self.kind,
            span=span,
        )

    def off(self, value: float) -> float:
        """Relative distance of a price from this one."""
        return abs(value / self.value - 1)

    def of(self, hardware: str | None, instance: str | None) -> bool:
        """Whether it is for this instance type, or for a node of the same chips at another cloud."""
        return self.instance == instance or (self.hardware == hardware and "." not in self.instance)

    def held(self, day: date | None) -> bool:
        """Whether it was on offer on a day, or is still, as far as is known."""
        return self.until is None or (day is not None and self.as_of <= day <= self.until)


@dataclass(frozen=True, slots=True)
class Absent:
    """A price that does not exist or was not found."""

    name: str
    hardware: str
    instance: str
    kind: str
    reason: str
    source: str


@dataclass(frozen=True)
class Reference:
    """The library as the audit asks it; entries are read when a rule needs them."""

    library: Library

    @classmethod
    def shipped(cls) -> Reference:
        """The library that is shipped."""
        return cls(library())

    def table(self, name: str) -> Table | None:
        """An entry's table; None when there is no such entry."""
        return self.library[name].table if name in self.library else None

    @cached_property
    def hardware(self) -> frozenset[str]:
        """Names of the hardware for which a peak is known."""
        return frozenset(peak.hardware for peak in self.peaks)

    @cached_property
    def peaks(self) -> tuple[Peak, ...]:
        """Every peak on record of a single instance."""
        return tuple(self._peaks())

    def _peaks(self) -> Iterator[Peak]:
        for name in self.library:
            match name.split("/"):
                case [hardware, "peak_pflops", _]:
                    table = self.library[name].table
                    yield Peak(
                        name, hardware, table["instance"], table["precision"], table["sparse"], float(table["value"]),
                        table["chips"], table["source"],
                    )  # fmt: skip

    def peak(self, hardware: str | None, precision: str = "bf16") -> Peak | None:
        """The dense peak in a precision; None when it is not on record."""
        same = (p for p in self.peaks if (p.hardware, p.precision, p.sparse) == (hardware, precision, False))
        return next(same, None)

    def ceiling(self, hardware: str | None, precision: str = "bf16") -> Ceiling | None:
        """What no training run exceeds; None where nobody has measured it."""
        best, peak = self.table(f"{hardware}/achievable_pflops/{precision}"), self.peak(hardware, precision)
        return Ceiling(best["value"] / peak.value, best["source"]) if best and peak else None

    @cached_property
    def quotes(self) -> tuple[Quote, ...]:
        """Every dated price on record, history included; quotes that are ranges are left out."""
        return tuple(self._quotes())

    def _quotes(self) -> Iterator[Quote]:
        for name, table in self._prices():
            shared = (name, name.split("/")[0], table["instance"], table["kind"])
            if "value" in table:
                yield Quote(*shared, float(table["value"]), table["as_of"], None, table["source"])
            after = table["as_of"]
            for old in sorted(table.get("history", ()), key=lambda each: each["as_of"], reverse=True):
                until = old.get("until", after)  # where nobody noted its end, the next quote is it
                yield Quote(*shared, float(old["value"]), old["as_of"], until, old["source"])
                after = old["as_of"]

    def absent(self) -> Iterator[Absent]:
        """Every price on record as not existing, of the standard instance of its hardware."""
        for name, table in self._prices():
            if "absent" in table and name.count("/") == 2:
                reason, source = table["absent"], table["source"]
                yield Absent(name, name.split("/")[0], table["instance"], table["kind"], reason, source)

    def _prices(self) -> Iterator[tuple[str, Table]]:
        return ((name, self.library[name].table) for name in self.library if "/price/" in name)

    def number(self, name: str) -> float | None:
        """A plain value of the library; None when it is not there."""
        table = self.table(name)
        return float(table["value"]) if table and "value" in table else None

    def law(self, name: str) -> Distribution | None:
        """A distribution of the library; None when it is not there or a plain value."""
        value = value_of(self.library[name]) if name in self.library else None
        return None if isinstance(value, float) else value

    def source(self, name: str) -> str | None:
        """The source of an entry."""
        table = self.table(name)
        return str(table["source"]) if table else None

    @cached_property
    def instances(self) -> dict[str, str]:
        """The hardware of each instance type on record."""
        found = {quote.instance: quote.hardware for quote in self.quotes}
        return found | {peak.instance: peak.hardware for peak in self.peaks}

    def instance_in(self, text: str) -> str | None:
        """The first instance type on record that a text names."""
        named = re.findall(r"[a-z0-9-]+\.[0-9]*(?:x?large|metal)", text.lower())
        return next((each for each in named if each in self.instances), None)

    def recognise(self, text: str) -> str | None:
        """The hardware that a text names by an instance type or by itself; None when it names none or several."""
        if (instance := self.instance_in(text)) is not None:
            return self.instances[instance]
        names = {name: name for name in self.hardware} | SPELLINGS
        found = {
            hardware for name, hardware in names.items() if re.search(rf"(?<![a-wyz]){name}(?![0-9])", text.lower())
        }
        return found.pop() if len(found) == 1 else None
