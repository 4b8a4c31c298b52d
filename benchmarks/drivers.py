"""Drivers of 20 inputs in 6 groups, EVSI of six sizes, break-evens and a PoC plan: seconds and worst errors.

    python benchmarks/drivers.py

Targets: EVPPI of 20 inputs and 6 groups within 1 % of exact, under 10 s; EVSI of six sizes within 0.5 %, under 1 s
after the draws. The saving is a constant less 20 normal costs, so that every EVPPI is a unit normal loss.
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line has it

import numpy as np
from scipy import stats

from simulator.decision import voi
from simulator.decision.breakeven import breakeven
from simulator.decision.drivers import drivers
from simulator.decision.known import Known
from simulator.decision.variance import shares
from simulator.engine.plan import REPLICATES
from simulator.study import load_study

T = TypeVar("T")
INPUTS, GROUPS, MEAN = 20, 6, 10e3
HEAD = """
baseline = "old"
currency = "USD"
[workload]
pflop_hours = 1000
[rates]
engineer = 100
[options.old]
price = 100
peak_pflops = 1
utilization = 1
[options.new]
price = 50
peak_pflops = 1
utilization = 1
"""


def study(folder: Path) -> tuple[Path, np.ndarray]:
    """Saving N(10, ...) thousand: 50 less 20 costs with sd from 1 to 20 thousand."""
    sds = 1e3 * np.arange(1, INPUTS + 1)
    costs = "".join(
        f'[[options.new.other_costs]]\nlabel = "{i}"\namount = {{ dist = "normal", mean = {(50e3 - MEAN) / INPUTS}, '
        f"sd = {sd} }}\n"
        for i, sd in enumerate(sds)
    )
    path = folder / "study.toml"
    path.write_text(HEAD + costs)
    return path, sds


def loss(mean: float, sd: float) -> float:
    return sd * float(stats.norm.pdf(mean / sd)) - mean * float(stats.norm.cdf(-mean / sd))


def timed(what: str, work: Callable[[], T]) -> T:
    wall, processor = time.perf_counter(), time.process_time()
    found = work()
    print(f"{what}: {time.perf_counter() - wall:.1f} s ({time.process_time() - processor:.1f} s of processor)")
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, sds = study(Path(folder))
        linear = load_study(path)
    known = timed("16,384 draws", lambda: Known.of(linear, 2**14, 1))
    names = [f"new.other_costs.{i}.amount" for i in range(INPUTS)]
    groups = [names[g::GROUPS] for g in range(GROUPS)]

    def evppi(columns: list[str]) -> float:
        x = np.stack([known.column(name) for name in columns], axis=1)
        return voi.evppi(known.benefits, x, replicates=REPLICATES).value

    got = timed("EVPPI of 20 inputs and 6 groups", lambda: [evppi(each) for each in [[n] for n in names] + groups])
    truth = [loss(MEAN, sd) for sd in sds] + [loss(MEAN, math.hypot(*sds[g::GROUPS])) for g in range(GROUPS)]
    evpi = loss(MEAN, math.hypot(*sds))
    worst = max(abs(one - other) / evpi for one, other in zip(got, truth, strict=True))
    print(f"  worst error {100 * worst:.2f} % of the EVPI")
    big = [(one, other) for one, other in zip(got, truth, strict=True) if other > 0.1 * evpi]
    print(f"  worst error of those above a tenth of it: {100 * max(abs(a / b - 1) for a, b in big):.2f} %")
    timed("first-order, total and Shapley of 20 inputs", lambda: shares(known, "new"))
    sizes = [1, 2, 4, 8, 16, 32]
    x = known.column(names[-1])
    found = timed(
        "EVSI of six sizes", lambda: voi.evsi(known.benefits, x, voi.Normal(20e3), sizes, replicates=REPLICATES)
    )
    sd = sds[-1]
    exact = [loss(MEAN, sd**2 / math.sqrt(sd**2 + 20e3**2 / n)) for n in sizes]
    print(
        f"  worst error {100 * max(abs(one.value / other - 1) for one, other in zip(found, exact, strict=True)):.2f} %"
    )
    timed("simulate drivers, whole", lambda: drivers(linear))
    timed("simulate breakeven, whole", lambda: breakeven(linear))


if __name__ == "__main__":
    main()
