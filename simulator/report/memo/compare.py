"""What changed since the last memo, as one page: the answer then and now, the inputs, and what moved it most."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from simulator.audit.explain import tell
from simulator.calibration import with_posterior
from simulator.decision.compare import DRAWS, Comparison, compare, side
from simulator.decision.swap import Change
from simulator.engine import DEFAULT_SEED
from simulator.report.memo.assemble import logo
from simulator.report.memo.charts.moves import moved, moves_any
from simulator.report.memo.pdf import check_printer, to_pdf
from simulator.report.memo.picture import Picture
from simulator.report.memo.tables import Row, Table
from simulator.report.memo.wording import Lang, Wording
from simulator.report.memo.write import check_place, repeated, write_memo
from simulator.study import Correlation, Input, Study, Workload

FORMATS: Mapping[str, str] = {"html": ".compare.html", "md": ".compare.md", "pdf": ".compare.pdf"}
"""Formats, and what the file of each is called behind the name of the later study."""

WORK = ("pflop_hours", "parameters", "tokens", "baseline_hours", "baseline_utilization")
RATES = {"rates.engineer": "engineer_rate", "rates.delay_week": "delay_week_rate"}


ByName = Mapping[str, Input]


@dataclass(frozen=True, slots=True)
class Source:
    """How a comparison was made: its command, its seed and draws, and the posteriors that the two sides rest on."""

    command: str
    seed: int
    draws: int
    posteriors: tuple[str, ...] = ()


def make_comparison(
    a: str,
    b: str,
    form: str = "html",
    lang: Lang | None = None,
    out: Path | None = None,
    *,
    paper: str = "a4",
    draws: int = DRAWS,
    seed: int = DEFAULT_SEED,
) -> Path:
    """Compare two studies as their memos see them, and write what changed.

    Parameters
    ----------
    a, b : str
        Files of studies, or folders of saved runs; a posterior that lies beside a study is used, as the memo does.
    form : str
        One of `FORMATS`.
    lang : "en" or "zh", optional
        Else what `[memo]` of the later study says, else English.
    out : Path, optional
        The file; else the name of the later study in the current folder. A former page is replaced.
    paper : str
        `a4` or `letter`, for printing.
    draws, seed : int
        As of `compare`.

    Raises
    ------
    StudyError
        If the two have no decision in common, or the file cannot be written.
    NoPrinterError
        If a PDF is asked for where nothing can print.
    """
    path = out or Path(Path(b).resolve().name.removesuffix(".toml") + FORMATS[form])
    check_place(path)
    if form == "pdf":
        check_printer()
    old, new = (with_posterior(side(each)) for each in (a, b))
    compared = compare(old, new, draws, seed)
    spoken: Lang = lang or (new.memo.lang if new.memo else "en")
    shape = repeated(spoken if lang else None, form, paper)
    command = ["simulate", "compare", a, b, "--memo", *shape, "--seed", str(seed), "--draws", str(draws)]
    source = Source(shlex.join(command), seed, draws, _posteriors(old, new))
    return write_memo(comparison(compared, source, Wording(spoken, new.currency), form, paper), path)


def _posteriors(*sides: Study) -> tuple[str, ...]:
    return tuple(each.posterior.get("path", "") for each in sides if each.posterior)


def comparison(compared: Comparison, source: Source, words: Wording, form: str, paper: str = "a4") -> bytes:
    """What changed, in one of `FORMATS`."""
    sections = {"moved": tuple(moved(compared, words))}
    filled: dict[str, object] = {
        "t": words,
        "study": compared.b,
        "version": version("switchodds"),
        "headline": _headline(compared, words),
        "said": tuple(_said(compared, sections["moved"], words)),
        "answers": answers(compared, words),
        "inputs": inputs(compared, words),
        "source": source,
        "facts": _facts(compared, source, words),
        "logo": logo(compared.b),
    }
    if form == "md":
        from simulator.report.memo.markdown import markdown

        return markdown("compare.md.j2", source.command, **filled, charts=sections).encode()
    from simulator.report.memo.page import page

    html = page("compare.html.j2", {key: each for key, each in sections.items() if each}, filled, paper=paper)
    return to_pdf(html) if form == "pdf" else html.encode()


def _course(study: Study, best: str, words: Wording) -> str:
    key = "verdict.stay" if best == study.baseline else "verdict.switch"
    return words(key, option=study.options[best].label)


def _headline(compared: Comparison, words: Wording) -> str:
    before, after = compared.best
    now = _course(compared.b, after, words)
    if before == after:
        return words("compare.same", choice=now)
    return words("compare.turned", before=_course(compared.a, before, words), after=now)


def _said(compared: Comparison, charts: Iterable[Picture], words: Wording) -> Iterator[str]:
    if not compared.changes:
        yield words("compare.nothing")
        return
    yield from (each.title + words("number.stop") for each in charts)
    for name, both in compared.answers.items():
        if not moves_any(both, compared.moves[name]):
            yield words("compare.unmoved", option=compared.b.options[name].label)


def answers(compared: Comparison, words: Wording) -> Table:
    """What both studies answer."""
    a, b, none = compared.a, compared.b, words("number.none")
    rows: list[Row] = [
        (words("table.study"), a.title, b.title),
        (words("table.choice"), *(_course(s, best, words) for s, best in zip((a, b), compared.best, strict=True))),
    ]
    if a.as_of or b.as_of:
        rows.insert(1, (words("table.as_of"), *(str(each.as_of or none) for each in (a, b))))
    for name, both in compared.answers.items():
        label = b.options[name].label
        rows.append((words("poc.effect_odds", option=label), *(words.cases(each.p_beats) for each in both)))
        rows.append((words("poc.effect_saving", option=label), *(words.signed(each.saving) for each in both)))
    return Table((words("table.quantity"), words("table.then"), words("table.later")), tuple(rows))


def inputs(compared: Comparison, words: Wording) -> Table:
    """What changed in the inputs: numbers, or medians with 5 and 95 % points; other parts in the program's words."""
    rows: list[Row] = []
    for change in (each for changes in compared.changes.values() for each in changes):
        rows += list(_changed(change.where, compared.a, compared.b, words)) or [_in_words(change, words)]
    return Table(tuple(words(f"table.{key}") for key in ("input", "unit", "before", "after")), tuple(rows))


def _changed(where: str, a: Study, b: Study, words: Wording) -> Iterator[Row]:
    """Rows of a part that differs; none for what is not told by numbers, or if the form of a law alone has changed."""
    match where:
        case "workload":
            yield from _told_apart(WORK, a.inputs, b.inputs, words)
            yield from _shape(a.workload, b.workload, words)
        case "correlations":
            yield from _correlations(a.correlations, b.correlations, words)
        case "hurdle":
            yield words.input("hurdle"), words.unit("share"), words.share(a.hurdle), words.share(b.hurdle)
        case _:
            name = RATES.get(where, where.removeprefix("options."))
            yield from _told_apart((name,), a.inputs, b.inputs, words)


def _correlations(old: Iterable[Correlation], new: Iterable[Correlation], words: Wording) -> Iterator[Row]:
    """The pairs whose rank correlation differs, whichever way round they are named."""
    before, after = ({frozenset(each.between): each for each in pairs} for pairs in (old, new))
    for pair in dict.fromkeys((*before, *after)):
        found = [each.get(pair) for each in (before, after)]
        values = [words("number.none") if each is None else words.number(each.spearman) for each in found]
        if values[0] != values[1]:
            names = words("number.comma").join(map(words.input, next(each for each in found if each).between))
            yield names, words("compare.rank_correlation"), *values


def _told_apart(names: Iterable[str], old: ByName, new: ByName, words: Wording) -> Iterator[Row]:
    """The inputs among these whose values differ as they are shown."""
    for name in names:
        before, after = (_value(each.get(name), words) for each in (old, new))
        if before != after:
            yield words.input(name), words.unit((new.get(name) or old[name]).unit), before, after


def _shape(old: Workload, new: Workload, words: Wording) -> Iterator[Row]:
    none = words("number.none")
    for name in ("layers", "hidden", "sequence"):
        before, after = (getattr(each, name) for each in (old, new))
        if before != after:
            yield words.input(name), words.unit("count"), *(f"{x:,}" if x else none for x in (before, after))


def _in_words(change: Change, words: Wording) -> Row:
    name = RATES.get(change.where, change.where.removeprefix("options."))
    return words.input(name), words("number.none"), change.before, change.after


def _value(each: Input | None, words: Wording) -> str:
    if each is None:
        return words("number.none")
    told = tell(each)
    if told.value is not None:
        value = words.value(told.value, told.unit)
        return value if each.given else words("compare.default", x=value)
    low, median, high = (words.value(x, told.unit, 3) for x in (told.p05, told.p50, told.p95))
    return words("compare.spread", median=median, low=low, high=high)


def _facts(compared: Comparison, source: Source, words: Wording) -> tuple[Row, ...]:
    rows: list[Row] = []
    for study, when in ((compared.a, words("table.then")), (compared.b, words("table.later"))):
        facts = [("method.study", study.path), ("method.sha256", study.sha256)]
        facts += [("method.set", "; ".join(study.settings))] if study.settings else []
        facts += [("method.scenario", study.chosen)] if study.chosen else []
        rows += [(words("table.in_unit", what=words(key), unit=when), value) for key, value in facts]
    rows += [
        (words("method.seed"), str(source.seed)),
        (words("method.draws"), f"{source.draws:,}"),
        (words("method.version", name="switchodds"), version("switchodds")),
    ]
    return tuple(rows)
