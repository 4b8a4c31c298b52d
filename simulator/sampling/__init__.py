"""Randomized quasi-Monte Carlo points: a draw is a pure function of (seed, replicate, index)."""

from simulator.sampling.counts import poisson_quantile
from simulator.sampling.sobol import MOST_DIMENSIONS, Points

__all__ = ["MOST_DIMENSIONS", "Points", "poisson_quantile"]
