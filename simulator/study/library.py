"""The prior library: entries with unit, source and date, shipped under priors/ or named by a study."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path as FilePath
from typing import Any

from simulator.study.document import Document, read_document
from simulator.study.faults import Fault, Problem, StudyError, shown
from simulator.study.said import Said
from simulator.study.values import Note

FILES = ("inputs.toml", "prices.toml", "hardware.toml")

FACTS = frozenset({
    "unit", "source", "as_of", "basis", "note", "kind", "region", "luck", "quantiles", "history", "instance", "chips",
    "precision", "sparse", "second_hand", "absent", "per", "version",
})  # fmt: skip
"""Keys of an entry that say something about its value, and are not part of it."""

_HEADER = re.compile(r'^\["([^"\n]+)"\][ \t]*(?:#.*)?$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A value under a name (`trn2/utilization`); `table` holds it with its facts, `document` is a study's own file."""

    name: str
    table: Mapping[str, Any]
    file: str
    document: Document | None = None

    @property
    def spec(self) -> dict[str, Any]:
        """The value alone, as a study would spell it."""
        return {key: value for key, value in self.table.items() if key not in FACTS}


class Library(Mapping[str, Entry]):
    """Entries by name, those of a study's own files before the shipped ones."""

    def __init__(self, own: Mapping[str, Entry] | None = None) -> None:
        self._own = own or {}

    def __getitem__(self, name: str) -> Entry:
        if name in self._own:
            return self._own[name]
        file = _shipped()[name]
        return Entry(name, _parsed(file, name), file)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._own, *_shipped()]))

    def __len__(self) -> int:
        return len(self._own.keys() | _shipped().keys())


def own_library(documents: list[Document]) -> tuple[Library, list[Note]]:
    """The library with a study's own files in front, and a note for every shipped entry that they hide.

    Raises
    ------
    StudyError
        When an entry is no table, or a name is given by two files.
    """
    entries: dict[str, Entry] = {}
    faults: list[Fault] = []
    for document in documents:
        for name, table in document.data.items():
            if not isinstance(table, dict):
                faults.append(document.fault(Problem((name,), shown(table), 'a table: ["trn2/utilization"]')))
            elif name in entries:
                first = entries[name].file
                faults.append(document.fault(Problem((name,), f"an entry that {first} has too", "each name once")))
            else:
                entries[name] = Entry(name, table, document.file, document)
    if faults:
        raise StudyError(faults)
    hidden = [each for name, each in entries.items() if name in _shipped()]
    notes = [
        Note(
            "prior_shadowed",
            "info",
            each.name,
            Said("{file} takes the place of the shipped entry", file=each.file),
            each.file,
        )
        for each in hidden
    ]
    return Library(entries), notes


def read_own(paths: list[FilePath]) -> list[Document]:
    """The prior files of a study; StudyError with the faults of all of them."""
    documents, faults = [], list[Fault]()
    for path in paths:
        try:
            documents.append(read_document(path))
        except StudyError as error:
            faults += error.faults
    if faults:
        raise StudyError(faults)
    return documents


def library() -> Library:
    """The library that is shipped."""
    return Library()


@cache
def _texts() -> dict[str, str]:
    root = files("simulator")
    folder = root / "_data" / "priors"
    if not folder.is_dir():
        folder = root / ".." / "priors"  # a checkout
    return {name: (folder / name).read_text("utf-8") for name in FILES if (folder / name).is_file()}


@cache
def _shipped() -> dict[str, str]:
    """The file that each entry stands in."""
    return {name: file for file, text in _texts().items() for name in _HEADER.findall(text)}


@cache
def _cuts(file: str) -> dict[str, slice]:
    """Where in its file each entry stands."""
    text = _texts()[file]
    starts = [(each[1], each.start()) for each in _HEADER.finditer(text)]
    ends = [*(start for _, start in starts[1:]), len(text)]
    return {name: slice(start, end) for (name, start), end in zip(starts, ends, strict=True)}


@cache
def _parsed(file: str, name: str) -> dict[str, Any]:
    """One entry, cut out by its header: parsing the whole library would take as long as a run."""
    table: dict[str, Any] = tomllib.loads(_texts()[file][_cuts(file)[name]])[name]
    return table
