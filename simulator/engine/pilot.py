"""What a thousand draws show of a study: what to average in closed form, where its quantiles lie, which way to turn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.engine.bins import Bins
from simulator.engine.branches import Lines, Mixed
from simulator.engine.carrier import Carrier
from simulator.engine.case import Case, Drawn
from simulator.engine.dimensions import Block
from simulator.engine.means import QUANTILES, mean
from simulator.engine.sharing import Shared
from simulator.engine.slopes import Place, baseline_slope, candidate_slope, linear_inputs
from simulator.engine.tail import Tangents

Floats = NDArray[np.float64]

PILOT = 1024

# A carrier is worth its work when it explains this share of the saving's variance.
_WORTH = 0.01


class Pilot(NamedTuple):
    """A case and what a pilot block showed of it."""

    case: Case
    drawn: Drawn


def carried(case: Case, block: Block, base: Pilot | None = None) -> Pilot:
    """The case with a carrier for each candidate that has one, read off a pilot block.

    Parameters
    ----------
    case : Case
    block : Block
    base : Pilot, optional
        What the block showed of the study whose scenario the case is.
    """
    shared = _shared(case, base)
    case = replace(case, shared=shared)
    drawn = case.draw(block, base.drawn if base else None)
    known = {name: base.case.carriers.get(name) for name in shared.savings} if base else {}
    found = {name: known[name] if name in known else _carrier(case, name, drawn) for name in case.candidates}
    carriers = {name: carrier for name, carrier in found.items() if carrier is not None}
    marginals = case.marginals.carrying(case.study, {carrier.name for carrier in carriers.values()})
    return Pilot(replace(case, carriers=carriers, marginals=marginals), drawn)


def prepared(case: Case, block: Block, base: Pilot | None = None) -> Pilot:
    """The case with the bins and tangents of its distributions, read off a pilot block."""
    case = replace(case, shared=_shared(case, base))
    drawn = case.draw(block, base.drawn if base else None)
    bins: dict[tuple[str, str], Bins] = {}
    tangents: dict[str, Tangents] = {}
    stay = drawn.drawn[case.study.baseline].through
    for name, each in drawn.drawn.items():
        if base and case.shared.averages and name in case.shared.costs:
            bins[name, "tco"] = base.case.bins[name, "tco"]
        else:
            cost = Mixed(each.through, each.blocked, each.goes)
            bins[name, "tco"] = Bins.covering(_one_sample(cost, block.size))
    for name in case.candidates:
        if base and case.shared.averages and name in case.shared.savings:
            bins |= {(name, key): base.case.bins[name, key] for key in ("saving", "share")}
            tangents |= {name: base.case.tangents[name]} if name in base.case.tangents else {}
            continue
        saving = drawn.saving(name, case.study.baseline)
        share = Mixed(saving.through / stay, saving.blocked / stay, saving.goes)
        bins[name, "share"] = Bins.covering(_one_sample(share, block.size))
        sample = _one_sample(saving, block.size)
        bins[name, "saving"] = Bins.covering(sample)
        lines = case.lines(name, drawn)
        if lines is not None and (found := _tangents(lines, bins[name, "saving"], sample)) is not None:
            tangents[name] = found
    return Pilot(replace(case, bins=bins, tangents=tangents), drawn)


def _shared(case: Case, base: Pilot | None) -> Shared:
    if base is None:
        return Shared()
    shared = Shared.of(case.study, case.marginals, base.case.study, base.case.marginals)
    return replace(shared, averages=_averages(case) == _averages(base.case))


def _averages(case: Case) -> set[str]:
    return {carrier.name for carrier in case.carriers.values()}


def _tangents(lines: Lines, bins: Bins, sample: Floats) -> Tangents | None:
    law = lines.given_others()
    if bins.points or not law.steady:
        return None

    def reached(thresholds: Floats) -> tuple[Floats, Floats]:
        each = [law.reached(t) for t in thresholds.tolist()]
        return np.array([mean(one.below) for one in each]), np.array([mean(one.density) for one in each])

    return Tangents.near(QUANTILES, reached, np.quantile(sample, QUANTILES), (bins.edges[0], bins.edges[-1]))


def direction(case: Case, inputs: Sequence[str], turning: Collection[str], block: Block) -> Floats:
    """Direction of the inputs' scores in which the leading candidate's saving grows, by least squares.

    Returns
    -------
    (inputs,) array
        Slope on the score of each input; 0 for those that are not in `turning`.
    """
    slopes = np.zeros(len(inputs))
    moved = [i for i, name in enumerate(inputs) if name in turning]
    if not case.candidates or not moved:
        return slopes
    drawn = case.draw(block)
    known = case.known_costs(block, drawn)
    stay = known[case.study.baseline]
    leading = min(case.candidates, key=lambda name: float(np.mean(known[name])))
    saving = np.broadcast_to(stay - known[leading], (block.size,))
    scores = np.stack([np.ones(block.size), *(block.scores[inputs[i]] for i in moved)])
    # the scores are nearly orthonormal: normal equations are as good as a decomposition, and start at once
    slopes[moved] = np.linalg.solve(scores @ scores.T, scores @ saving)[1:]
    return slopes


def _carrier(case: Case, name: str, drawn: Drawn) -> Carrier | None:
    """The input that explains most of a candidate's variance of saving, of those that can be averaged over."""
    study = case.study
    stay, move = drawn.drawn[study.baseline], drawn.drawn[name]
    saving = drawn.saving(name, study.baseline)
    spread = float(np.mean(saving.square()) - np.mean(saving.mean()) ** 2)
    explained: list[tuple[float, str, Place]] = []
    for own, place in linear_inputs(study, study.options[name]).items():
        if own not in case.marginals.laws:
            continue
        rise = baseline_slope(study, place, drawn.columns, drawn.work[study.baseline], stay)
        moved = candidate_slope(study, name, place, drawn.columns, drawn.work[name], move.weeks, stay.weeks, rise)
        slopes = Mixed(rise.through - moved.through, rise.through - moved.blocked, move.goes)
        variance = float(np.mean(slopes.square())) * case.marginals.laws[own].sd ** 2
        if variance > _WORTH * spread:
            explained.append((variance, own, place))
    found: tuple[float, Carrier] | None = None
    for variance, own, place in sorted(explained, key=lambda each: -each[0]):
        if found is not None and variance <= found[0]:
            break
        carrier = Carrier.of(own, place, case.marginals.given[own], study.copula)
        if carrier is not None and (left := variance * carrier.sd_score**2) > max(
            _WORTH * spread, found[0] if found else 0.0
        ):
            found = left, carrier
    return found[1] if found else None


def _one_sample(quantity: Mixed, size: int) -> Floats:
    """A plain sample of a quantity of two branches: equally spaced draws are taken to be blocked."""
    through, blocked, goes = (np.broadcast_to(part, (size,)) for part in quantity)
    level = (np.arange(size) * 0.6180339887498949 + 0.5) % 1.0  # golden-ratio sequence: evenly spread
    return np.where(level < goes, through, blocked)
