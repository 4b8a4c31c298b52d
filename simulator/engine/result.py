"""What a run finds, as frozen values, and its JSON document (schema `switchodds/result/1`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simulator.engine.bins import Bins
from simulator.engine.figures import Figure
from simulator.study import Note

if TYPE_CHECKING:
    from simulator.engine.plan import Plan

SCHEMA = "switchodds/result/1"


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean, standard deviation and quantiles of a quantity."""

    mean: Figure
    sd: Figure
    p05: Figure
    p25: Figure
    p50: Figure
    p75: Figure
    p95: Figure


@dataclass(frozen=True, slots=True)
class Histogram:
    """A quantity's distribution: probability of each bin between neighbouring edges."""

    edges: tuple[float, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class OptionFigures:
    """Figures of one option; those that only a candidate has are None for the baseline."""

    tco: Spread
    saving: Spread
    saving_share: Spread
    p_beats: Figure | None
    p_best: Figure
    cvar05: Figure | None
    expected_regret: Figure
    p_blocked: Figure | None
    p_unworkable: Figure
    components: Mapping[str, Figure]
    waterfall: Mapping[str, Figure]
    billed_hours: Figure
    weeks: Figure


@dataclass(frozen=True, slots=True)
class Decision:
    """Which option to take on what is known, what knowing all would be worth, and how often the choice is wrong."""

    best: str
    evpi: Figure
    p_wrong: Figure
    epistemic_share: Figure | None


@dataclass(frozen=True, slots=True)
class ClaimFigures:
    """Where someone's claimed saving share lies on the distribution."""

    option: str
    saving_share: float
    p_reached: Figure
    percentile: Figure


@dataclass(frozen=True, slots=True)
class CaseFigures:
    """Figures of the study, or of one of its scenarios."""

    options: Mapping[str, OptionFigures]
    decision: Decision
    claims: Mapping[str, ClaimFigures]
    histograms: Mapping[str, Histogram]


@dataclass(frozen=True, slots=True)
class StudyFacts:
    """What the study was."""

    title: str
    path: str
    sha256: str
    baseline: str
    currency: str
    hurdle: float
    posterior: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class RunFacts:
    """How the figures were made."""

    seed: int
    draws: int
    replicates: int
    version: str
    seconds: float
    converged: bool


@dataclass(frozen=True, slots=True)
class Result:
    """All figures of a run."""

    study: StudyFacts
    run: RunFacts
    options: Mapping[str, OptionFigures]
    decision: Decision
    claims: Mapping[str, ClaimFigures]
    scenarios: Mapping[str, CaseFigures]
    findings: Sequence[Note]
    histograms: Mapping[str, Histogram]
    plan: Plan = field(repr=False, compare=False)

    def draws(self, names: Iterable[str] | None = None) -> Mapping[str, NDArray[np.float64]]:
        """Inputs (`trn2.utilization`) and costs (`trn2.net_benefit`) of the run's draws, (draws,) arrays.

        The draws are made anew, the replicates one after another; see `simulator.engine.kept`.
        """
        from simulator.engine.kept import draws

        return draws(self.plan, names)

    def to_json(self) -> dict[str, object]:
        """The document that `simulate STUDY --json` prints."""
        return {
            "schema": SCHEMA,
            "study": _plain(self.study),
            "run": _plain(self.run),
            "options": _plain(self.options),
            "decision": _plain(self.decision),
            "claims": _plain(self.claims),
            "scenarios": {
                name: {"options": _plain(case.options), "decision": _plain(case.decision)}
                for name, case in self.scenarios.items()
            },
            "findings": _plain(self.findings),
        }


def _plain(value: object) -> object:
    """Frozen values as dictionaries, lists and numbers."""
    match value:
        case Figure():
            return value.to_json()
        case Mapping():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    return value


def histogram(bins: Bins, tally: Sequence[float]) -> Histogram:
    """A tally's inner bins as a histogram; what lies beyond the outer edges is added to the outer bins."""
    inner = list(tally[1:-1]) if len(tally) > 2 else []
    if inner:
        inner[0] += tally[0]
        inner[-1] += tally[-1]
    return Histogram(bins.edges, tuple(float(x) for x in inner))
