"""The plan of a proof of concept as values, and the document made of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np

from simulator.decision.documents import facts, told
from simulator.decision.offers import Offer
from simulator.decision.stopping import Region, Stopping
from simulator.decision.voi import Estimate
from simulator.engine import Figure
from simulator.engine.plan import REPLICATES
from simulator.study import Study

SCHEMA: Final = "switchodds/poc/1"


@dataclass(frozen=True, slots=True)
class Size:
    """A number of runs: worth of the data (all decisions), cost, of which `delay` is that of the weeks, and net."""

    runs: int
    evsi: Estimate
    cost: float
    delay: float
    enbs: Estimate


@dataclass(frozen=True, slots=True)
class Design:
    """A design by size.

    Attributes
    ----------
    offer : Offer
    counted : tuple of str
        The measured inputs that its worth counts, the most valuable first.
    most : Estimate
        Worth of endless runs in production itself: the EVPPI of those inputs, for all decisions.
    sizes : tuple of Size
        Ascending.
    """

    offer: Offer
    counted: tuple[str, ...]
    most: Estimate
    sizes: tuple[Size, ...]

    @property
    def best(self) -> Size:
        """The size with the highest net worth, which may be negative."""
        return max(self.sizes, key=lambda each: each.enbs.value)


@dataclass(frozen=True, slots=True)
class Rule:
    """What to do by what the runs measured of one input.

    Attributes
    ----------
    input, unit, kind : str
        `kind` says what is looked at: the geometric mean of "runs", the events so far of "counts", the failures so far
        of "trials".
    design : str
    runs : int
        Of the fixed size for which `after` holds.
    after : tuple of Region
        The choice after so many runs.
    today : float
        The input's median today; of counts, the median of the events in so many runs at the mean rate.
    sequential : Stopping
        The rule that looks after each run.
    """

    input: str
    unit: str
    kind: str
    design: str
    runs: int
    after: tuple[Region, ...]
    today: float
    sequential: Stopping


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to decide: its expected net benefit over staying."""

    name: str
    worth: Figure
    what: str


@dataclass(frozen=True, slots=True)
class PocPlan:
    """The proof of concept that a study should do, if any.

    Attributes
    ----------
    option : str
        The candidate that is tried.
    now : str
        The option that is best on what is known.
    evpi : Estimate
        Of one decision.
    decisions : float
        How many times the result decides.
    designs : tuple of Design
        In file order.
    best : (str, Size) or None
        Design and size with the highest net worth; None when none is worth its cost.
    rule : Rule
        On the most valuable input of the best design (of the least bad one where none pays).
    policies : tuple of Policy
        The best first.
    """

    study: Study
    draws: int
    seed: int
    option: str
    now: str
    evpi: Estimate
    decisions: float
    designs: tuple[Design, ...]
    best: tuple[str, Size] | None
    rule: Rule
    policies: tuple[Policy, ...]

    def to_json(self) -> dict[str, object]:
        """The document that `simulate poc --json` prints."""
        return {
            "schema": SCHEMA,
            "study": facts(self.study),
            "run": {"draws": self.draws, "seed": self.seed, "replicates": REPLICATES},
            "option": self.option,
            "now": self.now,
            "evpi": told(self.evpi),
            "decisions": self.decisions,
            "designs": [_design(each) for each in self.designs],
            "best": None if self.best is None else {"design": self.best[0], **_size(self.best[1])},
            "rule": _rule(self.rule, list(self.study.options)),
            "policies": [
                {"name": each.name, "worth": each.worth.to_json(), "what": each.what} for each in self.policies
            ],
        }


def in_runs(count: int) -> str:
    """So many runs, in words."""
    return f"{count} run{'s' * (count != 1)}"


def _design(each: Design) -> dict[str, object]:
    offer = each.offer
    return {
        "name": offer.name,
        "measures": [{"input": name, **asdict(offer.ways[name])} for name in offer.measures],
        "counted": list(each.counted),
        "hours_per_run": offer.hours,
        "setup": offer.setup,
        "cost_per_run": offer.per_run,
        "weeks": offer.weeks,
        "weeks_per_run": offer.weeks_per_run,
        "cost_of_a_week": offer.week,
        "evppi": told(each.most),
        "sizes": [_size(size) for size in each.sizes],
    }


def _size(size: Size) -> dict[str, object]:
    return {
        "runs": size.runs,
        "evsi": told(size.evsi),
        "cost": size.cost,
        "delay": size.delay,
        "enbs": told(size.enbs),
    }


def _rule(rule: Rule, options: list[str]) -> dict[str, object]:
    def regions(found: Iterable[Region]) -> list[dict[str, object]]:
        return [
            {
                "from": each.low,
                "to": each.high if np.isfinite(each.high) else None,
                "do": "run" if each.choice < 0 else options[each.choice],
            }
            for each in found
        ]

    plan = rule.sequential
    return {
        "input": rule.input,
        "unit": rule.unit,
        "by": {"runs": "geometric mean", "counts": "events so far", "trials": "failures so far"}[rule.kind],
        "design": rule.design,
        "runs": rule.runs,
        "after": regions(rule.after),
        "today": rule.today,
        "sequential": {
            "net": plan.net,
            "expected_runs": plan.expected_runs,
            "best_fixed": dict(zip(("runs", "net"), plan.best_fixed, strict=True)),
            "table": [{"runs": look.runs, "regions": regions(look.regions)} for look in plan.looks],
        },
    }
