"""A finding, and what a rule is given to find it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Literal

from simulator.audit.reference import Peak, Reference
from simulator.study import Input, Option, Study
from simulator.study.said import Said, Series
from simulator.study.sections import ReportedFigures

Severity = Literal["info", "warning", "error"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


OF_HARDWARE = frozenset({"peak_pflops", "utilization"})
"""Inputs whose prior tells the hardware."""

PRECISIONS = {"bfloat16": "bf16", "fp16": "bf16", "float16": "bf16", "float8": "fp8", "mxfp8": "fp8"}
"""Spellings of a precision, and precisions that share a peak, as the library calls them."""


def precision(facts: ReportedFigures) -> str:
    """The precision that is stated, as the library calls it; BF16 where none is."""
    stated = (facts.precision or "bf16").lower()
    return PRECISIONS.get(stated, stated)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something a reader should know before trusting a figure.

    `error`: cannot be true. `warning`: can be, and the answer hangs on it. `info`: good to know. `arithmetic` shows
    how it was found, so that a reader can redo it.
    """

    code: str
    severity: Severity
    where: str
    message: Said
    arithmetic: Said | Series | None = None
    source: str | None = None
    advice: Said | None = None

    def to_json(self) -> dict[str, str | None]:
        """The finding as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Case:
    """What a rule sees: a study (or one of its scenarios) and the facts to hold it against."""

    study: Study
    reference: Reference
    scenario: str | None = None
    base: Study | None = None

    def inputs(self, key: str) -> Iterator[tuple[Option, Input]]:
        """Options with an input that is given; in a scenario, those that it changes."""
        for name, option in self.study.options.items():
            before = self.base.options[name].inputs.get(key) if self.base and name in self.base.options else None
            each = option.inputs.get(key)
            if each is not None and each.given and each != before:
                yield option, each

    def stated(self) -> Mapping[str, ReportedFigures]:
        """What `[reported]` states of each option; nothing in a scenario, where it would be said twice."""
        if self.study.reported is None or self.scenario is not None:
            return {}
        return {name: self.study.reported.of(name) for name in self.study.options}

    def hardware(self, name: str) -> str | None:
        """The hardware of an option as the library names it: by its priors, else its instance type or its label."""
        option = self.study.options[name]
        for key in OF_HARDWARE & option.inputs.keys():
            origin = option.inputs[key].provenance
            prefix = (origin.prior or "").split("/")[0] if origin else ""
            if prefix in self.reference.hardware:
                return prefix
        return self.reference.recognise(f"{self._named(name)} {name}")

    def instance(self, name: str) -> str | None:
        """The instance type of an option: the one that it names, else the standard one of its hardware."""
        peak = self.reference.peak(self.hardware(name))
        return self.reference.instance_in(self._named(name)) or (peak.instance if peak else None)

    def _named(self, name: str) -> str:
        stated = self.study.reported.of(name).instance if self.study.reported else None
        return f"{stated or ''} {self.study.options[name].label}"

    def dense_peak(self, name: str, facts: ReportedFigures) -> Peak | None:
        """The dense peak of an option's instance in the precision that is stated, BF16 where none is."""
        return self.reference.peak(self.hardware(name), precision(facts))

    def where(self, option: str, key: str) -> str:
        """The dotted place of an option's key."""
        place = f"options.{option}.{key}"
        return place if self.scenario is None else f"scenarios.{self.scenario}: {place}"
