"""A row of Slurm's accounts, read: which job and attempt, how it ended, on how many nodes and for how long."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

# https://slurm.schedmd.com/job_state_codes.html, read 2026-12
STATES = {
    "BOOT_FAIL": "BF",
    "CANCELLED": "CA",
    "COMPLETED": "CD",
    "CONFIGURING": "CF",
    "COMPLETING": "CG",
    "DEADLINE": "DL",
    "FAILED": "F",
    "NODE_FAIL": "NF",
    "OUT_OF_MEMORY": "OOM",
    "PENDING": "PD",
    "PREEMPTED": "PR",
    "REQUEUED": "RQ",
    "REQUEUE_FED": "RF",
    "REQUEUE_HOLD": "RH",
    "RESIZING": "RS",
    "RESV_DEL_HOLD": "RD",
    "REVOKED": "RV",
    "RUNNING": "R",
    "SIGNALING": "SI",
    "SPECIAL_EXIT": "SE",
    "STAGE_OUT": "SO",
    "STOPPED": "ST",
    "SUSPENDED": "S",
    "TIMEOUT": "TO",
}
FAULTS = ("NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY")  # the machine's doing, or memory's: what the model calls a fault
UNKNOWN_CAUSE = ("FAILED",)  # a bug, a full disk or a dead device: the accounts do not tell
UNFINISHED = ("RUNNING", "COMPLETING", "SUSPENDED", "RESIZING", "STOPPED", "SIGNALING", "STAGE_OUT")
NOT_RUN = ("PENDING", "CONFIGURING", "REQUEUE_FED", "REQUEUE_HOLD", "RESV_DEL_HOLD", "REVOKED")
DEVICES = ("gpu", "neuron", "neurondevice", "accelerator", "tpu", "hpu", "npu")

_CODES = {code: state for state, code in STATES.items()}
MOST_DIGITS = 15
_ELAPSED = re.compile(r"(?:(\d{1,9})-)?(?:(\d{1,9}):)?(\d{1,9}):(\d{1,9})(?:\.\d+)?")
_GRES = re.compile(r"gres/(\w+)(:[^=,]+)?=(\d+)")
_NODES = re.compile(r"\bnode=(\d+)")
_HOSTS = re.compile(r"[^,\[\]]+(?:\[([^\]]*)\])?[^,\[\]]*")
_NO_TIME = ("", "unknown", "none", "invalid", "n/a")


@dataclass(frozen=True, slots=True)
class Job:
    """One attempt of one job, or one of its steps."""

    id: str
    step: bool
    start: str  # as the accounts write it: it tells attempts apart, and needs no zone for that
    state: str
    hours: float
    nodes: int | None
    devices: int | None
    partition: str
    exit_code: str
    restarts: int

    @property
    def ran(self) -> bool:
        """Whether it ever held its nodes: a job can be cancelled in the queue."""
        begun = self.hours > 0 or self.start.lower() not in _NO_TIME
        return self.state not in NOT_RUN and (begun or self.state not in ("CANCELLED", "DEADLINE"))


def job(row: Mapping[str, str]) -> Job | str:
    """The job of a row with lower-case column names, or why it is none."""
    whole = row.get("jobidraw") or row.get("jobid", "")
    known = row.get("jobid") or whole
    if not re.match(r"\d+", whole):
        return "no job number"
    state = _state(row.get("state", ""))
    if state is None:
        return f"no state that Slurm knows: {row.get('state', '')[:40]!r}"
    hours = _hours(row)
    if hours is None and state not in NOT_RUN:
        return "no elapsed time, nor a start and an end"
    tres = row.get("alloctres") or row.get("tresalloc") or row.get("allocgres", "")
    return Job(
        id=re.split(r"\.", known)[0],
        step="." in whole or "." in known,
        start=row.get("start", ""),
        state=state,
        hours=hours or 0.0,
        nodes=_nodes(row, tres),
        devices=_devices(tres),
        partition=row.get("partition", ""),
        exit_code=row.get("exitcode", ""),
        restarts=_count(row.get("restarts", "")) or 0,
    )


def _state(text: str) -> str | None:
    """The state in "CANCELLED by 1000", "OUT_OF_ME+" or "OOM"."""
    word = text.strip().upper().split(" ")[0]
    if word.endswith("+"):
        whole = [state for state in STATES if state.startswith(word[:-1])]
        return whole[0] if len(whole) == 1 and word != "+" else None
    return word if word in STATES else _CODES.get(word)


def _hours(row: Mapping[str, str]) -> float | None:
    if (seconds := _count(row.get("elapsedraw", ""))) is not None:
        return seconds / 3600
    if found := _ELAPSED.fullmatch(row.get("elapsed", "").strip()):
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return 24 * days + hours + minutes / 60 + seconds / 3600
    try:
        span = datetime.fromisoformat(row.get("end", "")) - datetime.fromisoformat(row.get("start", ""))
    except (ValueError, TypeError):
        return None
    return span.total_seconds() / 3600 if span.total_seconds() >= 0 else None


def _nodes(row: Mapping[str, str], tres: str) -> int | None:
    for name in ("allocnodes", "nnodes"):
        if (nodes := _count(row.get(name, "").strip())) is not None:
            return nodes
    if found := _NODES.search(tres):
        return _count(found[1])
    return hosts(row.get("nodelist", ""))


def _devices(tres: str) -> int | None:
    """Accelerators in "gres/gpu=16,gres/gpu:h100=16": the untyped count, or the sum of the typed ones."""
    plain, typed = None, 0
    for kind, model, count in _GRES.findall(tres):
        if kind.lower() in DEVICES and model:
            typed += _count(count) or 0
        elif kind.lower() in DEVICES:
            plain = _count(count)
    return plain if plain is not None else typed or None


def hosts(nodes: str) -> int | None:
    """Number of hosts in a list such as "trn[1-3,07],head"; None if it names none.

    >>> hosts("trn[1-3,07],head"), hosts("None assigned")
    (5, None)
    """
    if not nodes.strip() or nodes.strip().lower() in ("none assigned", "(null)", "none"):
        return None
    return sum(_ranges(found[1]) for found in _HOSTS.finditer(nodes)) or None


def _ranges(text: str | None) -> int:
    if text is None:
        return 1
    hosts = 0
    for part in filter(None, text.split(",")):
        first, last = _count(part.split("-")[0]), _count(part.split("-")[-1])
        if first is None or last is None:
            return 0
        hosts += last - first + 1
    return hosts


def _count(text: str) -> int | None:
    """A whole number; None for anything else, and for what no cluster counts to."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def knows(columns: Sequence[str]) -> bool:
    """Whether these are columns that `sacct -P` prints: a job, its state and how long it took."""
    names = {column.strip().lower() for column in columns}
    return (
        not names.isdisjoint({"jobid", "jobidraw"})
        and "state" in names
        and (not names.isdisjoint({"elapsed", "elapsedraw"}) or {"start", "end"} <= names)
    )
