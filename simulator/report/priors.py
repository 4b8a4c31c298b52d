"""The prior library on a terminal: the list, and one entry with its quantiles, histogram and source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simulator.audit.reference import no_columns
from simulator.report.console import paragraph
from simulator.report.figures import figure
from simulator.study.describe import describe
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


def law_of(entry: Entry) -> Distribution | None:
    """The distribution of an entry; None for a number, and for a price that does not exist."""
    from simulator.inputs import distribution

    return None if "absent" in entry.table or "value" in entry.table else distribution(entry.spec, no_columns)


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
    law = law_of(entry)
    told: dict[str, object] = {**entry.table, "studies": studies_using(entry.name)}
    if law is not None:
        told |= {"mean": law.mean, "sd": law.sd}
        points = zip(POINTS, law.ppf(np.array(POINTS)), strict=True)
        told["quantiles"] = {f"p{round(100 * p):02d}": float(x) for p, x in points}
    return told


def show_list(entries: Iterable[Entry], console: Console) -> None:
    """Print one line an entry, for 80 columns and up."""
    from rich.text import Text

    for entry in entries:
        left = f"{entry.name} {_short(entry):>{57 - len(entry.name)}}"
        console.print(Text(f"{left}  {entry.table['basis']:<9} {entry.table['as_of']}"))


def _short(entry: Entry) -> str:
    if "absent" in entry.table:
        return "none"
    if "value" in entry.table:
        return figure(float(entry.table["value"]), DIGITS)
    law = law_of(entry)
    return "" if law is None else " / ".join(figure(float(x)) for x in law.ppf(np.array([0.05, 0.5, 0.95])))


def show_entry(entry: Entry, console: Console) -> None:
    """Print an entry whole."""
    from rich.text import Text

    console.print(Text(f"{entry.name}   [{entry.table['unit']}]", "bold"))
    law = law_of(entry)
    if law is not None:
        console.print("\n".join(_bars(histogram(law))))
    for line in _lines(entry, law):
        console.print(paragraph(line, console.width, 2, hang=2))


def _lines(entry: Entry, law: Distribution | None) -> Iterator[str]:
    table = entry.table
    if "absent" in table:
        yield table["absent"]
    elif law is None:
        yield f"{float(table['value']):g}"
    else:
        yield f"{describe(law)}, mean {figure(law.mean, DIGITS)}, sd {figure(law.sd, DIGITS)}"
        points = zip(POINTS, law.ppf(np.array(POINTS)), strict=True)
        yield "  ".join(f"{p:.0%} {figure(float(x))}" for p, x in points)
    facts = ("basis", "as_of", "kind", "region", "instance", "precision", "sparse", "chips", "version")
    yield ", ".join(f"{key} {table[key]}" for key in facts if key in table)
    yield f"source: {table['source']}{' (second-hand)' * bool(table.get('second_hand'))}"
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
