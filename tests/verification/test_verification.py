"""Would catch: a check that fails on a right program, or one that passes on a wrong one."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import cli
from simulator.decision.voi import exact, laws, likelihood, perfect
from simulator.engine import Figure
from simulator.inputs import table
from simulator.verification import GROUPS, Check, Verification, coverage, information, posteriors, studies, verify
from simulator.verification import laws as inverse


@pytest.mark.parametrize("name", GROUPS)
def test_the_program_holds(name: str) -> None:
    found = list(GROUPS[name]())
    assert found
    assert [check for check in found if not check.passed] == []


def test_names_are_their_own() -> None:
    """Within a group that takes no time: two checks of one name could not be told apart."""
    found = [check.name for check in information.conjugate_models()]
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("check", "passed"),
    [
        (Check("x", 1.0, 1.05, 0.1), True),
        (Check("x", 1.0, 1.2, 0.1), False),
        (Check("x", 1.0, 0.8, 0.1), False),
        (Check("x", 1.0, math.nan, 0.1), False),
        (Check("x", 1.0, 1.0, math.nan), False),
        (Check.relative("x", -200.0, -201.0, 0.01), True),
    ],
)
def test_a_check_passes_within_its_tolerance_alone(check: Check, passed: bool) -> None:
    assert check.passed is passed


def failing(checks: Callable[[], Any]) -> list[str]:
    return [check.name for check in checks() if not check.passed]


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_errors_of_the_wrong_size_are_noticed(factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    right = Figure.from_jackknife

    def wrong(estimates: Any) -> Figure:
        return replace(right(estimates), mcse=factor * right(estimates).mcse)

    monkeypatch.setattr(Figure, "from_jackknife", wrong)
    assert any(name.startswith("MCSE over spread") for name in failing(coverage.errors))


def test_a_wrong_gain_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect, "against_best", lambda benefit: benefit[:, 1:] - benefit[:, :1])
    assert failing(information.perfect_information)


def test_noise_that_falls_too_fast_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likelihood.Normal, "error", lambda self, size: np.asarray(self.sd) / size)
    assert failing(information.sample_information)


def test_a_wrong_law_of_the_posterior_mean_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = exact.NormalUnknownSd.posterior_mean
    wide = lambda self, size: laws.StudentT(self.mean, 1.05 * right(self, size).scale, 2 * self.alpha)  # noqa: E731
    monkeypatch.setattr(exact.NormalUnknownSd, "posterior_mean", wide)
    assert failing(information.conjugate_models)


def test_a_table_of_straight_lines_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "hermite", lambda left, rise, *_: np.stack([left, rise, 0 * rise, 0 * rise]))
    assert failing(inverse.tables)


def test_a_wrong_cost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = studies.run

    def wrong(*words: Any, **more: Any) -> Any:
        found = right(*words, **more)
        tco = found.options["move"].tco
        dearer = replace(tco, mean=Figure(tco.mean.value * (1 + 1e-8), tco.mean.mcse))
        return replace(found, options={**found.options, "move": replace(found.options["move"], tco=dearer)})

    monkeypatch.setattr(studies, "run", wrong)
    studies.result.cache_clear()
    try:
        assert "tco of move, fixed numbers" in failing(studies.arithmetic)
    finally:
        studies.result.cache_clear()


def test_a_posterior_that_is_the_prior_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from simulator.calibration.models import Counts

    monkeypatch.setattr(Counts, "log_likelihood", lambda *words: np.zeros_like(words[1]))
    assert any("events" in name for name in failing(posteriors.conjugates))


def one_group(monkeypatch: pytest.MonkeyPatch, *checks: Check) -> None:
    monkeypatch.setattr("simulator.verification.GROUPS", {"some": lambda: iter(checks)})


def test_the_command_prints_figures_and_exits_with_0(monkeypatch: pytest.MonkeyPatch) -> None:
    one_group(monkeypatch, Check("a figure", 2.0, 2.0001, 0.001))
    done = CliRunner().invoke(cli.main, ["verify"])
    assert done.exit_code == 0
    line = next(line for line in done.output.splitlines() if "a figure" in line)
    assert line.split()[2:] == ["2", "2.0001", "1.0e-04", "1.0e-03"]


def test_the_command_exits_with_1_when_a_figure_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    one_group(monkeypatch, Check("a figure", 2.0, 2.1, 0.001), Check("another", 1.0, 1.0, 0.1))
    done = CliRunner().invoke(cli.main, ["verify", "--json"])
    assert done.exit_code == 1
    document = json.loads(done.stdout)
    assert document["schema"] == "switchodds/verify/1"
    assert not document["passed"]
    assert [check["passed"] for check in document["checks"]] == [False, True]
    only = CliRunner().invoke(cli.main, ["verify", "--failed"])
    assert "another" not in only.output
    assert "1 of 2 checks" in " ".join(only.output.split())


def test_a_group_that_cannot_be_computed_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Any:
        yield Check("first", 1.0, 1.0, 0.0)
        raise ZeroDivisionError("no draws")

    monkeypatch.setattr("simulator.verification.GROUPS", {"some": broken})
    found = verify()
    assert isinstance(found, Verification)
    assert [check.name for check in found.failed] == ["stopped by ZeroDivisionError: no draws"]
