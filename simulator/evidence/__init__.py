"""What people really have, read into facts: logs, telemetry, bills, schedulers' accounts, timesheets."""

from simulator.evidence.lines import EvidenceError
from simulator.evidence.options import Options
from simulator.evidence.reading import QUANTITIES, SCHEMA, Fact, Reading, Rejected, document
from simulator.evidence.registry import expand, read

__all__ = [
    "QUANTITIES",
    "SCHEMA",
    "EvidenceError",
    "Fact",
    "Options",
    "Reading",
    "Rejected",
    "document",
    "expand",
    "read",
]
