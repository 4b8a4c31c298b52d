"""The account of a timesheet: hours by person, project, task and tag, and what must be said about its rows."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from simulator.evidence.reading import Fact

SHOWN = 5  # lines named in a remark


class Key(NamedTuple):
    """What the hours of a fact belong to; keys do not overlap, so facts may be added over any part of them."""

    person: str
    project: str
    task: str
    tag: str


@dataclass(slots=True)
class _Cell:
    hours: float = 0.0
    count: int = 0
    first: int = 0
    last: int = 0


@dataclass(slots=True)
class Account:
    """Hours that count, hours that a filter leaves out, and remarks with their lines."""

    cells: dict[Key, _Cell] = field(default_factory=dict)
    hours: float = 0.0
    left_out: float = 0.0
    since_total: float = 0.0  # all hours below the last row of totals
    amounts: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    remarks: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @property
    def all_hours(self) -> float:
        return self.hours + self.left_out

    def count(self, key: Key, hours: float, line: int) -> None:
        cell = self.cells.setdefault(key, _Cell(first=line))
        cell.hours += hours
        cell.count += 1
        cell.last = line
        self.hours += hours
        self.since_total += hours

    def leave_out(self, hours: float) -> None:
        self.left_out += hours
        self.since_total += hours

    def remark(self, text: str, line: int) -> None:
        self.remarks[text].append(line)

    def facts(self, basis: str) -> Iterator[Fact]:
        for key, cell in self.cells.items():
            group = {name: value for name, value in key._asdict().items() if value}
            lines = (cell.first, cell.last)
            yield Fact("engineer_hours", cell.hours, "hours", cell.count, lines=lines, basis=basis, group=group)

    def notes(self) -> Iterator[str]:
        for currency, amount in self.amounts.items():
            yield f"billable amounts of {amount:,.2f} {currency}: what a client pays, no fact"
        for text, lines in self.remarks.items():
            yield f"{text}: {_places(lines)}"


def _places(lines: Sequence[int]) -> str:
    shown = ", ".join(map(str, lines[:SHOWN]))
    more = f" and {len(lines) - SHOWN:,} more" if len(lines) > SHOWN else ""
    return f"line{'s' if len(lines) > 1 else ''} {shown}{more}"
