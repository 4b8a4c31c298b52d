"""MLPerf's `:::MLLOG {json}` lines: throughput by block, evaluation apart, time from start to stop."""

import json
import re
import statistics
from collections.abc import Iterator, Mapping
from typing import Any

from simulator.evidence.job import Job
from simulator.evidence.lines import Line
from simulator.evidence.messages import Cut, Mark, Message, Parsed, Setting, Summary
from simulator.evidence.reading import Fact
from simulator.evidence.scalars import number

NAME = "mlperf"
LOOKS_FOR = ":::MLLOG lines"
TRIGGERS = (":::MLL",)

_DECODER = json.JSONDecoder()
_PLATFORM = re.compile(r"^(\d+)x.*?x(\d+)[A-Z]")
_SETTINGS = {"global_batch_size": "batch", "max_sequence_length": "sequence", "sequence_length": "sequence"}


def parse(text: str) -> Parsed | None:
    at = text.find(":::MLL")
    if at < 0:
        return None
    brace = text.find("{", at)
    try:
        event, end = _DECODER.raw_decode(text, brace) if brace >= 0 else (None, len(text))
    except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, or nested too deep
        event, end = None, len(text)
    if not isinstance(event, dict) or not isinstance(event.get("key"), str):
        return Parsed(Cut("not a whole JSON object"))
    message = _message(event)
    return Parsed(message, text[end:].strip()) if message else None


def _message(event: Mapping[str, Any]) -> Message | None:
    key, value, milliseconds = event["key"], event.get("value"), event.get("time_ms")
    at = milliseconds / 1000 if isinstance(milliseconds, int | float) else None
    metadata = event.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    samples = number(str(metadata.get("samples_count", metadata.get("step", ""))))
    if key in _SETTINGS and isinstance(value, int | float):
        return Setting(_SETTINGS[key], float(value))
    if key in ("eval_start", "eval_stop"):
        return Mark("evaluation")
    values: dict[str, float | None] = {"at": at, "samples": samples}
    match key:
        case "submission_platform" if isinstance(value, str) and (platform := _PLATFORM.match(value)):
            return Summary({"instances": float(platform[1]), "devices_per_instance": float(platform[2])})
        case "tracked_stats" | "throughput":
            rate = value.get("throughput") if isinstance(value, dict) else value
            values["throughput"] = number(str(rate))
        case "run_start" | "block_start" | "block_stop":
            values[key] = at
        case "run_stop":
            values[key] = at
            values["success"] = float(metadata.get("status") == "success")
        case _:
            return None
    return Summary({name: each for name, each in values.items() if each is not None})


class Totals:
    """Benchmark runs: the throughput of each block of training, evaluation apart."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.platform: dict[str, float] = {}

    def __bool__(self) -> bool:
        return bool(self.runs)

    def add(self, line: Line, values: Mapping[str, float]) -> bool:
        if "instances" in values:
            self.platform = dict(values)
            return True
        if "run_start" in values or not self.runs:
            if self.runs and self.runs[-1].start == values.get("run_start"):
                return False
            self.runs.append(Run(line.number))
        return self.runs[-1].add(line, values)

    def facts(self, job: Job) -> Iterator[Fact | str]:
        for number_, run in enumerate(self.runs, 1):
            yield from run.facts(job, self.platform, {"run": str(number_), "source": NAME})


class Run:
    """From run_start to run_stop."""

    def __init__(self, line: int) -> None:
        self.lines = (line, line)
        self.start: float | None = None
        self.stop: float | None = None
        self.success = False
        self.samples = 0.0
        self.rates: list[tuple[int, float]] = []
        self._seen: set[tuple[tuple[str, float], ...]] = set()

    def add(self, line: Line, values: Mapping[str, float]) -> bool:
        key = tuple(sorted((name, value) for name, value in values.items() if name != "at"))
        if key in self._seen:
            return False  # another rank's copy
        self._seen.add(key)
        self.lines = (self.lines[0], line.number)
        self.start = values.get("run_start", self.start)
        self.stop = values.get("run_stop", self.stop)
        self.success = self.success or values.get("success") == 1.0
        self.samples = max(self.samples, values.get("samples", 0.0))
        if rate := values.get("throughput"):
            self.rates.append((line.number, rate))
        return True

    def facts(self, job: Job, platform: Mapping[str, float], group: Mapping[str, str]) -> Iterator[Fact | str]:
        batch = job.batch
        if batch and self.samples:
            yield Fact(
                "steps",
                self.samples / batch,
                "steps",
                lines=self.lines,
                group=group,
                basis=f"{self.samples:,.0f} samples / batch of {batch:g}",
            )
        if self.rates:
            rates = [rate for _, rate in self.rates]
            where = (self.rates[0][0], self.rates[-1][0])
            mean = sum(rates) / len(rates)
            sd = statistics.stdev(rates) if len(rates) > 1 else None
            of = {**group, "per": "job"}
            basis = "mean of the blocks' tracked throughput; evaluation lies between the blocks"
            yield Fact(
                "samples_per_second", mean, "samples/s per job", len(rates), sd, lines=where, basis=basis, group=of
            )
            if job.sequence:
                yield Fact(
                    "tokens_per_second",
                    mean * job.sequence,
                    "tokens/s per job",
                    len(rates),
                    sd and sd * job.sequence,
                    lines=where,
                    basis=f"{basis}; x {job.sequence:g} tokens",
                    group=of,
                )
            if batch:
                yield Fact(
                    "step_seconds",
                    batch / mean,
                    "s",
                    len(rates),
                    lines=where,
                    basis=f"batch of {batch:g} / samples/s",
                    group=group,
                )
        if self.start is None:
            return
        if self.stop is None:
            yield "run_start without run_stop: the run is cut or was killed"
            return
        hours = (self.stop - self.start) / 3600
        yield f"run_start to run_stop: {hours * 60:.2f} min, {'success' if self.success else 'no success'}"
        instances = job.instances or platform.get("instances")
        if instances:
            yield Fact(
                "exposure_hours",
                hours * instances,
                "instance-hours",
                lines=self.lines,
                group=group,
                basis=f"run_start to run_stop x {instances:g} instances",
            )
