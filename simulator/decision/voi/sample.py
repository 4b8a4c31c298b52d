"""Expected value of sample information: what a PoC of a given size is worth before its outcome is known."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from simulator.decision.voi.basis import design
from simulator.decision.voi.draws import Floats, Groups, Rows, grouped, inputs, net_benefit
from simulator.decision.voi.estimate import Estimate, bracketed
from simulator.decision.voi.likelihood import Likelihood
from simulator.decision.voi.perfect import NOTHING, against_best, chance_payoff, choice, gains, payoff
from simulator.decision.voi.smooth import Smoother

NODES = (600, 100)  # places along each axis into which the draws of one or two x are gathered, evenly in normal score
CELLS = (1000, 200)  # into which a statistic of one or two x is cut; the variance lost is below one part in 10,000
CURVE_BITS = 20  # of each column's rank along the Morton curve, at most


def evsi(
    nb: ArrayLike,
    x: ArrayLike,
    likelihood: Likelihood,
    sizes: Iterable[float],
    *,
    replicates: int | None = None,
    seed: int = 0,
) -> list[Estimate]:
    """Expected value of observing x with error, E max_d E[NB_d | data] - max_d E NB_d.

    Net benefit is regressed on x once, g(x) = E[NB | x]. For one or two columns the posterior mean of g under each
    outcome of a sufficient statistic then is a sum over the draws, weighed by the likelihood (Menzies, 2016): nothing
    is simulated, and few or binary data are as right as many. For more columns the statistic is simulated at every draw
    and g regressed on it (Strong, Oakley, Brennan & Breeze, 2015); its noise is quasi-random and spread evenly over x
    (array-RQMC; L'Ecuyer, Lecot & Tuffin, 2008), so that it adds little to the error of the draws.

    Parameters
    ----------
    nb : (draws, options) array
        Net benefit, higher is better, any unit.
    x : (draws,) or (draws, k) array
        What is observed; all columns at each observation.
    likelihood : Likelihood
        `Normal`, `LogNormal`, `Poisson`, `Binomial`, `NormalUnknownSd`, or anything with their methods.
    sizes : iterable of float
        Numbers of observations.
    replicates : int, optional
        As for `evpi`.
    seed : int
        Of the simulated noise, for more than two columns.

    Returns
    -------
    list of Estimate
        One a size, in the unit of `nb`.

    Raises
    ------
    ValueError
        Shapes that do not fit, a size that makes no sense, or a value that is not finite or not of the likelihood, with
        its row.
    """
    benefit = net_benefit(nb)
    known = inputs(x, len(benefit))
    wanted = [float(size) for size in sizes]
    for size in wanted:
        likelihood.check(known, size)
    groups = grouped(len(benefit), replicates)
    difference = against_best(benefit)
    if not difference.shape[1]:
        return [NOTHING for _ in wanted]
    from_x = Smoother(design(known, difference), groups)
    expected = from_x.fit(difference)
    bound = float(np.maximum(expected[0].max(axis=1), 0).mean())
    if known.shape[1] <= len(NODES):
        nodes = _Nodes.of(known, expected, groups)
        cells = CELLS[known.shape[1] - 1]
        return [_weighed(nodes, likelihood.chances(nodes.axes, n, cells), difference, groups, bound) for n in wanted]
    order = tuple(rows[np.argsort(_curve(known[rows]), kind="stable")] for rows in groups.rows)
    estimates = []
    for size in wanted:
        noise = _spread(order, likelihood.noise(known.shape[1], size), seed)
        fitted = Smoother(design(likelihood.statistic(known, size, noise), expected[0]), groups).fit(expected)
        earned = payoff(difference, groups.own(fitted))
        sensitivity = None if groups.randomized else chance_payoff(difference, fitted[0], from_x)
        estimates.append(bracketed(gains(fitted, groups), earned, sensitivity, difference, groups, bound))
    return estimates


@dataclass(frozen=True, slots=True)
class _Nodes:
    """Draws gathered on a grid of x.

    The places along each axis; the node of each draw, (draws,); and the sum of g at each node, as a share of the draws
    of a fit, (1 + groups, places ..., outcomes).
    """

    axes: tuple[Floats, ...]
    of_draw: Rows
    expected: Floats

    @classmethod
    def of(cls, x: Floats, expected: Floats, groups: Groups) -> _Nodes:
        along = [_places(column, NODES[x.shape[1] - 1]) for column in x.T]
        axes = tuple(np.bincount(place, column) / np.bincount(place) for place, column in zip(along, x.T, strict=True))
        shape = tuple(len(axis) for axis in axes)
        node = np.ravel_multi_index(along, shape)
        sums = np.empty((len(expected), expected.shape[2], math.prod(shape)))
        for fit in range(len(expected)):
            used = np.ones(len(x))
            if fit:
                used[groups.rows[fit - 1]] = 0
            for outcome in range(expected.shape[2]):
                weights = used * expected[fit, :, outcome] / used.sum()
                sums[fit, outcome] = np.bincount(node, weights, minlength=math.prod(shape))
        return cls(axes, node, np.moveaxis(sums, 1, 2).reshape(len(expected), *shape, -1))


def _places(x: Floats, most: int) -> Rows:
    """A place for each value where they are few, else for each step of the normal score; (draws,) whole numbers."""
    values, place = np.unique(x, return_inverse=True)
    if len(values) <= most:
        return place
    count = np.bincount(place)
    score = ndtri((np.cumsum(count) - count / 2) / len(x))
    step = np.floor((score - score[0]) / (score[-1] - score[0]) * (most - 1)).astype(np.intp)
    return np.unique(step, return_inverse=True)[1][place]


def _weighed(nodes: _Nodes, factors: tuple[Floats, ...], difference: Floats, groups: Groups, bound: float) -> Estimate:
    """The sum over the nodes is the posterior mean under each outcome of the data, times the outcome's probability."""
    first = "a" if factors[0].ndim == 2 else "ba"
    laws = (f"{first}k",) if len(factors) == 1 else (f"{first}k", "bl")
    x, data = "ab"[: len(factors)], "kl"[: len(factors)]
    forward, back = f"{','.join(laws)},f{x}d->f{data}d", f"{','.join(laws)},f{data}d->f{x}d"
    posterior = np.einsum(forward, *factors, nodes.expected, optimize=True)
    value = np.maximum(posterior.max(axis=-1), 0).reshape(len(posterior), -1).sum(axis=1)
    chance = np.einsum(back, *factors, choice(posterior).astype(np.float64), optimize=True)
    per_draw = chance.reshape(len(chance), -1, difference.shape[1])[:, nodes.of_draw]
    earned = (groups.own(per_draw) * difference).sum(axis=1)
    return bracketed(value, earned, (per_draw[0] * difference).sum(axis=1), difference, groups, bound)


def _curve(x: Floats) -> Rows:
    """Place of each row of (draws, k) on a Morton curve through the ranks of its columns: neighbours are alike."""
    bits = min(CURVE_BITS, 62 // x.shape[1])
    ranks = [(np.argsort(np.argsort(column, kind="stable")) << bits) // len(x) for column in x.T]
    place = np.zeros(len(x), dtype=np.intp)
    for bit in reversed(range(bits)):
        for rank in ranks:
            place = (place << 1) | ((rank >> bit) & 1)
    return place


def _spread(order: tuple[Rows, ...], dimensions: int, seed: int) -> Floats:
    """(draws, dimensions) uniform numbers: along each group's order a Kronecker sequence with its own random shift.

    Its steps are powers of 1 / r, r^(dimensions + 1) = r + 1: the golden ratio in one dimension (Roberts, 2018).
    """
    root = 1.5
    for _ in range(60):  # a contraction by 3 or more
        root = (1 + root) ** (1 / (dimensions + 1))
    step = root ** -np.arange(1.0, dimensions + 1)
    u = np.empty((sum(len(rows) for rows in order), dimensions))
    for group, rows in enumerate(order):
        shift = np.random.default_rng([seed, group]).random(dimensions)
        u[rows] = (shift + np.arange(len(rows))[:, None] * step) % 1
    return np.clip(u, 1e-12, 1 - 1e-12)
