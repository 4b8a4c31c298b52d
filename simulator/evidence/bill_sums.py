"""Charges of a bill added up by kind, instance type, purchase, region and currency."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

UNREADABLE = "unreadable"
IGNORED = ("heading", "listing", "totals")
ROUNDED_ROWS = 5  # whole amounts in fewer records than this may be chance

# One row a group of charges. Rates divide over the records that hold both terms: what is missing is not 0.
SUMS = f"""
SELECT
    CASE WHEN heading THEN 'heading' WHEN coalesce(bad, unread) IS NOT NULL THEN '{UNREADABLE}' ELSE charge
    END AS charge,
    coalesce(purchase, 'on_demand') AS purchase,
    coalesce(instance, 'unknown') AS instance,
    coalesce(region, 'unknown') AS region,
    coalesce(upper(currency), 'unknown') AS currency,
    sum(_records)::BIGINT AS records, sum(_span)::BIGINT AS span, min(_first) AS first, max(_last) AS last,
    min(_from) AS period_first, max(_to) AS period_last,
    fsum(hours) AS hours, coalesce(sum(_records) FILTER (hours IS NOT NULL), 0)::BIGINT AS with_hours,
    fsum(cash) AS cash, coalesce(sum(_records) FILTER (cash IS NOT NULL), 0)::BIGINT AS with_cash,
    fsum(amortised) AS amortised, coalesce(sum(_records) FILTER (amortised IS NOT NULL), 0)::BIGINT AS with_amortised,
    fsum(hours) FILTER (amortised IS NOT NULL) AS hours_amortised,
    fsum(amortised) FILTER (hours IS NOT NULL) AS amortised_hours,
    fsum(hours) FILTER (cash IS NOT NULL) AS hours_cash,
    fsum(cash) FILTER (hours IS NOT NULL) AS cash_hours,
    fsum(hours) FILTER (list IS NOT NULL) AS hours_list,
    fsum(list) FILTER (hours IS NOT NULL) AS list_hours,
    fsum(net) AS net,
    fsum(hours) FILTER (net IS NOT NULL) AS hours_net,
    fsum(net) FILTER (hours IS NOT NULL) AS net_hours,
    fsum(within) AS within, fsum(bought) AS bought,
    fsum(unused_hours) AS unused_hours, fsum(unused_cost) AS unused_cost,
    fsum(negated) AS negated,
    coalesce(sum(_records) FILTER (correction), 0)::BIGINT AS corrections,
    coalesce(sum(_records) FILTER (open), 0)::BIGINT AS open,
    sum(_fractional_cash)::BIGINT AS fractional_cash,
    sum(_fractional_amortised)::BIGINT AS fractional_amortised,
    min(odd_unit) AS odd_unit,
    coalesce(sum(_records) FILTER (unit_assumed), 0)::BIGINT AS unit_assumed
FROM charges
GROUP BY 1, 2, 3, 4, 5
ORDER BY first
"""


@dataclass(frozen=True, slots=True)
class Sums:
    """A group of charges added up; None where no record of the group holds the number."""

    charge: str
    purchase: str
    instance: str
    region: str
    currency: str
    records: int
    span: int
    first: int
    last: int
    hours: float | None
    with_hours: int
    cash: float | None
    with_cash: int
    amortised: float | None
    with_amortised: int
    hours_amortised: float | None
    amortised_hours: float | None
    hours_cash: float | None
    cash_hours: float | None
    hours_list: float | None
    list_hours: float | None
    net: float | None
    hours_net: float | None
    net_hours: float | None
    within: float | None
    bought: float | None
    unused_hours: float | None
    unused_cost: float | None
    negated: float | None
    corrections: int
    open: int
    fractional_cash: int
    fractional_amortised: int
    odd_unit: str | None
    unit_assumed: int
    period_first: str | None
    period_last: str | None

    @property
    def used(self) -> bool:
        return self.charge not in (*IGNORED, UNREADABLE)

    @property
    def group(self) -> dict[str, str]:
        """What the facts of these charges belong to."""
        if self.charge != "instance":
            kind = {"purchase": self.purchase} if self.charge in ("commitment_fee", "unused_commitment") else {}
            return {"charge": self.charge, **kind, "currency": self.currency}
        return {
            "charge": "instance",
            "instance_type": self.instance,
            "purchase": self.purchase,
            "region": self.region,
            "currency": self.currency,
        }


def rounded(sums: Iterable[Sums]) -> set[str]:
    """Currencies in which amortised cost was rounded to whole units though cash was not.

    Seen in an anonymised FOCUS sample: the difference is a tenth of the bill, and an hour for 0.48 becomes free.
    """
    cash: dict[str, int] = defaultdict(int)
    amortised: dict[str, int] = defaultdict(int)
    for s in sums:
        if s.charge == "instance" and s.with_amortised:
            cash[s.currency] += s.fractional_cash
            amortised[s.currency] += s.fractional_amortised
    return {currency for currency, count in cash.items() if count >= ROUNDED_ROWS and not amortised[currency]}
