"""How bad it can get: risk figures of every option, dominance between them, and what caution makes of the choice.

They are about what one will meet, luck included: net benefits are of cases, drawn with their faults and with who is
blocked. Those of `simulate run` (worst 5 %, P(beats)) are sharper, being averaged in closed form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulator.decision import dominance, risk
from simulator.decision.documents import facts
from simulator.decision.dominance import Dominance
from simulator.decision.known import Known
from simulator.decision.steps import Progress, Steps, silent
from simulator.engine import DEFAULT_SEED, Figure, outcome
from simulator.engine.plan import REPLICATES
from simulator.study import Study

Floats = NDArray[np.float64]

SCHEMA: Final = "switchodds/risk/1"
DRAWS: Final = 2**15
WORST: Final = 0.05
_STEP = 0.01  # of a tolerance, for a difference quotient
REGRET_LEVEL: Final = 0.99  # the largest regret of a sample grows with it; its 99 % point does not


@dataclass(frozen=True, slots=True)
class Risk:
    """Risk figures of one option.

    Attributes
    ----------
    mean, sd : Figure
        Of the saving; 0 for the baseline.
    cvar : Figure
        Mean saving in the worst 5 % of cases.
    p_loss : Figure
        Probability that it costs more than staying by over the amount asked about.
    downside : Figure
        Root mean square of what it costs more than staying, over all cases.
    regret, regret99 : Figure
        Mean, and 99 % point, of what its net benefit falls short of that of the best option of the same case.
    certain : Figure or None
        Sure net benefit worth as much under constant absolute risk aversion, where a tolerance is given.
    """

    mean: Figure
    sd: Figure
    cvar: Figure
    p_loss: Figure
    downside: Figure
    regret: Figure
    regret99: Figure
    certain: Figure | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Whether an option's net benefit stochastically dominates another's.

    The first order is for all who like more, the second for all who dislike risk as well.
    """

    first: str
    second: str
    by_first_order: Dominance
    by_second_order: Dominance


@dataclass(frozen=True, slots=True)
class Flip:
    """A risk tolerance at which the choice changes, with its error."""

    tolerance: Figure
    below: str
    above: str


@dataclass(frozen=True, slots=True)
class RiskReport:
    """Risk of a study's options.

    Attributes
    ----------
    loss : float
        The amount X of P(loss > X).
    tolerance : float or None
        Risk tolerance T of the certainty equivalents: the amount that one would just accept to win or to lose half
        of, at even odds, roughly.
    options : mapping of name to Risk
    pairs : tuple of Pair
        Each option against each other.
    flips : tuple of Flip
        Ascending; empty where caution never changes the choice.
    minimax : str
        The option with the least 99 % point of regret.
    best : str
        The option with the highest mean net benefit.
    """

    study: Study
    draws: int
    seed: int
    loss: float
    tolerance: float | None
    options: dict[str, Risk]
    pairs: tuple[Pair, ...]
    flips: tuple[Flip, ...]
    minimax: str
    best: str

    def to_json(self) -> dict[str, object]:
        """The document that `simulate risk --json` prints."""

        def figures(each: Risk) -> dict[str, object]:
            named = ((name, getattr(each, name)) for name in each.__dataclass_fields__)
            return {name: value.to_json() if isinstance(value, Figure) else value for name, value in named}

        return {
            "schema": SCHEMA,
            "study": facts(self.study),
            "run": {"draws": self.draws, "seed": self.seed, "replicates": REPLICATES},
            "loss": self.loss,
            "tolerance": self.tolerance,
            "options": {name: figures(each) for name, each in self.options.items()},
            "dominance": [
                {
                    "first": each.first,
                    "second": each.second,
                    "first_order": asdict(each.by_first_order),
                    "second_order": asdict(each.by_second_order),
                }
                for each in self.pairs
            ],
            "flips": [
                {"tolerance": each.tolerance.to_json(), "below": each.below, "above": each.above} for each in self.flips
            ],
            "minimax": self.minimax,
            "best": self.best,
        }


def risk_report(
    study: Study,
    draws: int = DRAWS,
    seed: int = DEFAULT_SEED,
    loss: float | None = None,
    tolerance: float | None = None,
    progress: Progress = silent,
) -> RiskReport:
    """Risk of a study's options.

    Parameters
    ----------
    study : Study
        Its scenarios are left aside.
    draws, seed : int
        As of `run`.
    loss : float, optional
        Amount X of P(loss > X); by default a tenth of the mean cost of staying.
    tolerance : float, optional
        Risk tolerance for certainty equivalents, in the study's currency.
    progress : callable, optional
        Called with (steps done, steps planned).
    """
    known = Known.of(study, draws, seed)
    names = list(study.options)
    if loss is None:
        loss = 0.1 * float(np.mean(known.costs(known.now)[study.baseline]))
    costs = cases(known)
    benefits = known.case.net_benefits(costs, known.draws)
    savings = np.stack([np.broadcast_to(costs[study.baseline] - costs[name], (known.draws,)) for name in names], axis=1)
    steps = Steps(progress, 3)
    parts, saved = (each.reshape(REPLICATES, -1, len(names)) for each in (benefits, savings))

    def per_option(measure: Callable[[Floats], float], of: Floats = saved) -> dict[str, Figure]:
        return {name: _jackknife(of[:, :, i : i + 1], lambda x: measure(x[:, 0])) for i, name in enumerate(names)}

    def jointly(measure: Callable[[Floats], Floats]) -> dict[str, Figure]:
        return {name: _jackknife(parts, lambda x, i=i: float(measure(x)[i])) for i, name in enumerate(names)}  # type: ignore[misc]

    figures = {
        "mean": per_option(lambda x: float(x.mean())),
        "sd": per_option(lambda x: float(x.std())),
        "cvar": per_option(lambda x: risk.conditional_value_at_risk(x, WORST)),
        "p_loss": per_option(lambda x: risk.probability_of_loss(x, loss)),
        "downside": per_option(risk.downside_deviation),
        "regret": jointly(risk.expected_regret),
        "regret99": jointly(lambda x: risk.maximum_regret(x, REGRET_LEVEL)),
    }
    steps()
    certain = per_option(lambda x: risk.certainty_equivalent(x, tolerance), parts) if tolerance else {}
    options = {
        name: Risk(**{key: found[name] for key, found in figures.items()}, certain=certain.get(name)) for name in names
    }
    pairs = tuple(
        Pair(
            a,
            b,
            dominance.first_order(benefits[:, i], benefits[:, j], replicates=REPLICATES),
            dominance.second_order(benefits[:, i], benefits[:, j], replicates=REPLICATES),
        )
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i != j
    )
    steps()
    flips = _flips(parts, names)
    steps()
    return RiskReport(
        study=study,
        draws=known.draws,
        seed=seed,
        loss=loss,
        tolerance=tolerance,
        options=options,
        pairs=pairs,
        flips=flips,
        minimax=min(options, key=lambda name: options[name].regret99.value),
        best=names[int(benefits.mean(axis=0).argmax())],
    )


def cases(known: Known) -> dict[str, Floats]:
    """TCO of every option in cases as one may meet them, (draws,): faults drawn, and who is blocked."""
    study, columns = known.study, known.now.columns
    luck = outcome.drawn_luck(known.faults)
    works = {name: outcome.work(study, each, columns, luck) for name, each in study.options.items()}
    base = outcome.baseline_outcome(study, works[study.baseline], columns)
    levels = _levels(known)
    costs = {study.baseline: base.through}
    for i, name in enumerate(name for name in study.options if name != study.baseline):
        move = outcome.candidate_outcome(study, name, works[name], columns, base)
        costs[name] = np.where(levels[i] < move.goes, move.through, move.blocked)
    return costs


def _levels(known: Known) -> Floats:
    """Uniform numbers of who is blocked, (candidates, draws): further dimensions of the points."""
    points, leaf = known.plan.points, known.plan.leaf
    count = known.plan.dimensions.count
    further = replace(points, dimensions=count + len(known.study.options) - 1)
    blocks = [further.block(r, i * leaf, leaf)[count:] for r in range(REPLICATES) for i in range(known.plan.leaves)]
    return np.concatenate(blocks, axis=1)


def _jackknife(parts: Floats, measure: Callable[[Floats], float]) -> Figure:
    """A measure of all cases, with the error of leaving out each of (replicates, cases, options) in turn."""
    width = parts.shape[2]
    everyone = measure(parts.reshape(-1, width))
    without = [measure(np.delete(parts, r, axis=0).reshape(-1, width)) for r in range(len(parts))]
    return Figure.from_jackknife(np.array([everyone, *without]))


def _flips(parts: Floats, names: list[str]) -> tuple[Flip, ...]:
    """Tolerances at which the choice changes; the error is that of the two certainty equivalents over their slope."""
    flips = []
    for tolerance, below, above in risk.flip_tolerances(parts.reshape(-1, parts.shape[2])):
        pair = parts[:, :, [below, above]]

        def lead(x: Floats, at: float = tolerance) -> float:
            return risk.certainty_equivalent(x[:, 1], at) - risk.certainty_equivalent(x[:, 0], at)

        everyone = pair.reshape(-1, 2)
        slope = (lead(everyone, tolerance * (1 + _STEP)) - lead(everyone, tolerance * (1 - _STEP))) / (2 * _STEP)
        error = _jackknife(pair, lead).mcse / abs(slope) if slope else float("inf")
        flips.append(Flip(Figure(tolerance, error * tolerance), names[below], names[above]))
    return tuple(flips)
