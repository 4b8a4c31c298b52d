"""What each shipped study teaches holds in its figures."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from simulator.engine import Result, run
from simulator.study import load_study
from simulator.study.shipped import folder

DRAWS = 2**12


@cache
def result(name: str) -> Result:
    return run(load_study(folder() / name), draws=DRAWS)


def test_every_study_says_in_its_head_what_it_teaches() -> None:
    for path in sorted(Path(folder()).glob("*.toml")):
        head = path.read_text("utf-8").split("\ntitle", 1)[0]
        assert "What it teaches:" in head and all(line.startswith("#") for line in head.strip().splitlines())


def test_every_value_of_the_main_study_has_a_source() -> None:
    study = load_study(folder() / "h100-to-trainium2.toml")
    for each in (*study.inputs.values(), *(i for s in study.scenarios.values() for i in s.inputs.values())):
        if each.given and each.name.split(".")[0] in study.options:
            assert each.provenance is not None and each.provenance.source and each.provenance.as_of, each.name


@pytest.mark.parametrize(
    ("scenario", "share"),
    [("measured_speed", -0.443), ("prices_of_its_day", 0.41), ("prices_of_today", -0.037)],
)
def test_the_article_repaired_step_by_step(scenario: str, share: float) -> None:
    """Expected costs are arithmetic here: hours / speed / (1 - waste) x price + labour, by hand in test_article.py."""
    options = result("article.toml").scenarios[scenario].options
    assert 1 - options["trn2"].tco.mean.value / options["h100"].tco.mean.value == pytest.approx(share, abs=5e-3)


def test_the_article_taken_at_its_word() -> None:
    """1,000 h / (1 - 0.04) x 32.77 + 1,500, and 14.56 / 13.936 x 1,000 h / (1 - 0.18) x 24.69 + 30,000."""
    options = result("article.toml").options
    assert options["h100"].tco.mean.value == pytest.approx(1000 / 0.96 * 32.77 + 1500, rel=1e-9)
    assert options["trn2"].tco.mean.value == pytest.approx(14560 / 13.936 / 0.82 * 24.69 + 30000, rel=1e-9)


def test_the_price_basis_decides_after_a_good_poc() -> None:
    got = result("price-bases.toml")
    best = {"as given": got.decision.best, **{name: case.decision.best for name, case in got.scenarios.items()}}
    assert best.pop("reserved_1y") == "h100"
    assert set(best.values()) == {"trn2"}


@pytest.mark.parametrize("volume", ["", "_half_volume"])
def test_ten_points_of_discount_are_a_sixth_of_the_committed_rate(volume: str) -> None:
    """The rate of 17,520 committed hours falls from 24 to 20, used or not; a blocked migration (0.2) signs nothing."""
    got = result("discount-rise.toml")
    cases = {"forty_percent": got, **got.scenarios}
    forty, fifty = (
        cases[f"{name}{volume}"].options["trn2"].tco.mean.value for name in ("forty_percent", "fifty_percent")
    )
    assert forty - fifty == pytest.approx(17520 * (24 - 20) * (1 - 0.2), rel=0.02)
