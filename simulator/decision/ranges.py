"""How far an input may be moved: its range in the model, and values at which an answer is looked for."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from simulator.study import Input, Study
from simulator.study.scalars import COMMITMENT, OPTION, OTHER_COST, RATE_NAMES, RATES, WORKLOAD, Scalar

Floats = NDArray[np.float64]

TIMES = 100.0  # positive values are looked for from a hundredth to a hundred times of what is believed
EDGE = 1e-6  # distance kept from an end of a range that does not belong to it, as a share of the range
TAIL = 1e-4  # probability beyond the ends of a law that is looked through evenly
POINTS = 12  # of each of the grids that are laid together
_FROM_NOTHING = (1e-3, 1e7)  # where nothing says how large a value could be
_RATES = {name: RATES[key] for key, name in RATE_NAMES.items()}


def scalar(name: str) -> Scalar:
    """What the study's format says of an input, by its canonical name."""
    key = name.rpartition(".")[2]
    tables: Mapping[str, Scalar] = {**OPTION, **COMMITMENT, **OTHER_COST, **WORKLOAD, **_RATES}
    return tables[key]


def grid(each: Input, money: float) -> Floats:
    """Values of an input at which to look, ascending: over its law evenly, and beyond it as far as makes sense.

    Parameters
    ----------
    each : Input
    money : float
        A large amount of the study, for amounts that may have either sign.
    """
    known = scalar(each.name)
    low, high = known.low, known.high
    if np.isfinite(high) and np.isfinite(low):
        points = [np.linspace(low, high, POINTS), low + (high - low) * np.geomspace(1e-3, 0.1, POINTS // 3)]
    elif np.isfinite(low):
        points = [_beyond(each, low)]
    else:
        side = money * np.geomspace(1e-4, 10, POINTS)
        points = [-side, np.zeros(1), side]
    if not isinstance(each.value, float):
        ends = each.value.ppf(np.array([TAIL, 1 - TAIL]))
        points.append(np.linspace(float(ends[0]), float(ends[1]), POINTS))
    span = high - low if np.isfinite(high - low) else 1.0
    least = low + EDGE * span if known.low_open else low
    most = high - EDGE * span if known.high_open else high
    return np.asarray(np.unique(np.clip(np.concatenate(points), least, most)))


def _beyond(each: Input, low: float) -> Floats:
    """From far below to far above what is believed, evenly in the logarithm; from 0 where that is allowed."""
    if isinstance(each.value, float):
        ends = (each.value / TIMES, each.value * TIMES) if each.value > 0 else _FROM_NOTHING
    else:
        least, most = each.value.ppf(np.array([TAIL, 1 - TAIL]))
        most = max(float(most), 1e-9)
        ends = (max(float(least), most / TIMES**2) / TIMES, most * TIMES)
    return np.concatenate([[low], np.geomspace(*ends, 2 * POINTS)])


def today(each: Input) -> tuple[float, float]:
    """Mean and standard deviation of what is believed of an input; the latter is 0 for a number."""
    if isinstance(each.value, float):
        return each.value, 0.0
    return each.value.mean, each.value.sd


def volume(study: Study) -> tuple[str, ...]:
    """The inputs that the work is proportional to: those that are scaled to change its volume."""
    found = study.workload.inputs
    return tuple(found[key].name for key in ("pflop_hours", "tokens", "baseline_hours") if key in found)
