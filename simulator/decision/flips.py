"""Where an answer changes, as values: thresholds with their errors, curves, and the document made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final, Literal

from simulator.decision.documents import facts
from simulator.engine import Figure
from simulator.engine.plan import REPLICATES
from simulator.study import Study

SCHEMA: Final = "switchodds/breakeven/1"


@dataclass(frozen=True, slots=True)
class Root:
    """A value at which the answer changes.

    Attributes
    ----------
    value : float
    low, high : float
        90 % interval of the simulation error alone: where more draws would put it. It says nothing of the priors.
    above : bool
        Whether it pays above the value, or else below.
    sds : float or None
        Distance from today's mean in standard deviations of what is believed; None for a number.
    """

    value: float
    low: float
    high: float
    above: bool
    sds: float | None


@dataclass(frozen=True, slots=True)
class Flips:
    """All the values at which one target is reached.

    Attributes
    ----------
    verdict : "flips", "always", "never" or "no effect"
        Over the values looked at. "no effect": the input does not enter.
    roots : tuple of Root
        Ascending.
    best : float
        The value looked at at which the target is met best.
    at_best : float
        What is reached there: the expected net benefit, or the probability.
    chance : float or None
        Probability, on what is believed of the input alone, that it lies where the target is met; None for a number.
    """

    verdict: Literal["flips", "always", "never", "no effect"]
    roots: tuple[Root, ...]
    best: float
    at_best: float
    chance: float | None


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where the answer changes in one input.

    Attributes
    ----------
    input, unit : str
    mean, sd : float
        What is believed today; sd 0 for a number.
    looked : (float, float)
        The range looked through.
    saving : Flips
        Where the expected saving is the hurdle.
    chances : mapping of probability to Flips
        Where P(beats) reaches it; empty when not asked for.
    learnt : Flips or None
        As `saving` when the value is learnt and correlated inputs follow; None where there are none.
    x, gain : tuple of float
        Values looked at, and the expected net benefit there.
    """

    input: str
    unit: str
    mean: float
    sd: float
    looked: tuple[float, float]
    saving: Flips
    chances: Mapping[float, Flips]
    learnt: Flips | None
    x: tuple[float, ...]
    gain: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """Two inputs at once: for values of the first, those of the second at which the expected saving is the hurdle.

    `gain[i][j]` is the expected net benefit at `y[i]`, `x[j]`, over what is believed of the two.
    """

    first: str
    first_unit: str
    second: str
    second_unit: str
    now: tuple[float, float]
    points: tuple[tuple[float, tuple[float, ...]], ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    gain: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Where the answer changes for one candidate.

    Attributes
    ----------
    gain : Figure
        Expected net benefit today: the saving less the hurdle's share of the cost of staying.
    p_beats : Figure
    thresholds : tuple of Threshold
        The nearest first, in standard deviations; numbers after them, then those without a flip.
    curve : Curve or None
    """

    study: Study
    draws: int
    seed: int
    option: str
    gain: Figure
    p_beats: Figure
    thresholds: tuple[Threshold, ...]
    curve: Curve | None = None

    def to_json(self) -> dict[str, object]:
        """The document that `simulate breakeven --json` prints."""
        return {
            "schema": SCHEMA,
            "study": facts(self.study),
            "run": {"draws": self.draws, "seed": self.seed, "replicates": REPLICATES},
            "option": self.option,
            "gain": self.gain.to_json(),
            "p_beats": self.p_beats.to_json(),
            "thresholds": [_threshold(each) for each in self.thresholds],
            "curve": None if self.curve is None else asdict(self.curve),
        }


def _threshold(each: Threshold) -> dict[str, object]:
    document = asdict(each)
    document["chances"] = {f"p{100 * p:.0f}": asdict(found) for p, found in each.chances.items()}
    return document
