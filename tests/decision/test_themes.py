"""Catches names that are shortened where they would be mistaken, and inputs in no group."""

from pathlib import Path

from simulator.decision.themes import GROUPS, grouped, short
from simulator.study import load_study
from simulator.study.scalars import COMMITMENT, OPTION, OTHER_COST, RATE_NAMES, WORKLOAD
from tests.decision.linear import linear


def test_the_option_is_left_out_where_it_can_be_no_other(tmp_path: Path) -> None:
    two = linear(tmp_path, {"a": "0"})
    file = tmp_path / "three.toml"
    file.write_text(
        two.path and Path(two.path).read_text() + "[options.newer]\nprice = 1\npeak_pflops = 1\nutilization = 1\n"
    )
    three = load_study(file)

    assert short(two, "new.price") == "price"
    assert short(two, "old.price") == "old.price"
    assert short(three, "new.price") == "new.price"


def test_every_key_is_in_one_group() -> None:
    keys = {*OPTION, *COMMITMENT, *OTHER_COST, *WORKLOAD, *RATE_NAMES.values()}
    every = [key for group in GROUPS.values() for key in group]

    assert len(every) == len(set(every))
    assert keys - set(every) == set()


def test_inputs_by_group_in_the_order_of_groups() -> None:
    found = grouped(["new.utilization", "engineer_rate", "old.price", "new.engineer_hours"])

    assert list(found.items()) == [
        ("price", ("old.price",)),
        ("speed", ("new.utilization",)),
        ("people", ("engineer_rate", "new.engineer_hours")),
    ]
