"""Break-evens that can be solved on paper: prices, amounts, volume of work, commitments with two of them."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtri

from simulator.decision.breakeven import VOLUME, BreakEven, Threshold, breakeven
from simulator.decision.known import Known
from simulator.engine import run
from simulator.study import StudyError, load_study
from tests.decision.linear import linear, normal

A, B = "new.other_costs.0.amount", "new.other_costs.1.amount"
RHO = 2 * math.sin(math.pi * 0.5 / 6)


def the(found: BreakEven, name: str) -> Threshold:
    return next(each for each in found.thresholds if each.input == name)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> BreakEven:
    """Saving 50 - a - b thousand, a ~ N(20, 20), b ~ N(15, 30), rank correlation 0.5."""
    more = f'[[correlations]]\nbetween = ["{A}", "{B}"]\nspearman = 0.5\n'
    study = linear(tmp_path_factory.mktemp("linear"), {"a": normal(20e3, 20e3), "b": normal(15e3, 30e3)}, more)
    return breakeven(study)


def test_fixed_and_uncertain_inputs(found: BreakEven) -> None:
    price, old, a = (the(found, name).saving.roots[0] for name in ("new.price", "old.price", A))
    for root, value, above in ((price, 65.0, False), (old, 85.0, True), (a, 35e3, False)):
        assert root.low <= value <= root.high or root.value == pytest.approx(value, rel=1e-3)
        assert root.value == pytest.approx(value, rel=2e-3)
        assert root.above is above
    assert a.sds == pytest.approx((35 - 20) / 20, abs=0.01)
    assert price.sds is None
    assert the(found, A).saving.chance == pytest.approx(0.7734, abs=0.002)  # P(a < 35 thousand)


def test_probabilities_have_their_own_thresholds(found: BreakEven) -> None:
    """P(beats | a set to x) = p where 50 - x - b > 0 has that probability: b keeps its own law."""
    for p, flips in the(found, A).chances.items():
        (root,) = flips.roots
        value = 50e3 - 15e3 - 30e3 * float(ndtri(p))
        assert root.value == pytest.approx(value, abs=400)
        assert root.low - 200 < value < root.high + 200
        assert root.low < root.value < root.high


def test_the_interval_of_a_root_is_that_of_the_mean_over_its_slope(tmp_path: Path) -> None:
    """E[saving] falls by 1,000 a unit of the price, and has the other cost's error, of 15 degrees of freedom."""
    study = linear(tmp_path, {"a": normal(20e3, 20e3)})
    root = the(breakeven(study, draws=4096, seed=3), "new.price").saving.roots[0]
    known = Known.of(study, 4096, 3)
    error = known.mean(known.costs(known.now)["new"]).mcse
    assert error > 1e-3
    assert [root.value - root.low, root.high - root.value] == pytest.approx([1.75305 * error / 1000] * 2, rel=1e-3)


def test_learning_moves_the_correlated_too(found: BreakEven) -> None:
    """E[saving | a] = 15 - (a - 20)(1 + rho 30 / 20) thousand."""
    learnt = the(found, A).learnt
    assert learnt is not None
    assert learnt.roots[0].value == pytest.approx(20e3 + 15e3 / (1 + RHO * 1.5), rel=2e-3)


def test_nearest_first_then_numbers(found: BreakEven) -> None:
    names = [each.input for each in found.thresholds]
    assert names[:2] == [B, A]  # half an sd, and three quarters
    assert all(each.saving.roots for each in found.thresholds[: names.index("new.price")])


def test_volume_is_told_in_hours_of_the_baseline(tmp_path: Path) -> None:
    """40 a productive hour saved pays for 60 thousand from 1,500 hours on."""
    got = the(breakeven(linear(tmp_path, {"a": "60000"}, price=60), draws=256), VOLUME)
    assert got.mean == pytest.approx(1000)
    assert got.unit == "instance-hours of old"
    (root,) = got.saving.roots
    assert root.value == pytest.approx(1500)
    assert root.above


def test_no_discount_makes_it_pay(tmp_path: Path) -> None:
    got = breakeven(linear(tmp_path, {"a": "200000"}), draws=256)
    assert the(got, "new.discount").saving.verdict == "never"
    assert the(got, "new.discount").looked == (0, pytest.approx(1, abs=1e-5))
    assert the(got, "new.discount").saving.best == pytest.approx(1, abs=1e-5)


def test_what_never_enters_has_no_effect(tmp_path: Path) -> None:
    study = linear(tmp_path, {"a": "0"}, "[options.new.trial_instance_hours]\n" + 'dist = "uniform"\nlow=0\nhigh=9\n')
    assert the(breakeven(study, draws=256), "new.trial_instance_hours").saving.verdict == "no effect"


def test_two_flips(tmp_path: Path) -> None:
    """A commitment at 40 % off pays from some size on, and until too much of it goes unused."""
    path = linear(tmp_path, {"a": "0"}, "[options.new.commitment]\ninstance_hours = 500\n", price=110).path
    study = load_study(path, ["new.discount=0.4"])
    got = the(breakeven(study, draws=256, inputs=("new.commitment.instance_hours",)), "new.commitment.instance_hours")
    # cost 110 (1000 - Q) + 66 Q below T = 1,000 hours, 66 Q above; staying costs 100,000
    assert [root.value for root in got.saving.roots] == pytest.approx([10e3 / 44, 100e3 / 66])
    assert [root.above for root in got.saving.roots] == [True, False]


def test_it_can_be_checked_with_set() -> None:
    path = Path(__file__).parents[1] / "data" / "study-a.toml"
    got = breakeven(load_study(path), inputs=("trn2.utilization",), draws=2**14)
    (root,) = the(got, "trn2.utilization").saving.roots
    result = run(load_study(path, [f"trn2.utilization={root.value}"]), draws=2**14)
    saving = result.options["trn2"].saving
    assert abs(saving.mean.value) < 0.002 * result.options["h100"].tco.mean.value
    assert the(got, "trn2.utilization").chances[0.5].roots[0].value == pytest.approx(root.value, rel=0.1)


def test_curve_of_two_inputs(tmp_path: Path) -> None:
    """Saving 1000 (100 - p) - a: the price falls by one for each thousand of the amount."""
    study = linear(tmp_path, {"a": normal(20e3, 5e3)})
    curve = breakeven(study, draws=256, inputs=(A,), beside="options.new.price").curve
    assert curve is not None
    for a, prices in curve.points:
        assert prices == pytest.approx((100 - a / 1e3,))
    x, y = np.meshgrid(curve.x, curve.y)
    assert np.array(curve.gain) == pytest.approx(1000 * (100 - y) - x)


def test_unknown_names(tmp_path: Path) -> None:
    study = linear(tmp_path, {"a": "0"})
    with pytest.raises(StudyError, match=r'did you mean "new.price"\?'):
        breakeven(study, draws=256, inputs=("new.prize",))
