"""Would catch: a learned law whose score and quantile are not each other's inverse, far out too."""

import numpy as np
import pytest

from simulator.inputs import LogNormal, Normal, Poisson
from simulator.inputs.warped import Warped, nodes


@pytest.mark.parametrize("shift", [-0.7, 0.0, 1.2])
def test_a_straight_bend_of_a_normal_is_a_normal(shift: float) -> None:
    law, same = Warped(Normal(10.0, 2.0), shift + 0.5 * nodes()), Normal(10.0 + 2 * shift, 1.0)
    x = np.array([-10.0, 2.0, 9.0, 10.0, 12.5, 30.0])
    assert law.mean == pytest.approx(same.mean)
    assert law.sd == pytest.approx(same.sd)
    np.testing.assert_allclose(law.score(x), same.score(x), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(law.cdf(x), same.cdf(x), rtol=1e-9)


def test_scores_go_there_and_back_beyond_the_nodes() -> None:
    law = Warped(LogNormal(100.0, 0.3), 0.2 + 0.6 * nodes() + 0.01 * nodes() ** 3 / 64)
    z = np.array([-12.0, -9.0, -8.0, -1.0, 0.0, 3.0, 8.0, 9.5, 12.0])
    np.testing.assert_allclose(law.score(law.at_score(z)), z, rtol=1e-9, atol=1e-9)
    assert np.all(np.diff(law.at_score(z)) > 0)


def test_the_atoms_of_a_prior_stay_atoms() -> None:
    law = Warped(Poisson(2.0), 0.3 + 0.8 * nodes())
    found = law.atoms(0.01)
    mass = law.cdf(found) - law.cdf(found - 0.5)
    assert {0.0, 1.0, 2.0, 3.0, 4.0} <= {*found}
    assert np.all(mass >= 0.01)
    assert mass.sum() == pytest.approx(1.0, abs=0.02)
