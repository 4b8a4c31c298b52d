"""Published tables: a cloud catalog's prices (SkyPilot), a history of list prices, a vendor's training benchmarks."""

import re
from collections.abc import Iterator, Mapping, Sequence

from simulator.evidence.lines import Head, Line, Source
from simulator.evidence.numerals import missing, number
from simulator.evidence.options import Options
from simulator.evidence.reading import Fact, Ledger, Reading
from simulator.evidence.registry import Match
from simulator.evidence.tables import Broken, Record, find_header, records

NAMES = ("catalog",)
LOOKS_FOR = "a SkyPilot price catalog, a price history, or a vendor's table of seq/sec"

_PRICES = {"InstanceType", "Price", "SpotPrice", "Region"}
_BENCHMARK = "Performance [seq/sec]"
_HISTORY = re.compile(r"^(\d{4}-\d\d-\d\d) \w+ \((?:None|'([\w-]+)'), '([\w.-]+)'\) (None|[\d.]+) -> (GONE|[\d.]+)\s*$")
_DEVICE_MEMORY = re.compile(r"'Name': '(\w+)'.*?'MemoryInfo': \{'SizeInMiB': (\d+)")
DEVICE_GIB = {"Trainium": 32, "Trainium2": 96}  # aws.amazon.com/ai/machine-learning/trainium, read 2025


def _knows(columns: Sequence[str]) -> bool:
    return set(columns) >= _PRICES or _BENCHMARK in columns


def sniff(head: Head) -> Match | None:
    if find_header(head.lines, _knows):
        return Match(0.9, "columns of a catalog")
    lines = head.lines
    known = sum(_HISTORY.match(line) is not None for line in lines)
    return Match(0.7, "lines of a price history") if known and known >= len(lines) / 2 else None


def read(source: Source, options: Options) -> Reading:  # noqa: ARG001 (the readers' one interface)
    ledger, facts, notes = Ledger(), list[Fact](), dict[str, None]()
    header = find_header(source.head.text.splitlines(), _knows)
    if header is None:
        return _history(source, ledger)
    row = _benchmark if _BENCHMARK in header.columns else _price
    seen: set[str] = set()
    for record in records(source.lines(), header):
        if isinstance(record, Broken):
            ledger.reject(record, record.reason)
        elif record.number <= header.number or not any(cell.strip() for cell in record.cells):
            ledger.ignore(record)
        elif record.text in seen:
            ledger.merge(record)
        else:
            seen.add(record.text)
            found = list(row(record, dict(zip(header.columns, record.cells, strict=True))))
            facts += (each for each in found if isinstance(each, Fact))
            notes |= dict.fromkeys(each for each in found if isinstance(each, str))
            ledger.use(record)
    return ledger.close(source, NAMES[0], facts, notes)


def _price(record: Record, cells: Mapping[str, str]) -> Iterator[Fact | str]:
    """A missing price is unknown, never 0."""
    where = (record.number, record.number)
    place = {"region": cells["Region"]} | ({"zone": zone} if (zone := cells.get("AvailabilityZone")) else {})
    for title, purchase in (("Price", "on_demand"), ("SpotPrice", "spot")):
        value = number(cells[title])
        group = {"instance_type": cells["InstanceType"], "purchase": purchase, **place}
        if value:
            yield Fact("rate_per_hour", value, "USD/instance-hour", lines=where, basis=f"column {title}", group=group)
        else:
            kind = purchase.replace("_", " ")
            yield f"{cells['InstanceType']} has no {kind} price in {cells['Region']}: unknown, not 0"
    for device, mebibytes in _DEVICE_MEMORY.findall(cells.get("GpuInfo", "")):
        told, true = int(mebibytes) / 1024, DEVICE_GIB.get(device)
        if true and told != true:
            yield f"{cells['InstanceType']}: {told:g} GiB a {device} is claimed, the maker says {true} GiB"


def _benchmark(record: Record, cells: Mapping[str, str]) -> Iterator[Fact | str]:
    rate = number(cells[_BENCHMARK])
    if not rate:
        yield f"line {record.number}: no seq/sec"
        return
    where, basis = (record.number, record.number), "as the vendor published it"
    nodes = cells.get("Nodes", "").strip()
    group = {
        "per": "job",
        "model": cells.get("Model", "").strip(),
        "instance_type": cells.get("Instance-Type", "").strip(),
    }
    group |= {"instances": nodes} if nodes else {}
    yield Fact("samples_per_second", rate, "samples/s per job", lines=where, basis=basis, group=group)
    sequence = number(cells.get("Sequence Length", ""))
    if sequence:
        yield Fact(
            "tokens_per_second", rate * sequence, "tokens/s per job", lines=where, group=group,
            basis=f"{basis}; x {sequence:g} tokens",
        )  # fmt: skip
    if not missing(cells.get("MFU[%]", "")):
        yield "the printed MFU is not used: it follows from tokens/s and the model's size"


def _history(source: Source, ledger: Ledger) -> Reading:
    facts: list[Fact] = []
    last = ""
    for line in source.lines():
        match = _HISTORY.match(line.text)
        if match is None:
            (ledger.reject(line, line.fault) if line.fault else ledger.ignore(line))
        elif line.text == last:
            ledger.merge(line)
        else:
            ledger.use(line)
            facts += _listed(line, match)
        last = line.text
    return ledger.close(source, NAMES[0], facts)


def _listed(line: Line, match: re.Match[str]) -> Iterator[Fact]:
    day, region, instance, _, price = match.groups()
    if price != "GONE" and (value := number(price)):
        where, basis = (line.number, line.number), "list price from that day on"
        group = {"instance_type": instance, "purchase": "on_demand", "as_of": day}
        group |= {"region": region} if region else {}
        yield Fact("rate_per_hour", value, "USD/instance-hour", lines=where, basis=basis, group=group)
