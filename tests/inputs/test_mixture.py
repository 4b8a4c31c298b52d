"""Mixtures: gaps, atoms and overlapping parts; catches a quantile on the wrong side of a gap."""

import math

import numpy as np
import pytest

from simulator.inputs import Constant, Gamma, LogNormal, Mixture, Normal, Poisson, Uniform

GAP = Mixture((0.6, 0.4), (Uniform(0.2, 0.6), Constant(1.0)))
OVERLAP = Mixture((1.0, 3.0), (Gamma(4.0, 0.5), LogNormal(10.0, 0.5)))


def test_moments() -> None:
    assert GAP.mean == pytest.approx(0.6 * 0.4 + 0.4)
    assert GAP.sd == pytest.approx(math.sqrt(0.6 * (0.4**2 / 12 + 0.16) + 0.4 - 0.64**2))
    assert GAP.support == (0.2, 1.0)
    assert GAP.discrete
    assert not OVERLAP.discrete


def test_quantiles_with_a_gap_and_an_atom() -> None:
    np.testing.assert_allclose(GAP.ppf(np.array([1e-9, 0.3, 0.6 - 1e-9])), [0.2 + 0.4e-9 / 0.6, 0.4, 0.6], rtol=1e-8)
    np.testing.assert_array_equal(GAP.ppf(np.array([0.6001, 0.9, 1 - 1e-12])), [1, 1, 1])


def test_an_atom_inside_a_continuous_part() -> None:
    law = Mixture((0.5, 0.5), (Normal(0.0, 1.0), Constant(0.0)))
    np.testing.assert_array_equal(law.ppf(np.array([0.26, 0.5, 0.74])), [0, 0, 0])
    assert law.ppf(np.array(0.25 - 1e-6)) == pytest.approx(-2e-6 * math.sqrt(2 * math.pi), rel=1e-4)


def test_quantiles_invert_in_both_tails() -> None:
    u = np.array([1e-12, 1e-6, 0.1, 0.25, 0.5])
    np.testing.assert_allclose(OVERLAP.cdf(OVERLAP.lower(u)), u, rtol=1e-9)
    np.testing.assert_allclose(OVERLAP.sf(OVERLAP.upper(u)), u, rtol=1e-9)


def test_parts_may_be_mixtures_and_counts() -> None:
    law = Mixture((0.5, 0.5), (Mixture((0.5, 0.5), (Poisson(3.0), Constant(50.0))), Constant(-1.0)))
    np.testing.assert_array_equal(law.ppf(np.array([0.4, 0.5 + 0.25 * 0.42, 0.9])), [-1, 2, 50])
    assert law.mean == pytest.approx(0.25 * 3 + 0.25 * 50 - 0.5)
    assert law.partial_mean(np.array(49.0)) == pytest.approx(0.25 * 3 - 0.5)
