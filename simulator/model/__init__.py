"""The cost model of docs/model.md as pure functions on arrays: no files, no studies, no randomness.

Every argument and result is a float or a (draws,) array; shapes follow numpy's broadcasting.
"""

from simulator.model.costs import Bound, Components, Ladder, OptionValues, Rates, blocked, ladder, schedule, through
from simulator.model.hours import Hours, Running, billed, hours_at_rate, hours_at_utilization, pflop_hours, running
from simulator.model.rent import excess, expected_excess, stranded
from simulator.model.slopes import LINEAR, slope_blocked, slope_sunk, slope_through

__all__ = [
    "LINEAR",
    "Bound",
    "Components",
    "Hours",
    "Ladder",
    "OptionValues",
    "Rates",
    "Running",
    "billed",
    "blocked",
    "excess",
    "expected_excess",
    "hours_at_rate",
    "hours_at_utilization",
    "ladder",
    "pflop_hours",
    "running",
    "schedule",
    "slope_blocked",
    "slope_sunk",
    "slope_through",
    "stranded",
    "through",
]
