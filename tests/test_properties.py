"""What holds of every study, whatever its numbers: random valid studies with all parts of the model in them.

The studies are the same at each run; EXAMPLES in the environment makes more of them.
"""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from simulator.engine import CaseFigures, Figure, OptionFigures, Result, Spread, run
from tests.hardening.studies import Tables, loaded, positive, scaled, studies

DRAWS = 256
QUANTILES = ("p05", "p25", "p50", "p75", "p95")
bounded = settings(
    max_examples=int(os.environ.get("EXAMPLES", "8")),
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.generate,) if "EXAMPLES" not in os.environ else tuple(Phase),  # to shrink a failure takes minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("studies")


def ran(tables: Tables, folder: Path, *overrides: str, seed: int = 1) -> Result:
    return run(loaded(tables, folder, *overrides), draws=DRAWS, seed=seed)


def with_scenario(tables: Tables, values: Tables) -> Tables:
    return {**tables, "scenarios": {"other": values}}


def candidates(found: Result | CaseFigures, tables: Tables) -> dict[str, OptionFigures]:
    return {name: each for name, each in found.options.items() if name != tables["baseline"]}


def figures(value: Any) -> Iterator[Figure]:
    """Every figure within results."""
    if isinstance(value, Figure):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from figures(each)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from figures(getattr(value, name))


def close(a: Figure, b: Figure, least: float = 0.0) -> bool:
    """Equal but for sampling: within eight standard errors of 15 degrees of freedom."""
    return abs(a.value - b.value) <= 8 * math.hypot(a.mcse, b.mcse) + least


@bounded
@given(tables=studies())
def test_figures_are_finite_and_add_up(folder: Path, tables: Tables) -> None:
    result = ran(tables, folder)
    for name, each in result.options.items():
        if each.p_blocked is None or each.p_blocked.value < 1:
            assert all(math.isfinite(f.value) and math.isfinite(f.mcse) and f.mcse >= 0 for f in figures(each)), name
        total = each.tco.mean.value
        assert math.fsum(part.value for part in each.components.values()) == pytest.approx(total, rel=1e-9)
        assert math.fsum(step.value for step in each.waterfall.values()) == pytest.approx(total, rel=1e-9)
        for spread in (each.tco, each.saving, each.saving_share):
            levels = [getattr(spread, level).value for level in QUANTILES]
            assert levels == sorted(levels)
            assert spread.sd.value >= 0
        if each.cvar05 is not None:
            assert each.cvar05.value <= each.saving.p05.value + 8 * each.saving.p05.mcse + 0.01 * each.saving.sd.value


@bounded
@given(tables=studies())
def test_probabilities_and_regrets(folder: Path, tables: Tables) -> None:
    result = ran(tables, folder)
    chances = [result.decision.p_wrong, *(claim.p_reached for claim in result.claims.values())]
    for each in result.options.values():
        chances += [f for f in (each.p_beats, each.p_best, each.p_blocked, each.p_unworkable) if f is not None]
        assert each.expected_regret.value >= -1e-9 * abs(each.tco.mean.value)
    assert all(-1e-12 <= chance.value <= 1 + 1e-12 for chance in chances)
    assert sum(each.p_best.value for each in result.options.values()) == pytest.approx(1)
    regret = result.options[result.decision.best].expected_regret.value
    assert regret == pytest.approx(
        result.decision.evpi.value, abs=1e-9 * abs(result.options[tables["baseline"]].tco.mean.value)
    )


@bounded
@given(tables=studies())
def test_a_scenario_equal_to_the_study_differs_by_nothing(folder: Path, tables: Tables) -> None:
    name = list(tables["options"])[1]
    same = {f"options.{name}.price": tables["options"][name]["price"], "hurdle": tables["hurdle"]}
    result = ran(with_scenario(tables, same), folder)
    assert result.scenarios["other"].options == result.options
    assert result.scenarios["other"].decision == result.decision


@bounded
@given(tables=studies(), price=positive(5, 80))
def test_a_setting_is_an_edit_of_the_file(folder: Path, tables: Tables, price: Any) -> None:
    from tests.hardening.studies import toml

    name = list(tables["options"])[-1]
    edited = copy.deepcopy(tables)
    edited["options"][name]["price"] = price
    by_hand = ran(edited, folder)
    assert by_hand.options == ran(tables, folder, f"options.{name}.price={toml(price)}").options


@bounded
@given(tables=studies())
def test_the_unit_of_currency_is_irrelevant(folder: Path, tables: Tables) -> None:
    """Costs grow with the rate of exchange, and no probability or share moves: both options are scaled alike."""
    rate = 8.0
    result, other = ran(tables, folder), ran(scaled(tables, rate), folder)
    assert other.decision.best == result.decision.best
    assert other.decision.evpi.value == pytest.approx(rate * result.decision.evpi.value, rel=1e-6, abs=1e-6)
    for name, each in result.options.items():
        there = other.options[name]
        for level in ("mean", "sd", *QUANTILES):
            here = getattr(each.tco, level).value
            assert getattr(there.tco, level).value == pytest.approx(
                rate * here, rel=1e-6, abs=1e-9 * abs(each.tco.mean.value)
            )
        assert there.p_best.value == pytest.approx(each.p_best.value, abs=1e-6)
        if each.p_beats is not None:
            assert there.p_beats is not None
            assert there.p_beats.value == pytest.approx(each.p_beats.value, abs=1e-6)


@bounded
@given(tables=studies(uncertain=False))
def test_the_order_of_options_is_irrelevant(folder: Path, tables: Tables) -> None:
    """Of numbers alone exactly; faults are drawn, each option's in its own dimension, and counts may differ by luck."""
    turned = {**tables, "options": dict(reversed(tables["options"].items()))}
    result, other = ran(tables, folder), ran(turned, folder)
    for name, each in result.options.items():
        there = other.options[name]
        assert there.tco.mean.value == pytest.approx(each.tco.mean.value, rel=1e-12)
        assert {k: f.value for k, f in there.components.items()} == pytest.approx(
            {k: f.value for k, f in each.components.items()}, rel=1e-9, abs=1e-9
        )


@bounded
@given(tables=studies())
def test_the_order_of_uncertain_options_is_sampling_alone(folder: Path, tables: Tables) -> None:
    turned = {**tables, "options": dict(reversed(tables["options"].items()))}
    result, other = ran(tables, folder), ran(turned, folder)
    for name, each in result.options.items():
        assert close(each.tco.mean, other.options[name].tco.mean, 0.01 * each.tco.sd.value)
        if each.p_beats is not None:
            there = other.options[name].p_beats
            assert there is not None
            assert close(each.p_beats, there, 0.01)


DEARER = {
    "price": 1.2, "engineer_hours": 1.5, "upkeep_hours_per_month": 2.0, "recompiles": 1.5, "compile_minutes": 1.3,
    "delay_weeks": 1.4, "trial_instance_hours": 2.0, "utilization": 0.8, "tokens_per_second": 0.7,
}  # fmt: skip


@bounded
@given(tables=studies(uncertain=False), data=st.data())
def test_what_makes_a_candidate_dearer_never_makes_it_cheaper(
    folder: Path, tables: Tables, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from([each for each in tables["options"] if each != tables["baseline"]]))
    option = tables["options"][name]
    key = data.draw(st.sampled_from([key for key in DEARER if key in option]))
    if option.get("delay_weeks") is None and "faults_per_1000h" in option:
        assume(key != "utilization")  # slower loses more to faults until it is given up, which may be cheaper
    result = ran(with_scenario(tables, {f"options.{name}.{key}": DEARER[key] * option[key]}), folder)
    here, there = result.options[name], result.scenarios["other"].options[name]
    assert there.tco.mean.value >= here.tco.mean.value * (1 - 1e-9)
    assert here.p_beats is not None
    assert there.p_beats is not None
    assert there.p_beats.value <= here.p_beats.value + 1e-9


@bounded
@given(tables=studies(), rate=st.sampled_from(["rates.engineer", "workload"]))
def test_hours_and_rates_make_the_baseline_dearer(folder: Path, tables: Tables, rate: str) -> None:
    """By laws that are higher everywhere: the same points are drawn, so that no draw can be cheaper."""
    section, key = ("rates", "engineer") if rate == "rates.engineer" else ("workload", next(iter(tables["workload"])))
    value = tables[section][key]
    more = 1.3 * value if isinstance(value, float | int) else None
    assume(more is not None)
    result = ran(with_scenario(tables, {f"{section}.{key}": more}), folder)
    name = tables["baseline"]
    assert result.scenarios["other"].options[name].tco.mean.value >= result.options[name].tco.mean.value * (1 - 1e-9)


@bounded
@given(
    tables=studies(uncertain=False), hours=st.floats(10, 2e4), resale=st.integers(0, 100).map(lambda share: share / 100)
)
def test_a_commitment_never_lowers_the_bill_below_what_was_used(
    folder: Path, tables: Tables, hours: float, resale: float
) -> None:
    """What is used is paid at least at the discounted price, and no resale gives back more than was paid."""
    baseline = tables["baseline"]
    tables["options"][baseline]["commitment"] = {"instance_hours": hours, "resale": resale}
    more = {f"options.{baseline}.commitment.instance_hours": 1.7 * hours}
    result = ran(with_scenario(tables, more), folder)
    option = tables["options"][baseline]
    paid = option["price"] * (1 - option.get("discount", 0))
    for found in (result, result.scenarios["other"]):
        each = found.options[baseline]
        rent = sum(part.value for key, part in each.components.items() if key.startswith(("rent", "unused")))
        assert rent >= each.billed_hours.value * paid * (1 - 1e-9)
        assert each.components["unused_commitment"].value >= -1e-9


@bounded
@given(tables=studies())
def test_a_higher_hurdle_is_beaten_less_often(folder: Path, tables: Tables) -> None:
    result = ran(with_scenario(tables, {"hurdle": tables["hurdle"] + 0.1}), folder)
    for name, each in candidates(result, tables).items():
        there = result.scenarios["other"].options[name]
        assert each.p_beats is not None
        assert there.p_beats is not None
        assert there.p_beats.value <= each.p_beats.value + 1e-9


@bounded
@given(tables=studies())
def test_an_option_twice_in_a_study_costs_the_same_twice(folder: Path, tables: Tables) -> None:
    """A copy of a candidate has its own luck and its own inputs: the means agree up to sampling."""
    name = list(tables["options"])[-1]
    twin = copy.deepcopy(tables)
    twin["options"]["twin"] = twin["options"][name]
    twin["options"][name].get("commitment", {}).pop("signed", None)  # one signed already would strand the other
    twin.pop("correlations", None)
    spread: Spread
    result = ran(twin, folder)
    spread, other = result.options[name].tco, result.options["twin"].tco
    assert close(spread.mean, other.mean, 0.02 * spread.sd.value)
