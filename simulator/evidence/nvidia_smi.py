"""`nvidia-smi --query-gpu=... --format=csv`: units in header and cells, one row a GPU, local time without a zone."""

import statistics
from collections.abc import Iterator, Mapping, Sequence

from simulator.evidence.lines import Head, Source
from simulator.evidence.numerals import missing
from simulator.evidence.options import Options
from simulator.evidence.reading import Fact, Ledger, Reading
from simulator.evidence.registry import Match
from simulator.evidence.scalars import clock, number
from simulator.evidence.tables import Broken, Header, Record, find_header, records

NAMES = ("nvidia-smi",)
LOOKS_FOR = "CSV of nvidia-smi with its header"

_MISSING = ("[n/a]", "[not supported]", "[unknown error]", "[insufficient permissions]", "n/a")
_UNIT = {"kib": 2.0**10, "mib": 2.0**20, "gib": 2.0**30}
_ECC = ("ecc.errors.uncorrected.volatile.total", "ecc.errors.uncorrected.aggregate.total")


def _knows(columns: Sequence[str]) -> bool:
    names = {_bare(column) for column in columns}
    return bool(names & {"utilization.gpu", "memory.used", *_ECC}) and any("." in name for name in names)


def sniff(head: Head) -> Match | None:
    header = find_header(head.lines, _knows)
    return Match(0.9, f"columns {', '.join(header.columns[:4])}") if header else None


def read(source: Source, options: Options) -> Reading:
    ledger = Ledger()
    header = find_header(source.head.text.splitlines(), _knows)
    if header is None:
        for line in source.lines():
            ledger.reject(line, "no header names the columns: export without noheader")
        return ledger.close(source, NAMES[0], [])
    table = _Table(header, options)
    for record in records(source.lines(), header):
        if isinstance(record, Broken):
            ledger.reject(record, record.reason)
        elif (
            record.number <= header.number
            or not any(cell.strip() for cell in record.cells)
            or record.cells[0].strip() == header.columns[0]
        ):
            ledger.ignore(record)
        elif table.repeats(record):
            ledger.merge(record)
        elif reason := table.add(record):
            ledger.reject(record, reason)
        else:
            ledger.use(record)
    return ledger.close(source, NAMES[0], table.facts(), table.notes())


class _Table:
    def __init__(self, header: Header, options: Options) -> None:
        self.options = options
        self.names = [_bare(column) for column in header.columns]
        self.units = [column.partition("[")[2].rstrip("] ").lower() for column in header.columns]
        self.busy: list[float] = []
        self.memory: tuple[float, int, str] | None = None
        self.ecc: dict[str, dict[str, tuple[float, float]]] = {name: {} for name in _ECC}
        self.clocks: list[float] = []
        self.lines: list[int] = []
        self.unread: dict[str, int] = {}
        self._seen: dict[str, str] = {}

    def repeats(self, record: Record) -> bool:
        """The same row of the same GPU at the same instant."""
        cells = dict(zip(self.names, record.cells, strict=True))
        device = self._device(cells)
        before, self._seen[device] = self._seen.get(device), record.text
        return before == record.text and "timestamp" in cells

    def add(self, record: Record) -> str:
        cells = dict(zip(self.names, record.cells, strict=True))
        device = self._device(cells)
        if "timestamp" in cells:
            at = clock(cells["timestamp"])
            if at is None:
                return "no time stamp where one belongs"
            self.clocks.append(at)
            self.clocks = [min(self.clocks), max(self.clocks)]
        busy = self._value(cells, "utilization.gpu")
        if busy is not None:
            self.busy.append(busy / 100)
        used = self._value(cells, "memory.used")
        if used is not None and (self.memory is None or used > self.memory[0]):
            self.memory = (used, record.number, device)
        for name in _ECC:
            errors = self._value(cells, name)
            if errors is not None:
                first, _ = self.ecc[name].get(device, (errors, errors))
                self.ecc[name][device] = (first, errors)
        self.lines.append(record.number)
        del self.lines[1:-1]
        return ""

    @staticmethod
    def _device(cells: Mapping[str, str]) -> str:
        for name in ("uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "index"):
            if name in cells:
                return cells[name].strip()
        return cells.get("name", "").strip()

    def _value(self, cells: Mapping[str, str], name: str) -> float | None:
        text = cells.get(name, "").strip()
        if missing(text) or text.lower() in _MISSING:
            if text:
                self.unread[name] = self.unread.get(name, 0) + 1
            return None
        amount, _, unit = text.partition(" ")
        value = number(amount)
        unit = unit.strip().lower() or self.units[self.names.index(name)]
        unit = unit or ("mib" if name.startswith("memory.") else "")  # nvidia-smi knows no other unit of memory
        return None if value is None else value * _UNIT.get(unit, 1.0)

    def facts(self) -> Iterator[Fact]:
        where = (self.lines[0], self.lines[-1]) if self.lines else (0, 0)
        if self.busy:
            sd = statistics.stdev(self.busy) if len(self.busy) > 1 else None
            yield Fact(
                "busy_share", statistics.fmean(self.busy), "share", len(self.busy), sd, lines=where,
                basis="mean of utilization.gpu over GPUs and rows; not a utilization of the peak",
                group={"per": "device"},
            )  # fmt: skip
        if self.memory:
            value, line, device = self.memory
            group = {"per": "device"} | ({"device": device} if device else {})
            yield Fact(
                "memory_peak_bytes", value, "bytes", lines=(line, line), basis="highest memory.used", group=group
            )
        for name in _ECC:
            if self.ecc[name]:
                grown = sum(last - first if last >= first else last for first, last in self.ecc[name].values())
                standing = sum(first for first, _ in self.ecc[name].values())
                basis = f"growth of {name} over {len(self.ecc[name])} GPUs; {standing:,.0f} stood at the first row"
                yield Fact("uncorrected_ecc", grown, "errors", len(self.ecc[name]), lines=where, basis=basis)
                break
        if self.clocks and self.clocks[-1] > self.clocks[0]:
            instances = self.options.instances or 1
            hours = (self.clocks[-1] - self.clocks[0]) / 3600
            yield Fact(
                "exposure_hours", hours * instances, "instance-hours", lines=where,
                basis=f"first to last time stamp ({hours:.4g} h, local time) x {instances} instances",
            )  # fmt: skip

    def notes(self) -> Iterator[str]:
        for name, count in self.unread.items():
            yield f"{name}: {count:,} cells without a value"


def _bare(column: str) -> str:
    return column.partition("[")[0].strip().lower()
