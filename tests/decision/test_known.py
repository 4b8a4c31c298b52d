"""States of the draws: set, learnt, redrawn; and the costs that follow, held to those of a run."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtr

from simulator.decision.asked import candidate, moveable, uncertain
from simulator.decision.known import Known
from simulator.engine import run
from simulator.engine.kept import draws
from simulator.study import StudyError, load_study
from tests.decision.linear import linear, normal

STUDY = Path(__file__).parents[1] / "data" / "study-a.toml"
A, B = "new.other_costs.0.amount", "new.other_costs.1.amount"
TOGETHER = f'[[correlations]]\nbetween = ["{A}", "{B}"]\nspearman = 0.5\n'


@pytest.mark.parametrize("luck", [(), ("options.trn2.faults_per_1000h",)], ids=["known", "luck"])
def test_net_benefits_are_those_of_the_run(luck: tuple[str, ...]) -> None:
    law = '{ dist = "gamma", mean = 0.6, sd = 0.4, luck = true }'
    study = load_study(STUDY, [f"{name}={law}" for name in luck])
    known = Known.of(study, 2**12, 7)
    columns = draws(known.plan)
    assert np.array_equal(known.benefits[:, 1], columns["trn2.net_benefit"])
    assert set(luck).isdisjoint({f"options.{name}" for name in known.names})


FIXED = tuple(
    f"{name}=0.2"  # what money is linear in
    for name in ("h100.discount", "trn2.discount", "trn2.engineer_hours", "trn2.delay_weeks", "rates.engineer")
)


@pytest.mark.parametrize(
    "changes", [(), ("hurdle=0.1",), (*FIXED, "hurdle=0.1")], ids=["by a carrier", "and a hurdle", "plainly"]
)
def test_p_beats_is_that_of_the_run(changes: tuple[str, ...]) -> None:
    study = load_study(STUDY, changes)
    known, result = Known.of(study, 2**14, 7), run(study, 2**14, 7)
    assert bool(known.case.carriers) is (FIXED[0] not in changes)
    got, theirs = known.mean(known.beats("trn2", known.now)), result.options["trn2"].p_beats
    assert theirs is not None
    assert got.value == pytest.approx(theirs.value, abs=1e-12)


def test_setting_is_what_set_does() -> None:
    """The mean saving with an input put to a value, and that of the study with the value in its place."""
    known = Known.of(load_study(STUDY), 2**14, 7)
    other = Known.of(load_study(STUDY, ["trn2.utilization=0.5"]), 2**14, 7)
    got = known.mean(known.net_benefits(known.put({"trn2.utilization": 0.5}))[:, 1])
    theirs = other.mean(other.benefits[:, 1])
    assert abs(got.value - theirs.value) < 5 * np.hypot(got.mcse, theirs.mcse)


def test_states_move_what_they_say_and_nothing_else() -> None:
    """Costs of options that no moved input touches are kept; the same costs come out when all is computed anew."""
    known = Known.of(load_study(STUDY), 2**10, 7)
    for name, value in {"h100.price": 60.0, "trn2.recompiles": 7.0, "engineer_rate": 99.0}.items():
        state = known.put({name: value})
        everything = replace(state, moved=frozenset(known.now.columns))
        assert np.array_equal(known.net_benefits(state), known.net_benefits(everything))
        assert np.array_equal(known.beats("trn2", state), known.beats("trn2", everything))


def test_learning_moves_what_hangs_on_it(tmp_path: Path) -> None:
    study = linear(tmp_path, {"a": normal(20e3, 20e3), "b": normal(15e3, 30e3)}, TOGETHER)
    known = Known.of(study, 2**14, 1)
    rho = 2 * np.sin(np.pi * 0.5 / 6)
    state = known.learnt({A: 1.5})
    assert np.all(state.columns[A] == pytest.approx(20e3 + 1.5 * 20e3))
    mean, sd = state.columns[B].mean(), state.columns[B].std()
    assert mean == pytest.approx(15e3 + rho * 1.5 * 30e3, rel=1e-3)
    assert sd == pytest.approx(30e3 * np.sqrt(1 - rho**2), rel=5e-3)


def test_luck_that_hangs_on_what_is_known_follows(tmp_path: Path) -> None:
    """B is luck and goes with A: to learn A at 1.5 sd moves its mean, and to set A does not."""
    lucky = '{ dist = "normal", mean = 15e3, sd = 30e3, luck = true }'
    study = linear(tmp_path, {"a": normal(20e3, 20e3), "b": lucky}, TOGETHER)
    known = Known.of(study, 2**12, 1)
    rho = 2 * np.sin(np.pi * 0.5 / 6)
    assert known.names == (A,)
    learnt = known.mean(known.saving("new", known.learnt({A: 1.5})))
    assert learnt.value == pytest.approx(50e3 - 50e3 - 15e3 - rho * 1.5 * 30e3, rel=2e-3)
    drawn = known.mean(known.net_benefits(known.learnt({A: 1.5}), averaged=False)[:, 1])
    assert abs(drawn.value - learnt.value) < 5 * drawn.mcse + 1
    beats = known.mean(known.beats("new", known.learnt({A: 1.5})))
    chance = ndtr(-(15e3 + rho * 1.5 * 30e3) / (30e3 * np.sqrt(1 - rho**2)))
    assert abs(beats.value - chance) < 5 * beats.mcse + 1e-3
    put = known.mean(known.saving("new", known.put({A: 50e3})))
    assert put.value == pytest.approx(50e3 - 50e3 - 15e3, rel=2e-3)


def test_fewer_draws_are_some_of_them() -> None:
    known = Known.of(load_study(STUDY), 2**12, 7)
    few = known.fewer(2**8)
    assert few.draws == 2**8
    assert np.array_equal(few.benefits.reshape(16, 16, 2), known.benefits.reshape(16, -1, 2)[:, :16])


def test_fresh_scores_are_independent_of_the_draws() -> None:
    known = Known.of(load_study(STUDY), 2**14, 7)
    for name in known.names:
        assert abs(np.corrcoef(known.now.scores[name], known.fresh[name])[0, 1]) < 0.01


def test_names_that_are_not_there(tmp_path: Path) -> None:
    study = linear(tmp_path, {"a": normal(20e3, 20e3)})
    benefits = np.zeros((1, 2))
    with pytest.raises(StudyError, match="no candidate newer"):
        candidate(study, "newer", benefits)
    with pytest.raises(StudyError, match=r'did you mean "new.price"\?'):
        moveable(study, "options.new.prise", "volume")
    with pytest.raises(StudyError, match="a number: there is nothing to learn"):
        uncertain(study, "new.price")
