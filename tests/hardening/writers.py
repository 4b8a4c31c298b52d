"""The commands that write a file or folder under a final name, and how one sees that what they wrote is whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
STUDY = """\
title = "Written under fire"
baseline = "a"
currency = "USD"

[workload]
pflop_hours = 1e4

[rates]
engineer = 100

[options.a]
price = 50
peak_pflops = 8
utilization = 0.4

[options.b]
price = 40
peak_pflops = 8
utilization = { dist = "beta", mean = 0.4, sd = 0.05 }
engineer_hours = { dist = "lognormal", median = 200, sigma = 0.5 }
faults_per_1000h = { dist = "gamma", mean = 1, sd = 0.5 }
hours_lost_per_fault = 2

[[evidence]]
input = "b.faults_per_1000h"
events = 2
exposure_hours = 340
"""


@dataclass(frozen=True)
class Writer:
    """A command, what it writes, and a check that raises when that is not whole."""

    name: str
    words: Sequence[str]
    final: str
    whole: Callable[[Path], object]


def _run(folder: Path) -> None:
    assert {"result.json", "study.toml", "draws.parquet"} == {each.name for each in folder.iterdir()}
    assert json.loads((folder / "result.json").read_text("utf-8"))["schema"] == "switchodds/result/1"
    assert (folder / "study.toml").read_text("utf-8") == STUDY
    raw = (folder / "draws.parquet").read_bytes()
    assert raw[:4] == raw[-4:] == b"PAR1"


def _posterior(path: Path) -> None:
    from simulator.calibration.record import read

    assert read(path) is not None


def _memo(path: Path) -> None:
    assert path.read_text("utf-8").rstrip().endswith("</html>")


def _table(path: Path) -> None:
    raw = path.read_bytes()
    assert raw[:4] == raw[-4:] == b"PAR1"


WRITERS = (
    Writer("run", ("run", "study.toml", "--draws", "4096", "--save", "saved", "--save-draws"), "saved", _run),
    Writer("table", ("run", "study.toml", "--draws", "4096", "--table", "all.parquet"), "all.parquet", _table),
    Writer("calibrate", ("calibrate", "study.toml", "-q"), "study.posterior.nc", _posterior),
    Writer("memo", ("memo", "study.toml", "--draws", "4096", "-q"), "study.memo.html", _memo),
)


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", **more}


def started(writer: Writer, folder: Path, **more: str) -> subprocess.Popen[str]:
    """The command under way in a folder, with the study in it."""
    return subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), *writer.words],
        cwd=folder,
        env=environment(**more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def prepared(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.toml").write_text(STUDY, "utf-8")
    return folder
