"""Shares of an output's variance: Sobol' indices of independent inputs, Shapley effects of correlated ones.

Variance is not decision: an input may own most of the variance and be worth nothing to know (`voi.evppi`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.decision.voi.draws import grouped

Floats = NDArray[np.float64]

EXACT = 12  # inputs up to which all subsets are gone through
PERMUTATIONS = 2000  # drawn beyond


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of the variance by input, (inputs,) arrays, with their standard errors."""

    first: Floats
    first_se: Floats
    total: Floats
    total_se: Floats
    variance: float


def sobol_indices(model: Callable[[Floats], Floats], a: Floats, b: Floats, *, replicates: int | None = None) -> Shares:
    """First-order and total Sobol' indices by pick-freeze.

    First: mean f(B) (f(A with B's column) - f(A)) / V (Saltelli et al., 2010, table 2b); total: mean
    (f(A) - f(A with B's column))^2 / 2V (Jansen, 1999). The model runs inputs + 2 times.

    Parameters
    ----------
    model : callable
        (draws, inputs) array to (draws,) array.
    a, b : (draws, inputs) array
        Two samples of the inputs, independent of each other, the inputs of each independent too; for quasi-random
        points the two halves of one net of twice the dimension.
    replicates : int, optional
        The draws are so many equal consecutive independent randomizations; without it, they are independent.

    Returns
    -------
    Shares
        Not clipped: an input without influence may come out below 0.
    """
    groups = grouped(len(a), replicates)
    ya, yb = model(a), model(b)
    center = (ya.mean() + yb.mean()) / 2  # taken off, it leaves the first-order estimate less noise
    ya, yb = ya - center, yb - center
    firsts, totals = np.empty_like(a), np.empty_like(a)
    for i in range(a.shape[1]):
        mixed = a.copy()
        mixed[:, i] = b[:, i]
        y = model(mixed) - center
        firsts[:, i], totals[:, i] = yb * (y - ya), (ya - y) ** 2 / 2
    squares = np.stack([ya, yb, (ya**2 + yb**2) / 2], axis=1)

    def ratios(parts: Floats, moments: Floats) -> Floats:
        variance = moments[..., 2] - ((moments[..., 0] + moments[..., 1]) / 2) ** 2
        return np.asarray(parts / variance[..., None])

    count = len(groups.rows)
    estimates = []
    for parts in (firsts, totals):
        left_out = ratios(groups.without(parts), groups.without(squares))
        estimates.append(
            (ratios(parts.mean(axis=0), squares.mean(axis=0)), left_out.std(axis=0) * math.sqrt(count - 1))
        )
    (first, first_se), (total, total_se) = estimates
    return Shares(first, first_se, total, total_se, float(squares[:, 2].mean()))


def shapley_effects(slopes: ArrayLike, covariance: ArrayLike, *, seed: int = 0) -> Floats:
    """Shapley effects of the inputs of a linear model with normal inputs, as shares that add up to 1.

    An input's effect is what it adds to Var E[Y | inputs known], averaged over all orders of learning them (Owen &
    Prieur, 2017). Up to 12 inputs all subsets are gone through, beyond that random orders in pairs of opposites.

    Parameters
    ----------
    slopes : (inputs,) array
        Of the output on each input; for a model that is not linear, of its best linear approximation.
    covariance : (inputs, inputs) array
        Of the inputs.
    seed : int
        Of the random orders.

    Returns
    -------
    (inputs,) array
    """
    beta, sigma = np.asarray(slopes, dtype=np.float64), np.asarray(covariance, dtype=np.float64)
    count = len(beta)
    if sigma.shape != (count, count):
        raise ValueError(f"covariance has shape {sigma.shape}; expected ({count}, {count})")
    variance = float(beta @ sigma @ beta)
    effects = _over_subsets(beta, sigma) if count <= EXACT else _over_orders(beta, sigma, seed)
    return np.asarray(effects / variance)


def _over_subsets(beta: Floats, sigma: Floats) -> Floats:
    count = len(beta)
    product = sigma @ beta
    known: dict[tuple[int, ...], float] = {(): 0.0}
    effects = np.zeros(count)
    for size in range(1, count + 1):
        weight = 1 / (count * math.comb(count - 1, size - 1))
        for subset in itertools.combinations(range(count), size):
            rows = list(subset)
            explained = product[rows] @ np.linalg.lstsq(sigma[np.ix_(rows, rows)], product[rows], rcond=None)[0]
            known[subset] = float(explained)
            for i in subset:
                effects[i] += weight * (known[subset] - known[tuple(j for j in subset if j != i)])
    return effects


def _over_orders(beta: Floats, sigma: Floats, seed: int) -> Floats:
    """In one order, the squares of L^-1 Sigma beta, L the Cholesky factor: what each input adds to those before it."""
    rng = np.random.default_rng(seed)
    effects = np.zeros(len(beta))
    for _ in range(PERMUTATIONS // 2):
        order = rng.permutation(len(beta))
        for way in (order, order[::-1]):
            factor = np.linalg.cholesky(sigma[np.ix_(way, way)])
            effects[way] += (factor.T @ beta[way]) ** 2
    return np.asarray(effects / (PERMUTATIONS // 2 * 2))
