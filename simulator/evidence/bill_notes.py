"""What a reader of a bill's facts must know: what was set apart, was missing or cannot be trusted."""

from collections.abc import Iterable, Iterator, Sequence

from simulator.evidence.bill_format import Format
from simulator.evidence.bill_sums import Sums, rounded
from simulator.evidence.bill_table import Table

APART = {
    "tax": "tax",
    "credit": "credits",
    "refund": "refunds",
    "support": "support",
    "discount": "discount line items",
    "adjustment": "adjustments",
    "unknown": "charges of a kind that this reader does not know",
}


def notes(sums: Sequence[Sums], table: Table, form: Format, repeated: int, disputed: int) -> Iterator[str]:
    """Everything that the facts alone would not tell."""
    used = [s for s in sums if s.used]
    cash_name, amortised_name = table.spelling(form.cash), table.spelling(form.amortised)
    periods = [p for s in used for p in (s.period_first, s.period_last) if p]
    if periods:
        yield f"usage from {min(periods)} to {max(periods)}"
    currencies = sorted({s.currency for s in used})
    for currency in currencies:
        mine = [s for s in used if s.currency == currency]
        yield f"{cash_name} of all records: {_total(s.cash for s in mine):,.4f} {currency}"
        yield from _apart(mine, currency)
        yield from _commitments(mine, currency)
        if currency in rounded(sums):
            whole = [s for s in mine if s.charge == "instance"]
            sizes = f"{_total(s.amortised for s in whole):,.2f} against {_total(s.cash for s in whole):,.4f} {currency}"
            yield (
                f"every {amortised_name} of an instance is a whole number while {cash_name} is not: it was rounded "
                f"({sizes}), so no amortised cost is given and rates rest on {cash_name}"
            )
    if len(currencies) > 1:
        yield f"more than one currency ({', '.join(currencies)}): kept apart, never added"
    if "unknown" in currencies:
        yield "records without a currency: their money is in a unit that the file does not tell"
    yield from _machines([s for s in used if s.charge == "instance"])
    yield from _records(sums, used, repeated, disputed)


def _apart(mine: Sequence[Sums], currency: str) -> Iterator[str]:
    for charge, name in APART.items():
        if apart := [s for s in mine if s.charge == charge]:
            count = sum(s.records for s in apart)
            yield f"set apart: {name}, {count:,} records, {_total(s.cash for s in apart):,.4f} {currency}"


def _commitments(mine: Sequence[Sums], currency: str) -> Iterator[str]:
    idle = [s for s in mine if s.purchase.startswith("unused") or s.unused_cost is not None]
    if idle:
        lost = _total(s.unused_cost for s in idle)
        lost += _total(s.amortised for s in idle if s.purchase.startswith("unused"))
        yield f"commitments paid and not used: {lost:,.4f} {currency}"
    negated = _total(s.negated for s in mine)
    if abs(negated) > 0.005 * _total(abs(s.negated) for s in mine if s.negated is not None):
        yield f"covered usage and its negation differ by {negated:,.4f} {currency}: the export is not whole"


def _machines(machines: Sequence[Sums]) -> Iterator[str]:
    for s in machines:
        hours = f"{s.hours or 0:,.2f} hours"
        if s.odd_unit:
            yield f"{s.instance} is billed in {s.odd_unit}, not in hours: its hours are unknown"
        if s.within is not None:
            yield f"capacity blocks of {s.instance}: {hours} bought, {s.within:,.2f} of them used"
        elif s.purchase == "capacity_block" and not s.amortised:
            yield f"capacity blocks of {s.instance}: {hours} at no charge; their fee is in another bill"
        elif s.purchase == "capacity_block" and s.amortised and not s.bought:
            each = f", {s.amortised / s.hours:,.2f} for each of the {hours} used here" if s.hours else ""
            yield (
                f"capacity blocks of {s.instance} cost {s.amortised:,.2f} {s.currency}{each}; the bill does not say "
                "how many hours were bought: the reservation tells their price"
            )
        if s.purchase == "no_charge":
            yield f"{hours} of {s.instance} at no charge: kept out of the rate of hours paid on demand"
    if assumed := sum(s.unit_assumed for s in machines):
        yield f"no unit in {assumed:,} instance records: taken as hours"
    for name, count in (
        ("amortised cost", sum(s.records - s.with_amortised for s in machines)),
        ("cash cost", sum(s.records - s.with_cash for s in machines)),
    ):
        if count:
            yield f"{name} is missing, not 0, in {count:,} instance records"


def _records(sums: Sequence[Sums], used: Sequence[Sums], repeated: int, disputed: int) -> Iterator[str]:
    counted = (
        (sum(s.corrections for s in used), "corrections of earlier periods, applied with their sign"),
        (sum(s.open for s in used), "records carry no invoice number: the bill is not final"),
        (repeated, "records repeat another one in every respect: merged"),
        (disputed, "records share their identity with another one but differ from it: all are counted"),
        (
            sum(s.records for s in sums if s.charge == "listing"),
            "records list reserved capacity at no cost: its hours are billed as used or unused elsewhere",
        ),
        (
            sum(s.records for s in sums if s.charge == "heading"),
            "headers inside the file: it was put together from several",
        ),
        (sum(s.records for s in sums if s.charge == "totals"), "rows of totals, not counted"),
    )
    for count, what in counted:
        if count:
            yield f"{count:,} {what}"


def _total(values: Iterable[float | None]) -> float:
    return sum(value for value in values if value is not None)
