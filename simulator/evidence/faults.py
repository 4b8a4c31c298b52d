"""Faults that a log shows: out of memory, runtime, collective and hardware errors; one event however often printed.

Lines belong to one event until training goes on: a step is made, a run starts anew, or ten minutes pass.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from simulator.evidence.lines import Line
from simulator.evidence.reading import Fact
from simulator.evidence.scalars import binary_size

NAME = "faults"
LOOKS_FOR = "out-of-memory, runtime, NCCL, Xid and ECC errors"

QUIET = 600.0  # s without an error line after which another one is another event

_PATTERNS: Mapping[str, tuple[str, ...]] = {
    "device_oom": (
        r"CUDA out of memory",
        r"torch(?:\.cuda)?\.OutOfMemoryError",
        r"CUDA error: out of memory",
        r"HIP out of memory",
        r"Failed to alloc(?:ate)? (?:DEVICE memory|[\d.]+ ?\w* bytes on DEVICE|[\d.]+[KMG]B \(usage)",
        r"RESOURCE_EXHAUSTED|NRT_RESOURCE|status=4 Allocation Failure",
        r"log_dev_mem|dml_dump",
    ),
    "host_oom": (
        r"Out of memory: Killed process",
        r"oom[-_]kill|OOM[- ]?Killed|Detected \d+ oom.kill|OUT_OF_MEMORY",
        r"DefaultCPUAllocator: can't allocate memory|Cannot allocate memory|std::bad_alloc",
    ),
    "ecc": (r"(?i:uncorrect(?:able|ed) ecc|double.bit ecc)", r"NRT_EXEC_HW_ERR", r"HBM.*UE "),
    "xid": (r"NVRM: Xid", r"\bXid \(PCI", r"XID error"),
    "numeric": (r"NRT_EXEC_COMPLETED_WITH_NUM_ERR",),
    "collective": (
        r"nccl(?:System|Internal|UnhandledCuda|Remote)Error",
        r"NCCL error|DistBackendError",
        r"Watchdog caught collective operation timeout|collective timeout|Timeout waiting for key",
        r"EFA.*(?:error|failed) completion",
    ),
    "runtime": (
        r"NRT_(?:EXEC_|TIMEOUT|FAIL|UNINITIALIZED|INVALID)\w*",
        r"nrt_(?:execute|load|init)\w* (?:status=[1-9]|failed)",
        r"CUDA error: |illegal memory access|device-side assert|unspecified launch failure",
        r"Neuron runtime.*(?:error|fail)|NEURON_RT.*ERROR|  ERROR +(?:TDRV|NRT|NMGR|HAL):",
    ),
    "process": (
        r"ChildFailedError|exitcode *: *-?[1-9]\d* ",
        r"Signal (?:6|7|9|11) \(SIG|Segmentation fault|Bus error|core dumped",
        r"srun: error: .*(?:Exited with exit code|Killed|task)|NODE_FAIL",
        r"slurmstepd: error: \*\*\* .* DUE TO (?:NODE|JOB REQUEUE)",  # not by a user, not by a time limit
        r"process .*terminated with (?:signal|exit code)",
    ),
}
# The first rule that matches names the line; of an event's lines the earliest rule names the event.
RULES = {kind: re.compile("|".join(patterns)) for kind, patterns in _PATTERNS.items()}
_WORDS = (
    *("emory", "rror", "Xid", "XID", "ECC", "ecc", "nccl", "NCCL", "NRT_", "nrt_", "oom", "OOM", "OUT_OF", "alloc"),
    *("ignal", "fault", "FAIL", "timeout", "Timeout", "Killed", "assert", "EXHAUSTED", "dumped", "exitcode"),
    *("terminated", "dml_dump"),
)
_HARMLESS = re.compile(
    r"^\W*(?:import|export|#|//)|WARN(?:ING)?\b(?!.*(?:Xid|ECC))|expandable_segments|max_split_size"
    r"|_ERROR_HANDLING|error_summary|TORCH_NCCL_ASYNC|Error (?:rate|bars)|try (?:setting|reducing)"
)
_GENERIC = re.compile(r"Traceback \(most recent call last\)|^\W*(?:\w+:)?\s*(?:\w+\.)*\w*(?:Error|Exception)\b")
_FOLLOWS = re.compile(
    r"^\s*\* (?:total|tensors|runtime|dma rings|model code|constants|scratchpad|\w[\w ]*): [\d.]+\s*\w*B"
)

_ASKED = re.compile(
    r"Tried to allocate ([\d.]+) (\w+)|Failed to allocate ([\d.]+)([KMGT]?B) \(usage"
    r"|DEVICE memory: (\d+)|allocate (\d+) bytes"
)
_PLACE = re.compile(r"on (ND \d+: ?NC \d+)|GPU (\d+)")
_TOTAL = re.compile(r"^\s*\* total: ([\d.]+)\s*([KMGT]?B)")
_XID = re.compile(r"Xid \(PCI:([0-9a-fA-F:.]+)\): (\d+)")


def parse(text: str) -> str | None:
    """The kind of fault that a line tells of; "generic" for a bare traceback, "detail" for a line that goes on."""
    if "* " in text[:8] and _FOLLOWS.match(text):
        return "detail"
    if not any(word in text for word in _WORDS):
        return "generic" if text.startswith("Traceback") else None
    text = text[:4000]
    if _HARMLESS.search(text):
        return None
    for kind, pattern in RULES.items():
        if pattern.search(text):
            return kind
    return "generic" if _GENERIC.search(text) else None


@dataclass(slots=True)
class FaultEvent:
    kind: str
    line: int
    last: int
    clock: float | None
    asked: float | None = None
    place: str | None = None
    used: float | None = None
    detail: str | None = None


_SYSLOG = re.compile(r"^\W*([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d)\s")
_UPTIME = re.compile(r"\[ *(\d+\.\d{6})\]")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _kernel_clock(text: str) -> float | None:
    """Seconds on the clocks of syslog, which knows no year, and of dmesg, which counts from the boot."""
    if (match := _SYSLOG.match(text)) and match[1] in _MONTHS:
        day, hour, minute, second = map(int, match.groups()[1:])
        return ((31 * _MONTHS.index(match[1]) + day) * 24 + hour) * 3600 + minute * 60 + second
    return float(match[1]) if (match := _UPTIME.search(text[:200])) else None


_ORDER = {kind: index for index, kind in enumerate((*RULES, "generic"))}


class Faults:
    """Groups error lines into events; `add` is False for a line that adds to an event already counted."""

    def __init__(self) -> None:
        self.events: list[FaultEvent] = []
        self.tracebacks = 0
        self._open: FaultEvent | None = None
        self._clock: float | None = None
        self._kernel_clock: float | None = None

    def __bool__(self) -> bool:
        return any(each.kind != "generic" for each in self.events)

    def progress(self) -> None:
        """Training went on: the event is over."""
        self._open = None

    def add(self, line: Line, kind: str, clock: float | None) -> bool | None:
        """True: a new event; False: more of one; None: no fault by itself."""
        event = self._open
        if kind == "detail" and event is None:
            return None
        if event is not None and clock is not None and self._clock is not None and clock - self._clock > QUIET:
            event = None
        self._clock = clock if clock is not None else self._clock
        if clock is None and (now := _kernel_clock(line.text)) is not None:
            # Going back is a new year, or a new boot: another event too.
            if event is not None and self._kernel_clock is not None and not 0 <= now - self._kernel_clock <= QUIET:
                event = None
            self._kernel_clock = now
        if event is None:
            if kind in ("generic", "detail"):
                self.tracebacks += kind == "generic"
                return None
            event = self._open = FaultEvent(kind, line.number, line.number, clock)
            self.events.append(event)
            self._describe(event, line.text)
            return True
        event.last = line.number
        if kind != "detail" and _ORDER[kind] < _ORDER[event.kind]:
            event.kind = kind
        self._describe(event, line.text)
        return False

    @staticmethod
    def _describe(event: FaultEvent, text: str) -> None:
        if event.asked is None and (match := _ASKED.search(text)):
            amount, unit, other, other_unit, raw, plain = match.groups()
            event.asked = float(raw or plain or 0) or binary_size(amount or other or "", unit or other_unit or "")
        if event.place is None and (match := _PLACE.search(text)):
            event.place = (match[1] or f"GPU{match[2]}").replace(" ", "")
        if event.used is None and (match := _TOTAL.match(text)):
            event.used = binary_size(match[1], match[2])
        if event.detail is None and (match := _XID.search(text)):
            event.detail = f"Xid {match[2]} on {match[1]}"

    def facts(self) -> Iterator[Fact]:
        for quantity, is_oom in (("oom_events", True), ("fault_events", False)):
            kinds = dict.fromkeys(each.kind for each in self.events if each.kind.endswith("oom") == is_oom)
            for kind in kinds:
                events = [each for each in self.events if each.kind == kind]
                yield Fact(
                    quantity,
                    float(len(events)),
                    "events",
                    len(events),
                    lines=(events[0].line, events[-1].last),
                    basis="one event until training goes on or ten minutes pass, however many lines and ranks print it",
                    group={"kind": kind},
                )
        used = [each for each in self.events if each.used]
        if used:
            most = max(used, key=lambda each: each.used or 0.0)
            assert most.used is not None
            yield Fact(
                "memory_peak_bytes",
                most.used,
                "bytes",
                lines=(most.line, most.last),
                basis="in use when an allocation failed",
                group={"per": "device"} | ({"device": most.place} if most.place else {}),
            )

    def notes(self) -> Iterator[str]:
        for event in self.events[:20]:
            parts = [f"line {event.line}: {event.kind}"]
            if event.asked:
                parts.append(f"{event.asked / 2**20:,.1f} MiB ({event.asked:,.0f} B) requested")
            if event.used:
                parts.append(f"{event.used / 2**30:.3f} GiB in use")
            if event.place:
                parts.append(f"on {event.place}")
            if event.detail:
                parts.append(event.detail)
            if len(parts) > 1:
                yield ", ".join(parts)
        if self.tracebacks:
            yield f"{self.tracebacks:,} tracebacks or errors of no known kind: not counted as faults"
