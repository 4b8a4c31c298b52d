"""Many studies, or one at many values, in one Parquet table: a row for each option of each study and scenario."""

from __future__ import annotations

import itertools
import os
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from simulator.calibration import with_posterior
from simulator.engine import CaseFigures, Figure, OptionFigures, Result, Spread, run
from simulator.engine.workers import Workers
from simulator.study import Fault, StudyError, load_study

ROWS = 4096
"""Rows handed to the database at a time."""

Value = str | float | bool | int | None
Row = dict[str, Value]


class Task(NamedTuple):
    """One study with settings; `number` is its place in the table."""

    number: int
    path: str
    settings: tuple[str, ...]


class Run(NamedTuple):
    """How each study is run."""

    draws: int
    seed: int


class Batch(NamedTuple):
    """What came of a batch: studies in the table, and the faults of those that could not be run."""

    studies: int
    faults: tuple[str, ...]


def tasks(studies: Sequence[str], settings: Sequence[str], grid: Sequence[str]) -> list[Task]:
    """Every study, or every one in a folder, at every point of a grid.

    Parameters
    ----------
    studies : sequence of str
        Study files, and folders of them.
    settings : sequence of str
        `KEY=VALUE` each, for all of them.
    grid : sequence of str
        `KEY=[VALUE, VALUE, ...]` each; the points are all combinations.
    """
    paths = list(itertools.chain.from_iterable(map(_files, studies)))
    axes = [_axis(each) for each in grid]
    points = [(*settings, *point) for point in itertools.product(*axes)]
    return [Task(number, path, point) for number, (path, point) in enumerate(itertools.product(paths, points))]


def _files(study: str) -> list[str]:
    folder = Path(study)
    if not folder.is_dir():
        return [study]
    found = sorted(str(each) for each in folder.glob("*.toml"))
    if not found:
        raise StudyError([Fault(study, 0, "", "a folder without studies", "a folder with .toml files in it")])
    return found


def _axis(words: str) -> list[str]:
    key, _, values = words.partition("=")
    try:
        found = tomllib.loads(f"v = {values}")["v"]
    except tomllib.TOMLDecodeError:
        found = None
    if not isinstance(found, list) or not found or not all(isinstance(each, int | float | str) for each in found):
        raise StudyError([Fault("--grid", 0, words, "no list of values", "KEY=[VALUE, VALUE, ...], e.g. [30, 35.5]")])
    return [f"{key}={str(each).lower() if isinstance(each, bool) else repr(each)}" for each in found]


def write_table(
    path: Path, work: Sequence[Task], how: Run, workers: Workers, progress: Callable[[int, int], None]
) -> Batch:
    """Run the studies and write the table, whole or not at all.

    Raises
    ------
    StudyError
        When the table cannot be written.
    WorkersLostError
        When the workers are gone.
    """
    import duckdb

    faults: list[tuple[int, str]] = []
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as beside:
            with duckdb.connect(str(Path(beside) / "rows.duckdb")) as database:
                found = _answered(work, how, workers, progress, faults)
                for block in iter(lambda: list(itertools.islice(found, ROWS)), []):
                    _insert(database, block)
                whole = Path(beside) / "table.parquet"
                target = str(whole).replace("'", "''")
                database.execute(f"COPY (SELECT * FROM rows ORDER BY number, place) TO '{target}' (FORMAT parquet)")
            with whole.open("rb") as file:
                os.fsync(file.fileno())
            whole.replace(path)
    except (OSError, duckdb.Error) as error:  # a full disk ends a transaction as well as a write
        why = "no space left" if "No space left" in str(error) else getattr(error, "strerror", None) or "see the disk"
        found_wrong = f"cannot be written ({why})"
        raise StudyError([Fault(str(path), 0, "--table", found_wrong, "a file that may be written")]) from None
    return Batch(len(work), tuple(fault for _, fault in sorted(faults)))


def _answered(
    work: Sequence[Task],
    how: Run,
    workers: Workers,
    progress: Callable[[int, int], None],
    faults: list[tuple[int, str]],
) -> Iterator[Row]:
    for done, (task, rows) in enumerate(workers.answers(rows_of, how, work), 1):
        faults += [(task.number, str(row["fault"])) for row in rows if row["fault"]]
        yield from rows
        progress(done, len(work))


def rows_of(how: Run, task: Task) -> list[Row]:
    """The rows of one study; a single one with its faults where it cannot be run."""
    head: Row = {"number": task.number, "study": task.path, "settings": "; ".join(task.settings)}
    try:
        result = run(with_posterior(load_study(task.path, task.settings)), how.draws, how.seed)
    except StudyError as error:
        return [_whole(head | {"place": 0, "fault": str(error)})]
    cases: dict[str, CaseFigures | Result] = {"": result, **result.scenarios}
    facts: Row = {
        "title": result.study.title,
        "sha256": result.study.sha256,
        "posterior": result.study.posterior["sha256"] if result.study.posterior else None,
        "currency": result.study.currency,
        "draws": result.run.draws,
        "seed": result.run.seed,
    }
    options = [(case, name) for case in cases for name in cases[case].options]
    return [
        _whole(
            head
            | facts
            | {"place": place, "scenario": case, "option": name, "best": cases[case].decision.best == name}
            | _figures(cases[case].options[name])
        )
        for place, (case, name) in enumerate(options)
    ]


def _figures(option: OptionFigures) -> Row:
    """Every figure of an option and its error, by column."""
    found: Row = {}
    for key in ("tco", "saving", "saving_share"):
        spread: Spread = getattr(option, key)
        for part in Spread.__dataclass_fields__:
            found |= _figure(f"{key}_{part}", getattr(spread, part))
    for key in FIGURES:
        found |= _figure(key, getattr(option, key))
    return found


def _figure(key: str, figure: Figure | None) -> Row:
    if figure is None:
        return {}
    return {key: figure.value, f"{key}_mcse": figure.mcse}


FIGURES = (
    "p_beats",
    "p_best",
    "cvar05",
    "expected_regret",
    "p_blocked",
    "p_unworkable",
    "billed_hours",
    "weeks",
)
_NUMBERS = (
    *(f"{key}_{part}" for key in ("tco", "saving", "saving_share") for part in Spread.__dataclass_fields__),
    *FIGURES,
)
COLUMNS: dict[str, str] = {
    **dict.fromkeys(("number", "place"), "BIGINT"),
    **dict.fromkeys(("study", "settings", "title", "sha256", "posterior", "currency"), "VARCHAR"),
    **dict.fromkeys(("scenario", "option", "fault"), "VARCHAR"),
    "best": "BOOLEAN",
    **dict.fromkeys(("draws", "seed"), "BIGINT"),
    **{name: "DOUBLE" for key in _NUMBERS for name in (key, f"{key}_mcse")},
}
"""Columns of the table and their types in SQL."""


def _whole(row: Row) -> Row:
    return {name: row.get(name) for name in COLUMNS}


def _insert(database: object, rows: Iterable[Row]) -> None:
    """Add rows to the table of the database, column by column."""
    from duckdb import DuckDBPyConnection

    assert isinstance(database, DuckDBPyConnection)
    kinds = ", ".join(f'"{name}" {kind}' for name, kind in COLUMNS.items())
    database.execute(f"CREATE TABLE IF NOT EXISTS rows ({kinds})")
    many = list(rows)
    # duckdb reads a dictionary of arrays by the name of the variable
    block = {f"c{i}": np.array([row[name] for row in many], dtype=object) for i, name in enumerate(COLUMNS)}
    for i, kind in enumerate(COLUMNS.values()):
        if kind == "DOUBLE":
            block[f"c{i}"] = np.array([np.nan if x is None else x for x in block[f"c{i}"]], dtype=np.float64)
    chosen = ", ".join(
        f"CASE WHEN isnan(c{i}) THEN NULL ELSE c{i} END" if kind == "DOUBLE" else f"c{i}"
        for i, kind in enumerate(COLUMNS.values())
    )
    database.execute(f"INSERT INTO rows SELECT {chosen} FROM block")
