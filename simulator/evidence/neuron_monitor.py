"""neuron-monitor: a JSON object a period, without a clock; every runtime lists every core; counts are per period."""

import json
import re
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from simulator.evidence import launcher
from simulator.evidence.lines import LINE_LIMIT, Head, Line, Source
from simulator.evidence.options import Options
from simulator.evidence.reading import Fact, Ledger, Reading
from simulator.evidence.registry import Match

NAMES = ("neuron-monitor",)
LOOKS_FOR = "JSON of neuron-monitor"

_ERRORS = ("generic", "numerical", "transient", "model", "runtime", "hardware")
_FAILED = ("completed_with_err", "completed_with_num_err", "timed_out", "failed_to_queue")
_ECC = ("mem_ecc_uncorrected", "sram_ecc_uncorrected")
_CORE = re.compile(r'\s*"(\d+)":\s*\{\s*$')
_SHARE = re.compile(r'\s*"neuroncore_utilization":\s*(\d+(?:\.\d+)?),?\s*$')
_DECODER = json.JSONDecoder()


def sniff(head: Head) -> Match | None:
    for key in ("neuron_runtime_data", "neuroncores_in_use", "neuron_hw_counters"):
        if f'"{key}"' in head.text:
            return Match(0.9, f"key {key!r}")
    return None


def read(source: Source, options: Options) -> Reading:
    ledger, monitor = Ledger(), _Monitor(options)
    for line, found in documents(map(_bare, source.lines())):
        if found == "":
            (ledger.use(line) if monitor.fragment(line) else ledger.ignore(line))
        elif isinstance(found, str):
            ledger.reject(line, found)
        elif monitor.add(line, found):
            ledger.use(line)
        elif monitor.repeated:
            monitor.copies += 1
            ledger.merge(line)
        else:
            ledger.reject(line, "JSON, but no record of neuron-monitor")
    told = list(monitor.facts())
    return ledger.close(
        source, NAMES[0], [f for f in told if isinstance(f, Fact)], [n for n in told if isinstance(n, str)]
    )


def _bare(line: Line) -> Line:
    """A record without what a log collector put before it."""
    if line.text[:1] in ("", "{", " ", "\t"):
        return line
    text = launcher.strip(line.text[:500]).text + line.text[500:]
    return line._replace(text=text) if text.startswith("{") else line


def documents(lines: Iterable[Line]) -> Iterator[tuple[Line, Any | str]]:
    """JSON objects, one a line or printed over many; "" for lines outside of any, a reason for broken ones."""
    held: list[Line] = []
    depth = size = 0
    for line in lines:
        if line.fault:
            yield from _broken(held)
            yield line, line.fault
            held, depth = [], 0
            continue
        starts = line.text.lstrip().startswith("{")
        if held and starts and not line.text.startswith((" ", "\t")):
            yield from _broken(held)  # a new object at the margin: the one before was cut
            held, depth = [], 0
        if not held and not starts:
            yield line, ""
            continue
        if not held and (found := _decoded(line.text)) is not None:
            yield line, found
            continue
        held.append(line)
        size = len(line.text) + (size if len(held) > 1 else 0)
        depth += _balance(line.text)
        if depth <= 0 or size > LINE_LIMIT:
            whole = Line(held[0].number, "\n".join(each.text for each in held), len(held))
            found = _decoded(whole.text)
            if found is None:
                yield from _broken(held)
            else:
                yield whole, found
            held, depth = [], 0
    yield from _broken(held)


def _broken(held: list[Line]) -> Iterator[tuple[Line, str]]:
    for line in held:
        yield line, "part of no whole JSON object"


def _decoded(text: str) -> dict[str, Any] | None:
    try:
        found, end = _DECODER.raw_decode(text.strip().rstrip(","))
    except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, or nested too deep
        return None
    return found if isinstance(found, dict) and not text.strip().rstrip(",")[end:].strip() else None


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def _balance(text: str) -> int:
    """Opened less closed braces, those in strings left out."""
    bare = _STRING.sub("", text)
    return bare.count("{") - bare.count("}")


class Errors(NamedTuple):
    """Errors of one period by kind."""

    line: int
    kinds: Mapping[str, int]


class _Monitor:
    def __init__(self, options: Options) -> None:
        self.options = options
        self.busy: list[float] = []
        self.periods: list[float] = []
        self.errors: list[Errors] = []
        self.lines: list[int] = []
        self.sections_failed = self.replaced = 0
        self.memory: tuple[float, int] | None = None
        self.ecc: float | None = None
        self.instances: Counter[str] = Counter()
        self.kind: str | None = None
        self.repeated = False
        self.copies = 0
        self.fragments: dict[str, float] = {}
        self.fragment_lines: list[int] = []
        self._core = ""
        self._last = ""
        self._pids: set[Any] = set()

    def add(self, line: Line, record: dict[str, Any]) -> bool:
        for inner in [record] if "neuron_runtime_data" in record or "system_data" in record else record.values():
            if isinstance(inner, dict) and ("neuron_runtime_data" in inner or "system_data" in inner):
                break
        else:
            self.repeated = False
            return False
        self.repeated = line.text == self._last
        self._last = line.text
        if self.repeated:
            return False
        self.lines.append(line.number)
        del self.lines[1:-1]
        self._runtimes(line, _list(inner.get("neuron_runtime_data")))
        self._system(_dict(inner.get("system_data")))
        about = _dict(inner.get("instance_info"))
        self.instances[str(about.get("instance_id") or about.get("instance_name") or "")] += 1
        self.kind = about.get("instance_type") or self.kind
        return True

    def fragment(self, line: Line) -> bool:
        """Part of a record whose rest was cut away, as in documentation: a core's own share, on a line of its own."""
        if match := _CORE.match(line.text):
            self._core = match[1]
        elif self._core and (match := _SHARE.match(line.text)):
            self.fragments[self._core], self._core = float(match[1]), ""
            self.fragment_lines.append(line.number)
            return True
        else:
            self._core = ""
        return False

    def _runtimes(self, line: Line, runtimes: list[Any]) -> None:
        cores: dict[str, float] = {}
        kinds: Counter[str] = Counter()
        memory, pids = 0.0, set()
        for runtime in map(_dict, runtimes):
            pids.add(runtime.get("pid"))
            report = _dict(runtime.get("report"))
            self.sections_failed += bool(runtime.get("error")) + sum(
                bool(_dict(section).get("error")) for section in report.values()
            )
            counters = _dict(report.get("neuroncore_counters"))
            for core, values in _dict(counters.get("neuroncores_in_use")).items():
                busy = _dict(values).get("neuroncore_utilization")
                if isinstance(busy, int | float):
                    cores[core] = max(cores.get(core, 0.0), float(busy))
            stats = _dict(report.get("execution_stats"))
            for section, names in (("error_summary", _ERRORS), ("execution_summary", _FAILED)):
                summary = _dict(stats.get(section))
                kinds.update({name: int(summary[name]) for name in names if isinstance(summary.get(name), int)})
            used = _dict(_dict(report.get("memory_used")).get("neuron_runtime_used_bytes")).get("neuron_device")
            memory += used if isinstance(used, int | float) else 0.0
        if cores:
            self.busy.append(min(statistics.fmean(cores.values()) / 100, 1.0))
        if memory and (self.memory is None or memory > self.memory[0]):
            self.memory = (memory, line.number)
        if +kinds:
            self.errors.append(Errors(line.number, dict(+kinds)))
        self.replaced += bool(self._pids and pids and not (self._pids & pids))
        self._pids = pids or self._pids

    def _system(self, system: dict[str, Any]) -> None:
        counters = _dict(system.get("neuron_hw_counters"))
        for device in map(_dict, _list(counters.get("neuron_devices"))):
            for name in _ECC:
                if isinstance(device.get(name), int):
                    self.ecc = (self.ecc or 0.0) + device[name]
        self.sections_failed += sum(bool(_dict(section).get("error")) for section in system.values())
        periods = [_dict(system.get(name)).get("period") for name in ("memory_info", "vcpu_usage")]
        known = [float(period) for period in periods if isinstance(period, int | float) and period > 0]
        if known:
            self.periods.append(max(known))

    def facts(self) -> Iterator[Fact | str]:
        if self.fragments and not self.busy:
            yield Fact(
                "busy_share", statistics.fmean(self.fragments.values()) / 100, "share", len(self.fragments),
                lines=(self.fragment_lines[0], self.fragment_lines[-1]), group={"per": "instance"},
                basis="cores of a fragment, no whole record; not a utilization of the peak",
            )  # fmt: skip
        if not self.lines:
            yield "no whole record of neuron-monitor: neither exposure nor errors can be read"
            return
        where = (self.lines[0], self.lines[-1])
        group = {"per": "instance"} | ({"instance_type": str(self.kind)} if self.kind else {})
        records = sum(self.instances.values())
        if self.busy:
            sd = statistics.stdev(self.busy) if len(self.busy) > 1 else None
            yield Fact(
                "busy_share", statistics.fmean(self.busy), "share", len(self.busy), sd, lines=where, group=group,
                basis="mean over cores of the highest share that any runtime reports; not a utilization of the peak",
            )  # fmt: skip
        yield from self._errors(where, group)
        if self.ecc is not None:
            basis = "memory and SRAM, counts per period added up"
            yield Fact("uncorrected_ecc", self.ecc, "errors", records, lines=where, basis=basis, group=group)
        if self.memory:
            value, line = self.memory
            yield Fact("memory_peak_bytes", value, "bytes", lines=(line, line), basis="sum over runtimes", group=group)
        yield from self._exposure(records, where, group)
        if self.copies:
            yield f"{self.copies:,} records are as the one before: not counted; of an idle instance hours are missing"
        if self.sections_failed:
            yield f"{self.sections_failed:,} sections carry an error of their own; numbers beside it are read"
        if self.replaced:
            yield f"all processes were replaced {self.replaced} times: the job was restarted"

    def _errors(self, where: tuple[int, int], group: Mapping[str, str]) -> Iterator[Fact]:
        """Errors in consecutive periods are one event."""
        numbers = [each.line for each in self.errors]
        events = (
            sum(later - sooner > 1 for sooner, later in zip([-1, *numbers], numbers, strict=False)) if numbers else 0
        )
        total: Counter[str] = Counter()
        for each in self.errors:
            total.update(each.kinds)
        listed = ", ".join(f"{count:,} {kind}" for kind, count in total.items()) or "no error"
        yield Fact(
            "fault_events", float(events), "events", events, lines=where, group=group,
            basis=f"periods with errors, consecutive ones as one event: {listed}",
        )  # fmt: skip

    def _exposure(self, records: int, where: tuple[int, int], group: Mapping[str, str]) -> Iterator[Fact | str]:
        told = self.options.period_seconds
        period = told or (statistics.median(self.periods) if self.periods else None)
        if period is None:
            yield "no period is told: give period_seconds for the exposure"
            return
        source = "told" if told else "median of the periods printed"
        yield Fact(
            "exposure_hours", records * period / 3600, "instance-hours", records, lines=where, group=group,
            basis=f"{records:,} records x {period:.4g} s ({source}); the records carry no clock, so gaps do not show",
        )  # fmt: skip


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
