"""Sections of a study that other parts of the program read: reported figures, evidence, the PoC plan, the memo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from typing import Any, Literal

from simulator.study.kinds import anything, array, choice, day, key, keys_of, mapping, number, table, text, whole

TEXT = text()
DAY = day()
NUMBER = number()
POSITIVE = number(above=0)
NOT_NEGATIVE = number(0)
SHARE = number(0, 1)
COUNT = whole(1)
RUNS = whole(1, 200)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedFigures:
    """Figures as someone printed them, to be held against each other. They enter no cost."""

    tokens_per_second: float | None = key(POSITIVE, "throughput of one instance", "tokens/s")
    samples_per_second: float | None = key(POSITIVE, "throughput of one instance", "sequences/s")
    step_seconds: float | None = key(POSITIVE, "time of a training step", "s")
    batch_sequences: float | None = key(POSITIVE, "sequences a step, over all instances", "count")
    sequence: int | None = key(COUNT, "tokens a sequence", "count")
    parameters: float | None = key(POSITIVE, "parameters of the model", "count")
    layers: int | None = key(COUNT, "layers of the model", "count")
    hidden: int | None = key(COUNT, "hidden size of the model", "count")
    steps: float | None = key(POSITIVE, "training steps", "count")
    total_seconds: float | None = key(POSITIVE, "time those steps took in all", "s")
    compile_minutes: float | None = key(NOT_NEGATIVE, "time of a compilation", "minutes")
    instances: int | None = key(COUNT, "instances that the figures are for", "count")
    chips: int | None = key(COUNT, "chips of one instance", "count")
    utilization: float | None = key(SHARE, "achieved / peak, as printed", "share")
    busy_share: float | None = key(SHARE, "share of time a device was busy; never a utilization", "share")
    peak_pflops: float | None = key(POSITIVE, "peak of one instance, as printed", "PFLOP/s")
    peak_per_chip_pflops: float | None = key(POSITIVE, "peak of one chip, as printed", "PFLOP/s")
    effective_pflops: float | None = key(POSITIVE, "what one instance achieves, as printed", "PFLOP/s")
    precision: str | None = key(TEXT, "precision of the training, such as bf16")
    price: float | None = key(POSITIVE, "price of one instance, as printed", "{currency}/instance-hour")
    discount: float | None = key(SHARE, "share off the list price, as printed", "share")
    kind: str | None = key(TEXT, "purchase kind of the price")
    instance: str | None = key(TEXT, "instance type, such as p5.48xlarge")
    region: str | None = key(TEXT, "region of the price")
    sdk: str | None = key(TEXT, "software release, such as 2.20")
    faults: float | None = key(NOT_NEGATIVE, "faults in the period", "count")
    exposure_hours: float | None = key(POSITIVE, "running time in which they were counted", "instance-hours")
    period_hours: float | None = key(POSITIVE, "wall-clock time in which they were counted", "hours")
    hours_lost_per_fault: float | None = key(NOT_NEGATIVE, "wall-clock time lost a fault", "hours")
    waste_share: float | None = key(SHARE, "share of the time that was lost", "share")
    hours: float | None = key(POSITIVE, "time that the total cost is for", "instance-hours")
    total_cost: float | None = key(NUMBER, "total cost, as printed", "{currency}")
    saving_share: float | None = key(number(high=1), "saving / cost, as printed", "share")
    engineer_hours: float | None = key(NOT_NEGATIVE, "engineer-hours of the migration", "hours")
    engineer_rate: float | None = key(NOT_NEGATIVE, "what an engineer-hour costs", "{currency}/hour")
    source: str | None = key(TEXT, "where the figures are printed")
    as_of: date | None = key(DAY, "when they were printed")  # noqa: RUF009
    note: str | None = key(TEXT, "anything a reader should know")


@dataclass(frozen=True, slots=True)
class Reported:
    """The reported figures of the study as a whole, and of each option: `[reported.trn2]`."""

    study: ReportedFigures
    options: Mapping[str, ReportedFigures] = field(default_factory=dict)

    def of(self, option: str) -> ReportedFigures:
        """What is printed of an option: its own figures over those of the study."""
        own = self.options.get(option, ReportedFigures())
        given = {each.name: getattr(own, each.name) for each in fields(own) if getattr(own, each.name) is not None}
        return replace(self.study, **given)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What was measured: files of one option, or numbers for one input."""

    option: str | None = key(TEXT, "the option that the files are about")
    files: tuple[str, ...] | None = key(array(TEXT), "globs relative to the study, within its folder")
    reader: str | None = key(TEXT, "the format of the files, where it is not to be recognised")
    instances: int | None = key(COUNT, "instances of the measured run", "count")
    devices_per_instance: int | None = key(COUNT, "accelerators in each, as the framework counts them", "count")
    tokens_per_step: float | None = key(POSITIVE, "tokens a training step, over all instances", "tokens")
    time_zone: str | None = key(TEXT, "zone of times that name none, such as Europe/Berlin")
    column: str | None = key(TEXT, "column of a plain CSV, as NAME or QUANTITY=NAME")
    period_seconds: float | None = key(POSITIVE, "time between records of telemetry that has no clock", "s")
    hours_per_day: float | None = key(number(above=0, high=24), "working hours of a `1d` in a worklog", "hours")
    filter: Mapping[str, Any] | None = key(
        anything({"type": "object"}, "a table: column = value"), "which records of a file count: column = value"
    )
    share_done: float | None = key(number(above=0, high=1), "share of the migration that the hours paid for", "share")
    input: str | None = key(TEXT, "the input that the numbers are about, such as trn2.utilization")
    events: int | None = key(whole(0), "events counted in `exposure_hours`", "count")
    exposure_hours: float | None = key(POSITIVE, "running time in which they were counted", "instance-hours")
    successes: int | None = key(whole(0), "successes among `trials`", "count")
    trials: int | None = key(COUNT, "trials", "count")
    values: tuple[float, ...] | None = key(array(NUMBER), "measurements, one a run", "that of the input")
    mean: float | None = key(NUMBER, "mean of `n` measurements", "that of the input")
    sd: float | None = key(NOT_NEGATIVE, "standard deviation of the measurements", "that of the input")
    n: int | None = key(COUNT, "measurements that the mean is of", "count")
    discrepancy: float | None = key(
        NOT_NEGATIVE, "sd of log(production / PoC); 0 for none, left out for the default of the quantity"
    )
    source: str | None = key(TEXT, "where the evidence comes from")
    as_of: date | None = key(DAY, "when it was measured")  # noqa: RUF009
    note: str | None = key(TEXT, "anything a reader should know")


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """One way to do the PoC: what a run measures, and what of it differs from `[poc]`."""

    measures: tuple[str, ...] | None = key(array(TEXT), "the inputs that every run measures, such as trn2.utilization")
    fixed_cost: float | None = key(NOT_NEGATIVE, "as in `[poc]`", "{currency}")
    cost_per_run: float | None = key(NOT_NEGATIVE, "as in `[poc]`", "{currency}")
    hours_per_run: float | None = key(POSITIVE, "as in `[poc]`", "instance-hours")
    engineer_hours_per_run: float | None = key(NOT_NEGATIVE, "as in `[poc]`", "hours")
    weeks: float | None = key(NOT_NEGATIVE, "as in `[poc]`", "weeks")
    weeks_per_run: float | None = key(NOT_NEGATIVE, "as in `[poc]`", "weeks")
    most_runs: int | None = key(RUNS, "as in `[poc]`", "count")


@dataclass(frozen=True, slots=True, kw_only=True)
class Poc:
    """What a proof of concept would cost, for its value and its size."""

    option: str | None = key(TEXT, "the option that it tries; left out, the candidate that is best on what is known")
    fixed_cost: float = key(NOT_NEGATIVE, "cost of any PoC: the part of the port that it takes", "{currency}", 0.0)
    cost_per_run: float | None = key(
        NOT_NEGATIVE,
        "cost of one run; left out, `hours_per_run` at the option's price and `engineer_hours_per_run` at the rate",
        "{currency}",
    )
    hours_per_run: float | None = key(POSITIVE, "length of one run, in which faults are counted", "instance-hours")
    engineer_hours_per_run: float = key(NOT_NEGATIVE, "engineers' time for one run", "hours", 0.0)
    weeks: float = key(NOT_NEGATIVE, "weeks by which a PoC delays the decision, at `delay_week` each", "weeks", 0.0)
    weeks_per_run: float = key(NOT_NEGATIVE, "weeks by which each run delays it further", "weeks", 0.0)
    most_runs: int = key(RUNS, "runs at most", "count", 16)
    decisions: float = key(POSITIVE, "how many times its result decides", "count", 1.0)
    noise: Mapping[str, float] | None = key(
        mapping(NOT_NEGATIVE, TEXT, 'a table: "INPUT" = sd of the logarithm between runs'),
        "spread of one run about what the PoC would find in the long run, where yours is known",
    )
    discrepancy: Mapping[str, float] | None = key(
        mapping(NOT_NEGATIVE, TEXT, 'a table: "INPUT" = sd of log(production / PoC)'),
        "what more runs do not tell; 0 for none, left out for the default of the quantity",
    )
    designs: Mapping[str, Design] | None = key(
        mapping(table("[poc.designs.NAME]", Design.__doc__ or "", keys_of(Design)), TEXT, "a table of designs"),
        "ways to do it; left out, one that measures all that a run shows",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Memo:
    """How the memo looks."""

    company: str | None = key(TEXT, "name at its head")
    author: str | None = key(TEXT, "who answers for it")
    logo: str | None = key(TEXT, "image file relative to the study, within its folder")
    lang: Literal["en", "zh"] = key(choice("en", "zh"), "language of the memo", default="en")
