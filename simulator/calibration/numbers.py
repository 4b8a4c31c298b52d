"""Evidence that the study gives as numbers: which model an input's data have."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from simulator.calibration.discrepancy import Discrepancy, Scale, default
from simulator.calibration.models import Counts, Durations, Model, Shares
from simulator.calibration.models.counts import CLUMPING
from simulator.calibration.models.means import BETWEEN_RUNS, NOISE, of_moments, of_values
from simulator.calibration.observation import Observation, Quantity
from simulator.study import canonical
from simulator.study.said import Said, Series

if TYPE_CHECKING:
    from simulator.study import Input, Study
    from simulator.study.sections import Evidence

RUNS = ("utilization", "tokens_per_second", "scaling_efficiency")
"""Inputs that differ from run to run."""
DURATIONS = ("compile_minutes", "hours_lost_per_fault")
PROBABILITIES = ("share", "probability")
HOURS_A_DAY = 8.0
"""Engineers' hours of a day, in which recompilations are counted."""

Complain = Callable[[str, str, str], Exception]
"""Makes the error about a key of the evidence: key, found, expected."""


def short(name: str) -> str:
    """The key of an input: `utilization` of `trn2.utilization`."""
    return name.rpartition(".")[2]


def observation(study: Study, place: int, evidence: Evidence, complain: Complain) -> Observation:
    """The observation that an `[[evidence]]` with numbers gives.

    Raises
    ------
    Exception
        What `complain` makes, where the input cannot be learned or the numbers do not fit it.
    """
    name = canonical(evidence.input or "")
    given = study.inputs[name]
    if isinstance(given.value, float):
        raise complain("input", f"{name} is the number {given.value:g}", "an uncertain input: give it a distribution")
    if given.luck:
        raise complain("input", f"{name} is luck, which no measuring reduces", "an input without luck = true")
    model = _model(given, evidence, complain)
    return Observation(
        place, _label(name, evidence), _quantity(study, name, given), model, _discrepancy(given, evidence)
    )


def _quantity(study: Study, name: str, given: Input) -> Quantity:
    """The input itself; recompilations per engineer-day where the migration's hours are known."""
    option, _, key = name.rpartition(".")
    if key == "recompiles":
        return per_engineer_day(study, option)
    return Quantity.input(name, given.unit)


def per_engineer_day(study: Study, option: str) -> Quantity:
    """Recompilations per day of an engineer's work: the project's, over the project's days."""
    name, hours = f"{option}.recompiles", f"{option}.engineer_hours"
    inputs = (name, hours) if not isinstance(study.inputs[hours].value, float) else (name,)
    return Quantity(name, "recompiles/engineer-day", inputs, lambda values: HOURS_A_DAY * values[name] / values[hours])


def _model(given: Input, evidence: Evidence, complain: Complain) -> Model:
    key = short(given.name)
    if evidence.events is not None:
        exposure = float(evidence.exposure_hours or 0.0)
        if key == "faults_per_1000h":
            return Counts((evidence.events,), (exposure / 1000,))
        if key == "recompiles":
            return Counts((evidence.events,), (exposure / HOURS_A_DAY,), CLUMPING)
        raise complain("events", f"events for {given.name}", "faults_per_1000h or recompiles as the input")
    if evidence.successes is not None:
        if given.unit not in PROBABILITIES:
            raise complain("successes", f"successes for {given.name}, in {given.unit}", "a share or a probability")
        if evidence.successes > (evidence.trials or 0):
            raise complain("successes", f"{evidence.successes} of {evidence.trials}", "at most as many as the trials")
        return Shares(evidence.successes, int(evidence.trials or 0))
    if evidence.values is not None:
        return _of_values(given, np.array(evidence.values), complain)
    return _of_moments(given, evidence, complain)


def _of_values(given: Input, values: np.ndarray[tuple[int], np.dtype[np.float64]], complain: Complain) -> Model:
    key, scale = short(given.name), scale_of(given)
    if not values.size:
        raise complain("values", "an empty list", "one value or more")
    if scale != "additive" and values.min() <= 0:
        raise complain("values", f"{values.min():g}", f"values above 0, as {given.name} has")
    if key in DURATIONS:
        return Durations(tuple(map(float, values)), (False,) * values.size, (1.0,) * values.size)
    if key == "recompiles":
        raise complain("values", "values for recompiles", "events, and exposure_hours of engineers in which they were")
    return of_values(values, "natural" if scale == "additive" else "log", BETWEEN_RUNS if key in RUNS else 0.0, NOISE)


def _of_moments(given: Input, evidence: Evidence, complain: Complain) -> Model:
    mean, sd, n, scale = float(evidence.mean or 0.0), float(evidence.sd or 0.0), int(evidence.n or 1), scale_of(given)
    if scale != "additive" and mean <= 0:
        raise complain("mean", f"{mean:g}", f"a mean above 0, as {given.name} has")
    if short(given.name) == "recompiles":
        raise complain("mean", "a mean for recompiles", "events, and exposure_hours of engineers in which they were")
    noise = BETWEEN_RUNS if short(given.name) in RUNS else NOISE
    if scale == "additive":
        noise *= abs(mean) or 1.0
    return of_moments(mean, sd, n, "natural" if scale == "additive" else "log", noise)


def scale_of(given: Input) -> Scale:
    """On which scale an input's discrepancy and noise act."""
    if given.unit == "probability":
        return "log_odds"
    low = 0.0 if isinstance(given.value, float) else given.value.support[0]
    return "log" if low >= 0 else "additive"


def _discrepancy(given: Input, evidence: Evidence) -> Discrepancy:
    sd = default(short(given.name)) if evidence.discrepancy is None else evidence.discrepancy
    scale = scale_of(given)
    if scale == "log_odds" and evidence.successes is None:
        scale = "log"
    if scale == "additive":
        told = evidence.mean if evidence.values is None else float(np.mean(evidence.values))
        sd *= abs(told or 0.0)
    return Discrepancy(sd, scale)


def _label(name: str, evidence: Evidence) -> Said:
    if evidence.events is not None:
        told = Said("{events} events in {hours:g} h", events=evidence.events, hours=evidence.exposure_hours)
    elif evidence.successes is not None:
        told = Said("{events} of {trials}", events=evidence.successes, trials=evidence.trials)
    elif evidence.values is not None:
        values, more = Series(", ", (f"{value:g}" for value in evidence.values[:4])), len(evidence.values) - 4
        told = (
            Said("measured {values} and {more} more", values=values, more=more)
            if more > 0
            else Said("measured {values}", values=values)
        )
    else:
        told = Said("mean {mean:g}, sd {sd:g}, n {n}", mean=evidence.mean, sd=evidence.sd, n=evidence.n)
    return Said("{what}: {told}", what=name, told=told)
