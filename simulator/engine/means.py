"""Means over a block of draws of everything from which a study's figures follow."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from simulator import model
from simulator.engine import outcome
from simulator.engine.branches import Mixed
from simulator.engine.case import Averaged, Case, Drawn
from simulator.engine.dimensions import Block
from simulator.engine.figures import Sums
from simulator.study import Study

Floats = NDArray[np.float64]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
TAIL = 0.05


def _mean(values: Floats | NDArray[np.bool_]) -> Floats:
    return np.asarray(np.mean(values), dtype=np.float64)


def _chance(event: NDArray[np.bool_]) -> Floats:
    """Probability 1 where an event happens in a draw, else 0."""
    return np.asarray(event, dtype=np.float64)


def means(case: Case, block: Block) -> Sums:
    """Means over a block of draws, by (option, quantity)."""
    drawn = case.draw(block)
    averaged = case.averaged(drawn)
    known = case.known_costs(block, drawn)
    benefits = case.net_benefits(known, block.size)
    first = benefits.argmax(axis=1)
    lowest = probability_lowest(case.study, drawn.drawn)
    means: Sums = {"best": _mean(benefits.max(axis=1))}
    for i, name in enumerate(case.study.options):
        means[name, "benefit"] = _mean(benefits[:, i])
        means[name, "known_best"] = _mean(first == i)
        means[name, "lowest"] = _mean(lowest[name])
        means |= {(name, key): value for key, value in _cost_means(case, name, drawn, averaged, block.size).items()}
    for name in case.candidates:
        saving = known[case.study.baseline] - known[name]
        means[name, "known_saving"] = _mean(saving)
        means[name, "known_square"] = _mean(saving * saving)
        means |= {(name, key): value for key, value in _saving_means(case, name, drawn, averaged, block.size).items()}
    return means


def _cost_means(case: Case, name: str, drawn: Drawn, averaged: Averaged, size: int) -> Sums:
    option, expected, work = case.study.options[name], averaged.outcomes[name], drawn.expected_work[name]
    by_luck = drawn.drawn[name]
    goes = expected.goes
    cost = Mixed(by_luck.through, by_luck.blocked, by_luck.goes)
    money = outcome.values(option, averaged.columns)
    columns = {key: averaged.columns[each.name] for key, each in option.inputs.items()}
    rungs = model.ladder(
        money,
        work.run,
        work.hours,
        columns["scaling_efficiency"],
        columns.get("utilization", np.ones(())),
        expected.parts,
    )
    return {
        "tco": _mean(expected.expected),
        "tco_square": _mean(cost.square()),
        "tco_bins": cost.tally(case.bins[name, "tco"], size),
        "goes": _mean(goes),
        "unworkable": _mean(~work.run.workable),
        "hours": _mean(goes * work.hours.billed),
        "weeks": _mean(goes * expected.weeks),
        "parts": np.stack([_mean(goes * part) for part in expected.parts]),
        "parts_blocked": _mean((1 - goes) * expected.blocked),
        "ladder": np.stack([_mean(rung) for rung in rungs]),
    }


def _saving_means(case: Case, name: str, drawn: Drawn, averaged: Averaged, size: int) -> Sums:
    saving = drawn.saving(name, case.study.baseline)
    stay = drawn.drawn[case.study.baseline].through
    share = Mixed(saving.through / stay, saving.blocked / stay, saving.goes)
    expected = averaged.outcomes[case.study.baseline].through - averaged.outcomes[name].expected
    claims = [claim.saving_share for claim in case.study.claims if claim.option == name]
    lines = case.lines(name, drawn)
    means: Sums = {
        "saving": _mean(expected),
        "saving_square": _mean(saving.square()),
        "saving_bins": saving.tally(case.bins[name, "saving"], size),
        "share": _mean(share.mean()),
        "share_square": _mean(share.square()),
        "share_bins": share.tally(case.bins[name, "share"], size),
    }
    if lines is None:
        beats = Mixed(
            _chance(share.through > case.study.hurdle), _chance(share.blocked > case.study.hurdle), share.goes
        )
        reached = [Mixed(_chance(share.through >= c), _chance(share.blocked >= c), share.goes) for c in claims]
        means["beats"] = _mean(beats.mean())
        means["claims"] = np.array([_mean(each.mean()) for each in reached])
        return means
    means["beats"] = 1 - _mean(lines.given_others(case.study.hurdle).below())
    means["claims"] = np.array([1 - _mean(lines.given_others(claim).below()) for claim in claims])
    if name in case.brackets:
        brackets, law = case.brackets[name], lines.given_others()
        sides = (brackets.low, brackets.high)
        means["below"] = np.array([[_mean(law.below(t)) for t in side] for side in sides])
        means["shortfall"] = _mean(law.shortfall(brackets.low[brackets.levels.index(TAIL)]))
    return means


def probability_lowest(study: Study, drawn: Mapping[str, outcome.Outcome]) -> dict[str, Floats]:
    """Probability that each option's TCO is the lowest in the draws, over who is blocked; (draws,) arrays.

    Given the inputs the options are blocked independently of each other, so that the probability is a sum over an
    option's own two states of the product of the others' chances to cost more. The baseline keeps a tie.
    """
    order = [study.baseline, *(name for name in study.options if name != study.baseline)]
    lowest = {}
    for place, name in enumerate(order):
        own = drawn[name]
        total: Floats = np.zeros(())
        for cost, chance in ((own.through, own.goes), (own.blocked, 1 - own.goes)):
            for rank, other in enumerate(order):
                if other == name:
                    continue
                theirs = drawn[other]
                beats = np.greater_equal if rank > place else np.greater
                through, back = beats(theirs.through, cost), beats(theirs.blocked, cost)
                chance = chance * np.where(through, theirs.goes + (1 - theirs.goes) * back, (1 - theirs.goes) * back)
            total = total + chance
        lowest[name] = total
    return lowest
