"""Catches scores that are no longer standard normal, or that do not move as their turn and their sampler say."""

from pathlib import Path

import numpy as np
import pytest

from simulator.engine.dimensions import Dimensions
from simulator.study import load_study

PLAIN = Dimensions(("x", "y", "z"), frozenset(), frozenset(), ("a",))


def test_an_option_that_may_fail_has_a_dimension_for_its_faults(tmp_path: Path) -> None:
    (file := tmp_path / "study.toml").write_text("""
baseline = "a"
currency = "USD"
[workload]
pflop_hours = 1000
[options.a]
price = 1
peak_pflops = 1
utilization = 1
[options.b]
price = 1
peak_pflops = 1
utilization = 1
faults_per_1000h = 0.5
hours_lost_per_fault = 1
""")
    assert Dimensions.of(load_study(file)).options == ("b",)


def test_a_turn_lays_the_first_moved_score_along_the_direction() -> None:
    """And leaves lengths as they are, and the score that is not part of it."""
    direction = np.array([0.0, 3.0, -4.0])
    points = PLAIN.points(4, 1)
    before = PLAIN.block(points, 0, 0, 256).scores
    after = PLAIN.turned(direction).block(points, 0, 0, 256).scores

    assert (after["x"] == before["x"]).all()
    assert (3 * after["y"] - 4 * after["z"]) / 5 == pytest.approx(before["y"], abs=1e-12)
    assert after["y"] ** 2 + after["z"] ** 2 == pytest.approx(before["y"] ** 2 + before["z"] ** 2)


@pytest.mark.parametrize("direction", [[0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [1.0, np.inf, 0.0]])
def test_there_is_no_turn_in_one_dimension_or_in_none(direction: list[float]) -> None:
    assert PLAIN.turned(np.array(direction)) is PLAIN


@pytest.mark.parametrize(("effective", "variance"), [(400.0, 16 / 400), (20.0, 0.5)])
def test_a_sampled_law_moves_with_the_replicate_by_its_samplers_error(effective: float, variance: float) -> None:
    """R / n between R replicates, half of all at most; their mean and the spread of all draws stay as they are."""
    sampled = Dimensions(("x", "y"), frozenset(), frozenset(), (), sampled=(("y", effective),))
    points = sampled.points(16, 1)
    scores = [sampled.block(points, r, 0, 4096).scores for r in range(16)]
    means = np.array([each["y"].mean() for each in scores])

    assert means.var(ddof=1) == pytest.approx(variance, rel=0.02)
    assert means.mean() == pytest.approx(0, abs=1e-3)
    assert np.concatenate([each["y"] for each in scores]).var() == pytest.approx(1, abs=5e-3)
    assert max(abs(each["x"].mean()) for each in scores) < 5e-3
