"""Is a proof of concept worth its money and weeks, how many runs of what, and when does it stop?

The worth of a design of so many runs is its expected value of sample information (EVSI) times the number of decisions
that it serves, less what it costs in money and in weeks: its expected net benefit of sampling (ENBS).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulator.decision import voi
from simulator.decision.asked import candidate
from simulator.decision.drivers import facts, told
from simulator.decision.known import Known
from simulator.decision.measure import exposure
from simulator.decision.offers import Offer, offers
from simulator.decision.steps import Progress, Steps, silent
from simulator.decision.stopping import Belief, Region, Stopping, belief, decision_at, optimal
from simulator.decision.voi import Estimate
from simulator.decision.voi.basis import design
from simulator.decision.voi.draws import grouped
from simulator.decision.voi.perfect import against_best
from simulator.decision.voi.smooth import Smoother
from simulator.engine import DEFAULT_SEED, Figure
from simulator.engine.plan import REPLICATES
from simulator.study import Study

Floats = NDArray[np.float64]

SCHEMA: Final = "switchodds/poc/1"
DRAWS: Final = 2**14
SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 200)
COUNTED = 2  # of the measured inputs enter the value of a design: the most valuable ones; so it is a lower bound


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


def poc_plan(
    study: Study,
    draws: int = DRAWS,
    seed: int = DEFAULT_SEED,
    option: str | None = None,
    progress: Progress = silent,
) -> PocPlan:
    """What a proof of concept is worth, by design and size, and what it has to show.

    Parameters
    ----------
    study : Study
        With a `[poc]`; its scenarios are left aside.
    draws, seed : int
        As of `run`.
    option : str, optional
        The candidate that is tried; by default that of `[poc]`, or the one with the highest expected net benefit.
    progress : callable, optional
        Called with (steps done, steps planned).

    Raises
    ------
    StudyError
        When there is no `[poc]`, no such candidate, or a design that cannot be.
    """
    known = Known.of(study, draws, seed)
    name = candidate(study, option or (study.poc.option if study.poc else None), known.benefits)
    offered = offers(known, name)
    assert study.poc is not None
    decisions = study.poc.decisions
    steps = Steps(progress, 2 * len(offered) + 2)
    measured = list(dict.fromkeys(each for offer in offered for each in offer.measures))
    worth = {each: voi.evppi(known.benefits, known.column(each), replicates=REPLICATES) for each in measured}
    steps()
    designs: tuple[Design, ...] = ()
    for offer in offered:
        designs = (*designs, _valued(known, offer, worth, decisions))
        steps()
    leading = max(designs, key=lambda each: each.best.enbs.value)
    best = (leading.offer.name, leading.best) if leading.best.enbs.value > 0 else None
    rule = _ruled(known, leading, decisions)
    steps()
    means = known.benefits.mean(axis=0)
    now = list(study.options)[int(means.argmax())]
    policies = _policies(known, name, designs, worth, rule, decisions)
    steps()
    evpi = voi.evpi(known.benefits, replicates=REPLICATES)
    return PocPlan(study, known.draws, seed, name, now, evpi, decisions, designs, best, rule, policies)


def _valued(known: Known, offer: Offer, worth: Mapping[str, Estimate], decisions: float) -> Design:
    counted = tuple(sorted(offer.measures, key=lambda each: -worth[each].value)[:COUNTED])
    x = np.stack([known.column(each) for each in counted], axis=1)
    runs = [size for size in SIZES if size < offer.most] + [offer.most]
    found = voi.evsi(known.benefits, x, offer.law(counted), runs, replicates=REPLICATES)
    sizes = []
    for size, evsi in zip(runs, found, strict=True):
        gross = evsi.affine(decisions)
        sizes.append(Size(size, gross, offer.cost(size), offer.delay(size), gross.affine(1.0, -offer.cost(size))))
    most = worth[counted[0]] if len(counted) == 1 else voi.evppi(known.benefits, x, replicates=REPLICATES)
    return Design(offer, counted, most.affine(decisions), tuple(sizes))


def _ruled(known: Known, leading: Design, decisions: float) -> Rule:
    offer, name = leading.offer, leading.counted[0]
    how = offer.ways[name]
    finds = _belief(known, offer, name, decisions)
    runs = leading.best.runs
    cost, setup = offer.per_run + offer.week * offer.weeks_per_run, offer.setup + offer.week * offer.weeks
    middle = float(np.median(known.column(name)))
    today = middle if how.kind == "runs" else float(np.mean(known.column(name))) * runs * exposure(how, offer.hours)
    if how.kind == "trials":
        today = float(np.mean(known.column(name))) * runs
    return Rule(
        name,
        known.study.inputs[name].unit,
        how.kind,
        offer.name,
        runs,
        decision_at(finds, runs),
        today,
        optimal(finds, cost, setup, offer.most),
    )


def _belief(known: Known, offer: Offer, name: str, decisions: float) -> Belief:
    """What a run would find of an input, and E[net benefit | input] over that of the option that is best today."""
    benefits, x, how = known.benefits, known.column(name), offer.ways[name]
    difference = against_best(benefits)
    smoother = Smoother(design(x[:, None], difference), grouped(known.draws, REPLICATES))
    fitted = smoother.project(difference)
    gains = decisions * np.insert(fitted, int(benefits.mean(axis=0).argmax()), 0.0, axis=1)
    return belief(how.kind, x, gains, how.noise, how.discrepancy, exposure(how, offer.hours))


def _policies(
    known: Known,
    option: str,
    designs: tuple[Design, ...],
    worth: Mapping[str, Estimate],
    rule: Rule,
    decisions: float,
) -> tuple[Policy, ...]:
    study = known.study
    names = list(study.options)
    means = known.benefits.mean(axis=0)
    best = int(means.argmax())
    now = known.mean(known.benefits[:, best])
    now = Figure(decisions * now.value, decisions * now.mcse)
    switch = known.mean(known.benefits[:, names.index(option)])
    found = [
        Policy("stay", Figure(0.0, 0.0), f"keep {study.baseline}"),
        Policy(f"switch to {option} now", Figure(decisions * switch.value, decisions * switch.mcse), "without a PoC"),
    ]
    for each in designs:
        size = each.best
        what = f"{size.runs} run{'s' * (size.runs > 1)}, then decide"
        found.append(Policy(f"PoC: {each.offer.name}", _after(now, size.enbs), what))
    valuable = max(worth, key=lambda each: worth[each].value)
    if all(each.offer.measures != (valuable,) for each in designs):
        cheapest = min(
            (each.offer for each in designs if valuable in each.offer.measures), key=lambda each: each.cost(1)
        )
        alone = _valued(known, cheapest.only(valuable), worth, decisions)
        what = f"{alone.best.runs} run{'s' * (alone.best.runs > 1)}, only it measured"
        found.append(Policy(f"PoC: {valuable} alone", _after(now, alone.best.enbs), what))
    plan = rule.sequential
    error = next(each for each in designs if each.offer.name == rule.design).best.evsi.se
    what = f"{plan.expected_runs:.1f} runs on average" if plan.looks else "no run: it does not pay"
    found.append(Policy(f"look after each run: {rule.input}", Figure(now.value + plan.net, error), what))
    return tuple(sorted(found, key=lambda each: -each.worth.value))


def _after(now: Figure, enbs: Estimate) -> Figure:
    return Figure(now.value + enbs.value, float(np.hypot(now.mcse, enbs.se)))
