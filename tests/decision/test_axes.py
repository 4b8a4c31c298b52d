"""Catches a range of a map that is not that of what is believed, and a chance that does not add up."""

from pathlib import Path

import pytest

from simulator.decision.axes import VOLUME, axis
from simulator.decision.flips import Root
from simulator.decision.known import Known
from tests.decision.linear import linear, normal

A = "new.other_costs.0.amount"


@pytest.fixture
def known(tmp_path: Path) -> Known:
    return Known.of(linear(tmp_path, {"a": normal(100, 10)}), 256, 1)


def test_a_law_is_shown_from_its_1_to_its_99_per_cent_point(known: Known) -> None:
    assert axis(known, A).belief(3) == pytest.approx([76.7365, 100, 123.2635], rel=1e-5)


@pytest.mark.parametrize(("name", "today"), [("new.price", 50.0), (VOLUME, 1000.0)])
def test_a_number_is_shown_from_its_half_to_its_double(known: Known, name: str, today: float) -> None:
    """As near as the values that were looked at come."""
    shown = axis(known, name).belief(5)

    assert len(shown) == 5
    assert 0.5 * today <= shown[0] < 0.75 * today
    assert 1.5 * today < shown[-1] <= 2 * today


def test_a_share_is_shown_within_its_own_range(known: Known) -> None:
    shown = axis(known, "new.utilization").belief(5)

    assert 0.5 <= shown[0] < 0.75
    assert shown[-1] == 1


def test_chances_of_the_ranges_in_which_it_pays(known: Known) -> None:
    """N(100, 10): below 90 and above 110 lie 15.87 % each."""

    def root(value: float, above: bool) -> Root:
        return Root(value, value, value, above, None)

    a = axis(known, A)
    assert a.chance((root(90, above=True), root(110, above=False))) == pytest.approx(0.682689, abs=1e-5)
    assert a.chance((root(90, above=False), root(110, above=True))) == pytest.approx(0.317311, abs=1e-5)
    assert a.chance((root(90, above=True),)) == pytest.approx(0.841345, abs=1e-5)
    assert a.chance(()) is None
    assert axis(known, "new.price").chance((root(60, above=True),)) is None
