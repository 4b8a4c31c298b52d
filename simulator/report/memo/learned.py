"""What a PoC taught, as the memo shows it: from the posterior file that a study rests on."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.engine import Figure, Result, run
from simulator.report.memo.content import Belief, Calibration, Effect, EvidenceShift, Moved
from simulator.report.verdict import leading

if TYPE_CHECKING:
    from simulator.inputs import Distribution
    from simulator.study import Input, Study

DRAWS = 2**14
POINTS = np.array([0.05, 0.5, 0.95])


def learned(study: Study, used: Study, result: Result) -> Calibration:
    """The calibration of a study.

    Parameters
    ----------
    study, used : Study
        With its priors, and with the posterior that lies beside it.
    result : Result
        Figures of `used`.
    """
    from simulator.calibration.calibrate import WITHOUT_DRAWS
    from simulator.calibration.moved import moved_by
    from simulator.calibration.record import path_of, read

    stored = read(path_of(study))
    assert stored is not None, "a posterior was used"
    told: dict[str, Any] = {
        name: each for fit in stored.told["fits"] if fit["ok"] for name, each in fit["diagnostics"].items()
    }
    names = [name for each in stored.sound for name in each.names]
    before = run(replace(study, scenarios={}), min(DRAWS, result.run.draws), result.run.seed)
    name = leading(used, result)
    now = result.options[name]
    assert now.p_beats is not None, "the leading option is a candidate"
    rougher = max(1.0, math.sqrt(result.run.draws / WITHOUT_DRAWS))
    return Calibration(
        tuple(_moved(study.inputs[each], used.inputs[each], told.get(each, {})) for each in names),
        _effects(before, result),
        tuple(
            EvidenceShift(
                each.evidence,
                _shift(now.p_beats, each.p_beats, rougher),
                _shift(now.saving.mean, each.saving_mean, rougher),
            )
            for each in moved_by(replace(study, scenarios={}), result, result.run.seed)
            if each.option == name
        ),
    )


def _shift(now: Figure, without: float, rougher: float) -> Figure:
    """What evidence moved; figures without it have fewer draws, so their error is about so much larger."""
    return Figure(now.value - without, now.mcse * math.hypot(1.0, rougher))


def _moved(prior: Input, posterior: Input, told: dict[str, Any]) -> Moved:
    return Moved(prior.name, prior.unit, _belief(prior.value), _belief(posterior.value), told.get("conflict"))


def _belief(law: Distribution | float) -> Belief:
    if isinstance(law, float):
        return Belief(law, law, law, law)
    p05, p50, p95 = (float(x) for x in law.ppf(POINTS))
    return Belief(law.mean, p05, p50, p95)


def _effects(before: Result, after: Result) -> dict[str, Effect]:
    return {
        name: Effect(old.p_beats, new.p_beats, old.saving.mean, new.saving.mean)
        for name, old, new in ((name, before.options[name], each) for name, each in after.options.items())
        if old.p_beats is not None and new.p_beats is not None
    }
