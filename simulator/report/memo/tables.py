"""The memo's tables: the options, the claims, break-even, what calibration did, every input, how it was made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from simulator.audit.explain import Told
from simulator.engine import Figure
from simulator.report.memo.advice import fixed
from simulator.report.memo.content import MemoContent, Needed
from simulator.report.memo.wording import MINUS, Wording

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Headings and rows, in words."""

    head: Row
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Method:
    """How the figures were made, in paragraphs and in facts."""

    paragraphs: tuple[str, ...]
    facts: tuple[Row, ...]


def _head(words: Wording, *keys: str) -> Row:
    return tuple(words(f"table.{key}") for key in keys)


def options(content: MemoContent, words: Wording) -> Table:
    """The options side by side."""
    unit, divisor = words.scale(max(each.tco.mean.value for each in content.result.options.values()))
    money = (
        words("table.in_unit", what=words(f"table.{key}"), unit=unit) for key in ("cost", "saving", "range", "worst")
    )
    head = (words("table.option"), *money, words("table.beats"), words("table.best"))
    return Table(head, tuple(_options(content, divisor, words)))


def _options(content: MemoContent, divisor: float, words: Wording) -> Iterator[Row]:
    """An option a row, amounts in the unit of the headings."""
    none = words("number.none")

    def cell(amount: Figure) -> str:
        return words.amount(amount, divisor)

    for name, found in content.result.options.items():
        label = content.study.options[name].label
        cost = cell(found.tco.mean)
        best = none if fixed(content) else words.chance(found.p_best)
        if found.p_beats is None or found.cvar05 is None:
            yield words("table.baseline", option=label), cost, none, none, none, none, best
            continue
        saving = found.saving
        if fixed(content):
            yield label, cost, cell(saving.mean), none, none, none, none
            continue
        spread = words("table.from_to", low=cell(saving.p05), high=cell(saving.p95))
        yield (
            label,
            cost,
            cell(saving.mean),
            spread,
            cell(found.cvar05),
            words.chance(found.p_beats),
            best,
        )


def claims(content: MemoContent, words: Wording) -> Table:
    """What others say, and how likely it is reached."""
    sources = {claim.name: claim.source for claim in content.study.claims}
    rows = tuple(
        (
            name,
            content.study.options[each.option].label,
            words.share(each.saving_share),
            words.cases(each.p_reached),
            sources.get(name) or words("number.none"),
        )
        for name, each in content.result.claims.items()
    )
    return Table(_head(words, "claim", "option", "claimed", "reached", "source"), rows)


def thresholds(content: MemoContent, words: Wording) -> Table:
    """Where the answer flips, an input a row."""
    rows = []
    for each in content.break_even.thresholds if content.break_even else ():
        flips = words("number.comma").join(words.with_unit(x, each.unit) for x in each.flips)
        interval = words("number.none")
        if each.interval is not None:
            interval = " – ".join(words.with_unit(x, each.unit) for x in each.interval)
        now = words.with_unit(each.now, each.unit)
        rows.append((words.input(each.input), now, flips or words("table.never"), interval))
    return Table(_head(words, "input", "now", "flips", "interval"), tuple(rows))


def effects(content: MemoContent, words: Wording) -> Table:
    """How calibration moved odds and money."""
    rows: list[Row] = []
    for name, each in (content.calibration.effect if content.calibration else {}).items():
        label = content.study.options[name].label
        before, after = words.cases(each.p_beats_prior), words.cases(each.p_beats)
        rows.append((words("poc.effect_odds", option=label), before, after))
        money = words.signed(each.saving_prior), words.signed(each.saving)
        rows.append((words("poc.effect_saving", option=label), *money))
    return Table(_head(words, "quantity", "before", "after"), tuple(rows))


def needed(content: MemoContent, words: Wording) -> tuple[str, ...]:
    """What a proof of concept would have to show for a switch."""
    found = content.poc.needed if content.poc else ()
    return tuple(
        words(
            "poc.needed",
            runs=words.runs(each.runs),
            input=words.input(each.input),
            what=words(f"poc.kind_{each.kind}", range=_range(each, words)),
        )
        for each in found
    )


def _range(each: Needed, words: Wording) -> str:
    unit = each.unit if each.kind == "runs" else "count"
    match each.low, each.high:
        case None, None:
            return words("poc.any")
        case low, None if low is not None:
            return words("poc.at_least", low=words.with_unit(low, unit))
        case None, high if high is not None:
            return words("poc.at_most", high=words.with_unit(high, unit))
    assert each.low is not None and each.high is not None, "both ends are given"
    return words("poc.between", low=words.with_unit(each.low, unit), high=words.with_unit(each.high, unit))


def shifts(content: MemoContent, words: Wording) -> Table:
    """What each piece of evidence moved."""
    rows = tuple(
        (words.say(each.evidence), _cases(each.p_beats.value), words.signed(each.saving))
        for each in (content.calibration.moved_by if content.calibration else ())
    )
    return Table(_head(words, "evidence", "moved_odds", "moved_saving"), rows)


def _cases(change: float) -> str:
    """A change of a probability in whole cases of 100."""
    cases = round(100 * change)
    return f"{cases:+d}".replace("-", MINUS) if cases else "0"


def inputs(content: MemoContent, words: Wording) -> Table:
    """Every input that the study gives, with its prior, unit, source and date."""
    head = _head(words, "input", "unit", "low", "median", "high", "basis", "source")
    return Table(head, tuple(_input(each, words) for each in content.inputs))


def _input(each: Told, words: Wording) -> Row:
    if each.value is not None:
        cells = ["", words.value(each.value, each.unit), ""]
    else:
        cells = [words.value(x, each.unit, 3) for x in (each.p05, each.p50, each.p95)]
    basis = [words(f"inputs.basis_{each.basis}")] if each.basis else []
    if each.kind == "luck":
        basis.append(words("inputs.luck"))
    basis += [words.purchase(each.price_kind)] if each.price_kind else []
    basis += [each.region] if each.region else []
    source = [x for x in (each.source, each.as_of.isoformat() if each.as_of else None) if x]
    if each.prior:
        source.append(words("inputs.prior", prior=each.prior))
    if each.note:
        source.append(each.note)
    comma, semicolon = words("number.comma"), words("number.semicolon")
    return (
        words.input(each.name),
        words.unit(each.unit),
        *cells,
        comma.join(basis),
        semicolon.join(source) or words("inputs.own"),
    )


def method(content: MemoContent, words: Wording) -> Method:
    """How the figures were made, how sure they are, and what is needed to make them again."""
    run, facts, versions = content.result.run, content.result.study, content.origin.versions
    paragraphs = [
        words("method.model", draws=f"{run.draws:,}", replicates=run.replicates),
        words("method.error", p=f"{100 * _odds_error(content):.2g}", money=_money_error(content, words)),
        words("method.limits"),
    ]
    rows: list[Row] = [
        (words("method.study"), facts.path),
        (words("method.sha256"), facts.sha256),
        (words("method.seed"), str(run.seed)),
        (words("method.draws"), f"{run.draws:,}"),
    ]
    if facts.posterior:
        paragraphs.insert(1, words("method.posterior", path=facts.posterior.get("path", "")))
        rows.append((words("method.posterior_sha256"), facts.posterior.get("sha256", "")))
    rows += [(words("method.version", name=name), number) for name, number in versions.items()]
    return Method(tuple(paragraphs), tuple(rows))


def _odds_error(content: MemoContent) -> float:
    found = (each.p_beats for each in content.result.options.values())
    return max((each.mcse for each in found if each is not None), default=0.0)


def _money_error(content: MemoContent, words: Wording) -> str:
    return words.money(max(each.saving.mean.mcse for each in content.result.options.values()), 2)
