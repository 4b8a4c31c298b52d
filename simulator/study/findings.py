"""What turns up while a study is read: problems of its own, faults of other files, notes for the reader."""

from __future__ import annotations

from dataclasses import dataclass, field

from simulator.study.faults import Fault, Problem
from simulator.study.values import Note, Path


@dataclass(slots=True)
class Findings:
    """A list each, in the order in which they turned up."""

    problems: list[Problem] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    @property
    def wrong(self) -> bool:
        """Whether anything is, notes aside."""
        return bool(self.problems or self.faults)

    def add(self, path: Path, found: str, expected: str, nearest: str | None = None) -> None:
        """A problem of the study file."""
        self.problems.append(Problem(path, found, expected, nearest))

    def take(self, other: Findings) -> None:
        """Everything that turned up elsewhere."""
        self.problems += other.problems
        self.faults += other.faults
        self.notes += other.notes
