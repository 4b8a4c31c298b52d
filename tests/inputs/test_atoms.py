"""Laws on a list of values; catches a step taken on the wrong side and ties that are lost."""

import numpy as np
import pytest
from scipy.special import ndtri

from simulator.inputs import Bernoulli, Constant, Discrete, Empirical, Mixture, Normal


def test_discrete_is_sorted_merged_and_normalised() -> None:
    law = Discrete(np.array([3.0, 1.0, 2.0, 1.0, 9.0]), np.array([1.0, 1.0, 1.0, 1.0, 0.0]))
    np.testing.assert_array_equal(law.values, [1, 2, 3])
    np.testing.assert_allclose(law.weights, [0.5, 0.25, 0.25])
    assert law.mean == pytest.approx(1.75)
    assert law.sd == pytest.approx(np.std([1, 1, 2, 3]))
    assert law.support == (1, 3)
    assert law == Discrete(np.array([1.0, 2.0, 3.0]), np.array([2.0, 1.0, 1.0]))


def test_steps() -> None:
    law = Discrete(np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.25, 0.25]))
    np.testing.assert_array_equal(law.ppf(np.array([1e-12, 0.5, 0.5000001, 0.75, 0.76, 1 - 1e-12])), [1, 1, 2, 2, 3, 3])
    np.testing.assert_array_equal(law.at_score(ndtri([0.4, 0.6, 0.8])), [1, 2, 3])
    np.testing.assert_allclose(law.cdf(np.array([0.9, 1, 1.5, 2, 3, 4])), [0, 0.5, 0.5, 0.75, 1, 1])
    np.testing.assert_allclose(law.sf(np.array([0.9, 1, 2, 3])), [1, 0.5, 0.25, 0])
    np.testing.assert_allclose(law.partial_mean(np.array([0, 1, 2.5, 3])), [0, 0.5, 1, 1.75])


def test_empirical_is_the_sample() -> None:
    sample = np.array([4.0, 1.0, 4.0, 7.0])
    law = Empirical.of(sample)
    assert (law.mean, law.sd) == pytest.approx((sample.mean(), sample.std()))
    np.testing.assert_array_equal(law.ppf(np.array([0.1, 0.25, 0.3, 0.75, 0.8])), [1, 1, 4, 4, 7])


def test_bernoulli() -> None:
    law = Bernoulli(0.3)
    assert (law.mean, law.sd) == pytest.approx((0.3, np.sqrt(0.21)))
    np.testing.assert_array_equal(law.ppf(np.array([0.69, 0.71])), [0, 1])
    np.testing.assert_array_equal(law.at_score(ndtri([0.69, 0.71])), [0, 1])
    np.testing.assert_allclose(law.partial_mean(np.array([0.5, 1])), [0, 0.3])
    for p in (0.0, 1.0):
        assert Bernoulli(p).support == (p, p)
        assert (Bernoulli(p).at_score(np.array([-3.0, 3.0])) == p).all()


def test_constant() -> None:
    law = Constant(2.0)
    assert (law.mean, law.sd, law.support) == (2.0, 0.0, (2.0, 2.0))
    np.testing.assert_array_equal(law.cdf(np.array([1.9, 2.0])), [0, 1])
    np.testing.assert_array_equal(law.at_score(np.array([-9.0, 9.0])), [2, 2])


def test_a_value_that_is_rarer_than_asked_is_no_atom() -> None:
    np.testing.assert_array_equal(Bernoulli(0.9995).atoms(), [1.0])
    np.testing.assert_array_equal(Bernoulli(0.9995).atoms(1e-4), [0.0, 1.0])
    np.testing.assert_array_equal(Mixture((0.25, 0.75), (Constant(5.0), Normal(0.0, 1.0))).atoms(), [5.0])
