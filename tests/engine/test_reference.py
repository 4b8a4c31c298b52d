"""The engine against studies computed independently by plain Monte Carlo with hundreds of millions of draws.

The figures of tests/data/*.expected.json come with their own standard errors. A right engine fails one of these at
four standard errors about once in 16,000 figures.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.engine import CaseFigures, Figure, Result, run
from simulator.study import load_study

DATA = Path(__file__).parents[1] / "data"


def expected(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / f"{name}.expected.json").read_text())
    return found


@pytest.fixture(scope="module")
def study_a() -> Result:
    return run(load_study(DATA / "study-a.toml"), seed=1)


@pytest.fixture(scope="module")
def study_c() -> Result:
    return run(load_study(DATA / "study-c.toml"), seed=1)


def agrees(got: Figure | None, truth: list[float]) -> bool:
    assert got is not None
    value, se = truth
    return abs(got.value - value) < 4 * math.hypot(got.mcse, se)


def test_study_a_gives_the_reference_figures(study_a: Result) -> None:
    truth, trn2 = expected("study-a"), study_a.options["trn2"]
    pairs = [
        (trn2.p_beats, "p_beats"),
        (study_a.options["h100"].tco.mean, "tco_mean_h100"),
        (trn2.tco.mean, "tco_mean_trn2"),
        (trn2.cvar05, "saving_cvar05"),
        *((getattr(trn2.saving, key), f"saving_{key}") for key in ("mean", "sd", "p05", "p50", "p95")),
        *((getattr(trn2.saving_share, key), f"saving_share_{key}") for key in ("p05", "p50", "p95")),
    ]
    assert [key for figure, key in pairs if not agrees(figure, truth[key])] == []


def test_study_a_is_as_sure_as_promised(study_a: Result) -> None:
    trn2 = study_a.options["trn2"]
    assert trn2.p_beats is not None
    assert 0 < trn2.p_beats.mcse < 2e-4
    assert 0 < trn2.saving.mean.mcse < 40


def cases(result: Result) -> Iterator[tuple[str, Result | CaseFigures]]:
    yield "base", result
    yield from result.scenarios.items()


def test_study_c_gives_the_reference_figures_in_each_scenario(study_c: Result) -> None:
    truth = expected("study-c")
    wrong = []
    for case, found in cases(study_c):
        for name, option in found.options.items():
            pairs = [(option.p_best, truth[case]["p_best"][name]), (option.tco.mean, truth[case]["tco_mean"][name])]
            if name != "h100":
                own = truth[case][name]
                pairs += [(option.p_beats, own["p_beats"]), (option.cvar05, own["cvar05"])]
                pairs += [(option.saving.mean, own["saving_mean"]), (option.saving.sd, own["saving_sd"])]
                pairs += [(getattr(option.saving, key), own[key]) for key in ("p05", "p50", "p95")]
                pairs += [(option.saving_share.p50, own["share_p50"])]
            wrong += [(case, name, got, want) for got, want in pairs if not agrees(got, want)]
    assert wrong == []


def test_the_vendors_claim_in_study_c_is_reached_as_often_as_the_reference_says(study_c: Result) -> None:
    claim = study_c.claims["vendor"]
    assert agrees(claim.p_reached, expected("study-c")["base"]["trn2"]["p_share_above_0.30"])
    assert claim.percentile.value == pytest.approx(100 * (1 - claim.p_reached.value))


@pytest.mark.parametrize("name", ["study-a", "study-c"])
def test_components_and_waterfall_add_up_to_the_cent(name: str, request: pytest.FixtureRequest) -> None:
    result: Result = request.getfixturevalue(name.replace("-", "_"))
    for _, case in cases(result):
        base = case.options[result.study.baseline].tco.mean.value
        for option in case.options.values():
            tco = option.tco.mean.value
            assert sum(part.value for part in option.components.values()) == pytest.approx(tco, abs=0.005)
            assert sum(step.value for step in option.waterfall.values()) == pytest.approx(tco, abs=0.005)
            assert option.saving.mean.value in (0.0, pytest.approx(base - tco, abs=0.005))
