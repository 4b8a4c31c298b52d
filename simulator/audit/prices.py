"""Prices belong to an instance type, a way of buying and a date, and two options must be bought the same way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from simulator.audit.finding import Case, Finding
from simulator.audit.reference import Quote
from simulator.audit.schedule import expected_days
from simulator.study import Input
from simulator.study.said import Said, Series

STALE = timedelta(days=180)  # Capacity Blocks were repriced twice in 2026; list prices fell by 44 % in a day of 2025
EQUAL = 0.001  # relative; prices are quoted to the cent
CLOSE = 0.01


def price_is_old(case: Case) -> Iterator[Finding]:
    """A price whose date lies more than 180 days before the study's, or that has none."""
    for option, price in case.inputs("price"):
        origin, today = price.provenance, case.study.as_of
        where = case.where(option.name, "price")
        if origin is None or origin.as_of is None:
            yield Finding(
                code="price_undated",
                severity="warning",
                where=where,
                message=Said("the price of {option} has no date", option=option.name),
                source=origin.source if origin else None,
                advice=Said("Write {{value, kind, region, as_of, source}}, or refer to an entry of the library."),
            )
        elif today is not None and today - origin.as_of > STALE:
            yield Finding(
                code="price_is_old",
                severity="warning",
                where=where,
                message=Said(
                    "the price of {option} is {days} days old at the study's date",
                    option=option.name,
                    days=(today - origin.as_of).days,
                ),
                arithmetic=Said(
                    "{today} - {dated} = {days} days > {stale}",
                    today=today,
                    dated=origin.as_of,
                    days=(today - origin.as_of).days,
                    stale=STALE.days,
                ),
                source=origin.source,
                advice=Said("Ask for today's price before signing, and try it with `--set`."),
            )


def price_cannot_be_bought(case: Case) -> Iterator[Finding]:
    """A purchase kind that is not on sale for this hardware, or not for as long as the run takes."""
    for name, kind, where in _kinds(case):
        missing = (
            each for each in case.reference.absent() if (each.hardware, each.kind) == (case.hardware(name), kind)
        )
        for each in missing:
            yield Finding(
                code="price_not_on_sale",
                severity="warning",
                where=where,
                message=Said(
                    "{instance} has no {kind} price: {reason}",
                    instance=each.instance,
                    kind=kind,
                    reason=each.reason,
                ),
                source=each.source,
                advice=Said("Use a price that somebody offers, or name the quote that this one is from."),
            )
        longest, days = case.reference.number(f"terms/{kind}/days"), expected_days(case.study, name)
        if longest is not None and days is not None and days > longest:
            yield Finding(
                code="price_term_too_short",
                severity="warning",
                where=where,
                message=Said(
                    "the run on {option} takes longer than a {kind} can be bought for", option=name, kind=kind
                ),
                arithmetic=Said(
                    "about {days:.0f} days at the means of the inputs > {longest:.0f}", days=days, longest=longest
                ),
                source=case.reference.source(f"terms/{kind}/days"),
                advice=Said("Use more instances, or a way of buying that lasts."),
            )


def _kinds(case: Case) -> Iterator[tuple[str, str, str]]:
    for option, price in case.inputs("price"):
        if (kind := _kind(price)) is not None:
            yield option.name, kind, case.where(option.name, "price")
    for name, facts in case.stated().items():
        if facts.kind is not None:
            yield name, facts.kind, f"reported.{name}.kind"


def _kind(price: Input) -> str | None:
    return price.provenance.kind if price.provenance else None


def price_belongs_elsewhere(case: Case) -> Iterator[Finding]:
    """A price that is on record for another instance type, for this one until some date, or not at all."""
    for option, price in case.inputs("price"):
        origin = price.provenance
        if isinstance(price.value, float) and not (origin and origin.prior):
            dated = (origin.as_of if origin else None) or case.study.as_of
            yield from _elsewhere(case, option.name, price.value, case.where(option.name, "price"), dated)
    for name, facts in case.stated().items():
        if facts.price is not None:
            yield from _elsewhere(case, name, facts.price, f"reported.{name}.price", facts.as_of or case.study.as_of)


def _elsewhere(case: Case, name: str, value: float, where: str, dated: date | None) -> Iterator[Finding]:
    hardware, instance, quotes = case.hardware(name), case.instance(name), case.reference.quotes
    near = sorted(quotes, key=lambda quote: quote.off(value))
    own = [quote for quote in near if quote.of(hardware, instance) and quote.off(value) <= CLOSE]
    if hardware is None or any(quote.held(dated) for quote in own):
        return
    chips = next((peak.chips for peak in case.reference.peaks if peak.instance == instance), 1)
    whole = [quote for quote in quotes if quote.of(hardware, instance) and quote.off(value * chips) <= EQUAL]
    record = _record(quotes, hardware, _kind(case.study.options[name].inputs["price"]))
    if own:
        yield Finding(
            code="price_of_another_date",
            severity="warning",
            where=where,
            message=Said(
                "{value:g} was the price of {instance} at another time", value=value, instance=own[0].instance
            ),
            arithmetic=Said("{quote}; dated {dated}; {record}", quote=own[0].label, dated=dated, record=record),
            source=own[0].source,
            advice=Said("Use the price of the day on which the hours will be bought."),
        )
    elif whole and chips > 1:
        yield Finding(
            code="price_of_a_chip",
            severity="error",
            where=where,
            message=Said(
                "{value:g} is the price of one chip of {instance}, not of the instance", value=value, instance=instance
            ),
            arithmetic=Said(
                "{value:g} x {chips} = {whole:g}; {quote}",
                value=value,
                chips=chips,
                whole=value * chips,
                quote=whole[0].label,
            ),
            source=whole[0].source,
            advice=Said(
                "Use {whole:g}: prices, peaks and speeds are those of the whole billed node.", whole=value * chips
            ),
        )
    elif near[0].off(value) <= EQUAL:
        yield Finding(
            code="price_of_another_instance",
            severity="error",
            where=where,
            message=Said(
                "{value:g} is the price of another instance type, {instance}", value=value, instance=near[0].instance
            ),
            arithmetic=Said("{quote}; {record}", quote=near[0].label, record=record),
            source=near[0].source,
            advice=Said("Use the price of the instance that does the work."),
        )
    else:
        yield Finding(
            code="price_not_on_record",
            severity="info",
            where=where,
            message=Said(
                "no quote on record for {option} is within {close:.0%} of {value:g}",
                option=name,
                close=CLOSE,
                value=value,
            ),
            arithmetic=Said(
                "the nearest of all, {off:.1%} off: {quote}; {record}",
                off=near[0].off(value),
                quote=near[0].label,
                record=record,
            ),
            source=near[0].source,
            advice=Said("Name where it was offered, to whom and when."),
        )


def _record(quotes: Sequence[Quote], hardware: str, kind: str | None) -> Said:
    """Its standard instance's quotes of this kind, or, where there are none, those of today."""
    standard = [quote for quote in quotes if quote.hardware == hardware and quote.name.count("/") == 2]
    shown = [quote for quote in standard if quote.kind == kind] or [quote for quote in standard if quote.until is None]
    return Said("on record: {quotes}", quotes=Series(", ", (quote.label for quote in shown)))


def price_bases_differ(case: Case) -> Iterator[Finding]:
    """Options that are bought in different ways: part of their difference is that of the ways, not of the hardware."""
    kinds = {name: _kind(option.inputs["price"]) for name, option in case.study.options.items()}
    if len({kind for kind in kinds.values() if kind is not None}) < 2 or not any(case.inputs("price")):
        return
    yield Finding(
        code="price_bases_differ",
        severity="info" if case.scenario else "warning",
        where=f"scenarios.{case.scenario}" if case.scenario else "options.*.price",
        message=Said(
            "the options are bought in different ways: {kinds}",
            kinds=Series(
                ", ",
                (Said("{option} {kind}", option=name, kind=kind or Said("unknown")) for name, kind in kinds.items()),
            ),
        ),
        advice=Said("Add a scenario in which all of them are bought the same way."),
    )
