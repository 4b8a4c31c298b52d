"""Inside a process: where the time of a draw goes, and how it grows with draws, inputs, options and scenarios."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.whole import STUDY
from simulator.engine import Plan, outcome, run
from simulator.engine.case import Case
from simulator.engine.means import means
from simulator.study import Study, load_study

HEAD = """
title = "growth"
baseline = "stay"
currency = "USD"
[workload]
pflop_hours = 13000
[rates]
engineer = { dist = "lognormal", median = 150, sigma = 0.2 }
[options.stay]
instances = 8
price = 55
peak_pflops = 7.9
utilization = { dist = "beta", mean = 0.42, sd = 0.06 }
"""
MOVE = """
[options.move%d]
instances = 8
price = %g
peak_pflops = 10.7
utilization = { dist = "beta", mean = 0.38, sd = 0.09 }
faults_per_1000h = { dist = "gamma", mean = 0.6, sd = 0.4 }
hours_lost_per_fault = { dist = "lognormal", median = 3, sigma = 0.6 }
engineer_hours = { dist = "lognormal", median = 240, sigma = 0.75 }
blocked = 0.15
"""
COST = '{ label = "c%d", amount = { dist = "gamma", mean = 100, sd = 50 } }'


def least(work: Callable[[], object], rounds: int = 25) -> float:
    """Least processor seconds of a piece of work over some rounds."""
    best = np.inf
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return float(best)


def cost_of_a_draw() -> dict[str, float]:
    """Nanoseconds a draw by part, study A, in leaves of 4,096 draws."""
    plan = Plan.of(load_study(STUDY), 65_536, 1)
    case: Case = plan.cases[""]
    block = plan.block(3, 0)
    scores = case.marginals.scores(block)
    luck = outcome.drawn_luck(block.faults)

    def model() -> None:
        columns = case.marginals.columns(scores, known)
        works = {name: outcome.certain(case.study, option, columns) for name, option in case.study.options.items()}
        for way in (luck, outcome.expected_luck):
            case.outcomes({name: outcome.met(name, each, way) for name, each in works.items()}, columns)

    known = case.marginals.columns(scores)
    parts = {
        "sampling": least(lambda: plan.points.block(3, 0, plan.leaf)),
        "scores": least(lambda: plan.block(3, 0)),
        "ppf": least(lambda: case.marginals.columns(scores)),
        "model": least(model),
        "whole": least(lambda: means(case, plan.block(3, 0))),
    }
    parts["scores"] -= parts["sampling"]
    parts["reduce"] = parts["whole"] - sum(parts[key] for key in ("sampling", "scores", "ppf", "model"))
    return {key: 1e9 * value / plan.leaf for key, value in parts.items()}


def growth_with_draws(most: int) -> dict[int, float]:
    """Processor seconds of a run by its draws."""
    study = load_study(STUDY)
    return {
        n: least(lambda n=n: run(study, n), 1 if n > 10**6 else 3)
        for n in (2**k for k in (17, 20, 23, 27))
        if n <= most
    }


def growth_with_inputs() -> dict[int, float]:
    """Processor seconds at the default draws by the number of uncertain inputs: other costs beside study A's like."""
    found = {}
    for inputs in (5, 20, 50, 100, 200):
        labels = iter(range(max(0, inputs - 7)))
        stay, move = (", ".join(COST % label for label in itertools.islice(labels, 100)) for _ in range(2))
        text = HEAD + f"other_costs = [{stay}]\n" + MOVE % (0, 36) + f"other_costs = [{move}]\n"
        study = _study(text)
        found[sum(not each.fixed for each in study.inputs.values())] = least(lambda study=study: run(study), 2)
    return found


def growth_with_options() -> dict[int, float]:
    """Processor seconds at the default draws by the number of options."""
    return {n: _seconds(HEAD + "".join(MOVE % (i, 36 + i / 10) for i in range(n - 1))) for n in (2, 5, 10, 20, 50)}


def growth_with_scenarios() -> dict[int, float]:
    """Processor seconds at the default draws by the number of scenarios, each with a price of its own."""
    text = HEAD + MOVE % (0, 36)
    return {
        n: _seconds(text + "".join(f'[scenarios.s{i}]\n"options.move0.price" = {20 + i / 50}\n' for i in range(n)))
        for n in (1, 10, 100, 1000)
    }


def _seconds(text: str) -> float:
    study = _study(text)
    return least(lambda: run(study), 1)


def _study(text: str) -> Study:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.toml"
        path.write_text(text)
        return load_study(path)
