"""Study files: TOML with source positions, their schema, references into the prior library, and messages."""

from simulator.study.chosen import scenario_of
from simulator.study.faults import Fault, StudyError
from simulator.study.load import load_study
from simulator.study.names import canonical, named
from simulator.study.values import (
    Claim,
    Commitment,
    Correlation,
    Input,
    Note,
    Option,
    OtherCost,
    Provenance,
    Study,
    Workload,
)

__all__ = [
    "Claim",
    "Commitment",
    "Correlation",
    "Fault",
    "Input",
    "Note",
    "Option",
    "OtherCost",
    "Provenance",
    "Study",
    "StudyError",
    "Workload",
    "canonical",
    "load_study",
    "named",
    "scenario_of",
]
