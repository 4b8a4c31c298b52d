"""From the PoC to production: how far what was measured may lie from what the project will meet.

A PoC runs on few nodes, for days, on a model that is often smaller. Whatever its own noise, its value and that of
production differ by a factor (for probabilities, a factor of the odds) whose logarithm has mean 0 and the sd below.
A study sets its own with `discrepancy` in `[[evidence]]`; 0 says that the PoC was the production.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

import numpy as np
from scipy.special import expit, logit

Scale = Literal["log", "log_odds", "additive"]

DEFAULTS: Final[Mapping[str, tuple[float, str]]] = MappingProxyType(
    {
        "utilization": (0.05, "64 against 8 H100s lose 0 to 7 % (llm-foundry README); model size and sequence add"),
        "tokens_per_second": (0.05, "as utilization"),
        "scaling_efficiency": (0.05, "as utilization"),
        "compile_minutes": (0.20, "judgement: the graphs of the full model are larger than those tried"),
        "recompiles": (0.30, "judgement: a PoC tries more than a port in earnest does, or less"),
        "faults_per_1000h": (0.50, "small jobs failed 3.6 times as often as hardware alone (RSC-1): log 3.6 = 1.3"),
        "hours_lost_per_fault": (0.30, "judgement: at night nobody restarts within minutes"),
        "engineer_hours": (0.20, "judgement, of the hours that remain"),
        "price": (0.15, "p5 fell by 44 % in a day, Capacity Blocks rose by 15 % (2025-06, 2026-01)"),
        "discount": (0.05, "of the share that is paid, 1 - discount"),
        "blocked": (0.50, "judgement, of the odds: parts that were ported stand for a whole that was not"),
    }
)  # fmt: skip
OTHERWISE: Final = (0.10, "judgement")


def default(key: str) -> float:
    """sd of log(production / PoC) of an input by its short name."""
    return DEFAULTS.get(key, OTHERWISE)[0]


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A factor between production and PoC, exp(sd e) with e standard normal.

    `log` acts on the value beyond `offset`, `log_odds` on the odds of a probability, `additive` on the value itself
    (for quantities that may be negative; `sd` is then in their unit).
    """

    sd: float
    scale: Scale = "log"
    offset: float = 0.0

    def coordinate(self, x: Any) -> Any:
        """The coordinate on which the discrepancy adds; -inf at the end of the range, nan beyond it."""
        with np.errstate(divide="ignore", invalid="ignore"):
            match self.scale:
                case "log":
                    return np.log(x - self.offset)
                case "log_odds":
                    return logit(x)
        return np.asarray(x, dtype=float)

    def value(self, t: Any) -> Any:
        """The inverse of `coordinate`."""
        match self.scale:
            case "log":
                return self.offset + np.exp(t)
            case "log_odds":
                return expit(t)
        return np.asarray(t, dtype=float)

    def poc(self, x: Any, e: Any, exp: Any = np.exp) -> Any:
        """What the PoC has where production has x, at a standard normal e; for arrays and for tensors alike."""
        factor = exp(self.sd * e)
        match self.scale:
            case "log":
                return self.offset + (x - self.offset) * factor
            case "log_odds":
                return x * factor / (1 - x + x * factor)
        return x + self.sd * e
