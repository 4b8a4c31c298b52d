"""What these would catch: figures that depend on who did the work, and work that is lost with a worker or a process."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from simulator.engine import Result, run
from simulator.engine.tree import Tree
from simulator.engine.workers import Here, WorkersLostError, workers
from simulator.study import Study, StudyError, load_study

DATA = Path(__file__).parents[1] / "data"
DRAWS = 2**17  # two leaves in each replicate


@pytest.fixture(scope="module")
def study() -> Study:
    return load_study(DATA / "study-c.toml")  # with scenarios and correlations


@pytest.fixture(scope="module")
def alone(study: Study) -> Result:
    return run(study, DRAWS, seed=3)


def same(one: Result, other: Result) -> bool:
    """Equal to the last bit, seconds aside."""
    return all(
        getattr(one, part) == getattr(other, part)
        for part in ("options", "decision", "claims", "scenarios", "histograms")
    ) and (one.run.draws, one.run.converged) == (other.run.draws, other.run.converged)


def test_two_processes_give_the_same_bits(study: Study, alone: Result) -> None:
    with workers(2) as staff:
        assert same(run(study, DRAWS, seed=3, workers=staff), alone)


def test_a_killed_process_costs_its_work_alone(study: Study, alone: Result) -> None:
    killed: list[int] = []

    def kill_one(done: int, planned: int) -> None:
        children = multiprocessing.active_children()
        if not killed and children and done < planned:
            killed.append(children[0].pid or 0)
            os.kill(killed[0], signal.SIGKILL)

    with workers(2) as staff:
        assert same(run(study, DRAWS, seed=3, progress=kill_one, workers=staff), alone)
    assert killed


def die(shared: str, task: int) -> int:
    if task == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return task * len(shared)


def test_a_task_that_kills_every_process_is_given_up() -> None:
    with workers(2) as staff, pytest.raises(WorkersLostError, match="died one after another"):
        for task, answer in staff.answers(die, "ab", range(6)):
            assert answer == 2 * task


@pytest.mark.filterwarnings("default")  # of a library that is not ours
def test_two_dask_workers_give_the_same_bits(study: Study, alone: Result) -> None:
    pytest.importorskip("distributed")
    with workers(2, dask="local") as staff:
        assert staff.count == 2
        assert same(run(study, DRAWS, seed=3, workers=staff), alone)


@pytest.mark.filterwarnings("default")
def test_a_lost_scheduler_is_told_and_what_was_done_is_kept(study: Study, alone: Result, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    found = ["--scheduler-file", str(tmp_path / "scheduler.json")]
    alone_on_this_machine = ["--host", "127.0.0.1", "--no-dashboard", *found]
    scheduler = dask("scheduler", "--port", "0", *alone_on_this_machine)
    worker = dask("worker", "--no-nanny", "--nthreads", "1", *alone_on_this_machine)
    steps: list[int] = []

    def lose(done: int, _: int) -> None:
        steps.append(done)
        if len(steps) == 8:
            scheduler.kill()
            worker.kill()

    try:
        wait_for((tmp_path / "scheduler.json").exists)
        address = json.loads((tmp_path / "scheduler.json").read_text())["address"]
        with pytest.raises(WorkersLostError, match=r"scheduler at tcp.* is gone"), workers(dask=address) as staff:
            run(study, DRAWS, seed=3, progress=lose, workers=staff, resume=tmp_path / "kept")
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    done = len(steps)
    assert same(run(study, DRAWS, seed=3, progress=lambda done, _: steps.append(done), resume=tmp_path / "kept"), alone)
    assert steps[done] > steps[done - 1]  # it did not start from nothing
    assert steps[-1] == DRAWS


def dask(*words: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *words[1:]]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=Path(__file__).parents[2])


def test_no_scheduler_is_a_clear_error() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(WorkersLostError, match="no Dask scheduler at nowhere"), workers(dask="nowhere://"):
        pass


SCRIPT = """
import sys
from pathlib import Path
from simulator.engine import checkpoint, run
from simulator.study import load_study
checkpoint.EVERY = 0.0
run(load_study(sys.argv[1]), int(sys.argv[2]), seed=3, resume=Path(sys.argv[3]))
"""


def test_a_run_killed_in_the_middle_goes_on_to_the_same_figures(study: Study, alone: Result, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT), str(DATA / "study-c.toml"), str(DRAWS), str(kept)]
    with subprocess.Popen(command, cwd=root) as process:
        wait_for(lambda: (kept / "sums-0.npz").exists())
        process.kill()
    seen: list[int] = []
    resumed = run(study, DRAWS, seed=3, progress=lambda done, _: seen.append(done), resume=kept)
    assert same(resumed, alone)
    assert seen[0] > DRAWS // 64  # it did not start from nothing
    assert same(run(study, DRAWS, seed=3, resume=kept), alone)  # all done: nothing is drawn again
    with pytest.raises(StudyError, match="another run's"):
        run(study, DRAWS, seed=4, resume=kept)


def wait_for(event: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not event():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_folder_of_something_else_is_left_alone(study: Study, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(StudyError, match="a folder of something else"):
        run(study, 256, resume=tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_run_on_a_tolerance_goes_on_too(tmp_path: Path) -> None:
    study = load_study(DATA / "study-a.toml")
    direct = run(study, 2**12, seed=5, tolerance=1e-4)
    assert direct.run.draws > 2**12
    for _ in range(2):
        assert same(run(study, 2**12, seed=5, tolerance=1e-4, resume=tmp_path / "kept"), direct)


def test_a_tree_is_the_same_from_leaves_and_from_stretches() -> None:
    values = np.random.default_rng(1).normal(size=16) * 10.0 ** np.arange(16)
    leaves, stretches = Tree(), Tree()
    for value in values:
        leaves.grow(0, {"": {"x": value}})
    for first, level in ((0, 2), (4, 1), (6, 1), (8, 3)):
        own = Tree()
        for value in values[first : first + (1 << level)]:
            own.grow(0, {"": {"x": value}})
        stretches.grow(level, own.total)
    assert leaves.total[""]["x"] == stretches.total[""]["x"]
    with pytest.raises(ValueError, match="cannot follow"):
        Tree([*leaves.branches]).grow(5, {"": {"x": values[0]}})


def test_answers_come_with_their_tasks_here_too() -> None:
    assert list(Here().answers(die, "ab", [1, 2])) == [(1, 2), (2, 4)]
