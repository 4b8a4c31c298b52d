"""Ways into a bill's file: as it lies there, or through a mended copy; every line accounted for."""

import codecs
import csv
import glob
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.evidence.bill_table import MACROS, Table, connected, plain, quoted
from simulator.evidence.lines import EvidenceError, Head, Source
from simulator.evidence.numerals import Mark, decimal_mark
from simulator.evidence.reading import Ledger
from simulator.evidence.tables import Broken, Header, Record, records, table_lines

_QUOTED_CELL = re.compile(r',"[^"]*"(?=,|$)')
LONGEST = 400_000  # characters of a record; DuckDB takes 2 MB, and a character may take 4 bytes


@contextmanager
def opened(
    source: Source, header: Header, numbers: Sequence[str], identity: Sequence[str], ledger: Ledger
) -> Iterator[Table]:
    """The bill under a DuckDB connection that lives as long as the block; headings and broken lines go to the ledger.

    A clean file is read as it lies there. One where a record is not a line (quoted line breaks, an open quote, a
    preamble, UTF-16, another code page) is first mended into a temporary copy that keeps the line numbers.
    `numbers` are the columns whose cells tell the decimal mark, `identity` those that say which charge a record is.
    """
    with tempfile.TemporaryDirectory(prefix="switchodds-") as folder, connected(folder) as connection:
        connection.execute(MACROS)
        opening = _Opening(connection, source, Path(folder), header, _mark(source.head, header, numbers), identity)
        if header.number:
            yield opening.as_it_lies(ledger) or opening.mended(ledger)
        else:
            yield opening.parquet()


@dataclass(frozen=True, slots=True)
class _Opening:
    """The ways into a file."""

    connection: Any
    source: Source
    folder: Path
    header: Header
    mark: Mark
    identity: Sequence[str]

    def parquet(self) -> Table:
        def sql(index: int) -> str:
            quoted = self.header.columns[index].replace('"', '""')
            return f'CAST("{quoted}" AS VARCHAR)'

        rows = f"read_parquet({self._path}, file_row_number = true)"
        return self._counted(f"SELECT file_row_number + 1 AS _line, 1 AS _span, * FROM {rows}", sql)[0]

    def as_it_lies(self, ledger: Ledger) -> Table | None:
        """The file itself, where each line below the header is one record, a cut last one aside; else None."""
        import duckdb

        zeros = b"\0" in self.source.head.raw  # UTF-16 is full of them
        if self.header.number != 1 or self.source.compression == "zst" or zeros:
            return None
        rows = _csv_scan(self._path, self.header, self.source.compression)
        scan = f"SELECT 1 + row_number() OVER () AS _line, 1 AS _span, * FROM {rows}"
        with self._lines_counted() as counting:  # beside the scan, which leaves a processor idle at times
            try:
                table, count = self._counted(scan)
            except duckdb.Error:
                table, count = None, 0
        lines, ended, utf8 = counting.result()
        if table is None or not utf8:
            return None  # DuckDB would drop the lines that it cannot decode
        rejects = table.query("SELECT DISTINCT line, csv_line, error_message FROM reject_errors").fetchall()
        if any(line != lines for line, _, _ in rejects) or 1 + count + bool(rejects) != lines:
            return None
        ledger.tally(ignored=1)
        for line, text, message in rejects[:1]:
            reason = f"{message}{'' if ended else '; the file ends inside the record'}"
            ledger.reject(Broken(line, text, 1, reason), reason)
        return table

    @contextmanager
    def _lines_counted(self) -> Iterator[Future[tuple[int, bool, bool]]]:
        """Count the file's lines in another thread until the block ends; a file that fails there stops the scan."""

        def stop(counting: Future[tuple[int, bool, bool]]) -> None:
            if counting.exception() is not None or not counting.result()[2]:
                self.connection.interrupt()

        with ThreadPoolExecutor(1) as pool:
            counting = pool.submit(_physical_lines, self.source)
            counting.add_done_callback(stop)
            yield counting

    def mended(self, ledger: Ledger) -> Table:
        """A clean copy with the line number and the number of lines in front of each record."""
        copy, kept = self.folder / "mended.csv", 0
        self.source.notes.clear()  # the file was gone through before, and says the same again
        with copy.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writerow(("_line", "_span", *self.header.columns))
            for record in records(table_lines(self.source), self.header):
                if isinstance(record, Broken):
                    ledger.reject(record, record.reason)
                elif len(record.text) > LONGEST:
                    ledger.reject(record, f"a record of {len(record.text):,} characters, over {LONGEST:,}")
                elif record.number <= self.header.number or not any(cell.strip() for cell in record.cells):
                    ledger.ignore(record)
                else:
                    kept += 1
                    if self.header.delimiter == "," and record.span == 1 and _plain(record):
                        stream.write(f"{record.number},1,{record.text}\n")
                    else:
                        writer.writerow((record.number, record.span, *record.cells))
        rows = _csv_scan(quoted(str(copy)), Header(1, ",", self.header.columns), extra=("_line", "_span"))
        numbers = "CAST(_line AS BIGINT) AS _line, CAST(_span AS BIGINT) AS _span"
        table, count = self._counted(f"SELECT {numbers}, * EXCLUDE (_line, _span) FROM {rows}")
        if count != kept:
            raise EvidenceError(self.source.path, f"{kept - count:,} records that DuckDB cannot take", "a CSV table")
        return table

    @property
    def _path(self) -> str:
        """The path as an SQL literal; DuckDB takes `[` and `*` in it for a pattern, so a link stands in for those."""
        path = Path(self.source.path)
        if not glob.has_magic(self.source.path):
            return quoted(str(path))
        link = self.folder / "bill"
        if not link.is_symlink():
            link.symlink_to(path.resolve())
        return quoted(str(link))

    def _counted(self, scan: str, sql: Callable[[int], str] = "c{}".format) -> tuple[Table, int]:
        """The table that a scan gives, how many of its identities are shared, and the number of its records."""
        names = self.header.columns
        table = Table(self.connection, scan, names, _places(names, sql), self.mark)
        if not table.has(self.identity[0]):
            ((count,),) = table.query(f"SELECT count(*) FROM ({scan})").fetchall()
            return table, count
        keys = [key for name in self.identity if (key := table.sql(name))]
        key = f"CASE WHEN cell({keys[0]}) IS NOT NULL THEN hash({', '.join(keys)}) END"
        ((count, table.shared),) = table.query(  # to the end: DuckDB stores its rejects last
            "SELECT coalesce(sum(n), 0)::BIGINT, count(*) FILTER (n > 1 AND key IS NOT NULL) "
            f"FROM (SELECT {key} AS key, count(*) AS n FROM ({scan}) GROUP BY key)"
        ).fetchall()
        return table, count


def _plain(record: Record) -> bool:
    """Whether a record's line means the same to every reader of CSV: quotes around cells alone, and none inside.

    (Not so in the first cell, which makes the search ten times faster.)
    """
    return '"' not in record.text or '"' not in _QUOTED_CELL.sub("", record.text)


def _places(names: Sequence[str], sql: Callable[[int], str]) -> Mapping[str, str]:
    """The first column of each name; a repeated one (a tag, mostly) is no charge's column."""
    places: dict[str, str] = {}
    for index, name in enumerate(names):
        places.setdefault(plain(name), sql(index))
    return places


def _mark(head: Head, header: Header, numbers: Sequence[str]) -> Mark:
    names = {plain(name) for name in numbers}
    wanted = [i for i, name in enumerate(header.columns) if plain(name) in names]
    rows = csv.reader(head.text.splitlines()[header.number : header.number + 2000], delimiter=header.delimiter or ",")
    try:
        return decimal_mark(row[i] for row in rows for i in wanted if i < len(row)) if header.number else "."
    except csv.Error:
        return "."


def _csv_scan(path: str, header: Header, compression: str = "", extra: Sequence[str] = ()) -> str:
    """Every column as text: a wrong guess of a type would reject or change a value."""
    columns = (*extra, *(f"c{i}" for i in range(len(header.columns))))
    kinds = ", ".join(f"'{name}': 'VARCHAR'" for name in columns)
    delimiter = header.delimiter.replace("\t", "\\t")
    packed = "gzip" if compression else "none"
    return (
        f"read_csv({path}, auto_detect = false, header = true, delim = E'{delimiter}', quote = '\"', "
        f"escape = '\"', compression = '{packed}', store_rejects = true, rejects_limit = 2, columns = {{{kinds}}})"
    )


def _physical_lines(source: Source) -> tuple[int, bool, bool]:
    """Lines of the file; whether the last one has its line break; whether all are UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    count, last, utf8 = 0, b"\n", True
    for block in source.raw_blocks():
        count += block.count(b"\n")
        last = block[-1:]
        if utf8 and (not block.isascii() or decoder.getstate()[0]):
            try:
                decoder.decode(block)
            except UnicodeDecodeError:
                utf8 = False
    return count + (last != b"\n"), last == b"\n", utf8 and not decoder.getstate()[0]
