"""Evidence that lies in files: which facts bear on which inputs, with which model.

One `[[evidence]]` of one option may hold training logs, compile logs, a timesheet and a bill. Each quantity that they
tell of becomes an observation; whatever was read and teaches nothing is said in a note.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from simulator.calibration.discrepancy import Discrepancy, default
from simulator.calibration.models import Counts, Durations, Effort, Means, Model
from simulator.calibration.models.counts import CLUMPING
from simulator.calibration.models.means import BETWEEN_RUNS, NOISE, RECORDED
from simulator.calibration.numbers import HOURS_A_DAY, per_engineer_day
from simulator.calibration.observation import Observation, Quantity
from simulator.evidence.derive import FAULTS, best_exposed, distinct, flops_per_token, per_instance
from simulator.study.said import Said

if TYPE_CHECKING:
    from simulator.evidence import Fact, Options, Reading
    from simulator.study import Option, Study
    from simulator.study.sections import Evidence

BATCH: Final = 20
"""Steps of a batch: neighbouring steps share data loaders, clocks and traffic on the network, distant ones do not."""
MANY: Final = 20
"""Degrees of freedom from which on the sd within runs is taken as known."""


@dataclass(frozen=True)
class Source:
    """The files of one `[[evidence]]`, read."""

    place: int
    evidence: Evidence
    readings: tuple[Reading, ...]
    options: Options

    def facts(self, quantity: str) -> list[Fact]:
        """All facts of a quantity."""
        return [fact for reading in self.readings for fact in reading.of(quantity)]

    def discrepancy(self, key: str, offset: float = 0.0) -> Discrepancy:
        """What the study says of it, or the default of the input."""
        sd = self.evidence.discrepancy
        return Discrepancy(default(key) if sd is None else sd, "log", offset)

    def total(self, quantity: str) -> float | None:
        """Sum of a quantity; None where no file tells of it."""
        found = self.facts(quantity)
        return sum(fact.value for fact in found) if found else None


@dataclass(frozen=True)
class Taught:
    """What the files of an option teach: observations, and notes on what they do not."""

    observations: tuple[Observation, ...]
    notes: tuple[str, ...]


def taught(study: Study, source: Source, every: Sequence[Source]) -> Taught:
    """Observations from the files of one `[[evidence]]`; `every` are all of them, for hours told elsewhere."""
    observations, notes = [], []
    once = distinct(source.readings)
    if len(once) < len(source.readings):
        more = len(source.readings) - len(once)
        notes.append(f"{more} of the files tell of the same run as another (its other ranks): it is counted once")
    source = replace(source, readings=once)
    for found in _all(study, study.options[source.evidence.option or ""], source, every):
        if isinstance(found, str):
            notes.append(found)
        else:
            observations.append(found)
    if not observations:
        notes.append("nothing in these files teaches the study anything")
    return Taught(tuple(observations), tuple(notes))


def _all(study: Study, option: Option, source: Source, every: Sequence[Source]) -> Iterator[Observation | str]:
    yield from _throughput(study, option, source)
    yield from _compile_minutes(study, option, source)
    yield from _recompiles(study, option, source, every)
    yield from _faults(study, option, source)
    yield from _hours_lost(study, option, source)
    yield from _engineer_hours(study, option, source)
    yield from _rates(study, option, source)


def _made(source: Source, quantity: Quantity, key: str, model: Model, told: Said, offset: float = 0.0) -> Observation:
    files = ", ".join(source.evidence.files or ())
    return Observation(
        source.place, Said("{what}: {told}", what=files, told=told), quantity, model, source.discrepancy(key, offset)
    )


def _uncertain(study: Study, name: str) -> bool:
    found = study.inputs.get(name)
    return found is not None and not isinstance(found.value, float) and not found.luck


def _fixed(study: Study, name: str, what: str) -> str:
    found = study.inputs.get(name)
    value = f"the number {found.value:g}" if found is not None and isinstance(found.value, float) else "no law"
    return f"{what}, but {name} is {value}: give it a distribution, and it is learned"


def _throughput(study: Study, option: Option, source: Source) -> Iterator[Observation | str]:
    """Means of runs: log tokens/s, batches of steps within runs."""
    runs: list[tuple[float, float, float]] = []  # mean of the log, batches, sd of a batch
    for fact in source.facts("tokens_per_second"):
        value = per_instance(fact, source.options)
        if value is None:
            per = fact.group.get("per", "job")
            wanted = "devices_per_instance" if per == "device" else "instances"
            yield f"{fact.value:,.6g} {fact.unit}, per {per}: tell `{wanted}`"
            continue
        relative = (fact.sd or 0.0) / fact.value
        runs.append((math.log(value) - relative**2 / 2, max(1.0, fact.count / BATCH), relative))
    if not runs:
        if source.facts("samples_per_second") or source.facts("step_seconds"):
            yield "speed without tokens/s: tell `tokens_per_step`, or the sequence length in [workload]"
        return
    quantity = _speed(study, option, source)
    if isinstance(quantity, str):
        yield quantity
        return
    told = Said(
        "{steps:,} steps in {runs} runs",
        steps=sum(f.count for f in source.facts("tokens_per_second")),
        runs=len(runs),
    )
    yield _made(source, quantity, "utilization", runs_model(runs), told)


def runs_model(runs: Iterable[tuple[float, float, float]]) -> Means:
    """Runs by the mean of their log, their independent batches, and the sd of a batch."""
    means, counts, sds = zip(*runs, strict=True)
    freedom = sum(max(0.0, n - 1) for n in counts)
    squares = sum(max(0.0, n - 1) * (s * s + RECORDED**2) for n, s in zip(counts, sds, strict=True))
    if freedom >= MANY or freedom == 0:
        noise = math.sqrt(squares / freedom) if freedom else math.hypot(max(sds), RECORDED)
        return Means(means, counts, between=BETWEEN_RUNS, noise=noise, known=True)
    return Means(means, counts, squares, freedom, between=BETWEEN_RUNS, noise=NOISE)


def _speed(study: Study, option: Option, source: Source) -> Quantity | str:
    """Tokens/s of an instance as a function of the inputs that the study has for it."""
    speed, used = f"{option.name}.tokens_per_second", f"{option.name}.utilization"
    efficiency = f"{option.name}.scaling_efficiency"
    several = (source.options.instances or 1) > 1
    if _uncertain(study, speed):
        inputs = (speed, efficiency) if several and _uncertain(study, efficiency) else (speed,)
        return Quantity(
            speed, "tokens/s", inputs, lambda v: v[speed] * v[efficiency] if several else v[speed]
        )  # fmt: skip
    if not _uncertain(study, used):
        return _fixed(study, used, "throughput was measured")
    parameters = study.workload.inputs.get("parameters")
    if parameters is None or not isinstance(parameters.value, float):
        return "throughput was measured in tokens/s; for a utilization tell `parameters` in [workload]"
    shape = study.workload
    token = flops_per_token(parameters.value, shape.layers, shape.hidden, shape.sequence)
    peak = f"{option.name}.peak_pflops"
    inputs = (used, *(n for n in (peak, *((efficiency,) if several else ())) if _uncertain(study, n)))
    return Quantity(
        used, "tokens/s", inputs,
        lambda v: v[used] * v[peak] * (1e15 / token) * (v[efficiency] if several else 1.0),
    )  # fmt: skip


def _compile_minutes(study: Study, option: Option, source: Source) -> Iterator[Observation | str]:
    episodes = [fact for fact in source.facts("compile_minutes") if fact.value > 0]
    if not episodes:
        return
    name, cut = f"{option.name}.compile_minutes", sum(fact.censored for fact in episodes)
    if not _uncertain(study, name):
        yield _fixed(study, name, f"{len(episodes)} compilations were timed")
        return
    model = Durations(
        tuple(f.value for f in episodes), tuple(f.censored for f in episodes), tuple(1.0 for _ in episodes)
    )
    told = Said("{count} compilations, {cut} of them cut off", count=len(episodes), cut=cut)
    yield _made(source, Quantity.input(name, "minutes"), "compile_minutes", model, told)


def _recompiles(study: Study, option: Option, source: Source, every: Sequence[Source]) -> Iterator[Observation | str]:
    count = source.total("compiles")
    if count is None:
        return
    name = f"{option.name}.recompiles"
    if hits := source.total("compile_hits"):
        yield f"{hits:.0f} modules were found in the compile cache: they wait for no compiler, and are no recompiles"
    if not _uncertain(study, name):
        yield _fixed(study, name, f"{count:.0f} compilations were counted")
        return
    hours = sum(s.total("engineer_hours") or 0.0 for s in every if s.evidence.option == option.name)
    if not hours:
        yield f"{count:.0f} compilations were counted, in no engineer's hours: add the timesheet to learn {name}"
        return
    model = Counts((round(count),), (hours / HOURS_A_DAY,), CLUMPING)
    told = Said("{count:.0f} compilations in {hours:g} engineers' hours", count=count, hours=hours)
    yield _made(source, per_engineer_day(study, option.name), "recompiles", model, told)


def _faults(study: Study, option: Option, source: Source) -> Iterator[Observation | str]:
    """Errors or restarts, whichever are more, in the hours of the kind of file that covers most of them."""
    events, exposure = _events(best_exposed(source.readings))
    name = f"{option.name}.faults_per_1000h"
    if not exposure:
        if events:
            yield "faults were seen, without the hours in which they could be: tell `instances`"
        return
    if not _uncertain(study, name):
        yield _fixed(study, name, f"{events:.0f} faults in {exposure:.4g} instance-hours were counted")
        return
    told = Said("{events:.0f} faults in {exposure:.4g} instance-hours", events=events, exposure=exposure)
    quantity = Quantity.input(name, "faults/1000 instance-hours")
    yield _made(source, quantity, "faults_per_1000h", Counts((round(events),), (exposure / 1000,)), told)


def _events(facts: Iterable[Fact]) -> tuple[float, float]:
    """Faults and instance-hours."""
    totals = dict.fromkeys((*FAULTS, "exposure_hours"), 0.0)
    for fact in facts:
        if fact.quantity in totals:
            totals[fact.quantity] += fact.value
    return max(totals["oom_events"] + totals["fault_events"], totals["restarts"]), totals["exposure_hours"]


def _hours_lost(study: Study, option: Option, source: Source) -> Iterator[Observation | str]:
    """Wall-clock hours lost a fault: of each run the mean over its restarts."""
    runs = []
    for fact in source.facts("lost_device_hours"):
        devices = float(fact.group.get("devices", 0) or 0)
        if devices and fact.count and fact.value > 0:
            runs.append((fact.value / devices / fact.count, float(fact.count)))
        elif fact.value > 0:
            yield f"{fact.value:.4g} device-hours lost on an unknown number of devices: tell `instances`"
    name = f"{option.name}.hours_lost_per_fault"
    if not runs:
        return
    faults = sum(count for _, count in runs)
    if not _uncertain(study, name):
        yield _fixed(study, name, f"the hours lost to {faults:.0f} faults were read")
        return
    values, counts = zip(*runs, strict=True)
    told = Said("hours lost to {faults:.0f} faults", faults=faults)
    quantity = Quantity.input(name, "hours")
    yield _made(source, quantity, "hours_lost_per_fault", Durations(values, (False,) * len(runs), counts), told)


def _engineer_hours(study: Study, option: Option, source: Source) -> Iterator[Observation | str]:
    spent = source.total("engineer_hours")
    if spent is None:
        return
    name = f"{option.name}.engineer_hours"
    if not _uncertain(study, name):
        yield _fixed(study, name, f"{spent:g} engineers' hours were spent")
        return
    share = source.evidence.share_done
    told = (
        Said("{spent:g} engineers' hours for {share:.0%} of the work", spent=spent, share=share)
        if share
        else Said("{spent:g} engineers' hours, of an unknown share", spent=spent)
    )
    if share is None:
        yield f"{spent:g} engineers' hours without `share_done`: they only say that {name} is at least that"
    model = Effort(spent, share)
    yield _made(source, Quantity.input(name, "hours"), "engineer_hours", model, told, offset=spent)


def _rates(study: Study, option: Option, source: Source) -> Iterator[Observation | str]:
    """What an instance-hour cost in the bill, as price x (1 - discount)."""
    rates = [fact for fact in source.facts("rate_per_hour") if fact.group.get("price", "effective") == "effective"]
    if not rates:
        return
    kinds = {(fact.group.get("instance_type"), fact.group.get("purchase"), fact.unit) for fact in rates}
    if len(kinds) > 1:
        listed = "; ".join(sorted(" ".join(str(part) for part in kind if part) for kind in kinds))
        yield f"rates of several kinds are in the bill ({listed}): name one by `filter`"
        return
    price, discount = f"{option.name}.price", f"{option.name}.discount"
    inputs = tuple(name for name in (price, discount) if _uncertain(study, name))
    if not inputs:
        yield _fixed(study, price, f"the bill says {rates[0].value:.6g} {rates[0].unit}")
        return
    model = Means(
        tuple(math.log(fact.value) for fact in rates), (1.0,) * len(rates), between=0.0, noise=RECORDED, known=True
    )
    quantity = Quantity(inputs[0], rates[0].unit, inputs, lambda v: v[price] * (1 - v[discount]))
    yield _made(
        source, quantity, "price", model, Said("{rate:.6g} {unit} paid", rate=rates[0].value, unit=rates[0].unit)
    )
