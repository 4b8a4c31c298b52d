"""What launchers, schedulers and log collectors put before a line: ranks, hosts, process ids, their own time stamps."""

import re
from typing import NamedTuple

from simulator.evidence.scalars import clock

_PREFIX = re.compile(
    r"\s*(?:"
    r"\[(?:default|rank|Rank )?(?P<torch>\d+)\]:?"  # torchrun, PyTorch
    r"|\[\d+,(?P<mpi>\d+)\]<std\w+>:?"  # mpirun
    r"|(?P<slurm>\d{1,5}):(?=\s)"  # srun --label
    r"|\(\w[\w.-]*,? (?:pid|rank)=(?P<ray>\d+)(?:, ip=[\d.]+)?\)"  # Ray, SkyPilot
    r"|\[pod/[^\]\s]{1,200}\]"  # kubectl logs --prefix
    r"|\[[a-z][\w.]*(?:-[\w.]+)*-\d+\](?=\s)"  # [worker-0]
    r"|[a-z][\w.]*(?:-[\w.]+)*-\d+\s*\|"  # docker compose: worker-0 |
    r"|(?P<stamp>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:?\d\d))(?: std(?:out|err) [FP])?"  # containerd
    r") ?"
)
DEEPEST = 4  # prefixes before one line


class Bare(NamedTuple):
    """A line without its prefixes; the clock is a prefix's, for lines that have none themselves."""

    text: str
    rank: str | None = None
    clock: float | None = None


def strip(text: str) -> Bare:
    """Take off up to `DEEPEST` prefixes."""
    at, rank, stamp = 0, None, None
    for _ in range(DEEPEST):
        match = _PREFIX.match(text, at)
        if match is None:
            break
        at = match.end()
        rank = rank or match["torch"] or match["mpi"] or match["slurm"] or match["ray"]
        stamp = stamp or match["stamp"]
    return Bare(text[at:], rank, clock(stamp.replace("T", " ")) if stamp else None) if at else Bare(text)
