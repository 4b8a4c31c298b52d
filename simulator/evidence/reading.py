"""What every reader gives back: facts, and an account of each line of the file."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Protocol

SCHEMA = "switchodds/evidence/1"

QUANTITIES: Mapping[str, str] = {
    "tokens_per_second": "training tokens a second, per device, instance or job as the unit says",
    "samples_per_second": "training samples (sequences) a second",
    "step_seconds": "wall-clock seconds of one optimizer step",
    "tflops_per_device": "model TFLOP/s of one device as the log computed them",
    "steps": "distinct optimizer steps seen",
    "lost_steps": "steps done again after a restart",
    "restarts": "times the step went back or a run was resumed",
    "compiles": "compile episodes, ranks merged",
    "compile_hits": "graphs taken from a compile cache",
    "compile_failures": "compile episodes that failed",
    "compile_minutes": "minutes of one compile episode",
    "compile_wall_minutes": "union of the compile episodes' intervals",
    "oom_events": "device or host out-of-memory events, ranks merged",
    "fault_events": "runtime, hardware or job faults, ranks merged",
    "exposure_hours": "instance-hours in which the events could happen",
    "lost_device_hours": "device-hours of work that was lost",
    "engineer_hours": "hours of people",
    "billed_hours": "instance-hours billed",
    "cost_cash": "money invoiced",
    "cost_amortised": "money with prepayments spread over their use",
    "rate_per_hour": "money an instance-hour, by instance type and purchase kind",
    "busy_share": "share of time a device was busy; never a utilization of its peak",
    "memory_peak_bytes": "highest device memory seen",
    "uncorrected_ecc": "uncorrected memory errors",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One number that a file holds.

    Attributes
    ----------
    quantity : str
        A key of `QUANTITIES`.
    value, sd : float
        Mean (or total, for counts and sums) and the standard deviation between the `count` values behind it.
    censored : bool
        The value is a lower bound: the event's end is not in the file.
    lines : (int, int)
        First and last line (or record) of the file that it rests on.
    basis : str
        How the value was read, and under which assumption.
    group : mapping
        What it belongs to: `per` ("device", "instance", "job"), `run`, `instance_type`, `purchase`, ...
    """

    quantity: str
    value: float
    unit: str
    count: int = 1
    sd: float | None = None
    censored: bool = False
    lines: tuple[int, int] = (0, 0)
    basis: str = ""
    group: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.quantity not in QUANTITIES:
            raise ValueError(f"{self.quantity!r} is not a quantity of {SCHEMA}")
        if not math.isfinite(self.value):
            raise ValueError(f"{self.quantity} = {self.value}: a missing value is a missing fact")

    def to_json(self) -> dict[str, Any]:
        return {
            "quantity": self.quantity,
            "value": self.value,
            "unit": self.unit,
            "count": self.count,
            "sd": self.sd,
            "censored": self.censored,
            "lines": list(self.lines),
            "basis": self.basis,
            "group": dict(self.group),
        }


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that looked like the format's and could not be read."""

    line: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole file, read; `used + merged + ignored + rejected_count == lines`.

    `rejected` holds the first `KEEP_REJECTED` rejects; `rejected_count` counts all of them.
    """

    path: str
    sha256: str
    reader: str
    bytes: int
    lines: int
    used: int
    merged: int
    ignored: int
    rejected_count: int
    rejected: tuple[Rejected, ...]
    notes: tuple[str, ...]
    facts: tuple[Fact, ...]

    def of(self, quantity: str) -> tuple[Fact, ...]:
        """The facts of one quantity, in file order."""
        return tuple(fact for fact in self.facts if fact.quantity == quantity)

    def to_json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "sha256": self.sha256,
            "reader": self.reader,
            "bytes": self.bytes,
            "lines": self.lines,
            "used": self.used,
            "merged": self.merged,
            "ignored": self.ignored,
            "rejected_count": self.rejected_count,
            "rejected": [{"line": r.line, "reason": r.reason, "text": r.text} for r in self.rejected],
            "notes": list(self.notes),
            "facts": [fact.to_json() for fact in self.facts],
        }


def document(readings: Iterable[Reading]) -> dict[str, Any]:
    """The JSON document of `simulate evidence --json`."""
    return {"schema": SCHEMA, "files": [reading.to_json() for reading in readings]}


KEEP_REJECTED = 1000  # rejects kept with their text; the rest are counted
KEEP_TEXT = 200  # characters kept of a rejected line


class Placed(Protocol):
    """Whatever stands somewhere in a file: a line, several wrapped ones, a record."""

    @property
    def number(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def span(self) -> int: ...


class Origin(Protocol):
    """What a ledger must know of the file to close its account."""

    @property
    def path(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def bytes(self) -> int: ...
    @property
    def notes(self) -> Sequence[str]: ...


class Verdict(IntEnum):
    """What became of a line; where pieces of one line fare differently, the highest counts."""

    IGNORED = 0
    REJECTED = 1
    MERGED = 2
    USED = 3


class Ledger:
    """Gives every line exactly one verdict, so that the totals balance by construction.

    Lines come in file order. The pieces of one line (progress bars between carriage returns, messages glued together)
    share its number and its one verdict; a record that spans several lines counts each of them.
    """

    def __init__(self) -> None:
        self._totals = [0, 0, 0, 0]
        self._tagged: dict[str, int] = {}
        self._rejected: list[Rejected] = []
        self._open: tuple[int, int, Verdict, Rejected | str | None] | None = None

    def use(self, line: Placed, tag: str = "") -> None:
        """The line holds something new; lines used under a tag can be demoted together in the end."""
        self._judge(line, Verdict.USED, tag)

    def demote(self, tag: str, verdict: Verdict) -> None:
        """What was used under a tag turns out to repeat, or not to count."""
        self._close_line()
        count = self._tagged.pop(tag, 0)
        self._totals[Verdict.USED] -= count
        self._totals[verdict] += count

    def merge(self, line: Placed) -> None:
        """The line repeats what another one said: another rank's copy, a second line of one event."""
        self._judge(line, Verdict.MERGED)

    def ignore(self, line: Placed) -> None:
        self._judge(line, Verdict.IGNORED)

    def reject(self, line: Placed, reason: str) -> None:
        self._judge(line, Verdict.REJECTED, Rejected(line.number, reason, shortened(line.text)))

    def tally(self, *, used: int = 0, merged: int = 0, ignored: int = 0, tag: str = "") -> None:
        """Verdicts on many records at once, for readers that work on whole tables; `tag` is that of the used ones."""
        self._close_line()
        if tag:
            self._tagged[tag] = self._tagged.get(tag, 0) + used
        for verdict, count in ((Verdict.USED, used), (Verdict.MERGED, merged), (Verdict.IGNORED, ignored)):
            self._totals[verdict] += count

    def close(self, origin: Origin, reader: str, facts: Iterable[Fact], notes: Iterable[str] = ()) -> Reading:
        self._close_line()
        ignored, rejected, merged, used = self._totals
        return Reading(
            path=origin.path,
            sha256=origin.sha256,
            reader=reader,
            bytes=origin.bytes,
            lines=sum(self._totals),
            used=used,
            merged=merged,
            ignored=ignored,
            rejected_count=rejected,
            rejected=tuple(self._rejected),
            notes=(*origin.notes, *notes),
            facts=tuple(facts),
        )

    def _judge(self, line: Placed, verdict: Verdict, detail: Rejected | str | None = None) -> None:
        if self._open is not None:
            number, span, before, known = self._open
            if number == line.number:
                kept = detail if verdict > before else known
                self._open = (number, max(span, line.span), max(before, verdict), kept)
                return
            self._close_line()
        self._open = (line.number, line.span, verdict, detail)

    def _close_line(self) -> None:
        if self._open is None:
            return
        _, span, verdict, detail = self._open
        self._totals[verdict] += span
        if isinstance(detail, Rejected):
            if len(self._rejected) < KEEP_REJECTED:
                self._rejected.append(detail)
        elif detail:
            self._tagged[detail] = self._tagged.get(detail, 0) + span
        self._open = None


def shortened(text: str) -> str:
    """Text bounded in length, so that a report of a broken file stays readable."""
    return text if len(text) <= KEEP_TEXT else f"{text[:KEEP_TEXT]}... ({len(text)} characters)"
