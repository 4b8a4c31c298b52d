"""Training metrics as CSV: Weights & Biases exports, Lightning's metrics.csv, any table with a named column."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from simulator.evidence import run_facts
from simulator.evidence.job import Job
from simulator.evidence.lines import Head, Line, Source
from simulator.evidence.messages import Step
from simulator.evidence.numerals import missing
from simulator.evidence.options import Options
from simulator.evidence.reading import QUANTITIES, Fact, Ledger, Reading
from simulator.evidence.registry import Match
from simulator.evidence.scalars import clock, number
from simulator.evidence.series import Series
from simulator.evidence.tables import Broken, Header, Record, find_header, records

NAMES = ("csv", "wandb-csv", "lightning-csv")
LOOKS_FOR = "CSV of training metrics (W&B, Lightning, or a column named with --column)"

_STEP = re.compile(r"^(?:step|_step|global_step|trainer/global_step|iteration|iter|consumed_steps)$", re.IGNORECASE)
_WALL = re.compile(r"^(?:_timestamp|_runtime|wall ?time|timestamp|time|relative time.*|date)$", re.IGNORECASE)
_BOUND = ("__MIN", "__MAX")
_DEVICE = r"(?:gpu|device|core|rank|chip|accelerator)"
_PER_SECOND = (  # "tokens_per_gpu_per_s", "tokens/sec", "tokens_sec"; "tokens" alone is a count
    rf"(?:[ _-]*(?:per|/)[ _-]*{_DEVICE})?(?:[ _-]*(?:per|/)[ _-]*s(?:ec(?:ond)?s?)?|[ _-]+s(?:ec(?:ond)?s?)?)(?![a-z])"
)
_KINDS = {
    "tokens_per_second": re.compile(rf"tok(?:en)?s?{_PER_SECOND}|(?<![a-z])(?:tps|wps|tgs)(?![a-z])"),
    "samples_per_second": re.compile(rf"(?:samples?|seq(?:uence)?s?|examples?){_PER_SECOND}"),
    "tflops_per_device": re.compile(r"tflops?"),
    "step_seconds": re.compile(
        r"(?:step|iter(?:ation)?|batch)[ _/-]*(?:time|seconds|duration)|time[ _/-]*per[ _/-]*(?:step|iter)"
        r"|(?<![a-z])s(?:ec(?:onds?)?)?[ _-]*(?:per|/)[ _-]*(?:step|it)|train_step_timing"
    ),
}
_MILLISECONDS = re.compile(r"\bms\b|_ms$|\(ms\)|millisec")
_PER_DEVICE = re.compile(rf"per[ _/-]?{_DEVICE}|device|/gpu|(?<![a-z])tgs(?![a-z])")
_EVALUATION = re.compile(r"(?<![a-z])(?:eval|val|valid|validation|test)(?![a-z])")


@dataclass(frozen=True, slots=True)
class Column:
    """A column that bears on a quantity, and the run it belongs to."""

    index: int
    quantity: str
    run: str
    name: str
    scale: float
    per_device: bool


def column(index: int, title: str) -> Column | None:
    """What a column's title tells of it, or None."""
    if title.endswith(_BOUND):
        return None
    run, dash, metric = title.rpartition(" - ")
    name = (metric if dash else title).strip()
    lower = name.lower()
    if _EVALUATION.search(lower):
        return None
    for quantity, pattern in _KINDS.items():
        if pattern.search(lower):
            scale = 1e-3 if quantity == "step_seconds" and _MILLISECONDS.search(lower) else 1.0
            return Column(index, quantity, run, name, scale, bool(_PER_DEVICE.search(lower)))
    return None


def _knows(columns: Sequence[str]) -> bool:
    has_step = any(_STEP.match(each) for each in columns)
    of_run = any(" - " in each for each in columns)
    lightning = {"epoch", "step"} <= set(columns)
    metrics = any(column(0, each) for each in columns)
    return has_step and len(columns) > 1 and (of_run or lightning or metrics or "_runtime" in columns)


def sniff(head: Head) -> Match | None:
    header = find_header(head.lines, _knows)
    return Match(0.6, f"columns {', '.join(header.columns[:4])}") if header else None


def read(source: Source, options: Options) -> Reading:
    ledger = Ledger()
    told_quantity, told_name = _told(options.column)

    def knows(columns: Sequence[str]) -> bool:
        return told_name in columns if told_name else _knows(columns)

    header = find_header(source.head.text.splitlines(), knows)
    if header is None:
        for line in source.lines():
            ledger.reject(
                line, f"no header with {'the column ' + repr(told_name) if told_name else 'a step and a metric'}"
            )
        return ledger.close(source, NAMES[0], [])
    table = _Table(header, options, told_quantity, told_name)
    for record in records(source.lines(), header):
        if isinstance(record, Broken):
            ledger.reject(record, record.reason)
        elif record.number <= header.number or not any(cell.strip() for cell in record.cells):
            ledger.ignore(record)
        else:
            table.take(record, ledger)
    told = list(table.facts())
    return ledger.close(
        source, NAMES[0], [f for f in told if isinstance(f, Fact)], [n for n in told if isinstance(n, str)]
    )


def _told(text: str | None) -> tuple[str | None, str | None]:
    quantity, equals, name = (text or "").partition("=")
    if equals and quantity in QUANTITIES:
        return quantity, name
    return None, text


class _Table:
    def __init__(self, header: Header, options: Options, quantity: str | None, name: str | None) -> None:
        self.options = options
        self.columns = [found for i, title in enumerate(header.columns) if (found := column(i, title))]
        self.unclear = ""
        if name:
            index = header.columns.index(name)
            found = column(index, name)
            if quantity:
                base = found or Column(index, quantity, "", name, 1.0, False)
                found = replace(base, quantity=quantity)
            elif found is None:
                self.unclear = f"{name!r} does not tell its quantity: say --column QUANTITY={name}"
            self.columns = [found] if found else []
        self.step_at = next((i for i, title in enumerate(header.columns) if _STEP.match(title)), None)
        self.wall_at = next((i for i, title in enumerate(header.columns) if _WALL.match(title)), None)
        self.runs = [each.run for each in self.columns] or [
            title.rpartition(" - ")[0] for title in header.columns if " - " in title
        ]
        self.series = {run: Series() for run in dict.fromkeys(self.runs or [""])}
        self.exported = any(title.endswith(_BOUND) for title in header.columns)

    def take(self, record: Record, ledger: Ledger) -> None:
        line = Line(record.number, record.text, record.span)
        step = number(record.cells[self.step_at]) if self.step_at is not None else None
        if self.step_at is not None and step is None:
            blank = missing(record.cells[self.step_at])
            (ledger.ignore(line) if blank else ledger.reject(line, "its step is no number"))
            return
        wall = record.cells[self.wall_at] if self.wall_at is not None else ""
        elapsed = number(wall)
        if elapsed is None:
            elapsed = clock(wall)
        verdict = "ignored"
        for run, series in self.series.items():
            found, reason = self._step(record, run, step, elapsed)
            if reason:
                ledger.reject(line, reason)
            elif found is not None:
                verdict = "used" if series.add(line, found) else "merged"
                (ledger.use(line) if verdict == "used" else ledger.merge(line))
        if verdict == "ignored":
            ledger.ignore(line)

    def _step(self, record: Record, run: str, step: float | None, elapsed: float | None) -> tuple[Step | None, str]:
        values: dict[str, float] = {}
        per_device = False
        for each in self.columns:
            cell = record.cells[each.index]
            if each.run != run or missing(cell):
                continue
            value = number(cell)
            if value is None:
                return None, f"{each.name}: {cell[:40]!r} is no number"
            if value > 0:
                values[each.quantity] = value * each.scale
                per_device |= each.per_device
        if not values and (self.columns or step is None):
            return None, ""
        return Step(
            iteration=int(step) if step is not None else None,
            seconds=values.get("step_seconds"),
            tokens_rate=values.get("tokens_per_second"),
            samples_rate=values.get("samples_per_second"),
            tflops=values.get("tflops_per_device"),
            loss=record.text if step is None else None,
            elapsed=None if "step_seconds" in values else elapsed,
            per="device" if per_device else "job",
        ), ""

    def facts(self) -> Iterator[Fact | str]:
        if self.unclear:
            yield self.unclear
        if not self.columns and not self.unclear:
            yield "no column is called like a rate or a time: name one with --column QUANTITY=NAME"
        for each in self.columns:
            yield f"column {each.name!r} is read as {each.quantity}{' per device' if each.per_device else ''}"
        if self.exported:
            yield "a W&B export is sampled and averaged: its spread between steps is too small"
        for name, series in self.series.items():
            for run in series:
                for told in run_facts.facts(run, Job(self.options, {}), NAMES[0]):
                    if isinstance(told, Fact) and name:
                        yield replace(told, group={**told.group, "run": name})
                    else:
                        yield told
