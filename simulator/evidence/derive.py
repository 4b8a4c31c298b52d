"""From facts to model inputs: the one place where what was read becomes what the model is told.

Rates of the model are per instance (the node that is billed); logs print them per device or per job. A utilization
follows from tokens/s and the model's size alone: never from a busy share, never from a printed MFU.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.evidence.options import Options
from simulator.evidence.reading import Fact, Reading

# Sources that may tell of the same hours and the same faults; any other reader is a log.
_WITNESSES = {"neuron-monitor": "telemetry", "prometheus": "telemetry", "nvidia-smi": "telemetry", "slurm": "scheduler"}


FAULTS = ("oom_events", "fault_events", "restarts")


@dataclass(frozen=True, slots=True)
class Derived:
    """A value for an input of the model (docs/model.md, section 3), or why there is none."""

    input: str
    value: float | None
    unit: str
    count: int
    basis: str

    def to_json(self) -> dict[str, Any]:
        return {
            "input": self.input,
            "value": self.value,
            "unit": self.unit,
            "count": self.count,
            "basis": self.basis,
        }


def flops_per_token(
    parameters: float, layers: int | None = None, hidden: int | None = None, sequence: int | None = None
) -> float:
    """Training FLOPs of one token: 6 N, and 12 layers hidden sequence for attention where the shape is known.

    Parameters
    ----------
    parameters : float
        N, those active for a token.

    Notes
    -----
    The PaLM appendix's formula (arXiv 2204.02311, B), which reproduces the 41.6 % that llm-foundry states for 13B.
    """
    attention = 12.0 * layers * hidden * sequence if layers and hidden and sequence else 0.0
    return 6.0 * parameters + attention


def utilization(tokens_per_second: float, flops_of_token: float, peak_pflops: float) -> float:
    """Model FLOPs utilization of an instance: achieved over peak FLOP/s, both per instance; peak dense, in PFLOP/s."""
    return tokens_per_second * flops_of_token / (peak_pflops * 1e15)


def faults_per_1000h(events: float, exposure_hours: float) -> float | None:
    """Faults per 1,000 running instance-hours; a count without exposure is no rate."""
    return 1000.0 * events / exposure_hours if exposure_hours > 0 else None


def hours_lost_per_fault(lost_device_hours: float, devices: float, faults: float) -> float | None:
    """Wall-clock hours from a fault to the same step again: steps done again and the time until the next one."""
    return lost_device_hours / devices / faults if faults > 0 and devices > 0 else None


def discount(rate: float, list_rate: float) -> float | None:
    """Share off the list price, 1 - rate / list."""
    return 1.0 - rate / list_rate if list_rate > 0 else None


def per_instance(fact: Fact, options: Options) -> float | None:
    """A rate per instance, from one per device or per job; None where the counts it takes are not known."""
    match fact.group.get("per"):
        case "instance":
            return fact.value
        case "device":
            return fact.value * options.devices_per_instance if options.devices_per_instance else None
        case _:
            told = fact.group.get("instances")
            instances = options.instances or (float(told) if told else None)
            return fact.value / instances if instances else None


def distinct(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """Readings without further ranks' logs of one job: the same steps at the same pace are the same run."""
    kept: dict[tuple[object, ...], Reading] = {}
    for reading in readings:
        steps = tuple((fact.value, fact.basis) for fact in reading.of("steps"))
        pace = tuple(f"{fact.value:.3g}" for fact in (*reading.of("step_seconds"), *reading.of("tokens_per_second")))
        kept.setdefault((reading.reader, steps, pace) if steps else (reading.path, reading.sha256), reading)
    return tuple(kept.values())


def model_inputs(
    readings: Iterable[Reading], options: Options, peak_pflops: float | None = None
) -> tuple[Derived, ...]:
    """Every input of the model on which the readings bear, from the files of one option.

    Parameters
    ----------
    readings : iterable of Reading
        Files of one option.
    options : Options
        Instances, devices an instance, size and shape of the model.
    peak_pflops : float, optional
        Dense peak of an instance in the training precision, PFLOP/s.
    """
    readings = distinct(readings)
    facts = [fact for reading in readings for fact in reading.facts]
    return (
        *_throughput(facts, options, peak_pflops),
        *_compiling(facts),
        *_faults(best_exposed(readings)),
        *_lost(facts),
        *_discounts(facts),
    )


def best_exposed(readings: Iterable[Reading]) -> list[Fact]:
    """Facts of the kind of source that covers the most hours: the same fault in two of them is one fault.

    A source that counts no faults, not even none, was no witness of its hours: a busy share tells of no fault.
    """
    kinds: dict[str, list[Fact]] = {}
    for reading in readings:
        if any(reading.of(quantity) for quantity in FAULTS):
            kinds.setdefault(_WITNESSES.get(reading.reader, "log"), []).extend(reading.facts)
    hours = {kind: sum(fact.value for fact in _of(facts, "exposure_hours")) for kind, facts in kinds.items()}
    best = max(hours, key=lambda kind: hours[kind], default="")
    return kinds[best] if best and hours[best] else [fact for facts in kinds.values() for fact in facts]


def _of(facts: Sequence[Fact], quantity: str) -> list[Fact]:
    return [fact for fact in facts if fact.quantity == quantity]


def _throughput(facts: Sequence[Fact], options: Options, peak_pflops: float | None) -> Iterator[Derived]:
    rates = _of(facts, "tokens_per_second")
    if not rates and _of(facts, "samples_per_second"):
        yield Derived("tokens_per_second", None, "tokens/s", 0, "samples/s alone: tell the sequence length")
    for fact in rates:
        value = per_instance(fact, options)
        per = fact.group.get("per", "job")
        if value is None:
            needed = "devices per instance" if per == "device" else "instances"
            yield Derived(
                "tokens_per_second", None, "tokens/s", fact.count, f"{fact.value:,.6g} per {per}: tell {needed}"
            )
            continue
        basis = "as read" if per == "instance" else f"{fact.value:,.6g} per {per}, {_counts(per, options, fact)}"
        yield Derived("tokens_per_second", value, "tokens/s per instance", fact.count, basis)
        if not (options.parameters and peak_pflops):
            yield Derived(
                "utilization", None, "share", 0, "tell the model's parameters and the instance's peak PFLOP/s"
            )
            continue
        token = flops_per_token(options.parameters, options.layers, options.hidden, options.sequence)
        shape = "6N + 12 layers hidden sequence" if token > 6 * options.parameters else "6N, attention left out"
        yield Derived(
            "utilization",
            utilization(value, token, peak_pflops),
            "share of peak",
            fact.count,
            f"tokens/s x {token:.4g} FLOP a token ({shape}) / {peak_pflops:g} PFLOP/s",
        )


def _counts(per: str, options: Options, fact: Fact) -> str:
    if per == "device":
        return f"x {options.devices_per_instance} devices"
    return f"/ {options.instances or fact.group.get('instances')} instances"


def _compiling(facts: Sequence[Fact]) -> Iterator[Derived]:
    episodes = _of(facts, "compile_minutes")
    ended = [fact.value for fact in episodes if not fact.censored]
    open_ended = len(episodes) - len(ended)
    if ended:
        basis = f"mean of {len(ended)} episodes that ended; {open_ended} did not and are lower bounds"
        yield Derived("compile_minutes", sum(ended) / len(ended), "min", len(ended), basis)
    elif episodes:
        yield Derived("compile_minutes", None, "min", 0, f"{open_ended} episodes, none of which ends in the files")


def _faults(facts: Sequence[Fact]) -> Iterator[Derived]:
    """Faults are errors seen, or restarts where those are more: a job can die without a word."""
    counted = [*_of(facts, "oom_events"), *_of(facts, "fault_events")]
    restarts = sum(fact.value for fact in _of(facts, "restarts"))
    seen = sum(fact.value for fact in counted)
    events = max(seen, restarts)
    exposure = sum(fact.value for fact in _of(facts, "exposure_hours"))
    if counted or restarts:
        rate = faults_per_1000h(events, exposure)
        basis = f"{seen:g} errors and {restarts:g} restarts, the larger counts; "
        basis += f"{exposure:.4g} instance-hours" if rate is not None else "no exposure, so no rate: tell the instances"
        yield Derived("faults_per_1000h", rate, "per 1,000 instance-hours", int(events), basis)


def _lost(facts: Sequence[Fact]) -> Iterator[Derived]:
    for fact in _of(facts, "lost_device_hours"):
        devices = fact.group.get("devices")
        if devices and (hours := hours_lost_per_fault(fact.value, float(devices), fact.count)) is not None:
            basis = f"{fact.value:.4g} device-hours / {devices} devices / {fact.count} restarts"
            yield Derived("hours_lost_per_fault", hours, "h", fact.count, basis)


def _discounts(facts: Sequence[Fact]) -> Iterator[Derived]:
    """A bill's effective rate against its own list price of the same hours."""
    rates = _of(facts, "rate_per_hour")
    lists = {_place(fact): fact for fact in rates if fact.group.get("price") == "list"}
    for fact in rates:
        listed = lists.get(_place(fact))
        unused = fact.group.get("purchase", "").startswith("unused")  # what it costs to use nothing is no discount
        if fact.group.get("price") == "effective" and listed is not None and not unused:
            what = " ".join(fact.group.get(key, "") for key in ("instance_type", "purchase", "region")).strip()
            basis = f"{what}: 1 - {fact.value:.6g} / {listed.value:.6g}"
            yield Derived("discount", discount(fact.value, listed.value), "share off list", fact.count, basis)


def _place(fact: Fact) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((key, value) for key, value in fact.group.items() if key != "price"))
