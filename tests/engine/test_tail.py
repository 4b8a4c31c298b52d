"""Catches tangents that do not lead from a threshold to its quantile, or are trusted where they lead astray."""

import numpy as np
import pytest
from scipy.stats import norm

from simulator.engine.tail import Tangents

LEVELS = (0.05, 0.5, 0.95)
LAW = norm(loc=-100.0, scale=30.0)
EXACT = LAW.ppf(LEVELS)


def reached(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return LAW.cdf(t), LAW.pdf(t)


@pytest.mark.parametrize("guess", [-100.0, -1e4, 1e4, 150.0])
def test_thresholds_are_found_from_any_guess(guess: float) -> None:
    """Far out there is no density: Newton's step leaves the bracket, which is halved instead."""
    found = Tangents.near(LEVELS, reached, np.full(3, guess), (-2e4, 2e4))

    assert found is not None
    assert LAW.cdf(found.at) == pytest.approx(LEVELS, abs=1e-3)


def test_without_density_there_is_no_line() -> None:
    def steps(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return LAW.cdf(t), np.where(t > -100, 0.0, LAW.pdf(t))

    assert Tangents.near(LEVELS, steps, EXACT, (-1e3, 1e3)) is None


def test_a_normal_law_is_straight_in_its_scores() -> None:
    """From thresholds that are off by 0, by 6 and by -6, two estimates each."""
    at = np.stack([EXACT + off for off in (0.0, 6.0, -6.0)])
    for each in at:
        tangents = Tangents(LEVELS, tuple(each))
        below, density = (np.tile(x, (2, 1)) for x in reached(each))

        assert tangents.quantiles(below, density) == pytest.approx(np.tile(EXACT[:, None], 2), rel=1e-12)


@pytest.mark.parametrize("off", [0.0, 1.0, -1.0])
def test_the_tail_mean_from_the_shortfall_at_a_threshold(off: float) -> None:
    """E[X | the lowest 5 %] = mean - sd phi(z) / 0.05; the trapezium's error is f' off^3 / 12 / 0.05 at most."""
    tangents = Tangents(LEVELS, tuple(EXACT + off))
    t = EXACT[0] + off
    below, density = (x[None] for x in reached(EXACT + off))
    shortfall = np.array([(t + 100) * LAW.cdf(t) + 30**2 * LAW.pdf(t)])
    steepest = norm.pdf(1) / 30**2  # of the density
    exact = -100 - 30 * norm.pdf(norm.ppf(0.05)) / 0.05

    found = tangents.lower_tail_means(0.05, below, density, shortfall)

    assert found == pytest.approx([exact], abs=1e-9 + steepest * abs(off) ** 3 / 12 / 0.05)


def test_lines_are_used_where_thresholds_are_near_and_have_a_density() -> None:
    tangents = Tangents(LEVELS, tuple(EXACT))
    density = np.full((1, 3), 0.01)

    assert tangents.usable(np.array([LEVELS]), density)
    assert tangents.usable(np.array([[0.0624, 0.62, 0.9376]]), density)
    assert not tangents.usable(np.array([[0.0626, 0.5, 0.95]]), density)
    assert not tangents.usable(np.array([[0.05, 0.626, 0.95]]), density)
    assert not tangents.usable(np.array([[0.05, 0.5, 0.937]]), density)
    assert not tangents.usable(np.array([LEVELS]), np.array([[0.01, 0.0, 0.01]]))
