"""Rank correlations between inputs, as a Gaussian copula: which matrix, and whether there is one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from simulator.inputs.ranks import RankCorrelation, mid_rank

if TYPE_CHECKING:
    from simulator.inputs.law import Distribution, Floats

Pair: TypeAlias = tuple[str, str]
LEAST_EIGENVALUE: Final = 1e-9


class InfeasibleCorrelations(ValueError):  # noqa: N818  (the name says what is wrong)
    """A rank correlation that cannot be, or that breaks the set it is in.

    Parameters
    ----------
    pair : tuple of str
        The two inputs.
    found, expected : str
        What was asked of them, and what is possible.
    """

    def __init__(self, pair: Pair, found: str, expected: str) -> None:
        super().__init__(pair, found, expected)
        self.pair, self.found, self.expected = pair, found, expected

    def __str__(self) -> str:
        return f"{self.pair[0]} and {self.pair[1]}: {self.found}; expected {self.expected}"


@dataclass(frozen=True, slots=True, eq=False)
class Copula:
    """Correlated normal scores: `factor @ w` of independent ones w."""

    names: tuple[str, ...]
    pearson: Floats  # (k, k), of the normal scores
    factor: Floats  # (k, k), lower triangular, factor @ factor.T = pearson


def gaussian_copula(pairs: Mapping[Pair, float], laws: Mapping[str, Distribution]) -> Copula:
    """The Gaussian copula under which the inputs have the given rank correlations.

    For laws without atoms the Pearson correlation of the scores is 2 sin(pi spearman / 6); with atoms it is solved so
    that Spearman's correlation of the mid-ranks, as scipy.stats.spearmanr computes it on ties, is the one given.

    Parameters
    ----------
    pairs : mapping of two names to float
        Spearman's rank correlations, in the order of the file; every other pair is uncorrelated.
    laws : mapping of name to Distribution
        The inputs; only those that a pair names enter the copula.

    Raises
    ------
    InfeasibleCorrelations
        Where a value lies beyond what the two laws allow, or the set of them is no correlation matrix; then the pair
        is the last one that alone could repair it.
    """
    names = tuple(dict.fromkeys(name for pair in pairs for name in pair))
    _check_pairs(pairs, laws)
    ranks = {name: mid_rank(laws[name]) for name in names}
    maps = {pair: RankCorrelation(ranks[pair[0]], ranks[pair[1]]) for pair in pairs}
    places = {pair: (names.index(pair[0]), names.index(pair[1])) for pair in pairs}
    pearson = np.eye(len(names))
    for pair, spearman in pairs.items():
        i, j = places[pair]
        pearson[i, j] = pearson[j, i] = _solved(pair, spearman, maps[pair])
    if not _positive(pearson):
        pair, (low, high) = _breaking(pearson, places)
        raise InfeasibleCorrelations(
            pair,
            f"spearman = {pairs[pair]:g} contradicts the other correlations (a pair that is not given has 0)",
            f"spearman between {_inside(maps[pair].spearman(low), 1)} and {_inside(maps[pair].spearman(high), -1)}",
        )
    return Copula(names, pearson, np.asarray(np.linalg.cholesky(pearson), dtype=float))


def _breaking(pearson: Floats, places: Mapping[Pair, tuple[int, int]]) -> tuple[Pair, tuple[float, float]]:
    """The pair to blame for a matrix that is not positive definite, and the room that it has.

    The last pair that alone could repair the set; where none can, the one whose addition, in order, broke it for good.
    One entry can be chosen if, and only if, the matrix is positive definite without its row and without its column.
    """
    for pair, (i, j) in reversed(list(places.items())):
        if all(_positive(np.delete(np.delete(pearson, k, 0), k, 1)) for k in (i, j)):
            return pair, _room(pearson, i, j)
    prefix, feasible = np.eye(len(pearson)), np.eye(len(pearson))
    for pair, (i, j) in places.items():
        if _positive(prefix):
            blamed, feasible = pair, prefix.copy()
        prefix[i, j] = prefix[j, i] = pearson[i, j]
    return blamed, _room(feasible, *places[blamed])


def _check_pairs(pairs: Mapping[Pair, float], laws: Mapping[str, Distribution]) -> None:
    seen: set[frozenset[str]] = set()
    for pair in pairs:
        if pair[0] == pair[1]:
            raise InfeasibleCorrelations(pair, "an input with itself", "two inputs")
        if frozenset(pair) in seen:
            raise InfeasibleCorrelations(pair, "the pair is given twice", "each pair once")
        seen.add(frozenset(pair))
        for name in pair:
            if laws[name].sd == 0:
                raise InfeasibleCorrelations(pair, f"{name} has one value only", "two uncertain inputs")


def _solved(pair: Pair, spearman: float, ranks: RankCorrelation) -> float:
    if not -1 < spearman < 1:
        raise InfeasibleCorrelations(
            pair,
            f"spearman = {spearman:g}",
            "spearman between -1 and 1, both excluded; inputs that move as one are one input",
        )
    pearson = ranks.pearson(spearman)
    if math.isnan(pearson):
        low, high = ranks.attainable
        raise InfeasibleCorrelations(
            pair,
            f"spearman = {spearman:g} is out of reach: the values that repeat limit it",
            f"spearman between {_inside(low, 1)} and {_inside(high, -1)}",
        )
    return pearson


def _positive(matrix: Floats) -> bool:
    return not matrix.size or bool(np.linalg.eigvalsh(matrix)[0] > LEAST_EIGENVALUE)


def _room(matrix: Floats, i: int, j: int) -> tuple[float, float]:
    """Values of entry (i, j) that keep the matrix positive definite: what the others explain, and what they leave."""
    others = [k for k in range(len(matrix)) if k not in (i, j)]
    solved = np.linalg.solve(matrix[np.ix_(others, others)], matrix[np.ix_(others, [i, j])])
    (left_i, both), (_, left_j) = np.eye(2) - matrix[np.ix_([i, j], others)] @ solved
    half = math.sqrt(left_i * left_j)
    return -both - half, -both + half


def _inside(bound: float, towards: int) -> str:
    """A bound rounded to three decimals into the interval."""
    return f"{(math.ceil if towards > 0 else math.floor)(bound * 1000) / 1000:g}"
