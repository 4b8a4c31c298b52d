"""Catches quantiles, tail means and shares from bins that are not those of the sample that was put in."""

import numpy as np
import pytest

from simulator.engine.bins import BINS, Bins
from simulator.engine.result import histogram


def _sample() -> tuple[np.ndarray, np.ndarray]:
    """Values of a skewed law, and weights between 0 and 1 that depend on them."""
    values = np.exp(0.5 * np.random.default_rng(0).normal(size=200_000)) - 3.0
    return values, 1 / (1 + np.exp(-values))


def _weighted(values: np.ndarray, weights: np.ndarray, level: float) -> tuple[float, float]:
    """Quantile and lower tail mean of a weighted sample."""
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) / weights.sum()
    place = int(np.searchsorted(reached, level))
    inside = order[: place + 1]
    return float(values[order[place]]), float(np.average(values[inside], weights=weights[inside]))


def test_figures_of_a_weighted_sample() -> None:
    values, weights = _sample()
    bins = Bins.covering(values[:1000])
    tally = bins.tally(values, weights)
    tallies = np.stack([tally, bins.tally(values)])
    levels = (0.05, 0.25, 0.5, 0.95)
    width = bins.edges[1] - bins.edges[0]

    assert not bins.points and len(bins.edges) == BINS - 1
    assert tally[0].sum() == pytest.approx(weights.sum())
    assert tally[1].sum() == pytest.approx((weights * values).sum())
    for i, given in enumerate((weights, np.ones_like(values))):
        for level, found in zip(levels, bins.quantiles(tallies, levels)[:, i], strict=True):
            assert found == pytest.approx(_weighted(values, given, level)[0], abs=0.05 * width)
        assert bins.lower_tail_means(tallies, 0.05)[i] == pytest.approx(
            _weighted(values, given, 0.05)[1], abs=0.02 * width
        )
    at = -2.0
    assert bins.share_at_most(tally, at) == pytest.approx(weights[values <= at].sum() / weights.sum(), abs=1e-3)
    assert bins.share_at_most(tally, -1e9) == 0
    assert bins.share_at_most(tally, 1e9) == 1


def test_bins_lie_between_their_edges_and_the_first_and_last_are_open() -> None:
    bins = Bins((0.0, 1.0, 2.0, 3.0), points=False)

    counts, sums = bins.tally(np.array([-7.0, 0.0, 0.25, 1.0, 1.5, 2.5, 3.0, 3.5, 99.0]))

    assert counts.tolist() == [2, 2, 1, 2, 2]
    assert sums.tolist() == [-7.0, 1.25, 1.5, 5.5, 102.5]


def test_the_range_reaches_twice_beyond_the_outer_points_of_the_pilot() -> None:
    bins = Bins.covering(np.linspace(0, 100, 1001))

    assert bins.edges[0] == pytest.approx(5 - 2 * 45)
    assert bins.edges[-1] == pytest.approx(95 + 2 * 45)


def test_separate_points_are_told_exactly() -> None:
    """-10 in 2 of 100, 0 in 58, 5 in 40: the mean of the lowest 5 % is (2 x -10 + 3 x 0) / 5."""
    bins = Bins.covering(np.array([5.0, -10.0, 0.0, 5.0]))
    weights = np.array([2.0, 58.0, 40.0])
    # a rounding above or below a point is that point
    tallies = np.stack([bins.tally(np.array([-10.0, 0.0, 5.0]) * (1 + rounding), weights) for rounding in (0, 1e-15)])

    assert bins.points and bins.edges == (-10.0, 0.0, 5.0)
    assert bins.quantiles(tallies, (0.01, 0.02, 0.021, 0.6, 0.61, 1.0)).tolist() == [
        [-10, -10], [-10, -10], [0, 0], [0, 0], [5, 5], [5, 5],
    ]  # fmt: skip
    assert bins.lower_tail_means(tallies, 0.05) == pytest.approx([-4, -4])
    assert bins.lower_tail_means(tallies, 0.01) == pytest.approx([-10, -10])


def test_a_few_values_are_points_and_more_are_a_range() -> None:
    assert Bins.covering(np.arange(64.0)).points
    assert not Bins.covering(np.arange(65.0)).points


def test_a_histogram_has_every_case_in_one_of_its_bins() -> None:
    """What lies beyond the outer edges is in the outer bins."""
    found = histogram(Bins((0.0, 1.0, 2.0, 3.0), points=False), [0.05, 0.2, 0.3, 0.4, 0.05])

    assert found.edges == (0.0, 1.0, 2.0, 3.0)
    assert found.shares == pytest.approx((0.25, 0.3, 0.45))
