"""Means over a block of draws of everything from which a study's figures follow."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

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

_ONE = np.ones(())


class Measured(NamedTuple):
    """What a block of draws gave: the means, and the draws from which a scenario may take what it shares."""

    means: Sums
    drawn: Drawn
    averaged: Averaged


def means(case: Case, block: Block, base: Measured | None = None) -> Measured:
    """Means over a block of draws, by (option, quantity).

    Parameters
    ----------
    case : Case
    block : Block
    base : Measured, optional
        What the same block gave for the study whose scenario the case is.
    """
    study, size = case.study, block.size
    drawn = case.draw(block, base.drawn if base else None)
    averaged = case.averaged(drawn, base.averaged if base and case.shared.averages else None)
    known = case.known_costs(block, drawn)
    benefits = case.net_benefits(known, size)
    first = benefits.argmax(axis=1)
    lowest = probability_lowest(study, drawn.drawn)
    found: Sums = {"best": mean(benefits.max(axis=1))}
    for i, name in enumerate(study.options):
        found[name, "benefit"] = mean(benefits[:, i])
        found[name, "known_best"] = np.asarray(np.count_nonzero(first == i) / size)
        found[name, "lowest"] = mean(lowest[name])
        if base and case.shared.averages and name in case.shared.costs:
            found |= _of(base.means, name, COSTS)
        else:
            own = _cost_means(case, name, drawn, averaged, size)
            found |= {(name, key): value for key, value in zip(COSTS, own, strict=True)}
    for name in case.candidates:
        saving = known[study.baseline] - known[name]
        found[name, "known_saving"] = mean(saving)
        found[name, "known_square"] = mean(saving, saving)
        if base and case.shared.averages and name in case.shared.savings:
            found |= _of(base.means, name, SAVINGS)
        else:
            found |= {(name, key): value for key, value in _saving_means(case, name, drawn, averaged, size).items()}
    return Measured(found, drawn, averaged)


COSTS = (
    "tco",
    "tco_square",
    "tco_bins",
    "goes",
    "unworkable",
    "hours",
    "weeks",
    "parts",
    "parts_blocked",
    "ladder",
)
SAVINGS = (
    "saving",
    "saving_square",
    "saving_bins",
    "share",
    "share_square",
    "share_bins",
    "beats",
    "claims",
    "below",
    "density",
    "shortfall",
)


def _of(sums: Sums, name: str, keys: tuple[Hashable, ...]) -> Sums:
    return {(name, key): sums[name, key] for key in keys if (name, key) in sums}


def mean(values: Floats, weights: Floats = _ONE) -> Floats:
    """Mean of values times weights, (draws,) or 0-d arrays."""
    if values.ndim and weights.ndim:
        return np.asarray(np.dot(values, weights) / values.size)
    many, one = (values, weights) if values.ndim else (weights, values)
    total: Floats = np.add.reduce(many) / many.size if many.ndim else many
    return np.asarray(total * one, dtype=np.float64)


def _cost_means(case: Case, name: str, drawn: Drawn, averaged: Averaged, size: int) -> tuple[Floats, ...]:
    """Means of an option's costs, in the order of `COSTS`."""
    option, expected, work = case.study.options[name], averaged.outcomes[name], drawn.expected_work[name]
    by_luck = drawn.drawn[name]
    goes = expected.goes
    cost = Mixed(by_luck.through, by_luck.blocked, by_luck.goes)
    money = outcome.values(option, averaged.columns)
    columns = {key: averaged.columns[each.name] for key, each in option.inputs.items()}
    speed, scaling = columns.get("utilization", _ONE), columns["scaling_efficiency"]
    rungs = model.ladder(money, work.run, work.hours, scaling, speed, expected.parts)
    parts_blocked = mean(expected.blocked) - mean(expected.blocked, goes)
    return (
        mean(expected.through, goes) + parts_blocked,
        mean(cost.square()),
        cost.tally(case.bins[name, "tco"], size),
        mean(goes),
        np.asarray(1 - np.count_nonzero(np.broadcast_to(work.run.workable, (size,))) / size),
        mean(work.hours.billed, goes),
        mean(expected.weeks, goes),
        np.stack([mean(part, goes) for part in expected.parts]),
        parts_blocked,
        np.stack([mean(rung) for rung in rungs]),
    )


def _saving_means(case: Case, name: str, drawn: Drawn, averaged: Averaged, size: int) -> Sums:
    study = case.study
    saving = drawn.saving(name, study.baseline)
    per_cost = 1 / drawn.drawn[study.baseline].through
    share = Mixed(saving.through * per_cost, saving.blocked * per_cost, saving.goes)
    found: Sums = {
        "saving": mean(averaged.outcomes[study.baseline].through - averaged.outcomes[name].expected),
        "saving_bins": saving.tally(case.bins[name, "saving"], size),
        "share": mean(share.mean()),
        "share_square": mean(share.square()),
        "share_bins": share.tally(case.bins[name, "share"], size),
    }
    claims = [claim.saving_share for claim in study.claims if claim.option == name]
    lines = case.lines(name, drawn)
    if lines is None:
        found["beats"] = mean(_chance(share, study.hurdle, np.greater))
        found["claims"] = np.array([mean(_chance(share, claim, np.greater_equal)) for claim in claims])
        found["saving_square"] = mean(saving.square())
        return found
    found["saving_square"] = mean(lines.square(lines.carrier.mean(drawn.scores)))
    found["beats"] = 1 - mean(lines.given_others(study.hurdle).below())
    found["claims"] = np.array([1 - mean(lines.given_others(claim).below()) for claim in claims])
    if name in case.tangents:
        tangents, law = case.tangents[name], lines.given_others()
        tail = tangents.levels.index(TAIL)
        reached = [law.reached(t, shortfall=i == tail) for i, t in enumerate(tangents.at)]
        found["below"] = np.array([mean(each.below) for each in reached])
        found["density"] = np.array([mean(each.density) for each in reached])
        found["shortfall"] = mean(reached[tail].shortfall)
    return found


def _chance(share: Mixed, threshold: float, reaches: np.ufunc) -> Floats:
    """Probability over being blocked that a share reaches a threshold, (draws,)."""
    through, blocked = (np.asarray(reaches(each, threshold), dtype=np.float64) for each in share[:2])
    return Mixed(through, blocked, share.goes).mean()


def probability_lowest(study: Study, drawn: Mapping[str, outcome.Outcome]) -> dict[str, Floats]:
    """Probability that each option's TCO is the lowest in the draws, over who is blocked; (draws,) arrays.

    Given the inputs the options are blocked independently of each other, so that the probability is a sum over an
    option's own two states of the product of the others' chances to cost more. The baseline keeps a tie.
    """
    order = [study.baseline, *(name for name in study.options if name != study.baseline)]
    stay = drawn[study.baseline].through
    if all(np.all(drawn[name].blocked >= stay) for name in order[1:]):
        return _lowest_where_staying_beats_failing(order, drawn)
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


def _lowest_where_staying_beats_failing(order: list[str], drawn: Mapping[str, outcome.Outcome]) -> dict[str, Floats]:
    """The same where no failed migration costs less than staying: a candidate that fails is never the lowest."""
    stay = drawn[order[0]].through
    wins = {name: drawn[name].goes * (drawn[name].through < stay) for name in order[1:]}
    fails = {name: 1 - win for name, win in wins.items()}
    lowest: dict[str, Floats] = {order[0]: _ONE}
    for fail in fails.values():
        lowest[order[0]] = lowest[order[0]] * fail
    for place, name in enumerate(order[1:]):
        chance, cost = wins[name], drawn[name].through
        for rank, other in enumerate(order[1:]):
            if other != name:
                theirs = drawn[other].through
                ahead = theirs < cost if rank > place else theirs <= cost
                chance = chance * np.where(ahead, fails[other], 1.0)
        lowest[name] = chance
    return lowest
