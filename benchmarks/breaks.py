"""Does `simulate verify` notice a broken estimator? Each break is made in a copy of the program, and verify run there.

    python benchmarks/breaks.py

A break is a file, a piece of it that stands there once, and what is put in its place.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Break(NamedTuple):
    what: str
    file: str
    old: str
    new: str


BREAKS = (
    Break(
        "Monte Carlo errors half as large",
        "engine/figures.py",
        "math.sqrt((count - 1) / count * float(np.sum(spread * spread)))",
        "0.5 * math.sqrt((count - 1) / count * float(np.sum(spread * spread)))",
    ),
    Break(
        "rent beyond a commitment at the discount",
        "model/rent.py",
        "used=within * paid + beyond * price",
        "used=within * paid + beyond * paid",
    ),
    Break(
        "EVPI without the value of deciding now",
        "decision/voi/perfect.py",
        "gain = np.maximum(difference.max(axis=1), 0)",
        "gain = np.abs(difference.max(axis=1))",
    ),
    Break(
        "noise of n observations not averaged",
        "decision/voi/likelihood.py",
        "np.asarray(self.sd, dtype=np.float64) / math.sqrt(size)",
        "np.asarray(self.sd, dtype=np.float64) / size",
    ),
    Break(
        "Spearman's correlation taken for Pearson's",
        "inputs/ranks.py",
        "return 2 * math.sin(math.pi / 6 * spearman)",
        "return spearman",
    ),
    Break(
        "quantiles linear within a cell of the table",
        "inputs/table.py",
        "return np.stack([left, at_left, 3 * rise - 2 * at_left - at_right, at_left + at_right - 2 * rise])",
        "return np.stack([left, rise, 0 * rise, 0 * rise])",
    ),
    Break(
        "posterior mean of a rate without its prior exposure",
        "decision/voi/exact.py",
        "return (self.shape + counts) / (self.rate + size * self.exposure)",
        "return (self.shape + counts) / (size * self.exposure)",
    ),
    Break(
        "no cost for going on with a PoC",
        "decision/voi/sequential.py",
        "go_on = state.ahead(value) - cost * batch - (setup if runs == 0 else 0)",
        "go_on = state.ahead(value) - (setup if runs == 0 else 0)",
    ),
)


def failing(broken: Break) -> list[str]:
    """Groups of checks that fail when a break is made; an error when the piece is not there once."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        shutil.copytree(ROOT / "simulator", copy / "simulator", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("priors", "studies"):
            shutil.copytree(ROOT / name, copy / name)
        shutil.copy(ROOT / "cli.py", copy)
        file = copy / "simulator" / broken.file
        text = file.read_text("utf-8")
        if text.count(broken.old) != 1:
            raise SystemExit(f"{broken.file}: the piece to break is there {text.count(broken.old)} times: {broken.old}")
        file.write_text(text.replace(broken.old, broken.new), "utf-8")
        done = subprocess.run(
            [sys.executable, "cli.py", "verify", "--json"],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy)},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode not in (0, 1):
        return [f"verify stopped: {done.stderr.strip().splitlines()[-1]}"]
    checks = json.loads(done.stdout)["checks"]
    return sorted({f"{check['group']}" for check in checks if not check["passed"]})


def main() -> int:
    unnoticed = 0
    for broken in BREAKS:
        groups = failing(broken)
        unnoticed += not groups
        print(f"{broken.what}: {'; '.join(groups) or 'NOT NOTICED'}", flush=True)
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
