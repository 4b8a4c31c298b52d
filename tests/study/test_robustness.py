"""Whatever stands in a study, reading it gives a Study or a StudyError with places: never another exception."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.study import StudyError, load_study

SOURCE = (Path(__file__).parent.parent / "data" / "study-c.toml").read_text("utf-8")

STRANGE = [
    -1, 0, 1.5, float("nan"), float("inf"), 10**400, True, "x", "", "trn2.price", [], [1], ["a"], [[]], [{}], {},
    {"dist": "beta"}, {"dist": 3}, {"prior": 3}, {"prior": "trn2/utilization", "min": "x"}, {"value": {}}, {"": 1},
    {"p05": 1}, {"p05": 2, "p50": 1}, {"dist": "empirical", "file": 3, "column": []},
    {"dist": "mixture", "weights": [1], "parts": [{"dist": "mixture", "weights": [1], "parts": ["x"]}]},
]  # fmt: skip


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield (*path, key)
        yield from paths(child, (*path, key))


def toml(value: Any) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(key)} = {toml(child)}" for key, child in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(toml, value)) + "]"
        case bool() | str():
            return json.dumps(value)
    return str(value)


PATHS = list(paths(tomllib.loads(SOURCE)))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(PATHS), st.sampled_from(STRANGE)), min_size=1, max_size=3))
def test_a_strange_value_is_a_fault_or_is_taken(tmp_path_factory: Any, changes: list[tuple[Any, Any]]) -> None:
    data: Any = tomllib.loads(SOURCE)
    for path, value in changes:
        place = data
        try:
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = deepcopy(value)
        except (KeyError, IndexError, TypeError):
            continue  # a change before took this place away
    file = tmp_path_factory.getbasetemp() / "study.toml"
    file.write_text("\n".join(f"{json.dumps(key)} = {toml(value)}" for key, value in data.items()), "utf-8")

    try:
        load_study(file)
    except StudyError as error:
        assert all(fault.line >= 1 for fault in error.faults)
