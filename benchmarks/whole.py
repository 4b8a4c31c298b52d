"""Whole processes: start-up against its floor, and the time to a given error against what a user would write."""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
STUDY = ROOT / "tests" / "data" / "study-a.toml"
TRUTH = json.loads(STUDY.with_suffix(".expected.json").read_text())
KEYS = ("p_beats", "saving_mean", "saving_sd", "saving_p05", "saving_p50", "saving_p95", "saving_cvar05")
FLOOR = (sys.executable, "-c", "import numpy, scipy.special, click, pydantic")
OURS = (sys.executable, "-m", "simulator", "run", str(STUDY), "--json")
TARGETS = {"P to 1e-4": ("p_beats", 1e-4), "P to 1e-5": ("p_beats", 1e-5), "mean to 0.01 %": ("saving_mean", 3.8249)}
SIZES = {
    "simulate": (2**15, 2**17, 2**20),
    "numpy": (2**15, 2**18, 2**21),
    "scipy_sobol": (2**13, 2**15, 2**17),
}
COMMANDS = {
    "simulate": (*OURS, "--draws", "{n}", "--seed", "{s}"),
    **{
        name: (sys.executable, "-m", "benchmarks.peers", name, "--draws", "{n}", "--seed", "{s}")
        for name in ("numpy", "scipy_sobol")
    },
}


class Process(NamedTuple):
    """What one process took, and what it printed."""

    seconds: float
    cpu: float
    megabytes: float
    printed: str


def once(command: Sequence[str]) -> Process:
    """Run a command to its end."""
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=out, cwd=ROOT)
        _, status, used = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise SystemExit(f"{' '.join(command)} failed")
        out.seek(0)
        printed = out.read().decode()
    return Process(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, printed)


def figures(printed: str) -> dict[str, float]:
    """Figures of study A from the JSON of the program or of a peer."""
    found: dict[str, Any] = json.loads(printed)
    if "options" not in found:
        return found
    option = found["options"]["trn2"]
    saving = {f"saving_{key}": option["saving"][key]["value"] for key in ("mean", "sd", "p05", "p50", "p95")}
    return saving | {"p_beats": option["p_beats"]["value"], "saving_cvar05": option["cvar05"]["value"]}


def start_up(rounds: int) -> dict[str, object]:
    """The default run of a study against the imports that it cannot do without, in one row of rounds."""
    commands = {"floor": FLOOR, "simulate": OURS}
    taken: dict[str, list[Process]] = {name: [] for name in commands}
    for _ in range(rounds + 1):
        for name, command in commands.items():
            taken[name].append(once(command))
    best = {name: min(each.cpu for each in runs[1:]) for name, runs in taken.items()}
    middle = {name: statistics.median(each.cpu for each in runs[1:]) for name, runs in taken.items()}
    wall = {name: min(each.seconds for each in runs[1:]) for name, runs in taken.items()}
    return {
        "cpu_seconds": best,
        "wall_seconds": wall,
        "ratio_of_least_cpu": best["simulate"] / best["floor"],
        "ratio_of_median_cpu": middle["simulate"] / middle["floor"],
        "ratio_of_least_wall": wall["simulate"] / wall["floor"],
    }


def to_an_error(seeds: int) -> dict[str, object]:
    """Draws and processor seconds of whole processes to given errors; seeds are the outer loop."""
    runs: dict[str, dict[int, list[tuple[Process, dict[str, float]]]]] = {
        name: {n: [] for n in sizes} for name, sizes in SIZES.items()
    }
    for seed in range(1, seeds + 1):
        for name, sizes in SIZES.items():
            for n in sizes:
                command = [word.format(n=n, s=seed) for word in COMMANDS[name]]
                found = once(command)
                runs[name][n].append((found, figures(found.printed)))
    return {name: _summary(name, found) for name, found in runs.items()}


def _summary(name: str, runs: dict[int, list[tuple[Process, dict[str, float]]]]) -> dict[str, object]:
    cpu = {n: statistics.median(process.cpu for process, _ in each) for n, each in runs.items()}
    small, large = min(runs), max(runs)
    per_draw = max((cpu[large] - cpu[small]) / (large - small), 0.0)
    start = max(cpu[small] - per_draw * small, 0.0)
    errors = {
        key: {
            n: math.sqrt(statistics.fmean((got[key] - TRUTH[key][0]) ** 2 for _, got in each))
            for n, each in runs.items()
        }
        for key in KEYS
    }
    reach = {}
    for label, (key, target) in TARGETS.items():
        rate, level = _law(name, key, errors[key])
        draws = math.exp((math.log(target) - level) / rate)
        reach[label] = {"draws": draws, "cpu_seconds": start + per_draw * draws}
    return {
        "cpu_seconds": cpu,
        "megabytes": max(process.megabytes for process, _ in runs[large]),
        "start": start,
        "ns_per_draw": 1e9 * per_draw,
        "rms_errors": errors,
        "reach": reach,
    }


def _law(name: str, key: str, errors: dict[int, float]) -> tuple[float, float]:
    """Rate and level of error ~ draws^rate: known for plain Monte Carlo, fitted on logarithms for the others."""
    if name == "numpy":
        p = TRUTH["p_beats"][0]
        return -0.5, math.log(math.sqrt(p * (1 - p)) if key == "p_beats" else TRUTH["saving_sd"][0])
    x, y = [math.log(n) for n in errors], [math.log(e) for e in errors.values()]
    rate = min(max(statistics.linear_regression(x, y).slope, -1.5), -0.5)
    return rate, statistics.fmean(y) - rate * statistics.fmean(x)
