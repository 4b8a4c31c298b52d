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
}


def notes(sums: Sequence[Sums], table: Table, form: Format, repeated: int, disputed: int) -> Iterator[str]:
    """What a reader of the facts must know."""
    used = [s for s in sums if s.used]
    cash_name, amortised_name = table.spelling(form.cash), table.spelling(form.amortised)
    periods = [p for s in used for p in (s.period_first, s.period_last) if p]
    if periods:
        yield f"usage from {min(periods)} to {max(periods)}"
    for currency in sorted({s.currency for s in used}):
        mine = [s for s in used if s.currency == currency]
        yield f"{cash_name} of all records: {_total(s.cash for s in mine):,.4f} {currency}"
        for charge, name in APART.items():
            if apart := [s for s in mine if s.charge == charge]:
                count = sum(s.records for s in apart)
                yield f"set apart: {name}, {count:,} records, {_total(s.cash for s in apart):,.4f} {currency}"
        unused = _total(s.unused_cost for s in mine) + _total(
            s.amortised for s in mine if s.purchase.startswith("unused")
        )
        if any(s.unused_cost is not None or s.purchase.startswith("unused") for s in mine):
            yield f"commitments paid and not used: {unused:,.4f} {currency}"
        negated = _total(s.negated for s in mine)
        if abs(negated) > 0.005 * _total(abs(s.negated) for s in mine if s.negated is not None):
            yield f"covered usage and its negation differ by {negated:,.4f} {currency}: the export is not whole"
        if currency in rounded(sums):
            machines = [s for s in mine if s.charge == "instance"]
            yield (
                f"every {amortised_name} of an instance is a whole number while {cash_name} is not: it was rounded "
                f"({_total(s.amortised for s in machines):,.2f} against {_total(s.cash for s in machines):,.4f} "
                f"{currency}), so no amortised cost is given and rates rest on {cash_name}"
            )
    currencies = sorted({s.currency for s in used})
    if len(currencies) > 1:
        yield f"more than one currency ({', '.join(currencies)}): kept apart, never added"
    if corrections := sum(s.corrections for s in used):
        yield f"{corrections:,} corrections of earlier periods, applied with their sign"
    for s in used:
        if s.odd_unit:
            yield f"{s.instance} is billed in {s.odd_unit}, not in hours: its hours are unknown"
    if assumed := sum(s.unit_assumed for s in used):
        yield f"no unit in {assumed:,} instance records: taken as hours"
    if count := sum(s.records - s.with_amortised for s in used if s.charge == "instance"):
        yield f"amortised cost is missing, not 0, in {count:,} instance records"
    if net := [s for s in used if s.net is not None]:
        yield f"after the discounts that the bill spreads (net): {_total(s.net for s in net):,.4f} in all"
    if opened := sum(s.open for s in used):
        yield f"not final: {opened:,} records carry no invoice number"
    if repeated:
        yield f"{repeated:,} records repeat another one in every respect: merged"
    if disputed:
        yield f"{disputed:,} records share their identity with another one but differ from it: all are counted"
    if listed := sum(s.records for s in sums if s.charge == "listing"):
        yield f"{listed:,} records list reserved capacity at no cost; its hours are billed as used or unused elsewhere"
    if headings := sum(s.records for s in sums if s.charge == "heading"):
        yield f"the header is repeated {headings:,} times inside the file: the file was put together from several"


def _total(values: Iterable[float | None]) -> float:
    return sum(value for value in values if value is not None)
