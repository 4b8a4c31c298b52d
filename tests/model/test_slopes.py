"""Slopes against differences of the model itself: cost is linear, so that a difference over any step is exact."""

import numpy as np
import pytest

from simulator import model
from simulator.model import Bound, OptionValues, Rates

RATES = Rates(np.array([150.0, 90.0]), np.array([2000.0, 0.0]))
HOURS = model.Hours(np.array([900.0, 400.0]), np.array([50.0, 0.0]), np.array([80.0, 3.0]), np.array([10.0, 1.0]))
WEEKS, LATE = np.array([6.0, 2.0]), np.array([2.5, -1.0])
BASELINE, SUNK = np.array([50_000.0, 1.0]), np.zeros(())


def option(bound: Bound | None) -> OptionValues:
    return OptionValues(
        price=np.array([36.0, 20.0]),
        discount=np.array([0.1, 0.4]),
        compile_attention=np.array(0.5),
        engineer_hours=np.array([240.0, 100.0]),
        upkeep_hours_per_month=np.array(12.0),
        delay_weeks=np.array([3.0, 1.0]),
        blocked_spent=np.array(0.7),
        trial_instance_hours=np.array(300.0),
        commitment=bound,
        other_costs=(("amount", np.array(500.0)), ("per_instance_hour", np.array(0.3)), ("per_week", np.array(40.0))),
    )


def bound(signed: str) -> Bound:
    return Bound(np.array([600.0, 700.0]), np.array(0.25), signed)


COMMITMENTS = [None, bound("before_trial"), bound("after_trial"), bound("already")]


def moved(key: str, values: OptionValues, rates: Rates, weeks: np.ndarray, late: np.ndarray, step: float):  # type: ignore[no-untyped-def]
    """Values, rates and schedule when an input moves by a step."""
    if key in ("engineer", "delay_week"):
        return values, rates._replace(**{key: getattr(rates, key) + step}), weeks, late
    shift = step if key == "delay_weeks" else 0.0
    return values._replace(**{key: getattr(values, key) + step}), rates, weeks + shift, late + shift


@pytest.mark.parametrize("commitment", COMMITMENTS, ids=lambda b: b.signed if b else "none")
@pytest.mark.parametrize("key", [*model.LINEAR, "engineer", "delay_week"])
def test_slopes_are_those_of_the_model(key: str, commitment: Bound | None) -> None:
    values = option(commitment)
    beyond = np.maximum(HOURS.billed - commitment.instance_hours, 0) if commitment else np.zeros(())

    def through(step: float) -> np.ndarray:
        own, rates, weeks, late = moved(key, values, RATES, WEEKS, LATE, step)
        return model.through(own, rates, HOURS, beyond, weeks, late, SUNK).total()

    def blocked(step: float) -> np.ndarray:
        own, rates, _, _ = moved(key, values, RATES, WEEKS, LATE, step)
        return model.blocked(own, rates, BASELINE)

    for step in (0.125, -0.0625):
        got = model.slope_through(key, values, RATES, HOURS, beyond, WEEKS, LATE)
        assert got * step == pytest.approx(through(step) - through(0.0), rel=1e-9, abs=1e-7)
        if key == "trial_instance_hours" and commitment and commitment.signed != "after_trial":
            continue  # not linear in these hours
        got = model.slope_blocked(key, values, RATES)
        assert got * step == pytest.approx(blocked(step) - blocked(0.0), rel=1e-9, abs=1e-7)


@pytest.mark.parametrize("key", ["price", "discount"])
def test_what_is_sunk_has_the_slope_of_the_model(key: str) -> None:
    facts = {"price": 36.0, "discount": 0.2}
    committed, resale = np.array(800.0), np.array(0.3)
    got = model.slope_sunk(key, np.array(36.0), np.array(0.2), committed, resale)
    before = model.stranded(*map(np.array, facts.values()), committed, resale)
    after = model.stranded(*map(np.array, (facts | {key: facts[key] + 0.25}).values()), committed, resale)
    assert 0.25 * got == pytest.approx(after - before)
    assert model.slope_sunk("upkeep_hours_per_month", np.array(36.0), np.array(0.2), committed, resale) == 0


def test_an_input_in_which_cost_is_not_linear_has_no_slope() -> None:
    with pytest.raises(ValueError, match="not linear in utilization"):
        model.slope_through("utilization", option(None), RATES, HOURS, np.zeros(()), WEEKS, LATE)
    with pytest.raises(ValueError, match="not linear in utilization"):
        model.slope_blocked("utilization", option(None), RATES)
