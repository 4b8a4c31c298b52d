"""Everything a memo tells, as plain frozen values; a section whose value is None or empty is left out.

The memo computes no figure of these: they come from the engine and the decision, calibration and audit parts, and are
put together in `assemble.py`. Money is in the study's currency, savings are means unless said otherwise.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from simulator.audit.explain import Told
from simulator.audit.finding import Finding
from simulator.engine import Figure, Result
from simulator.report.memo.curves import Curves
from simulator.report.memo.whatif import WhatIf
from simulator.study import Study


@dataclass(frozen=True, slots=True)
class Driver:
    """What one input does to the saving when it is moved from its 10 % to its 90 % point, all else uncertain.

    Attributes
    ----------
    input, unit : str
    low, high : float
        The input's 10 and 90 % points.
    saving_low, saving_high : float
        Expected saving with the input there.
    p_beats_low, p_beats_high : float or None
        P(beats) with the input there.
    evppi : Figure or None
        What knowing the input would be worth.
    """

    input: str
    unit: str
    low: float
    high: float
    saving_low: float
    saving_high: float
    p_beats_low: float | None = None
    p_beats_high: float | None = None
    evppi: Figure | None = None


@dataclass(frozen=True, slots=True)
class Drivers:
    """The inputs that decide an option's saving, the most important first, around today's expected saving."""

    option: str
    saving: float
    inputs: tuple[Driver, ...]


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where the answer flips: values of an input at which the expected saving is the hurdle; none is an answer too."""

    option: str
    input: str
    unit: str
    now: float
    flips: tuple[float, ...]
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Trade:
    """Expected saving less the hurdle against one input."""

    option: str
    input: str
    unit: str
    now: float
    x: tuple[float, ...]
    gain: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Map:
    """Expected saving less the hurdle over two inputs at once; `gain[i][j]` is at `y[i]`, `x[j]`."""

    option: str
    x_input: str
    x_unit: str
    y_input: str
    y_unit: str
    now: tuple[float, float]
    x: tuple[float, ...]
    y: tuple[float, ...]
    gain: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Where the answer flips, one input at a time and two at once."""

    thresholds: tuple[Threshold, ...] = ()
    trade: Trade | None = None
    map: Map | None = None


@dataclass(frozen=True, slots=True)
class PocSize:
    """A proof of concept of `runs` runs: what it is worth, what it costs (its weeks included), and the difference."""

    runs: int
    evsi: Figure
    cost: float
    enbs: Figure


Kind = Literal["runs", "counts", "trials"]


@dataclass(frozen=True, slots=True)
class Needed:
    """What so many runs must show of an input for a switch: a value from `low` to `high`, either of them open.

    `kind` says what is looked at: the mean of "runs", the events of "counts", the failures of "trials".
    """

    input: str
    unit: str
    kind: Kind
    runs: int
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class PocPlan:
    """What a proof of concept is worth by size; `best` is None when none pays. `measures` are names of inputs."""

    option: str
    measures: tuple[str, ...]
    sizes: tuple[PocSize, ...]
    best: PocSize | None
    needed: tuple[Needed, ...] = ()


@dataclass(frozen=True, slots=True)
class Belief:
    """What is held of an input: its mean and quantiles."""

    mean: float
    p05: float
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class Moved:
    """An input before and after the evidence; `conflict` is the probability of evidence as far from the prior."""

    input: str
    unit: str
    prior: Belief
    posterior: Belief
    conflict: float | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """An option's P(beats) and expected saving before and after the evidence."""

    p_beats_prior: Figure
    p_beats: Figure
    saving_prior: Figure
    saving: Figure


@dataclass(frozen=True, slots=True)
class EvidenceShift:
    """What one piece of evidence moved: the change when it is left out, its sign turned."""

    evidence: str
    p_beats: Figure
    saving: Figure


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the proof of concept taught."""

    inputs: tuple[Moved, ...]
    effect: Mapping[str, Effect] = field(default_factory=dict)
    moved_by: tuple[EvidenceShift, ...] = ()


@dataclass(frozen=True, slots=True)
class Logo:
    """An image that the page carries: its media type and bytes."""

    media: str
    data: bytes

    @property
    def uri(self) -> str:
        """The image as an address that holds it."""
        return f"data:{self.media};base64,{base64.b64encode(self.data).decode()}"


@dataclass(frozen=True, slots=True)
class Origin:
    """What is needed to make the memo again."""

    command: str
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MemoContent:
    """A memo before it is written in a language and a format."""

    study: Study
    result: Result
    leading: str
    curves: Curves
    inputs: tuple[Told, ...]
    left_out: tuple[str, ...]
    findings: tuple[Finding, ...]
    origin: Origin
    whatif: WhatIf | None = None
    drivers: Drivers | None = None
    break_even: BreakEven | None = None
    poc: PocPlan | None = None
    calibration: Calibration | None = None
    logo: Logo | None = None
