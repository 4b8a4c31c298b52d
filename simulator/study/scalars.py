"""The one table of the values of a study that may be uncertain: schema, defaults, bounds and docs are made from it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from simulator.study.said import Said

CURRENCY = "{currency}"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number of a study, which a law may stand for.

    `default` None: not there unless given. `divides`: the cost is proportional to 1 / value, so a law that crowds at 0
    has no mean cost. `share`: a percentage in its place is a likely slip.
    """

    name: str
    symbol: str
    unit: str
    doc: str
    default: float | None = None
    required: bool = False
    low: float = 0.0
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False
    share: bool = False
    divides: bool = False

    def unit_in(self, currency: str) -> str:
        """The unit, with the study's currency in its place."""
        return self.unit.replace(CURRENCY, currency)

    def holds(self, value: float) -> bool:
        """Whether a fixed value is allowed."""
        above = value > self.low if self.low_open else value >= self.low
        below = value < self.high if self.high_open else value <= self.high
        return above and below

    @property
    def domain(self) -> Said:
        """The allowed values in words, for messages and docs."""
        if self.low == -math.inf and self.high == math.inf:
            return Said("any number")
        if self.high == math.inf:
            return Said("above {low:g}" if self.low_open else "at least {low:g}", low=self.low)
        left, right = "<" if self.low_open else "<=", "<" if self.high_open else "<="
        low = f"{self.low:g} {left} " if self.low > -math.inf else ""
        return Said("{low}value{high}", low=low, high=f" {right} {self.high:g}")


def _table(*scalars: Scalar) -> dict[str, Scalar]:
    return {scalar.name: scalar for scalar in scalars}


PER_INSTANCE_HOUR = CURRENCY + "/instance-hour"

OPTION = _table(
    Scalar("price", "p", PER_INSTANCE_HOUR, "list price of one instance; never defaulted", required=True,
        low_open=True),
    Scalar("discount", "d", "share", "share off the list price", default=0, high=1, high_open=True, share=True),
    Scalar("peak_pflops", "F", "PFLOP/s", "dense peak of one instance in the training precision; required with "
        "`utilization`", low_open=True, divides=True),
    Scalar("utilization", "u", "share", "model FLOPs utilization: achieved / peak; this or `tokens_per_second`",
        low_open=True, high=1, share=True, divides=True),
    Scalar("tokens_per_second", "q", "tokens/s", "training throughput of one instance; this or `utilization`",
        low_open=True, divides=True),
    Scalar("scaling_efficiency", "s", "share", "throughput at n instances / (n x throughput of one)", default=1,
        low_open=True, high=1, share=True, divides=True),
    Scalar("recompiles", "K", "count", "compilations in the project", default=0),
    Scalar("compile_minutes", "c", "minutes", "wall-clock minutes of one compilation", default=0),
    Scalar("compile_idle", "g", "share", "share of the instances that is billed and idle while compiling", default=1,
        high=1, share=True),
    Scalar("compile_attention", "a", "share", "share of an engineer's time lost while compiling", default=0, high=1,
        share=True),
    Scalar("faults_per_1000h", "lambda", "faults/1000 instance-hours", "faults (out of memory, hardware, runtime) per "
        "1,000 running instance-hours", default=0),
    Scalar("hours_lost_per_fault", "l", "hours", "wall-clock hours from a fault to the same step again (rollback and "
        "restart)", default=0),
    Scalar("engineer_hours", "E", "hours", "engineer-hours to migrate, debug and tune", default=0),
    Scalar("unworkable", "phi_max", "share", "lost share of running time at which a team gives up", default=0.5,
        low_open=True, high=1, high_open=True, share=True),
    Scalar("upkeep_hours_per_month", "M", "hours/month", "engineer-hours per month (730 h) of the schedule", default=0),
    Scalar("delay_weeks", "D", "weeks", "weeks before the run can start", default=0),
    Scalar("blocked", "b", "probability", "probability that the migration fails and the team goes back; 0 for the "
        "baseline", default=0, high=1, share=True),
    Scalar("blocked_spent", "x", "share", "share of the migration effort spent when it fails", default=1, high=1,
        share=True),
    Scalar("trial_instance_hours", "t", "instance-hours", "instance-hours burnt on the trial when it fails", default=0),
)  # fmt: skip

COMMITMENT = _table(
    Scalar("instance_hours", "Q", "instance-hours", "instance-hours paid whether used or not", required=True),
    Scalar("resale", "rho", "share", "share of the discounted price recovered for an unused hour", default=0, high=1,
        share=True),
)  # fmt: skip

OTHER_COST = _table(
    Scalar("amount", "o", CURRENCY, "a fixed amount; negative for a credit", low=-math.inf),
    Scalar("per_instance_hour", "o", PER_INSTANCE_HOUR, "a rate per billed instance-hour", low=-math.inf),
    Scalar("per_week", "o", CURRENCY + "/week", "a rate per week of schedule", low=-math.inf),
)

WORKLOAD = _table(
    Scalar("pflop_hours", "W", "PFLOP/s-hours", "the work: sustained PFLOP/s times hours", low_open=True),
    Scalar("parameters", "N", "count", "parameters of the model (active ones of a mixture of experts); with `tokens`, "
        "W = 6 N tokens / 3.6e18", low_open=True),
    Scalar("tokens", "", "tokens", "tokens to train on; alone it serves options with `tokens_per_second`",
        low_open=True),
    Scalar("baseline_hours", "H_b", "instance-hours", "productive instance-hours of the baseline at "
        "`baseline_utilization`; W = H_b F_b u_ref with the baseline's `peak_pflops`", low_open=True),
    Scalar("baseline_utilization", "u_ref", "share", "the utilization at which `baseline_hours` was known",
        low_open=True, high=1, share=True),
)  # fmt: skip

RATES = _table(
    Scalar(
        "engineer",
        "r",
        CURRENCY + "/hour",
        "what an engineer-hour costs; required where an option takes an engineer's time",
    ),
    Scalar("delay_week", "v", CURRENCY + "/week", "what a week of schedule is worth", default=0),
)

RATE_NAMES = {"engineer": "engineer_rate", "delay_week": "delay_week_rate"}
"""Canonical names of the rates; the other inputs of the study keep the name of their key."""

HURDLE = Scalar("hurdle", "", "share", "the smallest saving share that justifies the switch", default=0, low=-1, high=1,
             high_open=True, share=True)  # fmt: skip

SAVING_SHARE = Scalar("saving_share", "", "share", "the claimed saving / TCO(baseline)", low=-math.inf, high=1,
                   share=True)  # fmt: skip


def same_unit(given: str, expected: str) -> bool:
    """Whether a unit is the expected one, spacing and description aside: "share of the instances" is a share."""
    plain = given.replace(" / ", "/").removeprefix("wall-clock ").removeprefix("engineer-")
    if expected in {"share", "probability"}:
        return plain.split(" ")[0] in {"share", "probability"}
    return plain == expected or plain.startswith(expected + " ")
