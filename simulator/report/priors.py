"""The prior library on a terminal: the list, and one entry with its quantiles, histogram and source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simulator.report.console import paragraph
from simulator.report.figures import figure
from simulator.study.describe import describe
from simulator.study.entries import value_of
from simulator.study.faults import Fault, StudyError, nearest
from simulator.study.library import Entry, Library
from simulator.study.shipped import studies_using

if TYPE_CHECKING:
    from rich.console import Console

    from simulator.inputs import Distribution

SCHEMA = "switchodds/priors/1"
POINTS = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
BINS = 12
BAR = 40  # characters of the fullest bin
DIGITS = 4
SHORT_FACTS = ("basis", "as_of", "kind", "region", "instance", "precision", "sparse", "chips", "version")


def find(library: Library, words: Sequence[str]) -> list[Entry]:
    """The entry of this name, or what a search for the words gives.

    Raises
    ------
    StudyError
        When that is nothing; with the nearest name.
    """
    if len(words) == 1 and words[0] in library:
        return [library[words[0]]]
    if not (found := search(library, words)):
        asked = " ".join(words)
        raise StudyError(
            [Fault("priors", 0, asked, "no such entry", "a name or a word of one", nearest(asked, library))]
        )
    return found


def search(library: Library, words: Iterable[str]) -> list[Entry]:
    """Entries in whose name every word occurs; when there is none, those in whose source, note or facts they occur."""
    wanted = [word.casefold() for word in words]
    entries = list(library.values())
    named = [entry for entry in entries if all(word in entry.name.casefold() for word in wanted)]
    return named or [entry for entry in entries if all(word in _text(entry) for word in wanted)]


def _text(entry: Entry) -> str:
    return " ".join((entry.name, *map(str, entry.table.values()))).casefold()


@dataclass(frozen=True, slots=True)
class Bin:
    """A bar of a histogram: its edges and the probability between them."""

    low: float
    high: float
    share: float


def histogram(law: Distribution, bins: int = BINS) -> list[Bin]:
    """Probabilities of equal bins from the 1 to the 99 % point, ends included; a bar a value where those are few."""
    low, high = law.ppf(np.array([0.01, 0.99]))
    values = law.atoms()
    values = values[(values >= low) & (values <= high)]
    at = law.cdf(values) - law.cdf(np.nextafter(values, -np.inf))
    if values.size <= bins and at.sum() > 0.98 - 1e-9:
        return [Bin(float(value), float(value), float(share)) for value, share in zip(values, at, strict=True)]
    edges = np.linspace(low, high, bins + 1)
    below = law.cdf(np.concatenate([[np.nextafter(low, -np.inf)], edges[1:]]))
    return [
        Bin(float(edges[each]), float(edges[each + 1]), float(below[each + 1] - below[each])) for each in range(bins)
    ]


def to_json(entries: Iterable[Entry]) -> dict[str, object]:
    """The document that `simulate priors --json` prints."""
    return {"schema": SCHEMA, "priors": {entry.name: _json(entry) for entry in entries}}


def _json(entry: Entry) -> dict[str, object]:
    value = value_of(entry)
    told: dict[str, object] = {**entry.table, "studies": studies_using(entry.name)}
    if value is not None and not isinstance(value, float):
        quantiles = {f"p{100 * p:02.0f}": x for p, x in _points(value)}
        told |= {"mean": value.mean, "sd": value.sd, "quantiles": quantiles}
    return told


def _points(law: Distribution, points: tuple[float, ...] = POINTS) -> list[tuple[float, float]]:
    return [(p, float(x)) for p, x in zip(points, law.ppf(np.array(points)), strict=True)]


def show_list(entries: Iterable[Entry], console: Console) -> None:
    """Print one line an entry, for 80 columns and up."""
    from rich.text import Text

    for entry in entries:
        left = f"{entry.name} {_short(value_of(entry)):>{57 - len(entry.name)}}"
        console.print(Text(f"{left}  {entry.table.get('basis', '-'):<9} {entry.table.get('as_of', '-')}"))


def _short(value: float | Distribution | None) -> str:
    match value:
        case None:
            return "none"
        case float():
            return figure(value, DIGITS)
    return " / ".join(figure(x) for _, x in _points(value, (0.05, 0.5, 0.95)))


def show_entry(entry: Entry, console: Console) -> None:
    """Print an entry whole."""
    from rich.text import Text

    console.print(Text(f"{entry.name}   [{entry.table.get('unit', 'no unit')}]", "bold"))
    value = value_of(entry)
    if value is not None and not isinstance(value, float):
        console.print("\n".join(_bars(histogram(value))))
    for line in (*_value(entry, value), *_facts(entry)):
        console.print(paragraph(line, console.width, 2, hang=2))


def _value(entry: Entry, value: float | Distribution | None) -> Iterator[str]:
    match value:
        case None:
            yield str(entry.table["absent"])
        case float():
            yield f"{value:g}"
        case _:
            yield f"{describe(value)}, mean {figure(value.mean, DIGITS)}, sd {figure(value.sd, DIGITS)}"
            yield "  ".join(f"{p:.0%} {figure(x)}" for p, x in _points(value))


def _facts(entry: Entry) -> Iterator[str]:
    table = entry.table
    short = [f"{key} {table[key]}" for key in SHORT_FACTS if key in table]
    if short:
        yield ", ".join(short)
    second_hand = " (second-hand)" if table.get("second_hand") else ""
    yield f"source: {table.get('source', 'none given')}{second_hand}"
    if "note" in table:
        yield f"note: {table['note']}"
    for old in table.get("history", ()):
        span = f"{old['as_of']}" + (f" to {old['until']}" if "until" in old else "")
        yield f"earlier: {old['value']:g} ({span}), {old['source']}"
    yield f"file: {entry.file}; used by: {', '.join(studies_using(entry.name)) or 'no shipped study'}"


def _bars(bins: list[Bin]) -> Iterator[str]:
    most = max(each.share for each in bins)
    for each in bins:
        span = figure(each.low) if each.low == each.high else f"{figure(each.low)} to {figure(each.high)}"
        yield f"{span:>18} {'█' * round(BAR * each.share / most):<{BAR}} {each.share:.1%}"
