"""Catches curves that disagree with the run they are drawn from, and money that the timeline loses."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.report.memo.curves import Spending
from simulator.report.memo.sample import Sample, quantiles
from tests.report.memo.example import Made

# Draws of the curves are those of the run where it has no more; what is left is the run's conditioning, whose own error
# is below that of the draws: about sqrt(p (1 - p) / n) without any help of the points.
DRAWN = 4 * np.sqrt(0.25 / 4096)


@pytest.mark.parametrize("name", ["made", "committed"])
def test_curves_agree_with_the_run(name: str, request: pytest.FixtureRequest) -> None:
    made: Made = request.getfixturevalue(name)
    result, study = made.result, made.study

    for curve in made.content.curves.acceptability:
        p = result.options[curve.option].p_beats
        assert p is not None
        at_hurdle = np.interp(study.hurdle, curve.hurdles, curve.p_hurdle)
        today = curve.p_volume[curve.volumes.index(1.0)]
        assert at_hurdle == pytest.approx(p.value, abs=DRAWN)
        assert today == pytest.approx(p.value, abs=DRAWN)
    for density in made.content.curves.density:
        assert sum(density.p) + density.below + density.above == pytest.approx(1.0, abs=1e-12)
        middles = (np.array(density.edges[1:]) + density.edges[:-1]) / 2
        mean = result.options[density.option].saving_share.mean.value
        assert density.below + density.above > 0.05 or float(middles @ density.p) == pytest.approx(mean, abs=0.05)
    for exceedance in made.content.curves.exceedance:
        assert np.all(np.diff(exceedance.p) <= 1e-12)
        below = result.histograms[exceedance.option]
        reached = np.interp(exceedance.x, below.edges[1:], 1 - np.cumsum(below.shares))
        assert np.max(np.abs(reached - exceedance.p)) < DRAWN


@pytest.mark.parametrize("name", ["made", "committed"])
def test_the_timeline_ends_at_the_bill(name: str, request: pytest.FixtureRequest) -> None:
    """What is spent in the end is the TCO less what the schedule is worth, draw by draw."""
    made: Made = request.getfixturevalue(name)
    sample = Sample.of(made.study, made.result, 1024)
    base = Spending.of(made.study, made.study.baseline, sample)
    worth = sample.columns[made.study.delay_week_rate.name]

    for option, found in sample.outcomes.items():
        spending = Spending.of(made.study, option, sample)
        np.testing.assert_allclose(spending.through(1e6), found.through - found.parts.schedule, rtol=1e-9)
        lost = spending.trial_weeks * worth if option != made.study.baseline else 0.0
        np.testing.assert_allclose(spending.blocked(1e6, base), found.blocked - lost - base_schedule(sample), rtol=1e-9)
        early, late = spending.through(3.0), spending.through(9.0)
        assert np.all(early <= late + 1e-6)


def base_schedule(sample: Sample) -> np.ndarray:
    return sample.outcomes[sample.study.baseline].parts.schedule


def test_weighted_quantiles_of_points() -> None:
    values, weights = np.array([3.0, 1.0, 2.0]), np.array([0.5, 0.25, 0.25])

    assert quantiles(values, weights, (0.2, 0.25, 0.3, 0.5, 0.51, 1.0)).tolist() == [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]


def test_a_sample_cut_short_is_the_start_of_every_replicate(made: Made) -> None:
    long = Sample.of(made.study, made.result, 4096)
    short = Sample.of(made.study, made.result, 1024)
    cut = long.first(64)

    for name in long.uncertain:
        np.testing.assert_array_equal(cut.columns[name], short.columns[name])
    np.testing.assert_array_equal(cut.stay, short.stay)


def test_nothing_uncertain_has_no_curves_but_a_timeline(tmp_path) -> None:
    from tests.report.memo.example import fixed

    content = fixed(tmp_path).content

    assert content.curves.exceedance == content.curves.density == content.curves.acceptability == ()
    assert [each.option for each in content.curves.timeline] == ["h100", "trn2"]
