"""Monte Carlo standard errors: over many seeds their intervals hold the truth as often as they say."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
from scipy.special import stdtrit

from simulator.decision import voi
from simulator.engine import REPLICATES, Figure, Result, run
from simulator.verification import problems
from simulator.verification.check import Check, Checks
from simulator.verification.studies import law_of_normal, study

SEEDS: Final = 50
DRAWS: Final = 512
LEVEL: Final = 0.9
WITHIN: Final = 4 * math.sqrt(LEVEL * (1 - LEVEL) / SEEDS)  # binomial standard errors
APART: Final = 4 / math.sqrt(2 * SEEDS)  # standard errors of a standard deviation, relative


def errors() -> Checks:
    """Share of 90 % intervals that hold the truth, of a run's figures and of EVPI from plain draws."""
    law = law_of_normal()
    alone = replace(study("normal"), scenarios={})
    wanted: dict[str, tuple[float, Callable[[Result], Figure | None]]] = {
        "P(beats)": (law.exceeds(law.hurdle), lambda found: found.options["move"].p_beats),
        "mean saving": (law.saving(0.0)[0], lambda found: found.options["move"].saving.mean),
        "EVPI": (law.evpi, lambda found: found.decision.evpi),
        "p05 of the saving": (law.saving_quantile(0.05), lambda found: found.options["move"].saving.p05),
    }
    wide = float(stdtrit(REPLICATES - 1, (1 + LEVEL) / 2))
    runs = [run(alone, draws=DRAWS, seed=seed) for seed in range(SEEDS)]
    for name, (truth, figure) in wanted.items():
        figures = [each for each in map(figure, runs) if each is not None]
        held = np.mean([abs(each.value - truth) <= wide * each.mcse for each in figures])
        yield Check(f"90 % intervals of {name} that hold it", LEVEL, float(held), WITHIN, f"{SEEDS} seeds")
        claimed = math.sqrt(np.mean([each.mcse**2 for each in figures]))
        spread = float(np.std([each.value for each in figures], ddof=1))
        yield Check(f"MCSE over spread between seeds, {name}", 1.0, claimed / spread, APART, f"{SEEDS} seeds")
    problem = problems.TWO_NORMALS
    scores = (np.random.default_rng(seed).standard_normal((2, 2000)) for seed in range(SEEDS))
    estimates = [voi.evpi(problem.made(z)[0]) for z in scores]
    inside = np.mean([each.low <= problem.evpi <= each.high for each in estimates])
    yield Check("90 % intervals of EVPI from 2,000 plain draws", LEVEL, float(inside), WITHIN, f"{SEEDS} seeds")


def two_runs() -> Checks:
    """The same seed gives the same bits, another seed other ones that differ by no more than the errors."""
    alone = replace(study("normal"), scenarios={})
    first, again, other = (run(alone, draws=4096, seed=seed).options["move"].saving.mean for seed in (3, 3, 4))
    yield Check("a second run with the same seed", first.value, again.value, 0.0, "the first")
    error = 5 * math.hypot(first.mcse, other.mcse)
    yield Check("a run with another seed", first.value, other.value, error, "the first")
