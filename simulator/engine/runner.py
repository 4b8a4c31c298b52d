"""Run a study: block after block into sums, until the draws or the tolerance asked for are reached."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from simulator.engine.estimates import case_figures, precision
from simulator.engine.figures import Pool, Sums, add
from simulator.engine.plan import DEFAULT_DRAWS, MOST_DRAWS, REPLICATES, Plan
from simulator.engine.result import CaseFigures, Result, RunFacts, StudyFacts
from simulator.study import Study

DEFAULT_SEED = 1

Progress = Callable[[int, int], None]
"""Called with the draws done and the draws planned."""


def _silent(done: int, planned: int) -> None:
    """No progress shown."""


class _Ran(NamedTuple):
    plan: Plan
    figures: dict[str, CaseFigures]
    converged: bool


def run(
    study: Study,
    draws: int = DEFAULT_DRAWS,
    seed: int = DEFAULT_SEED,
    tolerance: float | None = None,
    progress: Progress = _silent,
) -> Result:
    """Figures of a study and its scenarios.

    Parameters
    ----------
    study : Study
        What `load_study` returns.
    draws : int
        Draws at least; rounded up to 16 times a power of two.
    seed : int
        Fixes every draw; the same study, seed and draws give the same figures bit for bit.
    tolerance : float, optional
        Double the draws until the MCSE of every P(beats) of the study is at most this.
    progress : callable, optional
        Called with (draws done, draws planned) now and then.

    Returns
    -------
    Result
        Frozen figures, each with its Monte Carlo standard error.

    Raises
    ------
    ValueError
        If `draws` or `tolerance` make no sense.
    """
    if not 1 <= draws <= MOST_DRAWS:
        raise ValueError(f"draws is {draws}; expected 1 to {MOST_DRAWS:,}")
    if tolerance is not None and not 0 < tolerance < 1:
        raise ValueError(f"tolerance is {tolerance}; expected a probability between 0 and 1")
    start = time.perf_counter()
    plan, figures, converged = _until(Plan.of(study, draws, seed), tolerance, progress)
    base = figures.pop("")
    return Result(
        study=StudyFacts(study.title, study.path, study.sha256, study.baseline, study.currency, study.hurdle),
        run=RunFacts(seed, plan.draws, REPLICATES, _version(), time.perf_counter() - start, converged),
        options=base.options,
        decision=base.decision,
        claims=base.claims,
        scenarios=figures,
        findings=study.notes,
        histograms=base.histograms,
        plan=plan,
    )


def _until(plan: Plan, tolerance: float | None, progress: Progress) -> _Ran:
    totals: list[dict[str, Sums]] = [{name: {} for name in plan.cases} for _ in range(REPLICATES)]
    done = 0
    while True:
        _accumulate(plan, totals, done, progress)
        done = plan.leaves
        figures = {
            name: case_figures(case, Pool([total[name] for total in totals], plan.leaves))
            for name, case in plan.cases.items()
        }
        reached = tolerance is None or not precision(figures[""]) > tolerance
        larger = plan.doubled()
        if reached or larger.draws > MOST_DRAWS:
            return _Ran(plan, figures, reached)
        if larger.leaf != plan.leaf:  # leaves grow until they are whole: what was summed is summed anew
            totals, done = [{name: {} for name in plan.cases} for _ in range(REPLICATES)], 0
        plan = larger


def _accumulate(plan: Plan, totals: list[dict[str, Sums]], done: int, progress: Progress) -> None:
    """Add the leaves that are missing, each replicate's in the order of their index."""
    for leaf in range(done, plan.leaves):
        for replicate, total in enumerate(totals):
            for name, found in plan.measure(replicate, leaf).items():
                add(total[name], found)
            progress((leaf * REPLICATES + replicate + 1) * plan.leaf, plan.draws)


def _version() -> str:
    try:
        return version("switchodds")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "0+unknown"
