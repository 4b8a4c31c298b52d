"""Prometheus text, as the DCGM exporter and its like serve it: busy share, memory, ECC and XID of each device."""

import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field

from simulator.evidence.lines import Head, Line, Source
from simulator.evidence.options import Options
from simulator.evidence.reading import Fact, Ledger, Reading
from simulator.evidence.registry import Match
from simulator.evidence.scalars import SENTINEL

NAMES = ("prometheus", "dcgm")
LOOKS_FOR = "Prometheus text of DCGM"

_SAMPLE = re.compile(
    r'^\s*([a-zA-Z_:][\w:]*)\s*(\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?\s+([-+\w.]+)(?:\s+(-?\d+(?:\.\d+)?))?\s*$'
)
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_NAME = r"(?:DCGM_FI_|neuroncore_|neuron_|neurondevice_|nvidia_smi_|nvidia_gpu_)\w+"
_METRIC = re.compile(
    rf"^(?:# (?:HELP|TYPE) {_NAME}|{_NAME}(?:\{{[^}}\n]*\}})?\s+[-+.\d]+(?:e[-+]\d+)?(?:\s+\d+)?\s*$)", re.MULTILINE
)

BUSY = {"DCGM_FI_DEV_GPU_UTIL": 100.0, "DCGM_FI_PROF_GR_ENGINE_ACTIVE": 1.0, "neuroncore_utilization_ratio": 1.0}
MEMORY = {"DCGM_FI_DEV_FB_USED": 2.0**20}
ECC = ("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "DCGM_FI_DEV_ECC_DBE_AGG_TOTAL")
XID = "DCGM_FI_DEV_XID_ERRORS"
TENSOR = "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"


def sniff(head: Head) -> Match | None:
    match = _METRIC.search(head.text)
    return Match(0.85, f"metric {match[0][:60]}") if match else None


@dataclass(slots=True)
class Device:
    """What one device's series say; counters are differences between the first and the last scrape."""

    busy: list[float] = field(default_factory=list)
    counters: dict[str, tuple[float, float]] = field(default_factory=dict)
    xids: list[int] = field(default_factory=list)
    last_xid: int | None = None  # of no sample yet


def read(source: Source, options: Options) -> Reading:  # noqa: ARG001 (the readers' one interface)
    ledger, scrape = Ledger(), _Scrape()
    for line in source.lines():
        scrape.take(line, ledger)
    told = list(scrape.facts())
    return ledger.close(
        source, NAMES[0], [f for f in told if isinstance(f, Fact)], [n for n in told if isinstance(n, str)]
    )


class _Scrape:
    def __init__(self) -> None:
        self.devices: dict[str, Device] = {}
        self.busy_metric = ""
        self.memory: tuple[float, int, str] | None = None
        self.blank = 0
        self.others: dict[str, None] = {}
        self.tensor: list[float] = []
        self.lines: list[int] = []
        self._last: dict[tuple[str, str], str] = {}

    def take(self, line: Line, ledger: Ledger) -> None:
        text = line.text
        if line.fault:
            ledger.reject(line, line.fault)
            return
        match = None if text.startswith("#") else _SAMPLE.match(text)
        if match is None:
            looks = not text.startswith("#") and (text.startswith("DCGM_") or ("{" in text and '="' in text))
            (ledger.reject(line, "not a whole sample") if looks else ledger.ignore(line))
            return
        name, labels, value, stamp = match.groups()
        try:
            figure = float(value)
        except ValueError:
            (ledger.reject(line, "not a number") if labels else ledger.ignore(line))
            return
        device = _device(labels or "")
        if figure != figure or abs(figure) >= SENTINEL:
            self.blank += 1
            ledger.ignore(line)
        elif self._last.get((name, labels or "")) == f"{stamp}" and stamp:
            ledger.merge(line)
        elif self._sample(line, name, device, figure):
            ledger.use(line)
            self.lines.append(line.number)
            del self.lines[1:-1]
        else:
            self.others[name] = None
            ledger.ignore(line)
        self._last[name, labels or ""] = f"{stamp}"

    def _sample(self, line: Line, name: str, device: str, value: float) -> bool:
        of = self.devices.setdefault(device, Device())
        if name in BUSY and self.busy_metric in ("", name):
            self.busy_metric = name
            of.busy.append(value / BUSY[name])
        elif name in MEMORY:
            if self.memory is None or value * MEMORY[name] > self.memory[0]:
                self.memory = (value * MEMORY[name], line.number, device)
        elif name in ECC:
            first, _ = of.counters.get(name, (value, value))
            of.counters[name] = (first, value)
        elif name == XID:
            if value and int(value) != (of.last_xid or 0):
                of.xids.append(int(value))
            of.last_xid = int(value)
        elif name == TENSOR:
            self.tensor.append(value)
        else:
            return False
        return True

    def facts(self) -> Iterator[Fact | str]:
        where = (self.lines[0], self.lines[-1]) if self.lines else (0, 0)
        busy = [value for device in self.devices.values() for value in device.busy]
        if busy:
            sd = statistics.stdev(busy) if len(busy) > 1 else None
            yield Fact(
                "busy_share", statistics.fmean(busy), "share", len(busy), sd, lines=where, group={"per": "device"},
                basis=f"mean of {self.busy_metric} over devices and scrapes; not a utilization of the peak",
            )  # fmt: skip
        if self.memory:
            value, line, device = self.memory
            yield Fact(
                "memory_peak_bytes", value, "bytes", lines=(line, line), basis="highest of DCGM_FI_DEV_FB_USED",
                group={"per": "device", "device": device},
            )  # fmt: skip
        for name in ECC:
            ranges = [device.counters[name] for device in self.devices.values() if name in device.counters]
            if ranges:
                grown = sum(last - first if last >= first else last for first, last in ranges)
                standing = sum(first for first, _ in ranges)
                basis = f"growth of {name} over {len(ranges)} devices; {standing:,.0f} stood at the first scrape"
                yield Fact("uncorrected_ecc", grown, "errors", len(ranges), lines=where, basis=basis)
                break
        xids = [(name, xid) for name, device in self.devices.items() for xid in device.xids]
        if any(device.last_xid is not None for device in self.devices.values()):
            listed = ", ".join(f"{xid} on {name}" for name, xid in xids[:10]) or "none"
            yield Fact(
                "fault_events", float(len(xids)), "events", len(xids), lines=where, group={"kind": "xid"},
                basis=f"changes of the last XID: {listed}; a repeated code does not show",
            )  # fmt: skip
        if self.tensor:
            yield f"{TENSOR} is {statistics.fmean(self.tensor):.3g} on average: nearest to MFU, but not taken for it"
        if self.blank:
            yield f"{self.blank:,} samples are blank (NaN or near 2^63)"
        if self.others:
            names = ", ".join(list(self.others)[:8])
            yield f"{len(self.others)} metrics bear on no quantity: {names}"


def _device(labels: str) -> str:
    known = dict(_LABEL.findall(labels))
    device = known.get("UUID") or known.get("gpu") or known.get("neuroncore") or known.get("neuron_device_index") or ""
    host = known.get("Hostname") or known.get("instance") or ""
    return f"{host}/{device}" if host else device
