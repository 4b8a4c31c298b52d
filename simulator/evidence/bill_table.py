"""A bill as a table that DuckDB queries, in bounded memory."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from simulator.evidence.lines import Head
from simulator.evidence.numerals import MISSING, Mark
from simulator.evidence.tables import Header, find_header

PARQUET = b"PAR1"
MEMORY = "400MB"  # of DuckDB's buffers; what does not fit is spilled to a temporary folder
LARGEST = 1e18  # no amount or quantity of a bill comes near; sums and products of such numbers stay finite
THREADS = 4  # more threads hold more buffers and gain little

# `cell` is a text without the spellings of "no value"; `num_...` a finite number, or NULL for anything else.
MACROS = f"""
CREATE MACRO cell(x) AS CASE
    WHEN strlen(x) > {max(map(len, MISSING)) + 4} THEN trim(x)
    WHEN lower(trim(x)) IN ({", ".join(f"'{word}'" for word in sorted(MISSING))}) THEN NULL
    ELSE trim(x) END;
CREATE MACRO finite(x) AS CASE WHEN isfinite(x) AND abs(x) < {LARGEST} THEN x END;
CREATE MACRO num_point(x) AS finite(coalesce(
    TRY_CAST(x AS DOUBLE),
    CASE WHEN regexp_full_match(trim(x), '[+-]?\\d{{1,3}}(,\\d{{3}})+(\\.\\d+)?')
         THEN TRY_CAST(replace(x, ',', '') AS DOUBLE) END));
CREATE MACRO num_comma(x) AS finite(
    CASE WHEN regexp_full_match(trim(x), '[+-]?(\\d+|\\d{{1,3}}([.'' ]\\d{{3}})+)?(,\\d+)?([eE][+-]?\\d+)?')
         THEN TRY_CAST(replace(regexp_replace(trim(x), '[.'' ]', '', 'g'), ',', '.') AS DOUBLE) END);
"""


def plain(name: str) -> str:
    """One spelling of a column's name, whatever the export's: letters and digits, lower case.

    >>> plain("lineItem/UsageType") == plain("line_item_usage_type"), plain("BilledCost") == plain("BILLED_COST")
    (True, True)
    """
    return re.sub(r"[^a-z0-9]", "", name.lower())


def quoted(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


@dataclass(slots=True)
class Table:
    """A bill that can be queried: `scan` yields `_line`, `_span` and the columns, by their place in the file."""

    connection: Any
    scan: str
    names: tuple[str, ...]  # as the file spells them
    places: Mapping[str, str]  # plain name -> SQL
    mark: Mark
    shared: int = 0  # identities that more than one record has

    where: str = "true"  # SQL of the records that count

    def has(self, name: str) -> bool:
        return plain(name) in self.places

    def sql(self, name: str) -> str | None:
        """The column in SQL, as text; None where the export has no such column."""
        return self.places.get(plain(name))

    def spelling(self, name: str) -> str:
        """A column as the file spells it."""
        return next((n for n in self.names if plain(n) == plain(name)), name)

    def query(self, sql: str) -> Any:
        return self.connection.execute(sql)


def columns_of(head: Head, knows: Callable[[Sequence[str]], bool]) -> Header | None:
    """The header of a bill, if `knows` accepts its columns."""
    if head.raw.startswith(PARQUET):
        columns = _parquet_columns(head.path)
        return Header(0, "", columns) if knows(columns) else None
    return None if head.binary else find_header(re.split(r"\r\n|\n|\r", head.text), knows)


def _parquet_columns(path: str) -> tuple[str, ...]:
    import duckdb

    try:
        with connected(None) as connection:
            rows = connection.execute("DESCRIBE SELECT * FROM read_parquet($1)", [path]).fetchall()
    except duckdb.Error:
        return ()
    return tuple(row[0] for row in rows)


@contextmanager
def connected(folder: str | None) -> Iterator[Any]:
    import duckdb

    settings: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": MEMORY,
        "threads": str(min(THREADS, os.cpu_count() or 1)),
        "autoinstall_known_extensions": "false",  # nothing is ever fetched from the network
        "autoload_known_extensions": "false",
    }
    if folder:
        settings["temp_directory"] = folder
    connection = duckdb.connect(config=settings)
    try:
        connection.execute("SET enable_progress_bar = false")
        yield connection
    finally:
        connection.close()
