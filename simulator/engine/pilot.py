"""What a thousand draws show of a study: what to average in closed form, where its quantiles lie, which way to turn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from simulator.engine.bins import Bins
from simulator.engine.branches import Lines, Mixed
from simulator.engine.carrier import Carrier
from simulator.engine.case import Case, Drawn
from simulator.engine.dimensions import Block
from simulator.engine.means import QUANTILES
from simulator.engine.tail import Brackets
from simulator.study import Option

Floats = NDArray[np.float64]

PILOT = 1024

# Inputs on which no hour and no fault of any option depends: cost is linear in each, the others given.
_LINEAR = (
    "engineer_hours",
    "delay_weeks",
    "price",
    "discount",
    "upkeep_hours_per_month",
    "compile_attention",
    "trial_instance_hours",
)
# A carrier is worth its two extra evaluations of the model when it explains this share of the saving's variance.
_WORTH = 0.01


def carried(case: Case, block: Block) -> Case:
    """The case with a carrier for each candidate that has one, read off a pilot block."""
    carriers = _carriers(case, case.draw(block))
    marginals = case.marginals.carrying(case.study, {carrier.name for carrier in carriers.values()})
    return replace(case, carriers=carriers, marginals=marginals)


def prepared(case: Case, block: Block) -> Case:
    """The case with the bins and brackets of its distributions, read off a pilot block."""
    drawn = case.draw(block)
    bins: dict[tuple[str, str], Bins] = {}
    stay = drawn.drawn[case.study.baseline].through
    for name, each in drawn.drawn.items():
        cost = Mixed(each.through, each.blocked, each.goes)
        bins[name, "tco"] = Bins.covering(_one_sample(cost, block.size))
    brackets: dict[str, Brackets] = {}
    for name in case.candidates:
        saving = drawn.saving(name, case.study.baseline)
        share = Mixed(saving.through / stay, saving.blocked / stay, saving.goes)
        bins[name, "share"] = Bins.covering(_one_sample(share, block.size))
        bins[name, "saving"] = Bins.covering(_one_sample(saving, block.size))
        lines = case.lines(name, drawn)
        if lines is not None and not bins[name, "saving"].points:
            brackets[name] = _brackets(lines, bins[name, "saving"])
    return replace(case, bins=bins, brackets=brackets)


def _brackets(lines: Lines, bins: Bins) -> Brackets:
    law = lines.given_others()

    def below(threshold: float) -> float:
        return float(np.mean(law.below(threshold)))

    return Brackets.around(QUANTILES, below, bins.edges[0], bins.edges[-1])


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


def _carriers(case: Case, drawn: Drawn) -> dict[str, Carrier]:
    """For each candidate the eligible input that explains most of its saving's variance, if any does."""
    found = {}
    for name in case.candidates:
        saving = drawn.saving(name, case.study.baseline)
        spread = float(np.mean(saving.square()) - np.mean(saving.mean()) ** 2)
        best, most = None, _WORTH * spread
        for carrier in _eligible(case, case.study.options[name]):
            lines = replace(case, carriers={name: carrier}).lines(name, drawn)
            assert lines is not None
            scale = float(carrier.law.sd) * carrier.sd_score
            slopes = lines.goes * lines.through.slope**2 + (1 - lines.goes) * lines.blocked.slope**2
            if (explained := float(np.mean(slopes)) * scale**2) > most:
                best, most = carrier, explained
        if best is not None:
            found[name] = best
    return found


def _eligible(case: Case, option: Option) -> list[Carrier]:
    laws = case.marginals.laws
    names = [case.study.engineer_rate.name, case.study.delay_week_rate.name]
    for each in (option, case.study.options[case.study.baseline]):
        names += [each.inputs[key].name for key in _LINEAR]
        names += [cost.value.name for cost in each.other_costs]
    carriers = (Carrier.of(name, laws[name], case.study.copula) for name in names if name in laws)
    return [carrier for carrier in carriers if carrier is not None]


def _one_sample(quantity: Mixed, size: int) -> Floats:
    """A plain sample of a quantity of two branches: equally spaced draws are taken to be blocked."""
    through, blocked, goes = (np.broadcast_to(part, (size,)) for part in quantity)
    level = (np.arange(size) * 0.6180339887498949 + 0.5) % 1.0  # golden-ratio sequence: evenly spread
    return np.where(level < goes, through, blocked)
