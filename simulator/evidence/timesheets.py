"""Timesheets: Toggl, Clockify, Harvest, Jira and Tempo worklogs, and plain tables -> hours of people.

A duration counts as it stands; it is taken from start and end only where there is none.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from simulator.evidence.durations import HOURS_PER_DAY, moments
from simulator.evidence.lines import EvidenceError, Head, Source
from simulator.evidence.numerals import Mark, decimal_mark, number
from simulator.evidence.options import Options
from simulator.evidence.reading import Ledger, Reading
from simulator.evidence.registry import Match
from simulator.evidence.row_filter import FilterError, Test, row_filter
from simulator.evidence.tables import Broken, Header, Record, find_header, records, table_lines
from simulator.evidence.timesheet_account import Account, Key
from simulator.evidence.timesheet_columns import Columns, columns
from simulator.evidence.timesheet_hours import LONG_ENTRY, Rules
from simulator.evidence.timesheet_outline import ALIKE, LONGEST_SUMMARY, subtotals

NAMES = ("timesheet", "toggl", "clockify", "harvest", "jira")
LOOKS_FOR = (
    "a timesheet with a column for the person or the project and one for the time (Duration, Hours, Time Spent, "
    "or start and end)"
)

_TOTAL = re.compile(r"(?:grand |sub|zwischen)?-?\s?(?:total|sum|summe|gesamt|gesamtsumme|insgesamt)s?\b", re.IGNORECASE)
_NUMERIC = re.compile(r"hour|hrs|decimal|amount|rate|cost|stunde|betrag", re.IGNORECASE)


def sniff(head: Head) -> Match | None:
    if head.binary or not _header(head):
        return None
    return Match(0.8, "columns for people or projects, and for the time they took")


def read(source: Source, options: Options) -> Reading:
    """Rows -> hours of people; totals, repetitions and rows that the filter leaves out are accounted for."""
    header = _header(source.head)
    meaning = columns(header.columns) if header else None
    if header is None or meaning is None:
        raise EvidenceError(source.path, "no header of a timesheet in the first lines", LOOKS_FOR)
    share = options.share_done
    if share is not None and not 0 < share <= 1:
        raise EvidenceError(source.path, f"share_done = {share}", "a share above 0, at most 1")
    sheet = _Sheet(
        header,
        Rules(
            meaning, _mark(source.head, header, meaning), options.hours_per_day or HOURS_PER_DAY, _zone(source, options)
        ),
        _filter(source, options, meaning),
    )
    entries: Iterator[Record | Broken] = records(table_lines(source), header)
    if not {"date", "start"} & meaning.roles.keys():
        outline = list(islice(entries, LONGEST_SUMMARY))
        sheet.subtotals = subtotals(outline, sheet.rules, header.number)
        entries = chain(outline, entries)
    for record in entries:
        sheet.take(record)
    account = sheet.account
    notes = [f"{account.hours:,.4f} hours in all"]
    basis = "durations of entries" if meaning.times else "end less start of entries"
    if options.filter:
        basis += f" where {options.filter}"
        notes.append(f"filter {options.filter!r} leaves out {account.left_out:,.4f} hours")
    if share is not None:
        basis += f"; to date, with {share:.0%} of the work done"
        notes.append(f"{share:.0%} of the work is done: at this pace {account.hours / share:,.1f} hours in all")
    if sheet.rules.mark == ",":
        notes.append("decimal commas")
    return sheet.ledger.close(source, NAMES[0], account.facts(basis), (*notes, *account.notes()))


@dataclass(slots=True)
class _Sheet:
    """Gives every row its verdict."""

    header: Header
    rules: Rules
    wanted: Test
    ledger: Ledger = field(default_factory=Ledger)
    account: Account = field(default_factory=Account)
    seen: set[int] = field(default_factory=set)
    subtotals: frozenset[int] = frozenset()  # lines

    @property
    def columns(self) -> Columns:
        return self.rules.columns

    def take(self, record: Record | Broken) -> None:
        if isinstance(record, Broken):
            self.ledger.reject(record, record.reason)
        elif record.number <= self.header.number or not any(cell.strip() for cell in record.cells):
            self.ledger.ignore(record)
        elif tuple(cell.strip() for cell in record.cells) == self.header.columns:
            self.account.remark("the header is repeated", record.number)
            self.ledger.ignore(record)
        else:
            self._row(record)

    def _row(self, record: Record) -> None:
        spent = self.rules.spent(record.cells)
        if record.number in self.subtotals:
            self.account.remark("the sum of the rows below it, not counted", record.number)
            self.ledger.ignore(record)
        elif self._is_total(record, spent):
            self._check_total(record, spent)
            self.ledger.ignore(record)
        elif isinstance(spent, str):
            self.ledger.reject(record, spent)
        elif self._repeats(record):
            self.ledger.merge(record)
        else:
            self._count(record, spent)

    def _count(self, record: Record, spent: float) -> None:
        cell, cells = self.columns.cell, record.cells
        person = self.columns.person(cells)
        named = dict(zip((name.lower() for name in self.columns.names), cells, strict=True))
        if not self.wanted({**named, **{role: cell(role, cells) for role in self.columns.roles}, "person": person}):
            self.account.leave_out(spent)
            self.ledger.ignore(record)
            return
        self._remark(record, spent)
        self.account.count(
            Key(person, cell("project", cells), cell("task", cells), cell("tag", cells)), spent, record.number
        )
        if self.columns.amount is not None and (paid := number(cells[self.columns.amount], self.rules.mark)):
            self.account.amounts[self.columns.currency or cell("currency", cells) or "of unknown currency"] += paid
        self.ledger.use(record)

    def _remark(self, record: Record, spent: float) -> None:
        """A date that is none, a length that start and end contradict, a length that no day has."""
        for role in ("date", "end_date"):
            text = self.columns.cell(role, record.cells)
            if text and not any(moments(part, "", None) for part in (text, text.split(" ")[0])):
                self.account.remark(f"{text[:40]!r} is no date in any order (the duration is taken)", record.number)
        if spent > LONG_ENTRY:
            self.account.remark(f"more than {LONG_ENTRY:.0f} hours in one entry", record.number)
        span = self.rules.span(record.cells) if self.columns.times else None
        if span is not None and abs(span - spent) > ALIKE:
            self.account.remark("end less start is not the duration (the duration is taken)", record.number)

    def _repeats(self, record: Record) -> bool:
        """Whether the entry was there before: nobody begins the same work twice at one moment."""
        key = hash(record.cells)
        if key not in self.seen:
            self.seen.add(key)
            return False
        if any(self.columns.cell(role, record.cells) for role in ("entry", "start")):
            return True
        self.account.remark("like an earlier row, and counted, as no start tells whether it repeats it", record.number)
        return False

    def _is_total(self, record: Record, spent: float | str) -> bool:
        """A row that adds up others: it says so and has no date, or it belongs to nobody and nothing and adds up."""
        cell, cells = self.columns.cell, record.cells
        if any(any(c.isdigit() for c in cell(role, cells)) for role in ("date", "start")):
            return False
        filled = [text.strip() for text in cells if text.strip()]
        undated = "date" not in self.columns.roles
        if _TOTAL.match(filled[0]):
            return len(filled) <= 3 if undated else True
        belongs = self.columns.person(cells) or any(cell(role, cells) for role in ("project", "task", "description"))
        return not belongs and not isinstance(spent, str) and self._adds_up(spent)

    def _adds_up(self, spent: float) -> bool:
        return any(total > 0 and abs(spent - total) <= 0.005 * total + ALIKE for total in self._totals)

    @property
    def _totals(self) -> tuple[float, float]:
        return self.account.all_hours, self.account.since_total

    def _check_total(self, record: Record, spent: float | str) -> None:
        self.account.remark("a row of totals, not counted", record.number)
        if not isinstance(spent, str) and not self._adds_up(spent):
            above = f"{self.account.all_hours:,.2f} h"
            self.account.remark(f"a total of {spent:,.2f} h where the rows above have {above}", record.number)
        self.account.since_total = 0.0


def _header(head: Head) -> Header | None:
    return find_header(re.split(r"\r\n|\n|\r", head.text), lambda names: columns(names) is not None)


def _zone(source: Source, options: Options) -> ZoneInfo | None:
    if not options.time_zone:
        return None
    try:
        return ZoneInfo(options.time_zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise EvidenceError(
            source.path, f"time_zone = {options.time_zone!r}", 'a zone such as "Europe/Berlin"'
        ) from error


def _filter(source: Source, options: Options, meaning: Columns) -> Test:
    if not options.filter:
        return lambda _: True
    names = {name.lower() for name in meaning.names} | meaning.roles.keys() | {"person"}
    try:
        return row_filter(options.filter, names)
    except FilterError as error:
        raise EvidenceError(source.path, f"filter: {error}", "a condition on columns of the file") from error


def _mark(head: Head, header: Header, meaning: Columns) -> Mark:
    """The decimal mark of all numeric columns together: a column of "1,234" alone would not tell."""
    times: Sequence[int] = [index for index, _ in meaning.times]
    wanted = [i for i, name in enumerate(meaning.names) if i in times or _NUMERIC.search(name)]
    lines = re.split(r"\r\n|\n|\r", head.text)[header.number : header.number + 2000]
    try:
        return decimal_mark(
            row[i] for row in csv.reader(lines, delimiter=header.delimiter) for i in wanted if i < len(row)
        )
    except csv.Error:
        return "."
