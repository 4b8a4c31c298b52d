"""How fast an option's cost grows in each input in which it is linear, the other inputs given.

On these inputs no hour and no fault depends. Keys are those of an option in a study file, and `engineer` and
`delay_week` for the study's rates.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulator.model.costs import OptionValues, Rates
from simulator.model.hours import HOURS_PER_MONTH, HOURS_PER_WEEK, Hours

Floats = NDArray[np.float64]

LINEAR = (
    "engineer_hours",
    "delay_weeks",
    "price",
    "discount",
    "upkeep_hours_per_month",
    "compile_attention",
    "trial_instance_hours",
)
"""Keys of an option in which its cost is linear, and no other option's but through the baseline's schedule and TCO."""

_UPKEEP = HOURS_PER_WEEK / HOURS_PER_MONTH


def slope_through(
    key: str, values: OptionValues, rates: Rates, hours: Hours, beyond: Floats, weeks: Floats, weeks_late: Floats
) -> Floats:
    """Derivative of the cost of an option that goes through, in one of its own linear inputs or a rate.

    Parameters
    ----------
    key : str
        One of `LINEAR`, "engineer" or "delay_week".
    values, rates, hours, beyond, weeks, weeks_late
        As of `through`. A later baseline pays nothing for its schedule: for it `rates.delay_week` is 0.

    Returns
    -------
    (draws,) or 0-d array
    """
    match key:
        case "engineer":
            attention = values.compile_attention * hours.wall_compiling
            return values.engineer_hours + attention + values.upkeep_hours_per_month * weeks * _UPKEEP
        case "delay_week":
            return weeks_late
        case "engineer_hours":
            return rates.engineer
        case "delay_weeks":
            per_week: Floats = rates.engineer * values.upkeep_hours_per_month * _UPKEEP + rates.delay_week
            for per, cost in values.other_costs:
                per_week = per_week + cost if per == "per_week" else per_week
            return per_week
        case "price":
            listed, paid = _rented(values, hours.billed, beyond)
            return listed + (1 - values.discount) * paid
        case "discount":
            return -values.price * _rented(values, hours.billed, beyond)[1]
        case "upkeep_hours_per_month":
            return rates.engineer * weeks * _UPKEEP
        case "compile_attention":
            return rates.engineer * hours.wall_compiling
        case "trial_instance_hours":
            return np.zeros(())
    raise ValueError(f"cost is not linear in {key}")


def slope_blocked(key: str, values: OptionValues, rates: Rates) -> Floats:
    """Derivative of what a failed migration costs beyond the baseline's TCO, in an input as of `slope_through`.

    In the hours of a trial it is linear unless they are set against a commitment.
    """
    match key:
        case "engineer":
            return values.blocked_spent * values.engineer_hours
        case "delay_week":
            return values.blocked_spent * values.delay_weeks
        case "engineer_hours":
            return values.blocked_spent * rates.engineer
        case "delay_weeks":
            return values.blocked_spent * rates.delay_week
        case "price":
            listed, paid = _tried(values)
            return listed + (1 - values.discount) * paid
        case "discount":
            return -values.price * _tried(values)[1]
        case "upkeep_hours_per_month" | "compile_attention":
            return np.zeros(())
        case "trial_instance_hours":
            if values.commitment is not None and values.commitment.signed == "after_trial":
                return values.price
            return values.price * (1 - values.discount)
    raise ValueError(f"cost is not linear in {key}")


def slope_sunk(key: str, price: Floats, discount: Floats, committed: Floats, resale: Floats) -> Floats:
    """Derivative of what another option's signed commitment costs, in that option's price or discount; else 0."""
    match key:
        case "price":
            return committed * (1 - discount) * (1 - resale)
        case "discount":
            return -committed * price * (1 - resale)
    return np.zeros(())


def _rented(values: OptionValues, hours: Floats, beyond: Floats) -> tuple[Floats, Floats]:
    """Instance-hours paid at the list price, and at the discounted one net of what is recovered of the unused."""
    if values.commitment is None:
        return np.zeros(()), hours
    committed, resale, _ = values.commitment
    within = hours - beyond
    return beyond, within + (committed - within) * (1 - resale)


def _tried(values: OptionValues) -> tuple[Floats, Floats]:
    """The same of a trial, less what the baseline's TCO holds as sunk."""
    hours, bound = values.trial_instance_hours, values.commitment
    if bound is None:
        return np.zeros(()), hours
    if bound.signed == "after_trial":
        return hours, np.zeros(())
    listed, paid = _rented(values, hours, np.maximum(hours - bound.instance_hours, 0))
    return listed, paid - bound.instance_hours * (1 - bound.resale) * (bound.signed == "already")
