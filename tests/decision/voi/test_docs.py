"""The examples of docs/voi.md run and print what they show; every public name is there."""

import doctest
from pathlib import Path

from simulator import voi

DOCS = Path(__file__).parents[3] / "docs" / "voi.md"


def test_examples_of_the_docs() -> None:
    tried = doctest.testfile(str(DOCS), module_relative=False)
    assert tried.attempted > 10
    assert tried.failed == 0


def test_public_names() -> None:
    assert set(voi.__all__) == {
        "RUN",
        "Binomial",
        "Estimate",
        "Likelihood",
        "LogNormal",
        "Normal",
        "NormalUnknownSd",
        "Plan",
        "Poisson",
        "Region",
        "Stage",
        "break_even_delay",
        "enbs",
        "evpi",
        "evppi",
        "evsi",
        "exact",
        "optimal_stopping",
    }
    assert all(hasattr(voi, name) for name in voi.__all__)
