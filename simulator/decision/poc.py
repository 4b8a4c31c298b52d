"""Is a proof of concept worth its money and weeks, how many runs of what, and when does it stop?

The worth of a design of so many runs is its expected value of sample information (EVSI) times the number of decisions
that it serves, less what it costs in money and in weeks: its expected net benefit of sampling (ENBS).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulator.decision import voi
from simulator.decision.asked import candidate
from simulator.decision.beliefs import Belief, belief
from simulator.decision.known import Known
from simulator.decision.measure import exposure
from simulator.decision.offers import Offer, offers
from simulator.decision.plans import Design, PocPlan, Policy, Rule, Size, in_runs
from simulator.decision.steps import Progress, Steps, silent
from simulator.decision.stopping import decision_at, optimal
from simulator.decision.voi import Estimate
from simulator.decision.voi.basis import design
from simulator.decision.voi.draws import grouped
from simulator.decision.voi.perfect import against_best
from simulator.decision.voi.smooth import Smoother
from simulator.engine import DEFAULT_SEED, Figure
from simulator.engine.plan import REPLICATES
from simulator.study import Study

Floats = NDArray[np.float64]

__all__ = ["Design", "PocPlan", "Policy", "Rule", "Size", "poc_plan"]

DRAWS: Final = 2**14
SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 200)
COUNTED = 2  # of the measured inputs enter the value of a design: the most valuable ones; so it is a lower bound


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
    expected = float(np.mean(known.column(name))) * runs
    match how.kind:
        case "runs":
            today = float(np.median(known.column(name)))
        case "counts":
            today = expected * exposure(how, offer.hours)
        case "trials":
            today = expected
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
        what = f"{in_runs(size.runs)}, then decide"
        found.append(Policy(f"PoC: {each.offer.name}", _after(now, size.enbs), what))
    valuable = max(worth, key=lambda each: worth[each].value)
    if all(each.offer.measures != (valuable,) for each in designs):
        cheapest = min(
            (each.offer for each in designs if valuable in each.offer.measures), key=lambda each: each.cost(1)
        )
        alone = _valued(known, cheapest.only(valuable), worth, decisions)
        what = f"{in_runs(alone.best.runs)}, only it measured"
        found.append(Policy(f"PoC: {valuable} alone", _after(now, alone.best.enbs), what))
    plan = rule.sequential
    error = next(each for each in designs if each.offer.name == rule.design).best.evsi.se
    what = f"{plan.expected_runs:.1f} runs on average" if plan.looks else "no run: it does not pay"
    found.append(Policy(f"look after each run: {rule.input}", Figure(now.value + plan.net, error), what))
    return tuple(sorted(found, key=lambda each: -each.worth.value))


def _after(now: Figure, enbs: Estimate) -> Figure:
    return Figure(now.value + enbs.value, float(np.hypot(now.mcse, enbs.se)))
