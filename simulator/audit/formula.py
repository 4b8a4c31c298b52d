"""Shortcuts that circulate in place of a cost model, written out so that the audit can recognise and refute them."""

from __future__ import annotations


def price_gap(price: float, peak: float, base_price: float, base_peak: float) -> float:
    """By how much a price per PFLOP/s lies below the baseline's: 1 - (p / F) / (p0 / F0)."""
    return 1 - (price / peak) / (base_price / base_peak)


def naive_total(price: float, hours: float, utilization: float, labour: float) -> float:
    """Rent, labour and `waste` = rent x (1 / utilization - 1).

    The hours were run at that utilization, so the waste is in them already: this counts it twice. And the hours are
    the same for every option, however fast it is.
    """
    rent = price * hours
    return rent + labour + rent * (1 / utilization - 1)


def consistent_total(price: float, hours: float, speed: float, waste: float, labour: float) -> float:
    """The same figures in order: hours of the baseline over the relative speed, lengthened by the waste, and labour."""
    return price * hours / speed / (1 - waste) + labour


def break_even_hours(
    price: float, speed: float, waste: float, labour: float,
    base_price: float, base_waste: float, base_labour: float, saving_share: float = 0.0,
) -> float | None:  # fmt: skip
    """Baseline hours at which `consistent_total` saves this share; None when no volume does."""
    kept = 1 - saving_share
    hourly = kept * base_price / (1 - base_waste) - price / speed / (1 - waste)
    extra = labour - kept * base_labour
    return extra / hourly if hourly > 0 else None
