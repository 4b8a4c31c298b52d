"""How fast each option's cost grows in one input of the study, whichever option that input belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator import model
from simulator.engine.outcome import Outcome, Work, rates, values
from simulator.study import Option, Study

Floats = NDArray[np.float64]

_ZERO = np.zeros(())


class Place(NamedTuple):
    """Where an input stands in the model: an option's key or the number of its other cost; a rate has no owner."""

    owner: str | None
    key: str | int


class Slope(NamedTuple):
    """Derivative of an option's cost when it goes through and when it is blocked, (draws,) or 0-d arrays."""

    through: Floats
    blocked: Floats


def linear_inputs(study: Study, option: Option) -> dict[str, Place]:
    """Inputs by name in which the cost of an option against the baseline's is linear, the others given."""
    found = {
        study.engineer_rate.name: Place(None, "engineer"),
        study.delay_week_rate.name: Place(None, "delay_week"),
    }
    for each in (option, study.options[study.baseline]):
        for key in model.LINEAR:
            if key != "trial_instance_hours" or _trial_is_linear(each):
                found[each.inputs[key].name] = Place(each.name, key)
        found |= {cost.value.name: Place(each.name, i) for i, cost in enumerate(each.other_costs)}
    return found


def _trial_is_linear(option: Option) -> bool:
    """A trial that is set against a commitment costs nothing up to the hours that were signed for."""
    return option.commitment is None or option.commitment.signed == "after_trial"


def baseline_slope(study: Study, place: Place, columns: Mapping[str, Floats], done: Work, found: Outcome) -> Slope:
    """Derivative of the baseline's cost in the input at a place."""
    own = _through(study, study.options[study.baseline], place, columns, done, found.weeks, found.weeks)
    return Slope(own, own)


def candidate_slope(
    study: Study,
    name: str,
    place: Place,
    columns: Mapping[str, Floats],
    done: Work,
    weeks: Floats,
    weeks_baseline: Floats,
    baseline: Slope,
) -> Slope:
    """Derivative of a candidate's cost in the input at a place; what is blocked costs the baseline's TCO too."""
    option = study.options[name]
    through = _through(study, option, place, columns, done, weeks, weeks_baseline)
    if place.owner == study.baseline and place.key == "delay_weeks":
        through = through - rates(study, columns).delay_week
    blocked = baseline.through
    if place.owner in (None, name) and isinstance(place.key, str):
        blocked = blocked + model.slope_blocked(place.key, values(option, columns), rates(study, columns))
    return Slope(through, blocked)


def _through(
    study: Study,
    option: Option,
    place: Place,
    columns: Mapping[str, Floats],
    done: Work,
    weeks: Floats,
    weeks_baseline: Floats,
) -> Floats:
    owner, key = place
    if owner is not None and owner != option.name:
        return _sunk(study.options[owner], key, columns)
    if isinstance(key, int):
        factor = {"amount": np.ones(()), "per_instance_hour": done.hours.billed, "per_week": weeks}
        return factor[option.other_costs[key].per]
    prices = rates(study, columns)
    if option.name == study.baseline:
        prices = prices._replace(delay_week=_ZERO)
    late = weeks - weeks_baseline if key == "delay_week" else _ZERO
    return model.slope_through(key, values(option, columns), prices, done.hours, done.beyond, weeks, late)


def _sunk(owner: Option, key: str | int, columns: Mapping[str, Floats]) -> Floats:
    bound = owner.commitment
    if bound is None or bound.signed != "already" or isinstance(key, int):
        return _ZERO
    price, discount = (columns[owner.inputs[each].name] for each in ("price", "discount"))
    return model.slope_sunk(key, price, discount, columns[bound.instance_hours.name], columns[bound.resale.name])
