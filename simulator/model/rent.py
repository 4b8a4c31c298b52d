"""Rent with and without a commitment that is paid whether used or not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import pdtrc

Floats = NDArray[np.float64]


class Rent(NamedTuple):
    """Parts of an option's rent; they add up to rent(T) of docs/model.md, section 4."""

    used: Floats
    unused: Floats


def excess(hours: Floats, committed: Floats) -> Floats:
    """Hours beyond the commitment, max(0, T - Q)."""
    return np.maximum(hours - committed, 0)


def expected_excess(certain: Floats, per_fault: Floats, expected_faults: Floats, committed: Floats) -> Floats:
    """Expected hours beyond the commitment over the luck of faults, E max(0, T - Q) with T = certain + N per_fault.

    Parameters
    ----------
    certain : (draws,) array
        Hours billed without any fault, H + g n C.
    per_fault : (draws,) array
        Instance-hours lost per fault, n l.
    expected_faults : (draws,) array
        Mean of the Poisson count N.
    committed : (draws,) array
        Instance-hours Q of the commitment.

    Returns
    -------
    (draws,) array
        Hours.

    Notes
    -----
    With a = Q - certain > 0 and m the smallest count with N per_fault > a, the sum over the Poisson law is
    per_fault mu P(N >= m - 1) - a P(N >= m), since N P(N) = mu P(N - 1).
    """
    certain, per_fault, mean, committed = np.broadcast_arrays(certain, per_fault, expected_faults, committed)
    room = committed - certain
    linear = per_fault * mean - room
    with np.errstate(divide="ignore", invalid="ignore"):
        enough = np.floor(np.where(per_fault > 0, room / per_fault, 0)) + 1
    reached = np.where((room > 0) & (per_fault > 0) & (mean > 0), enough, 1)
    # P(N >= m - 1) is 1 for m = 1
    at_least_one_less = np.where(reached > 1, pdtrc(np.maximum(reached - 2, 0), mean), 1.0)
    beyond = per_fault * mean * at_least_one_less - room * pdtrc(reached - 1, mean)
    return np.where(room <= 0, linear, np.where((per_fault > 0) & (mean > 0), beyond, 0.0))


def rent(hours: Floats, beyond: Floats, price: Floats, discount: Floats, committed: Floats, resale: Floats) -> Rent:
    """Rent under a commitment, which is linear in the hours and in those beyond it.

    Parameters
    ----------
    hours, beyond : (draws,) array
        Billed instance-hours T, and those beyond the commitment: max(0, T - Q), or the expectations of both.
    price : (draws,) array
        List price p, currency / instance-hour.
    discount : (draws,) array
        Share d off the list price of committed hours, 0 <= d < 1.
    committed : (draws,) array
        Committed instance-hours Q.
    resale : (draws,) array
        Share rho of the discounted price recovered for an unused hour.

    Returns
    -------
    Rent
        (draws,) arrays, currency; Q p (1-d) + max(0, T-Q) p - rho max(0, Q-T) p (1-d), by part.
    """
    paid = price * (1 - discount)
    within = hours - beyond
    return Rent(used=within * paid + beyond * price, unused=(committed - within) * paid * (1 - resale))


def stranded(price: Floats, discount: Floats, committed: Floats, resale: Floats) -> Floats:
    """What a commitment costs that is not used at all, Q p (1-d) (1-rho)."""
    return committed * price * (1 - discount) * (1 - resale)
