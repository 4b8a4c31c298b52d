"""Timesheets: the hours of each entry once, whatever clock, comma, language or total row a tool writes."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.evidence import timesheets
from simulator.evidence.lines import EvidenceError, Source
from simulator.evidence.options import Options
from simulator.evidence.reading import Reading


def read(tmp_path: Path, content: str | bytes, **options: str | float) -> Reading:
    path = tmp_path / "sheet.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    source = Source(path)
    assert timesheets.sniff(source.head)
    reading = timesheets.read(source, Options(**options))  # type: ignore[arg-type]
    assert reading.used + reading.merged + reading.ignored + reading.rejected_count == reading.lines
    return reading


def total(reading: Reading) -> float:
    return sum(fact.value for fact in reading.of("engineer_hours"))


def says(reading: Reading, text: str) -> bool:
    return any(text in note for note in reading.notes)


TOGGL = """\ufeffUser,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,\
Duration,Tags,Amount (EUR)
Ada,ada@x.test,,Port,,kernels,No,2026-03-02,09:00:00,2026-03-02,10:30:01,01:30:01,"trn2, kernels",100.50
Ben,ben@x.test,,Web,,,No,2026-03-02,09:00:00,2026-03-02,11:00:00,02:00:00,,
"""
CLOCKIFY = """"Project","Client","Description","Task","User","Start Date","Start Time","End Date","End Time",\
"Duration (h)","Duration (decimal)"
"Port","","","","Ada","03/04/2026","11:30 PM","03/05/2026","12:31:01 AM","01:01:01","0.00"
"""
HARVEST = """Date,Client,Project,Task,Notes,Hours,First Name,Last Name,Billable Amount,Currency
2026-03-02,,Port,,"",12,Ada,Lovelace,"1.200,0",Euro - EUR
2026-03-02,,Port,Tests,,"0,25",Ada,Lovelace,"25,0",Euro - EUR
"""
JIRA = """Issue Key,Author,Started,Time Spent,Comment
PORT-1,ada,2026-03-02 09:00,2h 30m,
PORT-2,ada,2026-03-03 09:00,1d,all day
PORT-2,ben,2026-03-03 09:00,5400,from the issue export
"""


def test_toggl(tmp_path: Path) -> None:
    reading = read(tmp_path, TOGGL)

    ada, ben = reading.of("engineer_hours")
    assert ada.value == pytest.approx(1.5 + 1 / 3600)
    assert ada.group == {"person": "Ada", "project": "Port", "tag": "trn2, kernels"}
    assert (ben.value, ben.lines) == (2, (3, 3))
    assert says(reading, "100.50 EUR")


def test_the_clock_is_finer_than_the_rounded_decimal(tmp_path: Path) -> None:
    assert total(read(tmp_path, CLOCKIFY)) == pytest.approx(1 + 61 / 3600)


def test_start_and_end_give_the_hours_where_no_duration_does(tmp_path: Path) -> None:
    bare = CLOCKIFY.replace(',"Duration (h)","Duration (decimal)"', "").replace(',"01:01:01","0.00"', "")
    assert total(read(tmp_path, bare)) == pytest.approx(1 + 61 / 3600)  # over midnight, on a 12-hour clock


def test_decimal_commas_and_whole_hours(tmp_path: Path) -> None:
    reading = read(tmp_path, HARVEST)

    assert total(reading) == 12.25
    assert reading.facts[0].group["person"] == "Ada Lovelace"
    assert says(reading, "1,225.00 Euro - EUR")


def test_jira_words_days_and_seconds(tmp_path: Path) -> None:
    assert total(read(tmp_path, JIRA)) == 2.5 + 8 + 1.5
    assert total(read(tmp_path, JIRA, hours_per_day=7.5)) == 2.5 + 7.5 + 1.5


def test_iso_times_with_zones(tmp_path: Path) -> None:
    text = "user_name,project,start,end\nAda,Port,2026-03-02T09:00:00Z,2026-03-02T12:00:00+01:00\n"
    assert total(read(tmp_path, text)) == 2


def test_an_impossible_date_costs_the_date_not_the_hours(tmp_path: Path) -> None:
    text = CLOCKIFY.replace("03/04/2026", "13/15/2026")
    reading = read(tmp_path, text)

    assert total(reading) == pytest.approx(1 + 61 / 3600)
    assert says(reading, "'13/15/2026' is no date in any order (the duration is taken): line 2")


def test_a_duration_counts_though_start_and_end_span_more(tmp_path: Path) -> None:
    reading = read(tmp_path, TOGGL.replace("11:00:00,02:00:00", "12:00:00,02:00:00"))

    assert total(reading) == pytest.approx(3.5 + 1 / 3600)
    assert says(reading, "end less start is not the duration (the duration is taken): line 3")


@pytest.mark.parametrize(
    "row",
    [
        "Total,,,,,,,,,,,03:30:01,,",
        "Grand total,,,,,,,,,,,03:30:01,,100.50",
        ",,,,,,,,,,,03:30:01,,100.50",
        "Summe:,,,,,,,,,,,3.50,,",
    ],
)
def test_a_row_of_totals_is_not_counted(tmp_path: Path, row: str) -> None:
    reading = read(tmp_path, f"{TOGGL}{row}\n")

    assert total(reading) == pytest.approx(3.5 + 1 / 3600)
    assert says(reading, "a row of totals, not counted: line 4")
    assert not says(reading, "where the rows above have")


def test_a_total_that_does_not_add_up_is_said(tmp_path: Path) -> None:
    assert says(
        read(tmp_path, f"{TOGGL}Total,,,,,,,,,,,05:00:00,,\n"), "a total of 5.00 h where the rows above have 3.50 h"
    )


def test_a_total_in_the_column_of_dates(tmp_path: Path) -> None:
    reading = read(tmp_path, HARVEST + 'Total,,,,,"12,25",,,,\n')

    assert total(reading) == 12.25
    assert says(reading, "a row of totals, not counted: line 4")


def test_a_project_called_total_is_work(tmp_path: Path) -> None:
    text = "project,task,user,date,hours\nTotal rewrite,x,Ada,2026-03-02,4\nPort,x,Ada,2026-03-03,4\n"
    assert total(read(tmp_path, text)) == 8


def test_the_same_entry_twice_is_one_but_like_entries_without_a_start_are_two(tmp_path: Path) -> None:
    twice = read(tmp_path, TOGGL + TOGGL.splitlines(keepends=True)[1])
    assert (twice.merged, total(twice)) == (1, pytest.approx(3.5 + 1 / 3600))

    line = HARVEST.splitlines(keepends=True)[2]
    alike = read(tmp_path, HARVEST + line)
    assert (alike.merged, total(alike)) == (0, 12.5)
    assert says(alike, "like an earlier row, and counted")


@pytest.mark.parametrize(
    ("expression", "hours"),
    [
        ("project = Port", 1.5 + 1 / 3600),
        ("tag = trn2", 1.5 + 1 / 3600),
        ("tag = trn", 0),
        ("tag ~ trn", 1.5 + 1 / 3600),
        ("person != Ada", 2),
        ("project = port and person = ada", 1.5 + 1 / 3600),
        ("project = port and person = ben or project = web", 2),
        ("kernels", 1.5 + 1 / 3600),
        ('billable = "No"', 3.5 + 1 / 3600),
    ],
)
def test_filter(tmp_path: Path, expression: str, hours: float) -> None:
    reading = read(tmp_path, TOGGL, filter=expression)

    assert total(reading) == pytest.approx(hours)
    assert says(reading, f"leaves out {3.5 + 1 / 3600 - hours:,.4f} hours")


def test_a_filter_on_no_column_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match="did you mean 'project'"):
        read(tmp_path, TOGGL, filter="projekt = Port")


def test_share_done(tmp_path: Path) -> None:
    reading = read(tmp_path, HARVEST, share_done=0.5)

    assert total(reading) == 12.25  # to date: what it means for the whole is not the reader's to decide
    assert says(reading, "50% of the work is done: at this pace 24.5 hours")
    with pytest.raises(EvidenceError, match="share_done"):
        read(tmp_path, HARVEST, share_done=50)


def test_a_number_without_a_unit_is_asked_for(tmp_path: Path) -> None:
    reading = read(tmp_path, "user,project,duration\nAda,Port,2.5\nAda,Port,5400\n")

    assert total(reading) == 2.5
    assert [(r.line, "no unit" in r.reason) for r in reading.rejected] == [(3, True)]


@pytest.mark.parametrize(
    "text",
    [
        "Mitarbeiter;Projekt;Datum;Stunden\nAda;Port;02.03.2026;2,5\n",
        "user\tproject\thours\nAda\tPort\t2.5\n",
        "sep=;\nuser;project;minutes\nAda;Port;150\n",
        "Report of March\n\nuser,project,seconds\nAda,Port,9000\n",
        'user,project,description,hours\nAda,Port,"first\n\nthen ""that"", then",2.5\n',
    ],
    ids=["german", "tabs", "sep", "title", "line breaks"],
)
def test_dress(tmp_path: Path, text: str) -> None:
    for content in (text.encode(), text.replace("\n", "\r\n").encode("utf-16"), b"\xef\xbb\xbf" + text.encode()):
        reading = read(tmp_path, content)
        assert (total(reading), reading.used > 0, reading.rejected_count) == (2.5, True, 0)


def test_missing_hours_are_rejected_not_zero(tmp_path: Path) -> None:
    reading = read(tmp_path, "user,project,hours\nAda,Port,\nAda,Port,n/a\nAda,Port,-2\nAda,Port,some\nAda,Port,1\n")

    assert total(reading) == 1
    assert [r.line for r in reading.rejected] == [2, 3, 4, 5]


def test_absurd_durations_are_rejected(tmp_path: Path) -> None:
    rows = [f"{'9' * 400}:00:00", "1e308", "1000000h", "1.5"]
    reading = read(tmp_path, "user,project,hours\n" + "".join(f"Ada,Port,{row}\n" for row in rows))

    assert (reading.rejected_count, total(reading)) == (3, 1.5)


def test_other_tables_are_no_timesheets(tmp_path: Path) -> None:
    for text in ("step,loss,duration\n1,2,3\n", "JobID|User|State|Elapsed\n1|a|b|c\n", "instance,price\na,b\n"):
        path = tmp_path / "other.csv"
        path.write_text(text)
        assert timesheets.sniff(Source(path).head) is None


LINES = [*TOGGL.splitlines(keepends=True), "Total,,,,,,,,,,,03:30:01,,\n", '"open,quote\n', "\n", "x,y\n"]


@given(st.lists(st.integers(0, len(LINES) - 1), max_size=14), st.integers(0, 300), st.binary(max_size=4))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_mixture_of_lines_raises_unbalances_or_counts_twice(
    tmp_path: Path, order: list[int], cut: int, junk: bytes
) -> None:
    body = LINES[0] + "".join(LINES[i] for i in order)
    head = len(LINES[0].encode())
    reading = read(tmp_path, body.encode()[: max(head, len(body.encode()) - cut)] + junk)

    assert reading.used <= 3 + 1  # two entries, and what the cut and the junk may make of one more


@pytest.mark.parametrize(
    "rows",
    [
        "Ada,,,8\n,Port,,6\n,,kernels,4\n,,tests,2\n,Web,,2\n,,site,2\n",
        "Ada,,,8\nAda,Port,,6\nAda,Port,kernels,4\nAda,Port,tests,2\nAda,Web,,2\nAda,Web,site,2\n",
    ],
    ids=["names once", "names repeated"],
)
def test_sums_inside_a_summary_are_not_counted(tmp_path: Path, rows: str) -> None:
    """Counted at each level, 8 hours would be 24."""
    reading = read(tmp_path, "User,Project,Task,Hours\n" + rows)
    assert total(reading) == 8
    assert says(reading, "the sum of the rows below it, not counted: lines 2, 3, 6")


def test_an_entry_without_a_task_is_no_sum(tmp_path: Path) -> None:
    assert total(read(tmp_path, "User,Project,Task,Hours\nAda,Port,,2\nAda,Port,kernels,2\nAda,Port,tests,4\n")) == 8


@pytest.mark.parametrize(
    ("title", "rest", "hours"),
    [
        ("Pause", "00:30", 8.0),
        ("Pause", "30m", 8.0),
        ("Break (min)", "30", 8.0),
        ("Pause", "", 8.5),
        ("Pause", "30", None),
    ],
)
def test_a_break_is_taken_off_start_to_end(tmp_path: Path, title: str, rest: str, hours: float | None) -> None:
    reading = read(tmp_path, f"Person,Project,Date,Start,End,{title}\nAda,Port,2026-03-02,09:00,17:30,{rest}\n")
    assert (total(reading), reading.rejected_count) == ((hours, 0) if hours else (0, 1))


def test_a_change_of_the_clocks_counts_where_the_zone_is_told(tmp_path: Path) -> None:
    sheet = "Person,Project,Start,End\nAda,Port,2026-03-29 01:30,2026-03-29 03:30\n"
    assert total(read(tmp_path, sheet, time_zone="Europe/Berlin")) == 1
    assert total(read(tmp_path, sheet)) == 2


def test_of_two_orders_of_a_date_the_shorter_entry_counts(tmp_path: Path) -> None:
    """3 April to 4 April, not 4 March to 4 April."""
    assert total(read(tmp_path, "Person,Project,Start,End\nAda,Port,03/04/2026 09:00,04/04/2026 10:00\n")) == 25


@pytest.mark.parametrize(
    "header",
    [
        "Utilisateur,E-mail,Projet,Date de début,Heure de début,Durée,Étiquettes",
        "Usuario,Correo,Proyecto,Fecha de inicio,Hora de inicio,Duración,Etiquetas",
        "Name,Email,Project,Date,From,Actual Hours,Tags",
    ],
)
def test_languages(tmp_path: Path, header: str) -> None:
    reading = read(tmp_path, f"{header}\nAda,a@x.test,Port,2026-03-02,09:00:00,01:30:00,nki\n")
    (fact,) = reading.of("engineer_hours")
    assert (fact.value, fact.group) == (1.5, {"person": "Ada", "project": "Port", "tag": "nki"})


def test_a_table_of_anything_with_a_name_is_no_timesheet(tmp_path: Path) -> None:
    path = tmp_path / "kernels.csv"
    path.write_text("Name,Duration,Calls\ngemm,1.5,10\n")
    assert not timesheets.sniff(Source(path).head)
