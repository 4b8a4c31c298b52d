"""What is left of a PoC's worth when it costs money and time: expected net benefit of sampling (ENBS)."""

from __future__ import annotations

from typing import overload

from simulator.decision.voi.estimate import Estimate


@overload
def enbs(
    evsi: float, *, cost: float, now: float = ..., delay: float = ..., horizon: float = ..., meanwhile: float = ...
) -> float: ...
@overload
def enbs(
    evsi: Estimate, *, cost: float, now: float = ..., delay: float = ..., horizon: float = ..., meanwhile: float = ...
) -> Estimate: ...
def enbs(
    evsi: float | Estimate,
    *,
    cost: float,
    now: float = 0.0,
    delay: float = 0.0,
    horizon: float = 1.0,
    meanwhile: float = 0.0,
) -> float | Estimate:
    """Gain of a PoC over deciding now.

    Net benefits accrue evenly over the horizon. While the PoC runs, those of the option kept meanwhile do; afterwards
    those of the informed choice:
    (1 - delay / horizon) (now + evsi) + delay / horizon meanwhile - cost - now.

    Parameters
    ----------
    evsi : float or Estimate
        Value of the data over the whole horizon.
    cost : float
        Of the PoC.
    now : float
        Expected net benefit over the horizon of the option that would be chosen now.
    delay, horizon : float
        How long the decision waits, and for how long it matters, in one unit of time; 0 <= delay <= horizon.
    meanwhile : float
        Net benefit over the horizon of the option in use until the decision; 0 if the others are measured against it.

    Returns
    -------
    float or Estimate
        As `evsi` is, in its unit. Negative if it is better to decide now.
    """
    share = _share(delay, horizon)
    shift = share * now + (1 - share) * meanwhile - cost - now
    return evsi.affine(share, shift) if isinstance(evsi, Estimate) else share * evsi + shift


def break_even_delay(
    evsi: float, *, cost: float, now: float = 0.0, horizon: float = 1.0, meanwhile: float = 0.0
) -> float | None:
    """The delay at which `enbs` is 0; None if the PoC never pays, the horizon if waiting costs it nothing."""
    gain, lost = evsi - cost, now + evsi - meanwhile
    if gain < 0:
        return None
    return horizon * min(1.0, gain / lost) if lost > 0 else horizon


def _share(delay: float, horizon: float) -> float:
    if not 0 <= delay <= horizon or horizon <= 0:
        raise ValueError(f"delay {delay}, horizon {horizon}; expected 0 <= delay <= horizon, horizon > 0")
    return 1 - delay / horizon
