"""How the inputs share the variance of an option's saving, luck aside: first-order, total and Shapley effects.

Own code, since what libraries offer (SALib) takes the inputs for independent and its points for independent draws. Here
inputs may depend on each other, the model is linear in no input, and errors come from the replicates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.decision.known import Known
from simulator.decision.voi.basis import design
from simulator.decision.voi.draws import grouped
from simulator.decision.voi.smooth import Smoother
from simulator.engine import Figure
from simulator.engine.plan import REPLICATES

Floats = NDArray[np.float64]

# Orders in which the inputs are learnt, a replicate: half of them drawn, the others their reverses.
ORDERS = 64

Progress = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Shares:
    """An input's shares of a variance.

    Attributes
    ----------
    first : Figure
        Var E[Y | X] / Var Y: what learning it alone takes away on the average.
    total : Figure
        E Var(Y | all others) / Var Y: what is left when all others are known.
    shapley : Figure
        Mean over all orders of learning of what learning it then takes away. The effects of all inputs add up to 1,
        whether or not they depend on each other (Song, Nelson & Staum, 2016).
    """

    first: Figure
    total: Figure
    shapley: Figure


def shares(known: Known, option: str, step: Progress = lambda: None) -> dict[str, Shares]:
    """Shares of the variance of an option's saving, by input; none where nothing varies.

    Parameters
    ----------
    known : Known
    option : str
        A candidate.
    step : callable
        Called after each of the three.
    """
    response = known.saving(option, known.now)
    if not known.names or np.ptp(response) <= 1e-12 * np.abs(response).max():
        return {}
    first = {name: first_order(known, name, response) for name in known.names}
    step()
    total = {name: total_effect(known, option, name, response) for name in known.names}
    step()
    shapley = shapley_effects(known, option)
    step()
    return {name: Shares(first[name], total[name], shapley[name]) for name in known.names}


def first_order(known: Known, name: str, response: Floats) -> Figure:
    """Var E[Y | X] / Var Y by regression of Y, (draws,), on X, as value of information does it."""
    groups = grouped(known.draws, REPLICATES)
    fitted = Smoother(design(known.column(name)[:, None], response[:, None]), groups).fit(response[:, None])[:, :, 0]
    pooled = fitted[0].var() / response.var()
    without = [
        np.delete(fitted[1 + g], rows).var() / np.delete(response, rows).var() for g, rows in enumerate(groups.rows)
    ]
    return Figure.from_jackknife(np.array([pooled, *without]))


def total_effect(known: Known, option: str, name: str, response: Floats) -> Figure:
    """E Var(Y | all others) / Var Y: half the mean squared change when X is drawn anew, given the others.

    Jansen (1999), with the conditional law of X for dependent inputs (Kucherenko, Tarantola & Annoni, 2012).
    """
    precision = np.linalg.inv(known.pearson)
    i = known.names.index(name)
    pull: Floats = np.zeros(())
    for weight, other in zip(precision[i], known.names, strict=True):
        if weight:
            pull = pull + weight * known.now.scores[other]
    anew = known.now.scores[name] - pull / precision[i, i] + known.fresh[name] / np.sqrt(precision[i, i])
    change = known.saving(option, known.at({name: anew})) - response
    return _share(_by_replicate(change * change) / 2, response)


def shapley_effects(known: Known, option: str) -> dict[str, Figure]:
    """Shapley effects of all inputs, whatever their dependence.

    For an order of learning pi and the Cholesky factor L of the scores' correlation in that order, z = L e, knowing the
    first j inputs is knowing the first j of the independent e. So the walk from e to an independent e', the last
    component first, gives Var E[Y | first j] for every j from one evaluation each, as Goda (2021, "A simple algorithm
    for global sensitivity analysis with Shapley effects") has it for independent inputs. Each replicate takes `ORDERS`
    orders, each for its share of the draws.
    """
    walk = _Walk.of(known)
    start = last = known.saving(option, known.now)
    effects = np.zeros((len(known.names), known.draws))
    for step in reversed(range(len(known.names))):
        walk.replace(step)
        now = known.saving(option, known.at(dict(zip(known.names, walk.scores, strict=True))))
        effects[walk.orders[step], np.arange(known.draws)] += (start - (last + now) / 2) * (last - now)
        last = now
    by_replicate = _by_replicate(effects)
    pooled = by_replicate.sum(axis=1)
    without = pooled[:, None] - by_replicate
    return {
        name: Figure.from_jackknife(np.array([pooled[i] / pooled.sum(), *(without[i] / without.sum(axis=0))]))
        for i, name in enumerate(known.names)
    }


@dataclass
class _Walk:
    """The scores on their way from one draw to an independent one.

    `orders` is (inputs, draws): the input that each draw learns at each place; `factors` (chunks, inputs, inputs) and
    `steps` (inputs, draws) are L and e' - e in that order, for chunks of consecutive draws.
    """

    scores: Floats
    orders: NDArray[np.intp]
    factors: Floats
    steps: Floats

    @classmethod
    def of(cls, known: Known) -> _Walk:
        count, draws = len(known.names), known.draws
        chunks = min(ORDERS * REPLICATES, draws)
        random = np.random.default_rng(known.plan.points.seed)
        half = np.array([random.permutation(count) for _ in range(-(-chunks // 2))])
        orders = np.stack([half, half[:, ::-1]], axis=1).reshape(-1, count)[:chunks]
        factors = np.linalg.cholesky(known.pearson[orders[:, :, None], orders[:, None, :]])
        scores = np.stack([known.now.scores[name] for name in known.names])
        fresh = np.stack([known.fresh[name] for name in known.names])
        of_draw = np.repeat(orders.T, draws // chunks, axis=1)
        ordered = np.take_along_axis(scores, of_draw, axis=0).reshape(count, chunks, -1).transpose(1, 0, 2)
        independent = np.linalg.solve(factors, ordered).transpose(1, 0, 2).reshape(count, draws)
        anew = np.take_along_axis(fresh, of_draw, axis=0)
        return cls(scores, of_draw, factors, anew - independent)

    def replace(self, step: int) -> None:
        """Replace the innovation at a place in each draw's order: it moves that input and those after it."""
        count, draws = self.scores.shape
        rows = np.arange(draws)
        for place in range(step, count):
            weight = self.factors[:, place, step]
            if np.any(weight):
                along = np.repeat(weight, draws // len(weight))
                self.scores[self.orders[place], rows] += along * self.steps[step]


def _by_replicate(values: Floats) -> Floats:
    return np.asarray(values.reshape(*values.shape[:-1], REPLICATES, -1).mean(axis=-1))


def _share(by_replicate: Floats, response: Floats) -> Figure:
    """A mean by replicate, over the variance of the response."""
    means, squares = _by_replicate(response), _by_replicate(response * response)

    def ratio(of: NDArray[np.intp]) -> float:
        return float(by_replicate[of].mean() / (squares[of].mean() - means[of].mean() ** 2))

    everyone = np.arange(REPLICATES)
    return Figure.from_jackknife(np.array([ratio(everyone), *(ratio(np.delete(everyone, r)) for r in everyone)]))
