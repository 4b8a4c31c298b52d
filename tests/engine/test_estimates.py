"""Catches figures of a run that are not those of a study whose every figure is known."""

import math
from pathlib import Path

import pytest

from simulator.engine import Figure, run
from simulator.study import load_study

STUDY = """
title = "one uniform price"
baseline = "a"
currency = "USD"
[workload]
pflop_hours = 1000
[rates]
engineer = 100
[options.a]
price = 10
peak_pflops = 2
utilization = 0.5
[options.b]
price = { dist = "uniform", low = 6, high = 10 }
peak_pflops = 2
utilization = 0.4
engineer_hours = 10
[claims]
tenth = { option = "b", saving_share = 0.1 }
"""


def test_every_figure_of_a_uniform_price(tmp_path: Path) -> None:
    """a costs 10,000, b 1,250 p + 1,000: the saving is uniform from -3,500 to 1,500, and positive in 30 of 100."""
    (file := tmp_path / "study.toml").write_text(STUDY)
    result = run(load_study(file), draws=2**14)
    stay, move = (result.options[name] for name in "ab")

    sd = 5000 / math.sqrt(12)

    def close(figure: Figure, exact: float) -> None:
        """Beside its error a quantile from bins is off by 1e-4 sd at most."""
        assert figure.value == pytest.approx(exact, abs=5 * figure.mcse + 1e-4 * sd)
        assert figure.mcse < 5e-3 * sd

    close(move.saving.mean, -1000)
    close(move.saving.sd, sd)
    for level in (5, 25, 50, 75, 95):
        close(getattr(move.saving, f"p{level:02}"), -3500 + 5000 * level / 100)
        close(getattr(move.tco, f"p{level:02}"), 8500 + 5000 * level / 100)
    assert move.cvar05 is not None and move.p_beats is not None and move.p_blocked is not None
    close(move.cvar05, -3500 + 125)
    close(move.expected_regret, 1000 + 225)
    close(stay.expected_regret, 225)
    close(result.decision.evpi, 225)  # a triangle: 0.3 x 1,500 / 2
    for figure, exact in (
        (move.p_beats, 0.3),
        (move.p_best, 0.3),
        (stay.p_best, 0.7),
        (result.decision.p_wrong, 0.3),
        (result.claims["tenth"].p_reached, 0.1),
        (result.decision.epistemic_share, 1.0),
    ):
        assert figure is not None
        assert figure.value == pytest.approx(exact, abs=max(5 * figure.mcse, 1e-6))
        assert figure.mcse < 1e-3
    assert move.p_blocked.value == 0
    close(move.components["rent_productive"], 10_000)
    close(move.components["labour"], 1000)
    close(move.billed_hours, 1250)
    assert result.decision.best == "a"


def test_every_case_is_in_the_histogram_and_what_is_given_goes_through(tmp_path: Path) -> None:
    """Blocked in 2 of 10: 0.2 x 10 hours and the way back; hours and weeks are those of the moves that go through."""
    blocked = "engineer_hours = 10\nblocked = 0.2\nblocked_spent = 0.2"
    (file := tmp_path / "study.toml").write_text(STUDY.replace("engineer_hours = 10", blocked))
    result = run(load_study(file), draws=2**12)
    move = result.options["b"]

    assert sum(result.histograms["b"].shares) == pytest.approx(1)
    assert move.p_blocked is not None
    assert move.p_blocked.value == pytest.approx(0.2)
    assert move.billed_hours.value == pytest.approx(1250)
    assert move.weeks.value == pytest.approx(1250 / 168)
    assert move.tco.mean.value == pytest.approx(0.8 * 11_000 + 0.2 * (10_000 + 200), rel=1e-4)
