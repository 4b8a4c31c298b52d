"""Which reader a file belongs to: by what it holds, or by name."""

import difflib
import glob
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol

from simulator.evidence.lines import EvidenceError, Head, Source
from simulator.evidence.options import Options
from simulator.evidence.reading import Reading


@dataclass(frozen=True, slots=True)
class Match:
    """How sure a reader is that a file is its own (0 to 1), and what convinced it."""

    score: float
    why: str


class Reader(Protocol):
    """A module that reads one family of formats.

    `NAMES` are the names that `--reader` takes; the first is the module's own, and one that it shares with other
    grammars reaches `read` as `options.reader`. `LOOKS_FOR` says in a few words what it recognises.
    """

    NAMES: tuple[str, ...]
    LOOKS_FOR: str

    def sniff(self, head: Head) -> Match | None: ...
    def read(self, source: Source, options: Options) -> Reading: ...


MODULES: tuple[str, ...] = (
    "bills",
    "timesheets",
    "slurm",
    "trainer_state",
    "neuron_monitor",
    "prometheus",
    "nvidia_smi",
    "catalogs",
    "run_tables",
    "logs",
)


@cache
def readers() -> Mapping[str, Reader]:
    """Every reader by each of its names."""
    modules: Iterable[Reader] = (import_module(f"simulator.evidence.{name}") for name in MODULES)
    return {name: module for module in modules for name in module.NAMES}


NOT_TOLD = Options()


def read(path: str | Path, options: Options = NOT_TOLD) -> Reading:
    """Read one file.

    Raises
    ------
    EvidenceError
        The file cannot be opened, is binary or expands without measure, or no reader knows it.
    """
    source = Source(path)
    name = options.reader or ("csv" if options.column else None)
    reader = _named(source, name) if name else _recognised(source)
    reading = reader.read(source, options)
    unknown = reading.reader == "log" and not (reading.facts or reading.used or reading.rejected_count)
    if unknown and not options.reader:
        raise EvidenceError(source.path, "no line that a reader knows", _looked_for())
    return reading


def expand(patterns: Iterable[str], base: Path | None = None) -> list[str]:
    """Files of glob patterns, each once, in order; a pattern without wildcards stands for itself.

    With `base` (a study's folder) the patterns are relative to it and must not leave it.
    """
    found: dict[str, None] = {}
    for pattern in patterns:
        whole = str(base / pattern) if base else pattern
        paths = sorted(glob.glob(whole, recursive=True)) if glob.has_magic(pattern) else [whole]  # noqa: PTH207
        if not paths:
            raise EvidenceError(pattern, "matches no file", "at least one file")
        for path in paths:
            if base and not Path(path).resolve().is_relative_to(base.resolve()):
                raise EvidenceError(path, "leaves the study's folder", f"a file under {base}")
            if not (glob.has_magic(pattern) and Path(path).is_dir()):
                found[path] = None
    return list(found)


def _named(source: Source, name: str) -> Reader:
    if name in readers():
        return readers()[name]
    nearest = difflib.get_close_matches(name, readers(), n=1)
    hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
    raise EvidenceError(source.path, f"no reader is called {name!r}{hint}", "one of " + ", ".join(readers()))


def _recognised(source: Source) -> Reader:
    best: tuple[float, Reader] | None = None
    for reader in dict.fromkeys(readers().values()):
        match = reader.sniff(source.head)
        if match and (best is None or match.score > best[0]):
            best = (match.score, reader)
    if best is not None:
        return best[1]
    found = source.head.binary or ("an empty file" if not source.head.text.strip() else "nothing that a reader knows")
    raise EvidenceError(source.path, found, _looked_for())


def _looked_for() -> str:
    return "one of: " + "; ".join(reader.LOOKS_FOR for reader in dict.fromkeys(readers().values()))
