"""One input, two names: the canonical one and its path in the file."""

from __future__ import annotations

import pytest

from simulator.study import StudyError, canonical, named
from tests.study.conftest import GOOD, Loads

NAMES = {
    "options.trn2.utilization": "trn2.utilization",
    "options.trn2.other_costs.0.amount": "trn2.other_costs.0.amount",
    "rates.engineer": "engineer_rate",
    "rates.delay_week": "delay_week_rate",
    "workload.tokens": "tokens",
    "trn2.price": "trn2.price",
    "engineer_rate": "engineer_rate",
    "nonsense": "nonsense",
    "options": "options",
}


@pytest.mark.parametrize("name", NAMES)
def test_canonical(name: str) -> None:
    assert canonical(name) == NAMES[name]


def test_an_input_by_either_name(load: Loads) -> None:
    study = load(GOOD)

    assert named(study, "options.trn2.price") is named(study, "trn2.price") is study.inputs["trn2.price"]
    with pytest.raises(StudyError) as caught:
        named(study, "options.trn2.prise")
    assert caught.value.faults[0].nearest == "trn2.price"


def test_the_law_of_a_number_is_a_mistake_of_the_program(load: Loads) -> None:
    study = load(GOOD)

    assert study.inputs["trn2.engineer_hours"].law.mean > 240
    with pytest.raises(TypeError):
        _ = study.inputs["trn2.price"].law
