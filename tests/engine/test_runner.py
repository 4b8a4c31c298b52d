"""What these would catch: figures that depend on how the work is divided, and errors that are not what they claim."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm, spearmanr, t

from simulator.engine import REPLICATES, Plan, run
from simulator.engine.branches import Lines
from simulator.engine.carrier import Affine, Conditional, Scored
from simulator.engine.figures import Figure
from simulator.engine.slopes import Place
from simulator.inputs import LogNormal, Normal
from simulator.study import Study, load_study

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def study_a() -> Study:
    return load_study(DATA / "study-a.toml")


@pytest.fixture(scope="module")
def study_c() -> Study:
    return load_study(DATA / "study-c.toml")


def test_same_seed_same_bits_and_another_seed_others(study_a: Study) -> None:
    first, again, other = (run(study_a, draws=4096, seed=seed) for seed in (3, 3, 4))
    assert first.options == again.options
    assert first.options["trn2"].p_beats != other.options["trn2"].p_beats


def test_a_draw_depends_on_its_index_alone(study_c: Study) -> None:
    small, large = Plan.of(study_c, 2**16, 5), Plan.of(study_c, 2**18, 5)
    assert (small.leaves, large.leaves) == (1, 4)
    few, many = small.cases[""].draw(small.block(7, 0)), large.cases[""].draw(large.block(7, 0))
    assert all(np.array_equal(few.columns[name], many.columns[name]) for name in few.columns)


def test_more_draws_on_a_tolerance_are_the_figures_of_a_longer_run(study_a: Study) -> None:
    reached = run(study_a, draws=2**12, seed=2, tolerance=1e-4)
    direct = run(study_a, draws=reached.run.draws, seed=2)
    assert reached.run.converged
    assert reached.run.draws > 2**12
    assert reached.options["trn2"].p_beats is not None
    assert reached.options["trn2"].p_beats.mcse <= 1e-4
    assert reached.options == direct.options


@pytest.mark.parametrize("level", [0, 1, 3, 6])
def test_what_is_missing_is_summed_once_in_pieces_that_a_tree_takes(study_a: Study, level: int) -> None:
    """From any number of leaves that an interruption may have left; a tree takes a piece at a multiple of its size."""
    plan = Plan.of(study_a, 16 * 4096 * 16, 1)
    done = list(range(plan.leaves + 1))
    pieces = list(plan.stretches(done, (), level))

    assert plan.leaves == 16
    assert {piece.level for piece in pieces if piece.replicate == 0} == {min(level, 4)}
    for replicate, first in enumerate(done):
        mine = [piece for piece in pieces if piece.replicate == replicate]
        leaves = [leaf for piece in mine for leaf in range(piece.first, piece.first + (1 << piece.level))]
        assert leaves == list(range(first, plan.leaves))
        assert all(piece.level <= level and piece.first % (1 << piece.level) == 0 for piece in mine)


def test_draws_are_rounded_up_to_whole_powers_in_each_replicate(study_a: Study) -> None:
    assert [run(study_a, draws=n).run.draws for n in (1, 300, 5000)] == [256, 512, 8192]


@pytest.mark.parametrize("wrong", [{"draws": 0}, {"draws": 2**40}, {"tolerance": 0.0}, {"tolerance": 2.0}])
def test_senseless_requests_are_refused(study_a: Study, wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        run(study_a, **wrong)  # type: ignore[arg-type]


def test_a_scenario_that_changes_nothing_differs_by_zero(study_a: Study) -> None:
    result = run(replace(study_a, scenarios={"same": study_a}), draws=2**12)
    assert result.scenarios["same"].options == result.options
    assert result.scenarios["same"].decision == result.decision


def test_rank_correlations_of_the_draws_are_those_of_the_study(study_c: Study) -> None:
    names = ["trn2.utilization", "trn2.engineer_hours", "trn2.delay_weeks", "trn2.recompiles"]
    columns = run(study_c, draws=2**16).draws(names)
    ranks = spearmanr(np.stack([columns[name] for name in names], axis=1)).statistic
    wanted = np.eye(4)
    wanted[0, 1] = wanted[1, 0] = -0.4
    wanted[1, 2] = wanted[2, 1] = 0.7
    assert np.abs(ranks - wanted).max() < 0.005


def test_draws_are_those_of_the_figures(study_a: Study) -> None:
    result = run(study_a, draws=2**13)
    columns = result.draws()
    assert len(columns["replicate"]) == 2**13
    goes, through, blocked = (columns[f"trn2.{key}"] for key in ("p_through", "tco_through", "tco_blocked"))
    share = np.mean(goes * (columns["h100.tco_through"] > through))
    assert result.options["trn2"].p_beats is not None
    assert abs(share - result.options["trn2"].p_beats.value) < 4 * math.sqrt(0.2 / 2**13)
    assert np.mean(columns["trn2.net_benefit"]) == pytest.approx(result.options["trn2"].saving.mean.value, rel=5e-3)
    assert (goes * through + (1 - goes) * blocked).mean() == pytest.approx(
        result.options["trn2"].tco.mean.value, rel=5e-3
    )
    with pytest.raises(KeyError, match=r"did you mean 'trn2.utilization'"):
        result.draws(["trn2.utilisation"])


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say(study_a: Study) -> None:
    """90 % intervals over 200 seeds at 2^12 draws: a right one holds between 85 and 95 % of the time."""
    truth = json.loads((DATA / "study-a.expected.json").read_text())
    wide = t.ppf(0.95, REPLICATES - 1)
    keys = {"saving_mean": 0, "p_beats": 0, "saving_p05": 0, "saving_cvar05": 0}
    for seed in range(200):
        trn2 = run(study_a, draws=2**12, seed=seed).options["trn2"]
        found = dict(zip(keys, (trn2.saving.mean, trn2.p_beats, trn2.saving.p05, trn2.cvar05), strict=True))
        for key, figure in found.items():
            assert figure is not None
            value, se = truth[key]
            keys[key] += abs(figure.value - value) < wide * math.hypot(figure.mcse, se)
    assert {key: held for key, held in keys.items() if not 170 <= held <= 190} == {}


@pytest.mark.parametrize("law", [LogNormal(240.0, 0.75), Normal(200.0, 60.0)], ids=["lognormal", "normal"])
@pytest.mark.parametrize("slope", [-150.0, 2.5])
def test_the_carrier_is_averaged_over_exactly(law: LogNormal | Normal, slope: float) -> None:
    """Against an average over four million levels of the carrier, whose score is shifted and narrowed."""
    carrier = Scored("x", Place("a", "price"), law, spread=0.8)
    score = 0.8 * Normal(0.0, 1.0).ppf((np.arange(2**22) + 0.5) / 2**22) + 0.4
    y = 30_000.0 + slope * law.at_score(score)
    given = Conditional.of(carrier, np.array([0.4]), _affine(30_000.0, slope))
    for threshold in (-20_000.0, 30_100.0, 30_900.0):
        assert float(np.mean(given.below(threshold))) == pytest.approx(np.mean(y <= threshold), abs=1e-6)
        short = np.mean(np.maximum(threshold - y, 0))
        assert given.reached(threshold, shortfall=True).shortfall[0] == pytest.approx(short, rel=1e-4, abs=1e-3)


def test_draws_may_rise_fall_or_not_depend_on_the_carrier() -> None:
    """X is normal, 5 with sd 2: 1 + X, 1 - X and 1 alone at 4 are Phi(-1), Phi(4), 1."""
    carrier = Scored("x", Place("a", "price"), Normal(5.0, 2.0))
    given = Conditional.of(carrier, np.zeros(3), _affine(np.ones(3), np.array([1.0, -1.0, 0.0])))
    reached = given.reached(4.0, shortfall=True)
    phi, z = norm.pdf, np.array([-1.0, 4.0])

    assert given.below(4.0) == pytest.approx([norm.cdf(-1), norm.cdf(4), 1])
    assert reached.below == pytest.approx([norm.cdf(-1), norm.cdf(4), 1])
    assert reached.density == pytest.approx([*phi(z) / 2, 0])
    assert reached.shortfall == pytest.approx([*(2 * z * norm.cdf(z) + 2 * phi(z)), 3])


def test_a_carrier_of_no_weight_leaves_an_indicator() -> None:
    carrier = Scored("x", Place("a", "price"), LogNormal(1.0, 0.5))
    given = Conditional.of(carrier, np.zeros(3), _affine(np.array([-1.0, 0.0, 1.0]), np.zeros(3)))
    assert given.below(0.0).tolist() == [1.0, 1.0, 0.0]
    assert given.reached(0.5, shortfall=True).shortfall.tolist() == [1.5, 0.5, 0.0]


def test_a_saving_has_a_density_where_every_way_it_may_go_has_one() -> None:
    """Being blocked costs the same whatever the carrier is: that matters in the draws in which it can happen."""
    carrier = Scored("x", Place("a", "price"), Normal(5.0, 2.0))
    rises, flat = _affine(np.zeros(2), np.ones(2)), _affine(np.ones(2), np.zeros(2))

    def steady(goes: list[float]) -> bool:
        return Lines(carrier, np.zeros(2), rises, flat, rises, np.array(goes)).given_others().steady

    assert steady([1.0, 1.0])
    assert not steady([1.0, 0.5])


def _affine(at_zero: object, slope: object) -> Affine:
    return Affine(np.atleast_1d(np.asarray(at_zero, float)), np.atleast_1d(np.asarray(slope, float)))


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    replicates = np.random.default_rng(0).normal(size=16)
    without = (replicates.sum() - replicates) / 15
    figure = Figure.from_jackknife(np.concatenate([[replicates.mean()], without]))
    assert figure.value == replicates.mean()
    assert figure.mcse == pytest.approx(replicates.std(ddof=1) / 4)
