"""What each piece of evidence moved, told from a posterior file: nothing is sampled and nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.calibration.calibrate import Moved, _curve, _moved, kept
from simulator.calibration.fit import groups
from simulator.calibration.gather import gather
from simulator.calibration.record import path_of

if TYPE_CHECKING:
    from simulator.engine import Result
    from simulator.study import Study


def moved_by(study: Study, after: Result, seed: int = 1) -> list[Moved]:
    """Figures without each piece of evidence, those first that moved P(beats) most.

    Parameters
    ----------
    study : Study
        With its priors; a posterior that still holds lies beside it.
    after : Result
        Figures under that posterior.
    seed : int
        As of `run`.
    """
    observations = gather(study).observations
    every = groups(study, observations)
    curves = {each.key: _curve(each, group) for group in every for each in group.observations}
    known = kept(path_of(study), every)
    sound = [known[group.title] for group in every if group.title in known]
    return _moved(study, sound, curves, after, observations, seed)
