"""Catches sliders that do not start where the study is, and draws that are not those of the run."""

from __future__ import annotations

import base64
from dataclasses import replace

import numpy as np
import pytest

from simulator.engine import REPLICATES
from simulator.report.memo import whatif as module
from simulator.report.memo.sample import Sample
from simulator.report.memo.whatif import Slider, whatif
from tests.report.memo.example import Made


def sliders(made: Made) -> dict[str, Slider]:
    assert made.content.whatif is not None
    return {each.id: each for each in made.content.whatif.sliders}


@pytest.mark.parametrize("name", ["made", "committed"])
def test_sliders_start_at_the_study_on_their_own_grid(name: str, request: pytest.FixtureRequest) -> None:
    made: Made = request.getfixturevalue(name)

    for each in sliders(made).values():
        assert each.low <= each.base <= each.high
        steps = np.array([(each.base - each.low) / each.step, (each.high - each.base) / each.step])
        np.testing.assert_allclose(steps, np.rint(steps), atol=1e-6)
        for input_ in each.inputs if each.kind != "volume" else ():
            value = made.study.inputs[input_].value
            assert each.base == (value if isinstance(value, float) else value.mean)


def test_there_is_a_slider_for_everything_that_is_asked_about(made: Made) -> None:
    assert sliders(made).keys() == {
        "volume", "hurdle", "engineer_rate", "delay_week_rate",
        "h100.price", "h100.discount", "h100.utilization",
        "trn2.price", "trn2.discount", "trn2.utilization", "trn2.engineer_hours", "trn2.delay_weeks",
    }  # fmt: skip
    assert sliders(made)["volume"].inputs == ("tokens",)
    assert sliders(made)["trn2.utilization"].high <= 1


def test_the_page_carries_the_first_draws_of_every_replicate(made: Made) -> None:
    found = made.content.whatif
    assert found is not None
    sample = Sample.of(made.study, made.result, REPLICATES * module.PER_REPLICATE)
    columns = np.frombuffer(base64.b64decode(found.draws), "<f4").reshape(-1, sample.size)

    inputs = found.document["inputs"]
    assert isinstance(inputs, dict)
    assert {name for name, each in inputs.items() if "column" in each} == set(sample.uncertain)
    for name in sample.uncertain:
        np.testing.assert_allclose(columns[inputs[name]["column"]], sample.columns[name], rtol=1e-7)
    assert len(columns) == len(sample.uncertain) + len(sample.faults)
    assert columns.max(axis=1)[-len(sample.faults) :].max() < 1


def test_draws_that_would_not_fit_are_fewer_or_none(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = Sample.of(made.study, made.result, 4096)
    columns = len(sample.uncertain) + len(sample.faults)
    monkeypatch.setattr(module, "MAX_BYTES", columns * 4 * REPLICATES * 40)
    fewer = whatif(made.study, made.result, sample)
    assert fewer is not None
    assert fewer.document["size"] == 32 * REPLICATES

    monkeypatch.setattr(module, "MAX_BYTES", columns * 4 * REPLICATES * 15)
    assert whatif(made.study, made.result, sample) is None


def test_many_options_have_sliders_for_the_first_alone(made: Made) -> None:
    option = made.study.options["trn2"]
    many = {f"o{i}": replace(option, name=f"o{i}") for i in range(20)}
    study = replace(made.study, options={**made.study.options, **many})
    result = made.result

    found = {each.option for each in module._sliders(study, result)}

    assert len(found - {""}) == module.MOST_OPTIONS
