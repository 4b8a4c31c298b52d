"""Rank correlations asked for and found in samples; catches ties that are ignored and sets that cannot be."""

import numpy as np
import pytest
import scipy.stats
from scipy.special import ndtri

from simulator.inputs import (
    Bernoulli,
    Beta,
    Constant,
    Discrete,
    InfeasibleCorrelations,
    LogNormal,
    Mixture,
    NegativeBinomial,
    Poisson,
    Uniform,
    gaussian_copula,
    tabulated,
)
from simulator.inputs.ranks import RankCorrelation, mid_rank

LAWS = {
    "lognormal": LogNormal(2.0, 0.7),
    "beta": Beta(6.0, 9.0),
    "poisson": Poisson(2.0),
    "count": NegativeBinomial(25.0, 2.0),
    "coin": Bernoulli(0.3),
    "mixed": Mixture((0.6, 0.4), (Uniform(0.2, 0.6), Constant(1.0))),
    "fixed": Constant(1.0),
}


@pytest.fixture(scope="module")
def scores() -> np.ndarray:
    """2^16 pairs of independent normal scores, evenly spread: a Kronecker sequence, so its own error is below 1e-3."""
    index = np.arange(1, 2**16 + 1)[None, :]
    golden = np.array([[0.7548776662466927], [0.5698402909980532]])  # 1 / g and 1 / g^2, g^3 = g + 1
    return ndtri((0.5 + index * golden) % 1)


@pytest.mark.parametrize("second", ["beta", "poisson", "count", "coin", "mixed"])
@pytest.mark.parametrize("first", ["lognormal", "poisson", "count", "coin", "mixed"])
@pytest.mark.parametrize("spearman", [0.5, -0.35])
def test_sample_rank_correlations(first: str, second: str, spearman: float, scores: np.ndarray) -> None:
    laws = {"first": LAWS[first], "second": LAWS[second]}
    z = gaussian_copula({("first", "second"): spearman}, laws).factor @ scores
    x, y = (tabulated(law).at_score(row) for law, row in zip(laws.values(), z, strict=True))
    assert scipy.stats.spearmanr(x, y).statistic == pytest.approx(spearman, abs=0.003)


def test_continuous_laws_follow_pearsons_formula() -> None:
    copula = gaussian_copula({("beta", "lognormal"): 0.4}, LAWS)
    assert copula.names == ("beta", "lognormal")
    assert copula.pearson[0, 1] == pytest.approx(2 * np.sin(np.pi * 0.4 / 6), rel=1e-14)
    np.testing.assert_allclose(copula.factor @ copula.factor.T, copula.pearson, rtol=1e-14)


def test_fair_coins_follow_sheppards_formula() -> None:
    """Two medians: P(both above) = 1/4 + asin(r) / (2 pi), so Spearman's rho is 2 asin(r) / pi."""
    ranks = RankCorrelation(mid_rank(Bernoulli(0.5)), mid_rank(Bernoulli(0.5)))
    for r in (-0.95, -0.3, 0.6, 0.999):
        assert ranks.spearman(r) == pytest.approx(2 * np.arcsin(r) / np.pi, rel=1e-9)
    assert ranks.pearson(0.4) == pytest.approx(np.sin(np.pi * 0.2), rel=1e-9)


def test_fine_steps_tend_to_the_continuous_formula() -> None:
    fine = Discrete(np.arange(400.0), np.ones(400))
    steps = RankCorrelation(mid_rank(fine), mid_rank(fine))
    assert steps.spearman(0.7) == pytest.approx(6 / np.pi * np.arcsin(0.35), abs=2e-5)


def test_the_map_is_inverted() -> None:
    for first in ("poisson", "mixed", "coin"):
        ranks = RankCorrelation(mid_rank(LAWS[first]), mid_rank(LAWS["mixed"]))
        for spearman in (-0.5, -0.01, 0.2, 0.6):
            assert ranks.spearman(ranks.pearson(spearman)) == pytest.approx(spearman, abs=1e-9)


def test_ties_limit_what_can_be() -> None:
    """A coin against a continuous law: at best sqrt(3 p (1 - p))."""
    with pytest.raises(InfeasibleCorrelations) as refused:
        gaussian_copula({("coin", "beta"): 0.9}, LAWS)
    assert refused.value.pair == ("coin", "beta")
    assert "between -0.793 and 0.793" in refused.value.expected
    low, high = RankCorrelation(mid_rank(LAWS["coin"]), mid_rank(LAWS["beta"])).attainable
    assert (low, high) == pytest.approx((-np.sqrt(0.63), np.sqrt(0.63)), abs=1e-6)


def test_the_pair_that_breaks_the_set_is_named() -> None:
    pairs = {("lognormal", "beta"): 0.9, ("lognormal", "count"): 0.9, ("beta", "count"): -0.5, ("coin", "beta"): 0.1}
    with pytest.raises(InfeasibleCorrelations) as refused:
        gaussian_copula(pairs, LAWS)
    assert refused.value.pair == ("beta", "count")
    assert str(refused.value).startswith("beta and count: ")
    low, high = (float(word) for word in refused.value.expected.split() if word[0].isdigit())
    for spearman in (low, high):  # the room that the message leaves is true, and no more than that
        gaussian_copula({**pairs, ("beta", "count"): spearman}, LAWS)
    for spearman in (low - 0.002, high + 0.002):
        with pytest.raises(InfeasibleCorrelations):
            gaussian_copula({**pairs, ("beta", "count"): spearman}, LAWS)


def test_a_set_that_no_single_pair_repairs() -> None:
    laws = {name: LogNormal(1.0, 1.0) for name in "abcdef"}
    pairs = {("a", "b"): 0.9, ("b", "c"): 0.9, ("d", "e"): 0.9, ("e", "f"): 0.9}
    with pytest.raises(InfeasibleCorrelations) as refused:
        gaussian_copula(pairs, laws)
    assert refused.value.pair == ("b", "c")


@pytest.mark.parametrize(
    "pairs",
    [
        {("beta", "beta"): 0.5},
        {("beta", "coin"): 0.5, ("coin", "beta"): 0.5},
        {("beta", "fixed"): 0.5},
        {("beta", "lognormal"): 1.0},
        {("beta", "lognormal"): -1.5},
        {("beta", "lognormal"): float("nan")},
    ],
)
def test_pairs_that_make_no_sense(pairs: dict[tuple[str, str], float]) -> None:
    with pytest.raises(InfeasibleCorrelations):
        gaussian_copula(pairs, LAWS)


def test_no_pairs() -> None:
    assert gaussian_copula({}, LAWS).names == ()
