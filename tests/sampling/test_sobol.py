"""What these would catch: a scramble that breaks the net, replicates that are not independent, blocks that disagree."""

import numpy as np
import pytest
from scipy.stats import kstest

from simulator.sampling import MOST_DIMENSIONS, Points


def test_any_block_is_a_stretch_of_the_same_sequence() -> None:
    points = Points(7, 2, seed=3)
    whole = points.block(1, 0, 1024)
    pieces = [points.block(1, start, 128) for start in range(0, 1024, 128)]
    assert np.array_equal(whole, np.concatenate(pieces, axis=1))


@pytest.mark.parametrize("dimension", [0, 1, 5, 300, MOST_DIMENSIONS - 1])
def test_each_coordinate_hits_each_of_n_intervals_once(dimension: int) -> None:
    u = Points(dimension + 1, 1, seed=11).block(0, 0, 4096)[dimension]
    assert np.array_equal(np.sort(np.floor(u * 4096)), np.arange(4096))


def test_first_two_coordinates_are_a_net() -> None:
    u = Points(2, 1, seed=5).block(0, 0, 256)
    for bits in range(9):  # every elementary box of volume 1/256 holds one point
        box = np.floor(u[0] * 2**bits) * 2 ** (8 - bits) + np.floor(u[1] * 2 ** (8 - bits))
        assert np.array_equal(np.sort(box), np.arange(256))


def test_a_point_is_uniform_over_seeds() -> None:
    first = np.array([Points(3, 1, seed).block(0, 0, 1)[2, 0] for seed in range(400)])
    assert kstest(first, "uniform").pvalue > 1e-3


def test_means_of_replicates_are_unbiased_and_uncorrelated() -> None:
    means = np.array([Points(4, 64, seed=2).block(r, 0, 16).prod(axis=0).mean() for r in range(64)])
    standard_error = means.std(ddof=1) / 8
    assert abs(means.mean() - 1 / 16) < 4 * standard_error
    assert abs(np.corrcoef(means[:-1], means[1:])[0, 1]) < 4 / np.sqrt(63)


def test_a_new_dimension_leaves_the_others() -> None:
    assert np.array_equal(Points(5, 4, 1).block(2, 64, 64), Points(9, 4, 1).block(2, 64, 64)[:5])


@pytest.mark.parametrize(("start", "size"), [(0, 3), (8, 16), (2**32, 16)])
def test_misaligned_blocks_are_refused(start: int, size: int) -> None:
    with pytest.raises(ValueError, match="aligned"):
        Points(1, 1, 0).block(0, start, size)


def test_too_many_dimensions_are_refused() -> None:
    with pytest.raises(ValueError, match="2048"):
        Points(MOST_DIMENSIONS + 1, 1, 0)
