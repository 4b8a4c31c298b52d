"""What a study says, as frozen values: all that the engine, the audit and the reports need to know of the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Literal

from simulator.study.said import Said

if TYPE_CHECKING:
    from simulator.inputs import Copula, Distribution
    from simulator.study.sections import Evidence, Memo, Poc, Reported

Path = tuple[str | int, ...]
"""Where a value stands in a TOML document: keys, and places in arrays from 0."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a value comes from; `prior` is its name in the library, `kind` and `region` are those of a price."""

    source: str | None = None
    as_of: date | None = None
    basis: str | None = None
    note: str | None = None
    prior: str | None = None
    kind: str | None = None
    region: str | None = None


@dataclass(frozen=True, slots=True)
class Input:
    """A scalar of an option or of the study: a number, or a law that says how uncertain it is.

    `name` is canonical (`trn2.utilization`, `engineer_rate`), `key` the path in the file. `luck` marks what measuring
    cannot reduce; `given` is False for a default of docs/model.md.
    """

    name: str
    value: float | Distribution
    unit: str
    luck: bool = False
    given: bool = True
    provenance: Provenance | None = None
    key: Path = ()

    @property
    def fixed(self) -> bool:
        """True when the value is a number."""
        return isinstance(self.value, float)

    @property
    def law(self) -> Distribution:
        """The law of an uncertain input; TypeError for a number."""
        if isinstance(self.value, float):
            raise TypeError(f"{self.name} is a number")
        return self.value


Signed = Literal["already", "before_trial", "after_trial"]
Per = Literal["amount", "per_instance_hour", "per_week"]


@dataclass(frozen=True, slots=True)
class Commitment:
    """Instance-hours that are paid whether used or not, and the share of the unused that is recovered."""

    instance_hours: Input
    resale: Input
    signed: Signed


@dataclass(frozen=True, slots=True)
class OtherCost:
    """A cost outside rent and labour: an amount, or a rate per billed instance-hour or per week of schedule."""

    label: str
    per: Per
    value: Input


@dataclass(frozen=True, slots=True)
class Option:
    """One way to do the work.

    `inputs` holds every scalar key of an option by its short name (`price`), defaults included; `peak_pflops`,
    `utilization` and `tokens_per_second` only where given.
    """

    name: str
    label: str
    instances: int
    inputs: Mapping[str, Input]
    commitment: Commitment | None = None
    other_costs: tuple[OtherCost, ...] = ()


@dataclass(frozen=True, slots=True)
class Workload:
    """The work, by the keys that were given: `pflop_hours`; `parameters`, `tokens`; `tokens`; or `baseline_hours`,
    `baseline_utilization`."""

    inputs: Mapping[str, Input]
    layers: int | None = None
    hidden: int | None = None
    sequence: int | None = None


@dataclass(frozen=True, slots=True)
class Correlation:
    """Rank correlation of two inputs, by their canonical names."""

    between: tuple[str, str]
    spearman: float


@dataclass(frozen=True, slots=True)
class Claim:
    """A saving share that someone claims for an option."""

    name: str
    option: str
    saving_share: float
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """What a reader of the result should know of how the file was read."""

    code: str
    severity: Literal["info", "warning", "error"]
    where: str
    message: Said
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Study:
    """One decision, as its file says it; every scenario is such a value too, with its overrides applied.

    `settings` are what `--set` changed of the file, `chosen` is the scenario that was put in the study's place,
    `posterior` the `path` and `sha256` of the file from which values of it were learned.
    """

    title: str
    baseline: str
    currency: str
    hurdle: float
    as_of: date | None
    workload: Workload
    engineer_rate: Input
    delay_week_rate: Input
    options: Mapping[str, Option]
    correlations: tuple[Correlation, ...] = ()
    claims: tuple[Claim, ...] = ()
    scenarios: Mapping[str, Study] = field(default_factory=dict)
    path: str = ""
    sha256: str = ""
    text: bytes = field(default=b"", repr=False)
    notes: tuple[Note, ...] = ()
    copula: Copula | None = field(default=None, compare=False)
    reported: Reported | None = None
    evidence: tuple[Evidence, ...] = ()
    poc: Poc | None = None
    memo: Memo | None = None
    settings: tuple[str, ...] = field(default=(), compare=False)
    chosen: str | None = field(default=None, compare=False)
    posterior: Mapping[str, str] | None = field(default=None, compare=False)

    @property
    def inputs(self) -> dict[str, Input]:
        """Every input by its canonical name: those of the study first, then option by option in file order."""
        found = [self.engineer_rate, self.delay_week_rate, *self.workload.inputs.values()]
        for option in self.options.values():
            found += option.inputs.values()
            if option.commitment:
                found += [option.commitment.instance_hours, option.commitment.resale]
            found += [cost.value for cost in option.other_costs]
        return {each.name: each for each in found}
