"""Comparing two studies: on fixed numbers every move is arithmetic; mixtures take whole groups and stay studies."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main
from simulator.decision.compare import Comparison, compare, side
from simulator.decision.swap import differing, swapped
from simulator.engine import run
from simulator.engine.saved import save_run
from simulator.study import Study, StudyError, load_study, scenario_of

FIXED = """
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
price = 8
peak_pflops = 2
utilization = 0.4
engineer_hours = 10
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    (path := tmp_path / "a.toml").write_text(FIXED, "utf-8")
    return load_study(path)


def against(study: Study, *settings: str) -> Comparison:
    return compare(study, load_study(study.path, settings), draws=256)


def test_one_change_moves_the_answer_by_itself(study: Study) -> None:
    """b costs 8 x 1000 / (2 x 0.4) + 1000 = 11,000 against 10,000; at a price of 6 it costs 8,500."""
    compared = against(study, "options.b.price=6")
    (move,) = compared.moves["b"]
    before, after = compared.answers["b"]
    assert (before.saving.value, after.saving.value) == pytest.approx((-1000, 1500))
    assert (move.group, move.saving_first.value, move.saving_last.value) == (
        "b prices",
        pytest.approx(2500),
        pytest.approx(2500),
    )
    assert move.p_beats == pytest.approx(1) and compared.best == ("a", "b")


def test_changes_that_multiply_differ_by_order(study: Study) -> None:
    """Price 8 -> 6 saves 2 x 1250 h, or 2 x 1000 h once utilization is 0.5; that saves 8 x 250 h, or 6 x 250 h."""
    moves = {move.group: move for move in against(study, "options.b.price=6", "options.b.utilization=0.5").moves["b"]}
    assert (moves["b prices"].saving_first.value, moves["b prices"].saving_last.value) == pytest.approx((2500, 2000))
    assert (moves["b speed"].saving_first.value, moves["b speed"].saving_last.value) == pytest.approx((2000, 1500))
    assert sum(move.saving for move in moves.values()) == pytest.approx(4000)


def test_the_largest_move_stands_first(study: Study) -> None:
    moves = against(study, "options.b.engineer_hours=9", "options.b.price=6").moves["b"]
    assert [move.group for move in moves] == ["b prices", "b labour"]


def test_a_study_does_not_differ_from_itself(study: Study) -> None:
    assert not against(study).changes


def test_a_source_alone_is_no_change(study: Study) -> None:
    assert not against(study, 'options.b.price={value = 8, source = "an offer"}').changes


def test_every_kind_of_part_is_found_and_swapped(study: Study) -> None:
    settings = (
        "workload.pflop_hours=2000", "rates.engineer=120", "rates.delay_week=5", "hurdle=0.1", "options.a.instances=2",
        "options.a.discount=0.1", "options.b.commitment={instance_hours = 10}", "options.b.recompiles=3",
        "options.b.faults_per_1000h=1", "options.b.delay_weeks=2", "options.b.blocked=0.2",
        'options.b.other_costs=[{label = "disks", amount = 5}]',
    )  # fmt: skip
    new = load_study(study.path, settings)
    groups = differing(study, new)
    assert groups.keys() == {
        "workload", "rates", "hurdle", "a speed", "a prices", "b prices", "b compiling", "b faults", "b delay",
        "b failure",
    }  # fmt: skip
    everything = swapped(study, new, [part for parts in groups.values() for part in parts])
    assert not differing(everything, new)
    compared = compare(study, new, draws=256)
    assert compared.answers["b"][1].saving.value != compared.answers["b"][0].saving.value


def test_a_workload_of_tokens_moves_with_the_speeds_it_needs(study: Study, tmp_path: Path) -> None:
    text = FIXED.replace("pflop_hours = 1000", "tokens = 1e9").replace("peak_pflops = 2\n", "")
    for utilization in ("0.5", "0.4"):
        text = text.replace(f"utilization = {utilization}", "tokens_per_second = 1000")
    (path := tmp_path / "b.toml").write_text(text, "utf-8")
    assert differing(study, load_study(path)).keys() == {"work and speed"}


def test_correlations_that_lose_an_input_fall_away(study: Study) -> None:
    laws = [f'options.{name}.utilization={{dist = "uniform", low = 0.3, high = 0.5}}' for name in "ab"]
    new = load_study(
        study.path, [*laws, 'correlations=[{between = ["a.utilization", "b.utilization"], spearman = 0.5}]']
    )
    groups = differing(study, new)
    assert swapped(study, new, groups["dependence"]).copula is None
    whole = swapped(study, new, [part for parts in groups.values() for part in parts])
    assert whole.copula is not None and new.copula is not None
    assert whole.copula.pearson == pytest.approx(new.copula.pearson)


def test_uncertain_studies_share_their_draws(study: Study) -> None:
    """A price change of a fixed run is exact although utilization is uncertain: mean saving rises by 2 x E[hours]."""
    law = 'options.b.utilization={dist = "uniform", low = 0.4, high = 0.5}'
    a, b = (load_study(study.path, [law, f"options.b.price={price}"]) for price in (8, 6))
    (move,) = compare(a, b, draws=4096).moves["b"]
    assert move.saving_first.value == move.saving_last.value
    assert move.saving_first.value == pytest.approx(2 * 500 * math.log(0.5 / 0.4) / 0.1, rel=1e-4)


def test_studies_without_a_common_decision_are_refused(study: Study, tmp_path: Path) -> None:
    (path := tmp_path / "b.toml").write_text(
        FIXED.replace('baseline = "a"', 'baseline = "b"').replace("engineer_hours = 10\n", ""), "utf-8"
    )
    with pytest.raises(StudyError, match="baseline b"):
        compare(study, load_study(path))


def test_an_option_that_comes_or_goes_is_named(study: Study, tmp_path: Path) -> None:
    more = "[options.c]\nprice = 5\npeak_pflops = 2\nutilization = 0.4\n"
    (path := tmp_path / "b.toml").write_text(FIXED + more, "utf-8")
    compared = compare(study, load_study(path), draws=256)
    assert [(each.where, each.after) for each in compared.changes["options"]] == [("options.c", "new")]
    assert compared.answers.keys() == {"b"}


@pytest.mark.parametrize(("settings", "scenario"), [(("options.b.price=6",), None), ((), "cheap")])
def test_a_saved_run_is_compared_as_it_was_run(
    study: Study, tmp_path: Path, settings: tuple[str, ...], scenario: str | None
) -> None:
    (path := tmp_path / "b.toml").write_text(FIXED + '[scenarios.cheap]\n"options.b.price" = 6\n', "utf-8")
    asked = scenario_of(load_study(path, settings), scenario)
    save_run(asked, run(asked, draws=256), tmp_path / "run")
    assert side(str(tmp_path / "run")).options["b"].inputs["price"].value == 6
    assert compare(study, side(str(tmp_path / "run")), draws=256).changes.keys() == {"b prices"}


def test_the_verb_reads_files_and_saved_runs(study: Study, tmp_path: Path) -> None:
    saved = tmp_path / "run"
    saved.mkdir()
    (saved / "study.toml").write_text(FIXED.replace("price = 8", "price = 6"), "utf-8")
    assert side(str(saved)).options["b"].inputs["price"].value == 6
    result = CliRunner().invoke(main, ["compare", study.path, str(saved)], catch_exceptions=False)
    assert result.exit_code == 0 and "b prices" in result.stdout and "options.b.price: 8 -> 6" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= max(80, len(str(saved)) + 30)
    document = json.loads(CliRunner().invoke(main, ["compare", study.path, str(saved), "--json"]).stdout)
    assert document["schema"] == "switchodds/compare/1"
    assert document["options"]["b"]["moved_by"][0]["group"] == "b prices"
