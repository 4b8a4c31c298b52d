"""What these would catch: a wrong unit, a fault rate per the wrong hours, the unworkable rule at its edge."""

import numpy as np
import pytest

from simulator.model import billed, hours_at_rate, hours_at_utilization, pflop_hours, running


def test_work_of_a_13b_model() -> None:
    # 6 x 13e9 x 1.2e12 / 3.6e18 = 26,000 PFLOP/s-hours
    assert pflop_hours(np.array(13e9), np.array(1.2e12)) == pytest.approx(26_000)
    # attention: 12 x 40 x 5120 x 4096 = 1.0066e10 a token beside 7.8e10
    with_attention = pflop_hours(np.array(13e9), np.array(1.2e12), 40, 5120, 4096)
    assert with_attention == pytest.approx(26_000 + 12 * 40 * 5120 * 4096 * 1.2e12 / 3.6e18)


def test_hours_follow_from_peak_or_from_a_measured_rate() -> None:
    assert hours_at_utilization(np.array(4000.0), np.array(8.0), np.array(0.5), np.array(0.8)) == pytest.approx(1250)
    # 36 million tokens at 1,000 a second take ten hours, 12.5 at an efficiency of 0.8
    assert hours_at_rate(np.array(36e6), np.array(1000.0), np.array(0.8)) == pytest.approx(12.5)


def test_faults_lengthen_a_run() -> None:
    run = running(np.array(900.0), 10, np.array(2.0), np.array(5.0), np.array(0.5))
    assert run.lost_share == pytest.approx(0.1)  # 2 faults x 10 instances x 5 h in 1,000 h
    assert run.expected_faults == pytest.approx(2.0)  # 900 / 0.9 = 1,000 running hours
    # the expected loss is the lost share of the running time
    assert run.expected_faults * 10 * run.hours_lost_per_fault == pytest.approx(0.1 * 1000)


def test_an_unworkable_run_is_held_at_the_limit() -> None:
    run = running(np.full(3, 100.0), 10, np.array([9.9, 10.0, 40.0]), np.full(3, 5.0), np.full(3, 0.5))
    assert run.workable.tolist() == [True, False, False]
    assert run.hours_lost_per_fault == pytest.approx([5.0, 5.0, 1.25])
    assert run.expected_faults[2] == pytest.approx(40 * 200 / 1000)


def test_no_faults_and_no_loss_are_finite() -> None:
    run = running(np.full(2, 100.0), 8, np.array([0.0, 3.0]), np.array([4.0, 0.0]), np.full(2, 0.5))
    assert run.expected_faults.tolist() == [0.0, 0.3]
    assert run.hours_lost_per_fault.tolist() == [4.0, 0.0]


def test_billed_hours_and_weeks() -> None:
    run = running(np.array(1000.0), 4, np.array(1.0), np.array(2.5), np.array(0.5))
    hours = billed(run, np.array(3.0), 4, np.array(30.0), np.array(40.0), np.array(0.25))
    assert hours.wall_compiling == pytest.approx(20)
    assert hours.compiling == pytest.approx(20)  # a quarter of four instances idle
    assert hours.faults == pytest.approx(30)
    assert hours.billed == pytest.approx(1050)
    assert hours.weeks(4, np.array(2.0)) == pytest.approx(2 + (1030 / 4 + 20) / 168)
