"""From hours to money: the components of an option's TCO, and what a failed migration costs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.model.hours import HOURS_PER_MONTH, HOURS_PER_WEEK, Hours, Running
from simulator.model.rent import rent, stranded

Floats = NDArray[np.float64]


class Rates(NamedTuple):
    """Prices of the study: an engineer's hour r, and a week of schedule v."""

    engineer: Floats
    delay_week: Floats


class Bound(NamedTuple):
    """A commitment: hours Q paid whether used or not, share rho recovered of the unused, and when it is signed."""

    instance_hours: Floats
    resale: Floats
    signed: str


class OptionValues(NamedTuple):
    """The inputs of one option that cost money, by the keys of docs/model.md, section 3."""

    price: Floats
    discount: Floats
    compile_attention: Floats
    engineer_hours: Floats
    upkeep_hours_per_month: Floats
    delay_weeks: Floats
    blocked_spent: Floats
    trial_instance_hours: Floats
    commitment: Bound | None
    other_costs: tuple[tuple[str, Floats], ...]


class Components(NamedTuple):
    """Costs of one option, currency; they add up to its TCO."""

    rent_productive: Floats
    rent_faults: Floats
    rent_compiling: Floats
    unused_commitment: Floats
    sunk: Floats
    labour: Floats
    schedule: Floats
    other: Floats

    def total(self) -> Floats:
        total = self[0]
        for part in self[1:]:
            total = total + part
        return total


def through(
    values: OptionValues, rates: Rates, hours: Hours, beyond: Floats, weeks: Floats, weeks_late: Floats, sunk: Floats
) -> Components:
    """What an option costs when its migration goes through.

    Parameters
    ----------
    values, rates : OptionValues, Rates
        Inputs, (draws,) arrays.
    hours : Hours
        Billed instance-hours by cause, drawn or expected.
    beyond : (draws,) array
        Hours beyond the commitment; not read where there is none.
    weeks : (draws,) array
        The option's schedule.
    weeks_late : (draws,) array
        weeks - weeks of the baseline; 0 for the baseline.
    sunk : (draws,) array
        What the other options' signed commitments cost whatever is chosen.

    Returns
    -------
    Components
        (draws,) arrays, currency. The rent of a commitment is shared out in proportion to the hours by cause.
    """
    if values.commitment is None:
        rate = values.price * (1 - values.discount)
        unused = np.zeros(())
    else:
        bound = values.commitment
        paid = rent(hours.billed, beyond, values.price, values.discount, bound.instance_hours, bound.resale)
        rate = paid.used / hours.billed
        unused = paid.unused
    attention = values.compile_attention * hours.wall_compiling
    upkeep = values.upkeep_hours_per_month * weeks * (HOURS_PER_WEEK / HOURS_PER_MONTH)
    return Components(
        rent_productive=rate * hours.productive,
        rent_faults=rate * hours.faults,
        rent_compiling=rate * hours.compiling,
        unused_commitment=unused,
        sunk=sunk,
        labour=rates.engineer * (values.engineer_hours + attention + upkeep),
        schedule=schedule(rates, weeks_late),
        other=_other(values.other_costs, hours.billed, weeks),
    )


def schedule(rates: Rates, weeks_late: Floats) -> Floats:
    """Cost v (weeks - weeks_baseline) of finishing later; negative when the option is sooner done."""
    return rates.delay_week * weeks_late


def _other(costs: tuple[tuple[str, Floats], ...], billed: Floats, weeks: Floats) -> Floats:
    factor = {"amount": np.ones(()), "per_instance_hour": billed, "per_week": weeks}
    total: Floats = np.zeros(())
    for per, value in costs:
        total = total + value * factor[per]
    return total


def blocked(values: OptionValues, rates: Rates, baseline: Floats) -> Floats:
    """What an option costs when its migration fails and the team goes back.

    Parameters
    ----------
    values, rates : OptionValues, Rates
        Inputs, (draws,) arrays.
    baseline : (draws,) array
        TCO of the baseline, currency.

    Returns
    -------
    (draws,) array
        x r E + rent of the trial + v x D + TCO(baseline). The trial's rent is t p (1 - d) without a commitment,
        the commitment's rent(t) when it is signed before the trial, t p when after it, and rent(t) less what
        TCO(baseline) holds as sunk when it was signed already.
    """
    effort = values.blocked_spent * (rates.engineer * values.engineer_hours + rates.delay_week * values.delay_weeks)
    return effort + _trial_rent(values) + baseline


def _trial_rent(values: OptionValues) -> Floats:
    hours, price, bound = values.trial_instance_hours, values.price, values.commitment
    if bound is None:
        return hours * price * (1 - values.discount)
    if bound.signed == "after_trial":
        return hours * price
    beyond = np.maximum(hours - bound.instance_hours, 0)
    paid = rent(hours, beyond, price, values.discount, bound.instance_hours, bound.resale)
    whole = paid.used + paid.unused
    if bound.signed == "before_trial":
        return whole
    return whole - stranded(price, values.discount, bound.instance_hours, bound.resale)


class Ladder(NamedTuple):
    """Rungs of the waterfall from the list price at peak to the cost when the migration goes through.

    Each is a running total, currency, so that the steps between them add up whatever the draws.
    """

    list_at_peak: Floats
    discount: Floats
    utilization: Floats
    scaling: Floats
    faults: Floats
    compiling: Floats
    commitment: Floats
    labour: Floats
    other: Floats
    delay: Floats


def ladder(
    values: OptionValues, run: Running, hours: Hours, scaling: Floats, utilization: Floats, parts: Components
) -> Ladder:
    """Running totals from the work at peak and list price to the TCO when the migration goes through.

    Parameters
    ----------
    values, run, hours, parts
        As of `through`.
    scaling, utilization : (draws,) array
        Scaling efficiency s, and utilization u; a utilization of 1 where only a measured speed is known, which
        makes that rung a step of zero.

    Returns
    -------
    Ladder
        (draws,) arrays, currency.
    """
    at_peak = run.productive * scaling * utilization
    paid = values.price * (1 - values.discount)
    rents = (parts.rent_productive, parts.rent_faults, parts.rent_compiling, parts.unused_commitment, parts.sunk)
    with_commitment = rents[0] + rents[1] + rents[2] + rents[3] + rents[4]
    with_labour = with_commitment + parts.labour
    with_other = with_labour + parts.other
    return Ladder(
        list_at_peak=at_peak * values.price,
        discount=at_peak * paid,
        utilization=run.productive * scaling * paid,
        scaling=run.productive * paid,
        faults=(run.productive + hours.faults) * paid,
        compiling=hours.billed * paid,
        commitment=with_commitment,
        labour=with_labour,
        other=with_other,
        delay=with_other + parts.schedule,
    )
