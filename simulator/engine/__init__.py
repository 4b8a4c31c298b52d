"""From a study to its figures: blocks of draws into sums, sums into figures with their Monte Carlo error."""

from simulator.engine.figures import Figure
from simulator.engine.plan import DEFAULT_DRAWS, REPLICATES, Plan
from simulator.engine.result import (
    CaseFigures,
    ClaimFigures,
    Decision,
    Histogram,
    OptionFigures,
    Result,
    Spread,
)
from simulator.engine.runner import DEFAULT_SEED, run

__all__ = [
    "DEFAULT_DRAWS",
    "DEFAULT_SEED",
    "REPLICATES",
    "CaseFigures",
    "ClaimFigures",
    "Decision",
    "Figure",
    "Histogram",
    "OptionFigures",
    "Plan",
    "Result",
    "Spread",
    "run",
]
