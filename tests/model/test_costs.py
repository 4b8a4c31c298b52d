"""What these would catch: a component forgotten, counted twice, or billed at the wrong rate; a waterfall with a gap."""

from typing import Any

import numpy as np
import pytest

from simulator.model import (
    Bound,
    Hours,
    OptionValues,
    Rates,
    billed,
    blocked,
    excess,
    ladder,
    running,
    through,
)

RATES = Rates(engineer=np.array(100.0), delay_week=np.array(2000.0))


def values(**changed: Any) -> OptionValues:
    given: dict[str, Any] = {
        "price": np.array(40.0),
        "discount": np.array(0.25),
        "compile_attention": np.array(0.5),
        "engineer_hours": np.array(200.0),
        "upkeep_hours_per_month": np.array(73.0),
        "delay_weeks": np.array(3.0),
        "blocked_spent": np.array(0.5),
        "trial_instance_hours": np.array(100.0),
        "commitment": None,
        "other_costs": (
            ("amount", np.array(500.0)),
            ("per_instance_hour", np.array(0.5)),
            ("per_week", np.array(10.0)),
        ),
    }
    return OptionValues(**given | changed)


HOURS = Hours(np.array(1000.0), np.array(50.0), np.array(30.0), np.array(20.0))


def test_components_by_hand() -> None:
    parts = through(values(), RATES, HOURS, np.array(0.0), np.array(5.0), np.array(2.0), np.array(77.0))
    assert parts.rent_productive == pytest.approx(30_000)
    assert parts.rent_faults == pytest.approx(1_500)
    assert parts.rent_compiling == pytest.approx(900)
    assert parts.unused_commitment == 0
    assert parts.sunk == 77
    assert parts.labour == pytest.approx(100 * (200 + 10 + 73 * 5 * 168 / 730))
    assert parts.schedule == pytest.approx(4_000)
    assert parts.other == pytest.approx(500 + 540 + 50)
    assert parts.total() == pytest.approx(30_000 + 1_500 + 900 + 77 + 29_400 + 4_000 + 1_090)


def test_a_commitments_rent_is_shared_out_by_hours() -> None:
    bound = Bound(np.array(900.0), np.array(0.0), "before_trial")
    beyond = excess(HOURS.billed, bound.instance_hours)
    parts = through(values(commitment=bound), RATES, HOURS, beyond, np.array(5.0), np.array(2.0), np.array(0.0))
    whole = 900 * 30 + 180 * 40
    assert parts.rent_productive + parts.rent_faults + parts.rent_compiling == pytest.approx(whole)
    assert parts.rent_productive / parts.rent_faults == pytest.approx(20)


@pytest.mark.parametrize(
    ("bound", "trial"),
    [
        (None, 100 * 30),
        (Bound(np.array(80.0), np.array(0.5), "before_trial"), 80 * 30 + 20 * 40),
        (Bound(np.array(300.0), np.array(0.5), "before_trial"), 100 * 30 + 200 * 30 * 0.5),
        (Bound(np.array(300.0), np.array(0.5), "after_trial"), 100 * 40),
        # signed already: half of its 9,000 is sunk and stands in the baseline's TCO
        (Bound(np.array(300.0), np.array(0.5), "already"), 100 * 30 + 200 * 30 * 0.5 - 4_500),
    ],
)
def test_a_failed_migration_pays_effort_trial_and_the_way_back(bound: Bound | None, trial: float) -> None:
    got = blocked(values(commitment=bound), RATES, np.array(70_000.0))
    assert got == pytest.approx(0.5 * 100 * 200 + 0.5 * 2000 * 3 + trial + 70_000)


def test_the_ladder_climbs_from_list_price_at_peak_to_the_tco() -> None:
    run = running(np.array(1000.0), 8, np.array(1.0), np.array(5.0), np.array(0.5))
    hours = billed(run, run.expected_faults, 8, np.array(30.0), np.array(40.0), np.array(0.5))
    parts = through(values(), RATES, hours, np.array(0.0), np.array(5.0), np.array(2.0), np.array(0.0))
    rungs = ladder(values(), run, hours, np.array(0.9), np.array(0.4), parts)
    assert rungs.list_at_peak == pytest.approx(1000 * 0.9 * 0.4 * 40)
    assert rungs.discount == pytest.approx(1000 * 0.9 * 0.4 * 30)
    assert rungs.utilization == pytest.approx(1000 * 0.9 * 30)
    assert rungs.scaling == pytest.approx(30_000)
    assert rungs.faults - rungs.scaling == pytest.approx(parts.rent_faults)
    assert rungs.compiling - rungs.faults == pytest.approx(parts.rent_compiling)
    assert rungs.commitment == pytest.approx(rungs.compiling)
    assert rungs.delay == pytest.approx(parts.total())


def test_the_ladder_has_what_is_paid_and_not_used() -> None:
    """Half of a commitment unused, and another option's commitment left behind."""
    bound = Bound(np.array(2160.0), np.array(0.25), "before_trial")
    parts = through(values(commitment=bound), RATES, HOURS, np.array(0.0), np.array(5.0), np.array(2.0), np.array(77.0))
    run = running(np.array(1000.0), 8, np.array(0.0), np.array(0.0), np.array(0.5))
    rungs = ladder(values(), run, HOURS, np.array(0.9), np.array(0.4), parts)
    assert parts.unused_commitment == pytest.approx((2160 - 1080) * 30 * 0.75)
    assert rungs.commitment - rungs.compiling == pytest.approx((2160 - 1080) * 30 * 0.75 + 77)
    assert rungs.delay == pytest.approx(parts.total())
