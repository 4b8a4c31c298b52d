"""Run a study: block after block into sums, until the draws or the tolerance asked for are reached."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.engine.estimates import case_figures, precision
from simulator.engine.figures import Pool
from simulator.engine.plan import DEFAULT_DRAWS, MOST_DRAWS, REPLICATES, Plan, Stretch, summed
from simulator.engine.result import CaseFigures, Result, RunFacts, StudyFacts
from simulator.engine.tree import CaseSums, Tree
from simulator.engine.workers import Here, Workers
from simulator.study import Study

if TYPE_CHECKING:
    from simulator.engine.checkpoint import Checkpoint

DEFAULT_SEED = 1
GROUP = 32
"""Scenarios summed at a time beside the study, so that memory does not grow with their number."""
MOST_LEVEL = 6
"""Leaves in a piece of work, as a power of two: a quarter of a second, so that little is lost with a worker."""
PIECES = 8
"""Pieces of work for each worker, at least: the last to finish keeps the others waiting for one of them."""

Progress = Callable[[int, int], None]
"""Called with the draws done and the draws planned."""


def _silent(done: int, planned: int) -> None:
    """No progress shown."""


def run(
    study: Study,
    draws: int = DEFAULT_DRAWS,
    seed: int = DEFAULT_SEED,
    tolerance: float | None = None,
    progress: Progress = _silent,
    workers: Workers | None = None,
    resume: Path | None = None,
) -> Result:
    """Figures of a study and its scenarios.

    Parameters
    ----------
    study : Study
        What `load_study` returns.
    draws : int
        Draws at least; rounded up to 16 times a power of two.
    seed : int
        Fixes every draw; the same study, seed and draws give the same figures bit for bit, whoever does the work.
    tolerance : float, optional
        Double the draws until the MCSE of every P(beats) of the study is at most this.
    progress : callable, optional
        Called with (draws done, draws planned) now and then.
    workers : Workers, optional
        Who does the work (see `simulator.engine.workers`); this process if not given.
    resume : Path, optional
        Folder in which the sums are kept, and from which an interrupted run goes on.

    Returns
    -------
    Result
        Frozen figures, each with its Monte Carlo standard error.

    Raises
    ------
    ValueError
        If `draws` or `tolerance` make no sense.
    WorkersLostError
        If the workers are gone.
    """
    if not 1 <= draws <= MOST_DRAWS:
        raise ValueError(f"draws is {draws}; expected 1 to {MOST_DRAWS:,}")
    if tolerance is not None and not 0 < tolerance < 1:
        raise ValueError(f"tolerance is {tolerance}; expected a probability between 0 and 1")
    start = time.perf_counter()
    plan = Plan.of(study, draws, seed)
    keeper = _keeper(resume, plan, study, tolerance)
    running = _Running(plan, workers or Here(), progress, keeper)
    figures, converged = running.until(tolerance)
    base = figures.pop("")
    return Result(
        study=StudyFacts(
            study.title, study.path, study.sha256, study.baseline, study.currency, study.hurdle, study.posterior
        ),
        run=RunFacts(seed, running.plan.draws, REPLICATES, _version(), time.perf_counter() - start, converged),
        options=base.options,
        decision=base.decision,
        claims=base.claims,
        scenarios=figures,
        findings=study.notes,
        histograms=base.histograms,
        plan=running.plan,
    )


@dataclass
class _Running:
    """A run on its way: sums of the study and of one group of its scenarios at a time."""

    plan: Plan
    workers: Workers
    progress: Progress
    keeper: Checkpoint | None
    trees: list[Tree] = field(default_factory=list)

    def until(self, tolerance: float | None) -> tuple[dict[str, CaseFigures], bool]:
        """Figures of all cases, and whether the tolerance was reached; the study decides on the draws."""
        names = self.plan.scenarios
        first, *others = [names[i : i + GROUP] for i in range(0, len(names), GROUP)] or [()]
        self._start(0)
        while True:
            self._grow(0, first)
            figures = self._figures(("", *first))
            reached = tolerance is None or not precision(figures[""]) > tolerance
            larger = self.plan.doubled()
            if reached or larger.draws > MOST_DRAWS:
                break
            if larger.leaf != self.plan.leaf:  # leaves grow until they are whole: what was summed is summed anew
                self.trees = _trees()
            self.plan = larger
        for number, group in enumerate(others, 1):
            self._start(number)
            self._grow(number, group)
            figures |= self._figures(group)
        return figures, reached

    def _start(self, group: int) -> None:
        """Empty trees, or those that an interrupted run left."""
        kept = self.keeper.kept(group) if self.keeper else None
        self.trees = kept.trees if kept else _trees()
        if kept and kept.per_replicate > self.plan.per_replicate:
            while self.plan.per_replicate < kept.per_replicate:
                self.plan = self.plan.doubled()

    def _grow(self, group: int, scenarios: tuple[str, ...]) -> None:
        """Sum the leaves that are missing."""
        leaf, planned = self.plan.leaf, self.plan.draws
        done = sum(tree.leaves for tree in self.trees) * leaf
        level = _level(self.plan.leaves * REPLICATES, self.workers.count)
        stretches = list(self.plan.stretches([tree.leaves for tree in self.trees], scenarios, level))
        early: list[dict[int, tuple[Stretch, CaseSums]]] = [{} for _ in self.trees]
        try:
            for stretch, sums in self.workers.answers(summed, self.plan, stretches):
                tree, waiting = self.trees[stretch.replicate], early[stretch.replicate]
                waiting[stretch.first] = stretch, sums
                while (found := waiting.pop(tree.leaves, None)) is not None:  # in the order of the leaves
                    tree.grow(found[0].level, found[1])
                done += stretch.draws
                self.progress(done, planned)
                self._keep(group)
        except BaseException:
            self._keep(group, now=True)
            raise
        if stretches:
            self._keep(group, now=True)

    def _keep(self, group: int, *, now: bool = False) -> None:
        if self.keeper is not None:
            from simulator.engine.checkpoint import Kept

            self.keeper.keep(group, Kept(self.plan.per_replicate, self.trees), now=now)

    def _figures(self, names: tuple[str, ...]) -> dict[str, CaseFigures]:
        totals = [tree.total for tree in self.trees]
        return {
            name: case_figures(self.plan.cases[name], Pool([total[name] for total in totals], self.plan.leaves))
            for name in names
        }


def _trees() -> list[Tree]:
    return [Tree() for _ in range(REPLICATES)]


def _level(leaves: int, workers: int) -> int:
    """Size of a piece of work, as a power of two of leaves."""
    each = leaves // (workers * PIECES) if workers > 1 else leaves // REPLICATES
    return max(0, min(MOST_LEVEL, each.bit_length() - 1))


def _keeper(folder: Path | None, plan: Plan, study: Study, tolerance: float | None) -> Checkpoint | None:
    if folder is None:
        return None
    import numpy as np

    from simulator.engine.checkpoint import Checkpoint

    identity: dict[str, str | int] = {
        "study": study.sha256,
        "settings": "; ".join(study.settings),
        "scenario": study.chosen or "",
        "seed": plan.points.seed,
        "draws": plan.draws,
        "tolerance": str(tolerance),
        "draws of the inputs": plan.fingerprint,
        "version": _version(),
        "numpy": np.__version__,
    }
    return Checkpoint.of(folder, identity)


def _version() -> str:
    try:
        return version("switchodds")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "0+unknown"
