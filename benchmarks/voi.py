"""Seconds and errors of the value of information at 65,536 draws: `python benchmarks/voi.py`.

The problem is the nineteen-input one of Brennan et al. (2007) with correlated inputs, and a twentieth that does
nothing. Times are also given as multiples of one least-squares solve of the same draws on 200 columns: what the machine
was good for in the same minute.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from simulator import voi
from tests.decision import problems

DRAWS, REPLICATES = 2**16, 16
GROUPS = [
    ("t5", "t14"),
    ("t7", "t16"),
    ("t6", "t15"),
    ("t5", "t6", "t14", "t15"),
    ("t5", "t7", "t14", "t16"),
    ("t8", "t9", "t10", "t17", "t18", "t19"),
]


T = TypeVar("T")


def seconds(work: Callable[[], T]) -> tuple[float, T]:
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def main() -> None:
    nb, inputs = problems.NINETEEN.sobol(DRAWS, seed=1, replicates=REPLICATES)
    inputs["nothing"] = np.random.default_rng(1).random(DRAWS)
    x = np.random.default_rng(2).standard_normal((DRAWS, 200))
    unit, _ = seconds(lambda: np.linalg.solve(x.T @ x, x.T @ nb))
    print(f"one least-squares solve: {unit:.2f} s")

    sought = [(name,) for name in inputs] + GROUPS
    taken, found = seconds(
        lambda: [voi.evppi(nb, problems.columns(inputs, group), replicates=REPLICATES) for group in sought]
    )
    truth = problems.NINETEEN.evppi
    errors = [
        abs(got.value - truth[group]) / got.se for group, got in zip(sought, found, strict=True) if group in truth
    ]
    print(f"EVPPI of 20 inputs and 6 groups: {taken:.2f} s, {taken / unit:.0f} solves")
    print(f"    errors in standard errors: {', '.join(f'{error:.1f}' for error in errors)}")

    nb, inputs = problems.COST_RATIO.sobol(DRAWS, seed=1, replicates=REPLICATES)
    sizes = [1, 2, 4, 8, 16, 64]
    likelihood = voi.LogNormal(problems.RUN_SIGMA)
    taken, got = seconds(lambda: voi.evsi(nb, inputs["x1"], likelihood, sizes, replicates=REPLICATES))
    exact = [problems.ratio_value(problems.learnt(problems.SIGMA1, problems.RUN_SIGMA, n)) for n in sizes]
    worst = max(abs(e.value / t - 1) for e, t in zip(got, exact, strict=True))
    print(f"EVSI of six sizes: {taken:.2f} s, {taken / unit:.0f} solves; largest error {worst:.2%}")


if __name__ == "__main__":
    main()
