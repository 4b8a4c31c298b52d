"""Crossings of functions that are known: none, one, several, and two between neighbouring points."""

import numpy as np
import pytest

from simulator.decision.roots import crossings


def found(f: object, grid: object, level: float = 0.0) -> list[tuple[float, bool]]:
    grid = np.asarray(grid, dtype=float)
    values = np.array([f(x) for x in grid])  # type: ignore[operator]
    return [(each.x, each.rising) for each in crossings(f, grid, values, level)]  # type: ignore[arg-type]


def test_all_roots_of_a_cubic() -> None:
    got = found(lambda x: (x + 1.5) * (x - 0.25) * (x - 2), np.linspace(-3, 3, 7))
    assert [x for x, _ in got] == pytest.approx([-1.5, 0.25, 2])
    assert [rising for _, rising in got] == [True, False, True]


def test_two_roots_between_neighbours() -> None:
    got = found(lambda x: (x - 0.4) * (x - 0.6), [0.0, 1.0, 2.0, 3.0])
    assert [x for x, _ in got] == pytest.approx([0.4, 0.6])
    assert [rising for _, rising in got] == [False, True]


def test_a_touch_from_above_is_no_flip() -> None:
    assert found(lambda x: (x - 0.5) ** 2 + 1e-6, np.linspace(0, 1, 4)) == []


def test_level() -> None:
    (root,) = found(np.exp, np.linspace(0, 3, 5), level=2.0)
    assert root == (pytest.approx(np.log(2)), True)
