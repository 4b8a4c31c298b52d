"""Sums of a bill's charges -> facts."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from simulator.evidence.bill_format import Format
from simulator.evidence.bill_sums import Sums, rounded
from simulator.evidence.bill_table import Table
from simulator.evidence.reading import Fact

SHORTEST = 1e-6  # hours; a rate over less than a billed second is noise


def facts(sums: Sequence[Sums], form: Format, table: Table) -> Iterator[Fact]:
    """Hours, costs and rates of each group; the cash of all facts adds up to the bill, currency by currency."""
    untrusted = rounded(sums)
    cash_name, amortised_name = table.spelling(form.cash), table.spelling(form.amortised)
    for s in _by_group(s for s in sums if s.used):
        lines, group, money = (s.first, s.last), s.group, s.currency
        trusted = s.currency not in untrusted
        if s.charge == "instance" and s.hours is not None:
            basis = f"usage in hours{_short(s.with_hours, s.records)}"
            yield Fact("billed_hours", s.hours, "instance-hours", s.with_hours, lines=lines, basis=basis, group=group)
        if s.cash is not None:
            basis = f"{cash_name}{_short(s.with_cash, s.records)}"
            yield Fact("cost_cash", s.cash, money, s.with_cash, lines=lines, basis=basis, group=group)
        if s.amortised is not None and trusted:
            basis = f"{amortised_name}{_short(s.with_amortised, s.records)}"
            yield Fact("cost_amortised", s.amortised, money, s.with_amortised, lines=lines, basis=basis, group=group)
        if s.charge == "instance":
            yield from _rates(s, trusted, cash_name, amortised_name)
        if s.unused_cost is not None or s.unused_hours:
            yield from _unused(s)


def _rates(s: Sums, trusted: bool, cash_name: str, amortised_name: str) -> Iterator[Fact]:
    """Effective, net and list rate of the hours of one group; none where the money or the hours are not known."""
    lines, unit = (s.first, s.last), f"{s.currency}/instance-hour"
    for price, cost, hours, basis in _prices(s, trusted, cash_name, amortised_name):
        if cost is not None and hours and hours > SHORTEST:
            group = {**s.group, "price": price}
            yield Fact("rate_per_hour", cost / hours, unit, s.with_hours, lines=lines, basis=basis, group=group)


def _prices(
    s: Sums, trusted: bool, cash_name: str, amortised_name: str
) -> Iterator[tuple[str, float | None, float | None, str]]:
    if s.purchase == "no_charge":
        return
    cost, hours, basis = s.amortised_hours, s.hours_amortised, f"{amortised_name} / hours"
    if s.purchase == "capacity_block":
        # Paid when it is bought, used at no charge. Hours used are no measure of hours bought, which may lie elsewhere.
        cost, hours = (s.amortised if trusted else s.cash) or None, s.bought
    elif not trusted:
        # What covered hours cost was rounded away, and nothing is invoiced for them.
        covered = s.purchase in ("savings_plan", "reserved") and not s.cash_hours
        cost, hours = None if covered else s.cash_hours, s.hours_cash
    if not trusted:
        basis = f"{cash_name} / hours, as {amortised_name} is rounded"
    yield "effective", cost, hours, basis
    yield "net", s.net_hours, s.hours_net, "after the discounts that the bill spreads over its records"
    if s.purchase != "capacity_block":
        discount = ""
        if cost is not None and hours and s.list_hours and s.hours_list:
            discount = f": a discount of {1 - cost / hours / (s.list_hours / s.hours_list):.1%}"
        yield "list", s.list_hours or None, s.hours_list, f"list price of the same hours{discount}"


def _unused(s: Sums) -> Iterator[Fact]:
    """The part of a commitment that was paid and not used, which a fee's own line tells."""
    lines = (s.first, s.last)
    purchase = "unused_savings_plan" if s.purchase == "savings_plan" else "unused_reservation"
    group = {**s.group, "purchase": purchase}
    if s.unused_hours is not None:
        basis = "unused quantity of a reservation's fee"
        yield Fact("billed_hours", s.unused_hours, "instance-hours", s.records, lines=lines, basis=basis, group=group)
    if s.unused_cost is not None:
        basis = "commitment paid less commitment used"
        yield Fact("cost_amortised", s.unused_cost, s.currency, s.records, lines=lines, basis=basis, group=group)


def _by_group(sums: Iterable[Sums]) -> Iterator[Sums]:
    """Sums with one group each: instance and region mean nothing to taxes or fees, so those fall together."""
    found: dict[tuple[tuple[str, str], ...], Sums] = {}
    for s in sums:
        key = tuple(s.group.items())
        found[key] = _joined(found[key], s) if key in found else s
    yield from found.values()


def _joined(a: Sums, b: Sums) -> Sums:
    values: dict[str, Any] = {}
    for name in Sums.__slots__:
        x, y = getattr(a, name), getattr(b, name)
        if name in ("first", "period_first"):
            values[name] = min((v for v in (x, y) if v is not None), default=None)
        elif name in ("last", "period_last"):
            values[name] = max((v for v in (x, y) if v is not None), default=None)
        elif isinstance(x, str) or isinstance(y, str):
            values[name] = x
        else:
            values[name] = x if y is None else y if x is None else x + y
    return Sums(**values)


def _short(known: int, records: int) -> str:
    return "" if known == records else f"; missing, not 0, in {records - known:,} of {records:,} records"
