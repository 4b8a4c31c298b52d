"""What waiting costs."""

import numpy as np
import pytest

from simulator.decision import voi
from simulator.decision.voi import exact


def test_three_months_of_thirty_six() -> None:
    evsi = exact.evsi(exact.Normal(0.5, 2, 3), [0, 0], [0, 1], 8)
    assert 0.5 + evsi == pytest.approx(0.9829293, abs=5e-8)
    assert voi.enbs(evsi, cost=0.1) == pytest.approx(0.3829293, abs=5e-8)
    assert voi.enbs(evsi, cost=0.1, now=0.5, delay=3, horizon=36) == pytest.approx(0.3010185, abs=5e-8)
    at = voi.break_even_delay(evsi, cost=0.1, now=0.5, horizon=36)
    assert at == pytest.approx(14.02487, abs=5e-6)
    assert voi.enbs(evsi, cost=0.1, now=0.5, delay=at, horizon=36) == pytest.approx(0, abs=1e-12)


def test_error_shrinks_with_what_is_left() -> None:
    rng = np.random.default_rng(1)
    x = rng.standard_normal(1000)
    estimate = voi.evpi(np.stack([0 * x, x], axis=1))
    net = voi.enbs(estimate, cost=0.1, now=0.2, delay=1, horizon=4, meanwhile=0.4)
    assert net.value == pytest.approx(0.75 * (0.2 + estimate.value) + 0.25 * 0.4 - 0.1 - 0.2)
    assert net.se == pytest.approx(0.75 * estimate.se)
    assert net.high - net.low == pytest.approx(0.75 * (estimate.high - estimate.low))


def test_no_break_even() -> None:
    assert voi.break_even_delay(0.1, cost=0.2) is None
    assert voi.break_even_delay(0.5, cost=0.1, now=0.2, horizon=3, meanwhile=0.9) == 3
    with pytest.raises(ValueError, match="delay 2, horizon 1"):
        voi.enbs(1.0, cost=0, delay=2, horizon=1)
