"""The steady state of a run, and what is set apart from it and why."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.evidence.run import REASONS, Run

WARM_UP_PLACES = 10  # first prints of a segment that may still be warming up
WARM_UP = 1.10  # ... as long as they are this much slower than the steady median
DISTURBED = 1.02  # slower than this after a checkpoint, an evaluation or a profiler dump: the event is in the step
STALLED = 3.0  # slower than this with no event in sight: a hang, not training

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Steady:
    """Which printed steps are steady, and which were set apart: reason -> mask."""

    mask: Bools
    apart: Mapping[str, Bools]


def separate(run: Run) -> Steady:
    """Split a run's steps into the steady state and what stands apart from it.

    A step is as slow as the worst of what its line tells: seconds (per sample where the batch is known) and rates, each
    against the median of the undisturbed steps. Warm-up: the first print of a run or of a resumption, and prints right
    after it that are over 10 % slower. Events: a step after a checkpoint, an evaluation or a profiler dump, if it is
    over 2 % slower. Stalls: three times slower.
    """
    place, segment, reason = run.column("place"), run.column("segment"), run.column("reason")
    paces = [pace for pace in _paces(run) if np.isfinite(pace).any()]
    if not paces:
        return Steady(np.ones(place.size, dtype=bool), {})
    begins = np.array([_begins(run, index) for index in range(len(run.segments))], dtype=bool)
    first = (place == 0) & begins[segment.astype(int)]
    slowness = np.full(place.size, np.nan)
    for pace in paces:
        quiet = np.isfinite(pace) & ~first & (reason == 0)
        quiet = quiet if quiet.any() else np.isfinite(pace) & ~first
        if quiet.any():
            slowness = np.fmax(slowness, pace / np.median(pace[quiet]))
    apart: dict[str, Bools] = {"warm-up": first | _leading(place, segment, slowness > WARM_UP, first)}
    for index, name in enumerate(REASONS):
        if index:
            apart[name] = (reason == index) & (slowness > DISTURBED) & ~apart["warm-up"]
    apart["stall"] = (slowness > STALLED) & ~np.logical_or.reduce(list(apart.values()))
    taken = np.logical_or.reduce(list(apart.values()))
    return Steady(~taken, {name: mask for name, mask in apart.items() if mask.any()})


def _paces(run: Run) -> tuple[Floats, ...]:
    seconds, batch = run.column("seconds"), run.column("batch")
    return seconds / filled(batch, 1.0), 1 / run.column("tokens_rate"), 1 / run.column("samples_rate")


def filled(batch: Floats, otherwise: float) -> Floats:
    """The batch of each step; where a line was cut before it, the run's median."""
    known = batch[np.isfinite(batch)]
    return np.where(np.isfinite(batch), batch, np.median(known) if known.size else otherwise)


def _begins(run: Run, index: int) -> bool:
    """Whether the first print of a segment carries a start: step 1, a resumption, a bar's time from its own zero."""
    segment = run.segments[index]
    if run.first_step.elapsed is not None and run.count > 1:
        return True
    return segment.after_restart or segment.first <= max(run.interval, 1)


def _leading(place: Floats, segment: Floats, slow: Bools, first: Bools) -> Bools:
    """Slow prints that follow the start of a segment without a break, within its first `WARM_UP_PLACES`."""
    leading = np.zeros(place.size, dtype=bool)
    going, current = False, -1.0
    for i in np.flatnonzero(place < WARM_UP_PLACES):
        if segment[i] != current:
            going, current = True, segment[i]
        going = going and bool(slow[i] or first[i])
        leading[i] = going and bool(slow[i])
    return leading
