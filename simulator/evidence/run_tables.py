"""Training metrics as CSV: Weights & Biases exports, Lightning's metrics.csv, any table with a named column."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from simulator.evidence import run_facts
from simulator.evidence.job import Job
from simulator.evidence.lines import Head, Line, Source
from simulator.evidence.messages import Per, Step
from simulator.evidence.metric_columns import BOUNDS, RATES, Column, chosen, column
from simulator.evidence.numerals import Mark, decimal_mark, missing, number
from simulator.evidence.options import Options
from simulator.evidence.reading import QUANTITIES, Fact, Ledger, Reading
from simulator.evidence.registry import Match
from simulator.evidence.scalars import clock
from simulator.evidence.series import Series
from simulator.evidence.tables import Broken, Header, Record, find_header, records

NAMES = ("csv", "wandb-csv", "lightning-csv")
LOOKS_FOR = "CSV of training metrics (W&B, Lightning, or a column named with --column)"

_STEP = re.compile(r"^(?:step|_step|(?:train(?:er)?/)?(?:global[_ ]?)?step|consumed_steps)$", re.IGNORECASE)
_ITERATION = re.compile(r"^(?:iteration|iter)$", re.IGNORECASE)  # of the step, or of a part of its batch
_WALL = re.compile(r"^(?:_timestamp|_runtime|wall ?time|timestamp|time|relative time.*|date)$", re.IGNORECASE)
_EPOCH = 1e8  # s; a clock beyond is of the calendar (1973), below it of a run


def _step_at(columns: Sequence[str]) -> int | None:
    places = (i for of_step in (_STEP, _ITERATION) for i, title in enumerate(columns) if of_step.match(title))
    return next(places, None)


def _knows(columns: Sequence[str]) -> bool:
    has_step = _step_at(columns) is not None
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
    table = _Table(header, options, _mark(source.head, header), told_quantity, told_name)
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


def _mark(head: Head, header: Header) -> Mark:
    """The decimal mark of the whole table; where commas part the cells, they can be none."""
    if header.delimiter == ",":
        return "."
    lines = head.text.splitlines()[header.number : header.number + 2000]
    return decimal_mark(cell.strip('" ') for line in lines for cell in line.split(header.delimiter))


def _moment(text: str, mark: Mark) -> float | None:
    """Seconds on a column's clock: a date, seconds, or milli- and microseconds since 1970."""
    value = number(text, mark)
    if value is None:
        return clock(text)
    return next((value / 1e3**power for power in (2, 1) if value >= _EPOCH * 1e3**power), value)


def _told(text: str | None) -> tuple[str | None, str | None]:
    quantity, equals, name = (text or "").partition("=")
    if equals and quantity in QUANTITIES:
        return quantity, name
    return None, text


class _Table:
    def __init__(self, header: Header, options: Options, mark: Mark, quantity: str | None, name: str | None) -> None:
        self.options = options
        found_ = (found for i, title in enumerate(header.columns) if (found := column(i, title)))
        if all(any(map(of.match, header.columns)) for of in (_STEP, _ITERATION)):
            # Both are counted, so an iteration is a part of a step: its time is not the step's.
            found_ = (each for each in found_ if each.quantity != "step_seconds" or "iter" not in each.name.lower())
        self.columns, self.left = chosen(found_)
        self.mark = mark
        self.unclear = ""
        if name:
            index = header.columns.index(name)
            found = column(index, name)
            if quantity:
                base = found or Column(index, quantity, "", name, 1.0, "job")
                found = replace(base, quantity=quantity)
            elif found is None:
                self.unclear = f"{name!r} does not tell its quantity: say --column QUANTITY={name}"
            self.columns, self.left = [found] if found else [], []
        self.step_at = _step_at(header.columns)
        self.wall_at = next((i for i, title in enumerate(header.columns) if _WALL.match(title)), None)
        self.bare_time = self.wall_at is not None and header.columns[self.wall_at].lower() == "time"
        self.time_unclear = False
        self.runs = [each.run for each in self.columns] or [
            title.rpartition(" - ")[0] for title in header.columns if " - " in title
        ]
        self.series = {run: Series() for run in dict.fromkeys(self.runs or [""])}
        self.exported = any(title.endswith(BOUNDS) for title in header.columns)

    def take(self, record: Record, ledger: Ledger) -> None:
        line = Line(record.number, record.text, record.span)
        step = number(record.cells[self.step_at], self.mark) if self.step_at is not None else None
        if self.step_at is not None and step is None:
            blank = missing(record.cells[self.step_at])
            (ledger.ignore(line) if blank else ledger.reject(line, "its step is no number"))
            return
        wall = record.cells[self.wall_at] if self.wall_at is not None else ""
        elapsed = _moment(wall, self.mark)
        if self.bare_time and elapsed is not None and elapsed < _EPOCH:
            elapsed, self.time_unclear = None, True
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
        per: Per = "job"
        for each in self.columns:
            cell = record.cells[each.index]
            if each.run != run or missing(cell):
                continue
            value = number(cell, self.mark)
            if value is None:
                return None, f"{each.name}: {cell[:40]!r} is no number"
            if value > 0:
                values[each.quantity] = value * each.scale
                per = each.per if each.quantity in RATES else per
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
            per=per,
        ), ""

    def facts(self) -> Iterator[Fact | str]:
        if self.unclear:
            yield self.unclear
        if not self.columns and not self.unclear:
            yield "no column is called like a rate or a time: name one with --column QUANTITY=NAME"
        for each in self.columns:
            per = f" per {each.per}" if each.per != "job" else ""
            scale = f" x {each.scale:g}" if each.scale != 1 else ""
            yield f"column {each.name!r} is read as {each.quantity}{per}{scale}"
        if self.time_unclear:
            yield "the column 'time' may be a clock or a step's duration: not read; say --column step_seconds=time"
        for each in self.left:
            yield f"column {each.name!r} tells {each.quantity} once more, or of another count of devices: not read"
        if self.exported:
            yield "a W&B export is sampled and averaged: its spread between steps is too small"
        for name, series in self.series.items():
            for run in series:
                for told in run_facts.facts(run, Job(self.options, {}), NAMES[0]):
                    if isinstance(told, Fact) and name:
                        yield replace(told, group={**told.group, "run": name})
                    else:
                        yield told
