"""Catches a chance to be the cheapest that is not that of every way in which the options may be blocked."""

import itertools
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from simulator.engine.means import probability_lowest
from simulator.study import Study, load_study

OPTION = "[options.{}]\nprice = 1\npeak_pflops = 1\nutilization = 1\n"


@pytest.fixture
def study(tmp_path: Path) -> Study:
    file = tmp_path / "study.toml"
    head = 'baseline = "b"\ncurrency = "USD"\n[workload]\npflop_hours = 1\n'
    file.write_text(head + "".join(map(OPTION.format, "abc")))
    return load_study(file)


@pytest.mark.parametrize("failing", [(1, 9), (5, 9)], ids=["failing may be cheaper", "staying beats failing"])
def test_chances_of_every_way_to_be_blocked_add_up(study: Study, failing: tuple[int, int]) -> None:
    """Costs are whole, so that many are equal: the baseline keeps a tie, then the earlier option."""
    rng = np.random.default_rng(1)
    size = 500
    stay = rng.integers(1, 5, size).astype(float)
    drawn = {"b": SimpleNamespace(through=stay, blocked=stay, goes=np.ones(size))}
    for name in "ac":
        through, blocked = rng.integers(1, 6, size).astype(float), rng.integers(*failing, size).astype(float)
        drawn[name] = SimpleNamespace(through=through, blocked=blocked, goes=rng.choice([0.0, 0.3, 1.0], size))
    exact = {name: np.zeros(size) for name in "abc"}
    order = ["b", "a", "c"]
    for a, c in itertools.product((True, False), repeat=2):
        gone = {"b": True, "a": a, "c": c}
        cost = np.stack([drawn[n].through if gone[n] else drawn[n].blocked for n in order])
        chance = np.prod([drawn[n].goes if gone[n] else 1 - drawn[n].goes for n in "ac"], axis=0)
        for place, name in enumerate(order):
            exact[name] += chance * (cost.argmin(axis=0) == place)

    found = probability_lowest(study, drawn)  # type: ignore[arg-type]

    for name in "abc":
        assert np.broadcast_to(found[name], size) == pytest.approx(exact[name])
