"""Records of a delimited table: a quote may hide a line break, a stray one must not swallow the file."""

import csv
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from simulator.evidence.lines import LINE_LIMIT, Line, Source

DELIMITERS = (",", ";", "\t", "|")
LONGEST_RECORD = 200  # lines; a description with pasted text is long, an unclosed quote goes on to the end
PREAMBLE = 30  # lines in which a header is looked for, below titles and "sep=;"

csv.field_size_limit(LINE_LIMIT)


class Record(NamedTuple):
    """One record: where it begins, its text, the lines it takes, its cells."""

    number: int
    text: str
    span: int
    cells: tuple[str, ...]


class Broken(NamedTuple):
    """A line that is no record of the table, and why."""

    number: int
    text: str
    span: int
    reason: str


@dataclass(frozen=True, slots=True)
class Header:
    """The row that names the columns."""

    number: int  # line, from 1
    delimiter: str
    columns: tuple[str, ...]


def table_lines(source: Source) -> Iterator[Line]:
    """Lines of a file; where carriage returns alone end them, as on old Macs, each is a line of its own."""
    if "\r" in source.head.text and "\n" not in source.head.text:
        return (line._replace(number=number) for number, line in enumerate(source.lines(), 1))
    return source.lines()


def find_header(lines: Sequence[str], knows: Callable[[Sequence[str]], bool]) -> Header | None:
    """The first line that, under some delimiter, names columns that the caller knows."""
    for number, line in enumerate(lines[:PREAMBLE], 1):
        for delimiter in DELIMITERS:
            if delimiter in line:
                columns = tuple(cell.strip().lstrip("\ufeff") for cell in _cells(line, delimiter))
                if knows(columns):
                    return Header(number, delimiter, columns)
    return None


def records(lines: Iterable[Line], header: Header) -> Iterator[Record | Broken]:
    """Every record of a table, blank lines and headers included; what has another width is broken.

    Where a quote is left open, its line alone is given up and reading goes on with the next one.
    """
    width = len(header.columns)
    waiting: deque[Line] = deque()
    stream = iter(lines)
    single = _SingleLines(header.delimiter)
    while (first := waiting.popleft() if waiting else next(stream, None)) is not None:
        if first.fault:
            yield Broken(first.number, first.text, first.span, first.fault)
            continue
        if first.text.count('"') % 2 == 0:
            yield _record([first], single.cells(first.text), width, first.number <= header.number)
            continue
        taken = [first, *_continuation(first, waiting, stream)]
        cells, used = _first_record([line.text for line in taken], header.delimiter)
        waiting.extendleft(reversed(taken[used if len(cells) == width else 1 :]))
        if used > 1 and len(cells) != width:
            yield Broken(first.number, first.text, first.span, "a quote is not closed")
        else:
            yield _record(taken[:used], cells, width, first.number <= header.number)


def _continuation(first: Line, waiting: deque[Line], stream: Iterator[Line]) -> Iterator[Line]:
    """Lines that may belong to an open quote: up to the next line with an odd number of quotes."""
    while (line := waiting.popleft() if waiting else next(stream, None)) is not None:
        yield line
        if line.fault or line.text.count('"') % 2 or line.number - first.number >= LONGEST_RECORD:
            return


def _record(taken: Sequence[Line], cells: Sequence[str], width: int, above: bool) -> Record | Broken:
    first, last = taken[0], taken[-1]
    text = first.text if len(taken) == 1 else "\n".join(line.text for line in taken)
    span = last.number - first.number + last.span
    if len(cells) == width + 1 and not cells[-1].strip():
        cells = cells[:-1]  # a delimiter ends the record, as in `sacct -p`
    if len(cells) == width or above or _blank(text, cells):
        return Record(first.number, text, span, tuple(cells))
    cut = "" if last.whole else "; the file ends inside the record"
    return Broken(first.number, text, span, f"{len(cells)} cells, expected {width}{cut}")


def _blank(text: str, cells: Sequence[str]) -> bool:
    return not text.strip() or (bool(cells) and not any(cell.strip() for cell in cells))


def _cells(text: str, delimiter: str) -> list[str]:
    return _SingleLines(delimiter).cells(text)


class _SingleLines:
    """Cells of one line at a time, by one csv reader that is fed them: making a reader costs more than a short line."""

    def __init__(self, delimiter: str) -> None:
        self._delimiter, self._text = delimiter, ""
        self._reader = csv.reader(self, delimiter=delimiter)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        if not self._text:
            raise StopIteration
        text, self._text = self._text, ""
        return text

    def cells(self, text: str) -> list[str]:
        if '"' not in text:
            return text.split(self._delimiter) if text else []
        self._text = text
        try:
            return next(self._reader, [])
        except csv.Error:
            return []


def _first_record(texts: Sequence[str], delimiter: str) -> tuple[list[str], int]:
    """Cells of the first record of these lines, and how many of the lines it takes.

    Over several lines strictly: where a stray quote is closed by the quote that opens a later cell, text follows it.
    """
    reader = csv.reader((f"{text}\n" for text in texts), delimiter=delimiter, strict=len(texts) > 1)
    try:
        return next(reader, []), reader.line_num
    except csv.Error:
        return [], len(texts)
