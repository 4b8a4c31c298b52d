"""Slurm's accounts, `sacct -P` with any list of fields -> instance-hours, and the faults that ended jobs in them.

NODE_FAIL, BOOT_FAIL and OUT_OF_MEMORY are faults. FAILED has an unknown cause and is shown apart, unless one of the
job's steps ran out of memory. CANCELLED, TIMEOUT, DEADLINE and PREEMPTED are decisions, not faults.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from simulator.evidence.lines import EvidenceError, Head, Source
from simulator.evidence.options import Options
from simulator.evidence.reading import Fact, Ledger, Reading
from simulator.evidence.registry import Match
from simulator.evidence.row_filter import FilterError, Test, row_filter
from simulator.evidence.slurm_jobs import FAULTS, UNFINISHED, UNKNOWN_CAUSE, Job, job, knows
from simulator.evidence.tables import Broken, Header, Record, find_header, records, table_lines

NAMES = ("slurm", "sacct")
LOOKS_FOR = "Slurm's accounts from `sacct -P` with the fields JobID, State and Elapsed"

_FIXED = re.compile(r"^\s*JobID\b.*\bState\b", re.IGNORECASE)
_RULER = re.compile(r"^-+( +-+)+\s*$")


def sniff(head: Head) -> Match | None:
    if head.binary:
        return None
    if _header(head):
        return Match(0.95, "columns of sacct -P")
    lines = head.lines[:3]
    if len(lines) > 1 and _FIXED.match(lines[0]) and _RULER.match(lines[1]):
        return Match(0.95, "sacct's table of fixed width")
    return None


def read(source: Source, options: Options) -> Reading:
    """Rows -> jobs and attempts, each once; their hours and how they ended."""
    header = _header(source.head)
    if header is None:
        raise EvidenceError(
            source.path, "no header of sacct -P (its table of fixed width cuts states short)", LOOKS_FOR
        )
    accounts = _Accounts(header, _filter(source, options, header))
    for record in _rows(source, header):
        accounts.take(record)
    return accounts.ledger.close(source, NAMES[0], tuple(accounts.facts(options)), tuple(accounts.notes(options)))


def _header(head: Head) -> Header | None:
    return find_header(re.split(r"\r\n|\n|\r", head.text), knows)


def _rows(source: Source, header: Header) -> Iterator[Record | Broken]:
    """sacct quotes nothing: with its own delimiter a quote in a job's name is a character like any other."""
    if header.delimiter != "|":
        yield from records(table_lines(source), header)
        return
    width = len(header.columns)
    for line in table_lines(source):
        cells = tuple(line.text.split("|"))
        if len(cells) == width + 1 and not cells[-1].strip():
            cells = cells[:-1]  # `sacct -p` ends each line with its delimiter
        if line.fault or (line.number > header.number and line.text.strip() and len(cells) != width):
            cut = "" if line.whole else "; the file ends inside the line"
            yield Broken(line.number, line.text, line.span, line.fault or f"{len(cells)} cells, expected {width}{cut}")
        else:
            yield Record(line.number, line.text, line.span, cells)


def _filter(source: Source, options: Options, header: Header) -> Test:
    if not options.filter:
        return lambda _: True
    try:
        return row_filter(options.filter, {name.lower() for name in header.columns})
    except FilterError as error:
        raise EvidenceError(source.path, f"filter: {error}", "a condition on fields of the file") from error


@dataclass(slots=True)
class _Accounts:
    """Attempts of jobs by job and start, the last row of each; steps by job."""

    header: Header
    wanted: Test
    ledger: Ledger = field(default_factory=Ledger)
    attempts: dict[tuple[str, str], tuple[Job, int]] = field(default_factory=dict)
    steps: dict[str, list[tuple[Job, int]]] = field(default_factory=lambda: defaultdict(list))
    seen: set[int] = field(default_factory=set)
    replaced: int = 0
    left_out: int = 0

    def take(self, record: Record | Broken) -> None:
        if isinstance(record, Broken):
            self.ledger.reject(record, record.reason)
            return
        cells = tuple(cell.strip() for cell in record.cells)
        ruler = set("".join(cells)) <= set("- ")
        if record.number <= self.header.number or ruler or cells == self.header.columns:
            self.ledger.ignore(record)
            return
        row = dict(zip((name.lower() for name in self.header.columns), cells, strict=True))
        read_row = job(row)
        if isinstance(read_row, str):
            self.ledger.reject(record, read_row)
        elif not self.wanted(row):
            self.left_out += 1
            self.ledger.ignore(record)
        else:
            self._judge(record, read_row, hash(cells))

    def _judge(self, record: Record, read_row: Job, content: int) -> None:
        key = (read_row.id, read_row.start or str(content))
        if content in self.seen:
            self.ledger.merge(record)
        elif read_row.step:
            self.steps[read_row.id].append((read_row, record.number))
            self.ledger.merge(record)
        elif not read_row.ran:
            self.ledger.ignore(record)
        elif key in self.attempts:
            # The same attempt at another time: running in one export, ended in the next.
            before, number = self.attempts[key]
            later = read_row.hours >= before.hours
            self.attempts[key] = (read_row, record.number) if later else (before, number)
            self.replaced += 1
            self.ledger.merge(record)
        else:
            self.attempts[key] = (read_row, record.number)
            self.ledger.use(record)
        self.seen.add(content)

    @property
    def jobs(self) -> list[tuple[Job, int]]:
        """Every attempt, its end explained by its steps; jobs that only their steps tell of included."""
        tries = Counter(name for name, _ in self.attempts)
        jobs = [(self._explained(whole, tries[whole.id]), number) for whole, number in self.attempts.values()]
        return jobs + [_from_steps(steps) for name, steps in self.steps.items() if name not in tries]

    def _explained(self, whole: Job, tries: int) -> Job:
        """A failed job with the fault of its step; of several attempts the steps do not tell which one it was."""
        if whole.state not in UNKNOWN_CAUSE or tries > 1:
            return whole
        causes = [step.state for step, _ in self.steps.get(whole.id, ()) if step.state in FAULTS]
        return replace(whole, state=causes[0]) if causes else whole

    def facts(self, options: Options) -> Iterator[Fact]:
        jobs = self.jobs
        by_partition: dict[str, list[tuple[Job, int]]] = defaultdict(list)
        for whole, number in jobs:
            by_partition[whole.partition].append((whole, number))
        for partition, mine in by_partition.items():
            group = {"partition": partition} if partition else {}
            yield from _exposure(mine, group, options)
            yield from _faults(mine, group)

    def notes(self, options: Options) -> Iterator[str]:
        jobs = self.jobs
        states = Counter(whole.state for whole, _ in jobs)
        yield f"{len(jobs):,} attempts of jobs that ran: " + ", ".join(f"{s} {n:,}" for s, n in states.most_common())
        for state in UNKNOWN_CAUSE:
            if failed := [whole for whole, _ in jobs if whole.state == state]:
                codes = Counter(whole.exit_code or "no exit code" for whole in failed)
                ends = ", ".join(f"{code} x {count}" for code, count in codes.most_common(5))
                yield f"{state}, cause unknown, not counted as faults: {len(failed):,} ({ends})"
        others = [s for s in ("CANCELLED", "TIMEOUT", "DEADLINE", "PREEMPTED", "REQUEUED") if states[s]]
        if others:
            yield f"ended by decision, not by a fault: {', '.join(others)}"
        if running := sum(states[s] for s in UNFINISHED):
            yield f"{running:,} have not ended: their hours so far count"
        tries = Counter(whole.id for whole, _ in jobs)
        if requeued := sum(whole.restarts >= tries[whole.id] for whole, _ in jobs):
            yield f"{requeued:,} jobs were requeued before: `sacct -D` lists the attempts that this file lacks"
        if untold := sum(count - 1 for count in Counter(w.id for w, _ in jobs if not w.start).values()):
            yield f"{untold:,} rows repeat a job number with other contents and no Start: attempts of their own"
        if self.replaced:
            yield f"{self.replaced:,} rows tell of an attempt that another row tells of: the longer one counts"
        if self.left_out:
            yield f"filter {options.filter!r} leaves out {self.left_out:,} rows"
        if lacking := sum(_instances(whole, options) is None for whole, _ in jobs):
            yield f"{lacking:,} attempts without a number of nodes (add NNodes or AllocTRES): no exposure from them"
        if not options.devices_per_instance and any(whole.devices for whole, _ in jobs):
            yield "nodes count whole: if jobs share a node, tell the devices per instance"


def _from_steps(steps: list[tuple[Job, int]]) -> tuple[Job, int]:
    """A job of which only steps are there: it took as long as the longest, on as many nodes as the largest."""
    longest = max(steps, key=lambda pair: pair[0].hours)
    nodes = max((step.nodes for step, _ in steps if step.nodes is not None), default=None)
    devices = max((step.devices for step, _ in steps if step.devices is not None), default=None)
    states = [step.state for step, _ in steps]
    state = next((s for s in (*FAULTS, *UNKNOWN_CAUSE) if s in states), longest[0].state)
    return replace(longest[0], state=state, nodes=nodes, devices=devices), longest[1]


def _instances(whole: Job, options: Options) -> float | None:
    """Instances that a job held: by its devices where both counts are known, else by its nodes."""
    if options.devices_per_instance and whole.devices:
        return whole.devices / options.devices_per_instance
    return whole.nodes


def _exposure(jobs: list[tuple[Job, int]], group: dict[str, str], options: Options) -> Iterator[Fact]:
    known = [(whole.hours * held, n) for whole, n in jobs if (held := _instances(whole, options)) is not None]
    if known:
        by = "devices / devices per instance" if options.devices_per_instance else "nodes"
        lines = (min(n for _, n in known), max(n for _, n in known))
        basis = f"elapsed x {by}, all attempts"
        hours = sum(value for value, _ in known)
        yield Fact("exposure_hours", hours, "instance-hours", len(known), lines=lines, basis=basis, group=group)


def _faults(jobs: list[tuple[Job, int]], group: dict[str, str]) -> Iterator[Fact]:
    found = {state: [(whole, n) for whole, n in jobs if whole.state == state] for state in FAULTS}
    if not any(found.values()):
        lines = (min(n for _, n in jobs), max(n for _, n in jobs))
        basis = f"no job ended in {', '.join(FAULTS)}"
        yield Fact("fault_events", 0.0, "events", 0, lines=lines, basis=basis, group=group)
    for state, ended in found.items():
        if not ended:
            continue
        lines = (min(n for _, n in ended), max(n for _, n in ended))
        mine = {**group, "state": state}
        count = len(ended)
        yield Fact("fault_events", float(count), "events", count, lines=lines, basis="jobs that ended so", group=mine)
        lost = [whole.hours * whole.devices for whole, _ in ended if whole.devices]
        if lost:
            basis = "at most: all that these jobs ran for, as the accounts know no checkpoint"
            hours = sum(lost)
            yield Fact("lost_device_hours", hours, "device-hours", len(lost), lines=lines, basis=basis, group=mine)
