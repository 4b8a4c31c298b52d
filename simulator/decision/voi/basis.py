"""Functions of the inputs on which net benefit is regressed: splines, their products, and saturated levels.

Each column of x gets centred functions, orthonormal over the draws and ordered from smooth to rough: cubic B-splines in
Demmler-Reinsch form, or one function a level where x has few distinct values. Products of them carry interactions.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from simulator.decision.voi.draws import Floats, Rows

DEGREE = 3
KNOT_SCORES = np.linspace(
    -2.4, 2.4, 9
)  # inner knots at these normal scores of x: close in the middle, some in the tails
LEVELS = 30  # as many distinct values, or fewer, are levels: a spline would smooth over what may be categories
TERMS = 200  # columns of a regression at most; also at most one for every DRAWS_PER_TERM draws
DRAWS_PER_TERM = 20
ORDER = 3  # factors of a product at most
COSTS = 25  # costs below it come in
SITES = 1000  # quantiles of x at which second derivatives are compared
JITTER = 1e-12  # keeps the Cholesky factor of nearly collinear splines; relative to their mean square


@dataclass(frozen=True, slots=True)
class Column:
    """Functions of one column of x: `values` (functions, draws), and `rank` (functions,), 1 for the line or a level."""

    values: Floats
    rank: Floats


Term = tuple[tuple[int, int], ...]  # product of functions, each (column, function)


@dataclass(frozen=True, slots=True)
class Design:
    """Terms of a regression with an intercept, which is not one of them."""

    columns: tuple[Column, ...]
    terms: tuple[Term, ...]

    @property
    def cost(self) -> Floats:
        """(terms,): product of the factors' ranks, 1 for a line, 2 for a bend, times 2 for each further factor."""
        return np.array([_cost([self.columns[c].rank[f] for c, f in term]) for term in self.terms])

    @property
    def kinds(self) -> Rows:
        """(terms,): the column of a function of one column, -1 for a product."""
        return np.array([term[0][0] if len(term) == 1 else -1 for term in self.terms], dtype=np.intp)

    def at(self, rows: Rows) -> Floats:
        """(1 + terms, rows): the intercept, then each term."""
        used = {factor for term in self.terms for factor in term}
        local = {(c, f): self.columns[c].values[f, rows] for c, f in used}
        out = np.ones((1 + len(self.terms), len(rows)))
        for row, term in zip(out[1:], self.terms, strict=True):
            for factor in term:
                row *= local[factor]
        return out


def design(x: Floats, response: Floats) -> Design:
    """The regression of (draws, outcomes) `response` on (draws, k) `x`.

    Terms enter by `Design.cost` (a hyperbolic cross), whole levels at a time as far as `TERMS` allows. Where x has so
    many columns that the simplest products do not fit, those pairs of columns come in whose product goes with what the
    additive terms leave of the response.
    """
    columns = _columns(x)
    limit = max(1, min(TERMS, len(x) // DRAWS_PER_TERM))
    ranks = [column.rank for column in columns]
    chosen: tuple[Term, ...] = ()
    for cost in range(1, COSTS):
        terms = tuple(itertools.islice(_terms(ranks, cost), limit + 1))
        if len(terms) > limit:
            break
        chosen = terms
    made = Design(tuple(columns), chosen)
    if any(len(term) > 1 for term in chosen) or len(columns) < 2:
        return made
    return Design(made.columns, chosen + tuple(_screened(made, response, limit - len(chosen))))


def _terms(ranks: list[Floats], most: int) -> Iterable[Term]:
    for order in range(1, min(ORDER, len(ranks)) + 1):
        for chosen in itertools.combinations(range(len(ranks)), order):
            allowed = [np.flatnonzero(ranks[c] * 2 ** (order - 1) <= most) for c in chosen]
            for functions in itertools.product(*allowed):
                if _cost([ranks[c][f] for c, f in zip(chosen, functions, strict=True)]) <= most:
                    yield tuple(zip(chosen, map(int, functions), strict=True))


def _cost(ranks: list[float]) -> float:
    return float(np.prod(ranks) * 2 ** (len(ranks) - 1))


def _screened(made: Design, response: Floats, room: int) -> list[Term]:
    """Pairs of columns whose product of first functions correlates most with the residual of the additive terms."""
    additive = made.at(np.arange(len(response)))
    gram = additive @ additive.T
    residual = response - additive.T @ np.linalg.lstsq(gram, additive @ response, rcond=None)[0]
    first = np.stack([column.values[0] for column in made.columns])
    strength = sum(np.abs((first * r) @ first.T) / (np.linalg.norm(r) or 1) for r in residual.T)
    pairs = sorted(itertools.combinations(range(len(first)), 2), key=lambda pair: -strength[pair])
    return [((a, 0), (b, 0)) for a, b in pairs[: max(room, 0)]]


def _columns(x: Floats) -> list[Column]:
    """Columns that do not vary are left out; columns that are all discrete become one where their rows repeat."""
    few = max(1, min(LEVELS, len(x) // DRAWS_PER_TERM))
    codes = [np.unique(column, return_inverse=True)[1] for column in x.T]
    levels = [int(code.max()) + 1 for code in codes]
    if len(codes) > 1 and max(levels) <= few:
        joint = np.unique(np.stack(codes), axis=1, return_inverse=True)[1].ravel()
        if joint.max() < 2 * few:
            codes, levels = [joint], [int(joint.max()) + 1]
    return [
        _levels(code) if count <= few else _splines(column)
        for column, code, count in zip(x.T, codes, levels, strict=False)
        if count > 1
    ]


def _levels(code: Rows) -> Column:
    """One function a level but the last: saturated, any function of the levels is a combination of them."""
    indicators = (code == np.arange(code.max())[:, None]).astype(np.float64)
    centred = indicators - indicators.mean(axis=1, keepdims=True)
    factor = np.linalg.cholesky(centred @ centred.T / len(code))
    return Column(np.linalg.solve(factor, centred), np.ones(len(centred)))


def _splines(x: Floats) -> Column:
    """Demmler-Reinsch basis of cubic splines: orthonormal over the draws, and so are second derivatives, up to scale.

    The second derivatives are weighed by the draws too. For a normal x the first functions then are the Hermite
    polynomials, so that what is nearly a line or a parabola needs one function or two, wherever the knots lie.
    """
    from scipy.interpolate import BSpline

    low, high = x.min(), x.max()
    unit = (x - low) / (high - low)
    inner = np.unique(np.quantile(unit, ndtr(KNOT_SCORES)))
    inner = inner[(inner > 0) & (inner < 1)]
    knots = np.concatenate([np.zeros(DEGREE + 1), inner, np.ones(DEGREE + 1)])
    splines = np.asarray(BSpline.design_matrix(unit, knots, DEGREE).toarray()).T[:-1]  # they add up to 1: the intercept
    centred = splines - splines.mean(axis=1, keepdims=True)
    gram = centred @ centred.T / len(x)
    root = np.linalg.inv(np.linalg.cholesky(gram + JITTER * np.trace(gram) / len(gram) * np.eye(len(gram))))
    sites = np.quantile(unit, (np.arange(SITES) + 0.5) / SITES)
    bends = root @ BSpline(knots, np.eye(len(splines) + 1)[:, :-1], DEGREE).derivative(2)(sites).T
    turn = np.linalg.eigh(bends @ bends.T)[1]
    return Column(turn.T @ root @ centred, np.arange(1.0, len(splines) + 1))
