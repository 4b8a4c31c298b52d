"""What the columns of a timesheet mean, whatever tool or language named them."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simulator.evidence.bill_table import plain

# Spellings of Toggl, Clockify, Harvest, Jira, Tempo, Kimai, solidtime and spreadsheets, as `plain` writes them; the
# first that a table has wins.
_ROLES: Mapping[str, tuple[str, ...]] = {
    "person": (
        *("user", "username", "member", "person", "employee", "fullname", "author", "worker", "engineer", "assignee"),
        *("consultant", "resource", "staff", "teammember", "who", "benutzer", "mitarbeiter", "mitarbeiterin", "nutzer"),
        *("bearbeiter", "utilisateur", "usuario", "utente", "name", "useremail", "email"),
    ),
    "first_name": ("firstname", "vorname"),
    "last_name": ("lastname", "nachname"),
    "project": ("project", "projectname", "projekt", "projectkey", "projet", "proyecto", "projeto", "progetto"),
    "client": ("client", "customer", "kunde", "clientname", "cliente"),
    "task": (
        *("task", "taskname", "issuekey", "issue", "ticket", "activity", "activityname", "aufgabe", "tatigkeit"),
        *("taetigkeit", "tache", "tarea", "tarefa", "issueid", "key", "title"),
    ),
    "tag": ("tags", "tag", "labels", "label", "category", "schlagworte", "etiquettes", "etiquetas", "etichette"),
    "description": (
        *("description", "notes", "note", "comment", "workdescription", "issuesummary", "summary", "beschreibung"),
        *("notiz", "kommentar", "details", "descripcion", "descricao", "descrizione"),
    ),
    "date": (
        "date",
        "workdate",
        "startdate",
        "day",
        "spentdate",
        "datum",
        "started",
        "startdatum",
        "datededebut",
        "fechadeinicio",
        "fecha",
        "data",
    ),
    "start": (
        "start",
        "starttime",
        "begin",
        "from",
        "started",
        "startzeit",
        "beginn",
        "von",
        "startat",
        "startedat",
        "heurededebut",
        "heuredebut",
        "horadeinicio",
    ),
    "end_date": ("enddate", "stopdate", "enddatum", "datedefin", "fechadefin"),
    "end": (
        "end",
        "endtime",
        "stop",
        "stoptime",
        "to",
        "endzeit",
        "ende",
        "bis",
        "endat",
        "endedat",
        "heuredefin",
        "heurefin",
        "horadefin",
    ),
    "break": (
        "break",
        "breaks",
        "breaktime",
        "breakmin",
        "breakminutes",
        "breakduration",
        "pause",
        "pausemin",
        "pausen",
    ),
    "currency": ("currency", "wahrung", "waehrung"),
    "entry": ("entryid", "timeentryid", "worklogid", "recordid"),
}
_HOURS = (
    "hours",
    "hrs",
    "h",
    "durationhours",
    "hoursspent",
    "timespenthours",
    "loggedhours",
    "hourslogged",
    "hoursworked",
    "workedhours",
    "actualhours",
    "hoursactual",
    "stunden",
    "std",
    "timeh",
)
_DURATIONS = (
    *(
        "duration",
        "duree",
        "duracion",
        "duracao",
        "durata",
        "durationh",
        "timespent",
        "timetracked",
        "trackedtime",
        "hhmm",
        "dauer",
        "worked",
    ),
    *("worklog", "logged", "effort", "aufwand"),
)
_DECIMALS = ("durationdecimal", "timedecimal", "decimalhours", "hoursdecimal", "durationhdecimal")
_SECONDS = (
    "seconds",
    "durationseconds",
    "timespentseconds",
    "durationsec",
    "durationinseconds",
    "timespents",
    "sekunden",
)
_MINUTES = ("minutes", "durationminutes", "timespentminutes", "durationmin", "mins", "durationinminutes", "minuten")
_TIMES: tuple[tuple[tuple[str, ...], float | None], ...] = (
    (_DURATIONS, None),  # hh:mm:ss or "2h 30m"; of a bare number the unit is unknown
    (_HOURS, 1.0),
    (_DECIMALS, 1.0),
    (_SECONDS, 1 / 3600),
    (_MINUTES, 1 / 60),
)
_AMOUNT = re.compile(r"(?:billable )?amount\s*(?:\((?P<code>[A-Z]{3})\))?", re.IGNORECASE)
_WORK = ("project", "client", "task", "tag", "description")


@dataclass(frozen=True, slots=True)
class Columns:
    """Places of the columns that matter."""

    names: tuple[str, ...]
    roles: Mapping[str, int]
    times: tuple[tuple[int, float | None], ...]  # column, hours in one of its unit; the first that can be read counts
    amount: int | None  # money billed for an entry
    currency: str  # of all amounts, where the header says it
    jira: bool

    @property
    def spans(self) -> bool:
        """Whether an entry says when it began and ended."""
        return {"start", "end"} <= self.roles.keys()

    def cell(self, role: str, cells: Sequence[str]) -> str:
        index = self.roles.get(role)
        return "" if index is None else cells[index].strip()

    def person(self, cells: Sequence[str]) -> str:
        first, last = self.cell("first_name", cells), self.cell("last_name", cells)
        return f"{first} {last}".strip() or self.cell("person", cells)


def columns(names: Sequence[str]) -> Columns | None:
    """The meaning of a header; None if it is no timesheet's: no time, or nobody and nothing that it was spent on."""
    spelled: dict[str, int] = {}
    for index, name in enumerate(names):
        spelled.setdefault(plain(_unaccented(name)), index)
    roles = {role: i for role, words in _ROLES.items() if (i := _first(words, spelled)) is not None}
    times = tuple((i, unit) for words, unit in _TIMES if (i := _first(words, spelled)) is not None)
    someone = bool({"person", "first_name"} & roles.keys())
    works = sum(role in roles for role in _WORK)
    if "name" in spelled and roles.get("person") == spelled["name"]:
        someone = works > 0  # a table of anything has a name
    if not (times or {"start", "end"} <= roles.keys()) or not (someone or works >= 2) or "jobid" in spelled:
        return None
    amounts = [(i, m["code"]) for i, name in enumerate(names) if (m := _AMOUNT.match(name.strip()))]
    amount, code = amounts[0] if amounts else (None, None)
    jira = not {"issuekey", "issueid"}.isdisjoint(spelled)
    return Columns(tuple(names), roles, times, amount, code or "", jira)


def _unaccented(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))


def _first(words: Sequence[str], spelled: Mapping[str, int]) -> int | None:
    return next((spelled[word] for word in words if word in spelled), None)
