"""A study that is right, and a way to spoil it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from simulator.study import Fault, Study, StudyError, load_study

GOOD = """\
baseline = "h100"
currency = "USD"

[workload]
pflop_hours = 1e5

[rates]
engineer = 150

[options.h100]
price = 55
peak_pflops = 8
utilization = 0.4

[options.trn2]
price = 35
peak_pflops = 10
utilization = { dist = "beta", mean = 0.38, sd = 0.06 }
engineer_hours = { dist = "lognormal", median = 240, sigma = 0.75 }
"""

Loads = Callable[..., Study]
Faults = Callable[..., list[Fault]]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Write a study into a folder of its own."""

    def to_file(text: str) -> Path:
        path = tmp_path / "study.toml"
        path.write_bytes(text.encode())
        return path

    return to_file


@pytest.fixture
def load(write: Callable[[str], Path]) -> Loads:
    """Read a study given as text, with overrides."""
    return lambda text, *overrides: load_study(write(text), overrides)


@pytest.fixture
def faults(load: Loads) -> Faults:
    """The faults of a study given as text; at least one."""

    def found(text: str, *overrides: str) -> list[Fault]:
        with pytest.raises(StudyError) as caught:
            load(text, *overrides)
        return list(caught.value.faults)

    return found


def spoiled(old: str, new: str) -> str:
    """The good study with one piece of text replaced, which must be there once."""
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new)
