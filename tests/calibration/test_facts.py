"""From files to observations: what is learned of which input, from how much, and what is said of the rest.

Would catch: a rate per device taken for one per instance, a utilization with another token's arithmetic, faults counted
in hours in which they could not be seen, cache hits counted as compilations, a rate of the wrong purchase.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from simulator.calibration.gather import Gathered, gather
from simulator.calibration.models import Counts, Durations, Effort, Means
from simulator.study import StudyError, load_study

STUDY = """
title = "t"
baseline = "a"
currency = "USD"
[workload]
parameters = 8e9
tokens = 1e12
[rates]
engineer = 100
[options.a]
price = 50
peak_pflops = 8
utilization = 0.4
[options.b]
price = { dist = "normal", mean = 36, sd = 4 }
peak_pflops = 10
utilization = { dist = "beta", alpha = 6, beta = 9 }
engineer_hours = { dist = "lognormal", median = 240, sigma = 0.75 }
recompiles = { dist = "poisson", mean = 20 }
compile_minutes = { dist = "lognormal", median = 30, sigma = 0.6 }
faults_per_1000h = { dist = "lognormal", median = 1.14, sigma = 0.93 }
hours_lost_per_fault = 2
"""
SPEED = "step,tokens_per_second\n" + "".join(f"{i},{100_000 + 1_000 * (i % 2)}\n" for i in range(1, 201))
TITAN = "".join(
    f"[titan] 2026-03-02 10:{i // 60:02d}:{i % 60:02d},000 - root - INFO - step: {i:2}  loss: 9.0000  grad_norm: 1.0  "
    "memory: 20.00GiB(21.00%)  tps: 6,250  tflops: 300.00  mfu: 30.00%\n"
    for i in range(1, 60)
)
WRAPPER = ":  100  INFO ||NEURON_CC_WRAPPER||: "
BEGUN = WRAPPER + "Call compiler with cmd: ['neuronx-cc', 'compile', '/tmp/model.MODULE_%s.hlo_module.pb']\n"
DONE = WRAPPER + "Compilation Successfully Completed for model.MODULE_%s.hlo_module.pb\n"
HIT = WRAPPER + "Using a cached neff at /var/tmp/neuron-compile-cache/neuronxcc-2.21/MODULE_%s/model.neff\n"
COMPILE = (
    f"2026-08-24 09:00:00.000001{BEGUN % '1000+f00'}2026-08-24 09:20:00.000001{DONE % '1000+f00'}"
    f"2026-08-24 10:00:00.000001{HIT % '1000+f00'}2026-08-25 09:00:00.000001{BEGUN % '1001+f01'}"
)
HOURS = "User,Project,Start date,Duration\nx,Trainium,2026-08-24,40:00:00\nx,Website,2026-08-25,08:00:00\n"


def gathered(folder: Path, files: dict[str, str], table: str, study: str = STUDY) -> Gathered:
    """The evidence of a study in a folder that holds files."""
    for name, text in files.items():
        (folder / name).write_text(text)
    path = folder / "study.toml"
    path.write_text(f"{study}\n{table}")
    return gather(load_study(path))


def evidence(*files: str, **told: object) -> str:
    keys = "".join(f"{key} = {value}\n" for key, value in told.items())
    return f'[[evidence]]\noption = "b"\nfiles = {list(files)}\n{keys}'.replace("'", '"')


def test_tokens_a_second_of_an_instance_bear_on_its_utilization(tmp_path: Path) -> None:
    found = gathered(tmp_path, {"speed.csv": SPEED}, evidence("speed.csv", instances=1))

    (observation,) = found.observations
    assert observation.quantity.inputs == ("b.utilization",)
    assert isinstance(observation.model, Means)
    assert math.exp(observation.model.means[0]) == pytest.approx(100_500, rel=1e-3)
    # 6 FLOPs a parameter and token: no layers are told, so there is no attention to add
    tokens = observation.quantity.of({"b.utilization": 0.4, "b.peak_pflops": 10.0})
    assert tokens == pytest.approx(0.4 * 10e15 / (6 * 8e9))
    assert observation.model.counts[0] < 200 / 10  # steps of a run are not independent


def test_a_rate_per_device_needs_their_number(tmp_path: Path) -> None:
    without = gathered(tmp_path, {"train.log": TITAN}, evidence("train.log"))
    assert not without.observations
    assert any("per device: tell `devices_per_instance`" in note for note in without.notes[0])

    (observation,) = gathered(tmp_path, {}, evidence("train.log", devices_per_instance=16)).observations
    assert isinstance(observation.model, Means)
    assert math.exp(observation.model.means[0]) == pytest.approx(16 * 6250)


def test_a_column_of_a_plain_file_may_be_named(tmp_path: Path) -> None:
    text = SPEED.replace("tokens_per_second", "speed")

    (observation,) = gathered(
        tmp_path, {"own.csv": text}, evidence("own.csv", column="'tokens_per_second=speed'", instances=2)
    ).observations

    assert isinstance(observation.model, Means)
    assert math.exp(observation.model.means[0]) == pytest.approx(100_500 / 2, rel=1e-3)


def test_compilations_are_timed_and_counted_in_engineers_days_and_hits_are_neither(tmp_path: Path) -> None:
    found = gathered(
        tmp_path,
        {"compile.log": COMPILE, "hours.csv": HOURS},
        evidence("compile.log") + evidence("hours.csv", share_done=0.5, filter="{project = 'Trainium'}"),
    )

    models = {each.quantity.inputs[0]: each.model for each in found.observations}
    timed, counted, effort = (models[f"b.{key}"] for key in ("compile_minutes", "recompiles", "engineer_hours"))
    assert isinstance(timed, Durations)
    assert (timed.values[0], timed.censored) == (pytest.approx(20), (False,))  # the other has no end in the file
    assert isinstance(counted, Counts)
    assert (counted.events, counted.exposures) == ((2,), (5.0,))  # 40 hours of the migration are 5 days
    assert effort == Effort(40.0, 0.5)
    assert any("1 modules were found in the compile cache" in note for note in found.notes[0])


def test_compilations_without_a_timesheet_teach_no_number_of_recompiles(tmp_path: Path) -> None:
    found = gathered(tmp_path, {"compile.log": COMPILE}, evidence("compile.log"))

    assert [each.quantity.inputs[0] for each in found.observations] == ["b.compile_minutes"]
    assert any("add the timesheet" in note for note in found.notes[0])


def test_hours_without_a_share_are_only_a_lower_bound(tmp_path: Path) -> None:
    found = gathered(tmp_path, {"hours.csv": HOURS}, evidence("hours.csv", filter="{project = 'Trainium'}"))

    assert found.observations[0].model == Effort(40.0, None)
    assert any("without `share_done`" in note for note in found.notes[0])


def test_an_input_that_is_a_number_is_not_learned_and_that_is_said(tmp_path: Path) -> None:
    study = STUDY.replace('utilization = { dist = "beta", alpha = 6, beta = 9 }', "utilization = 0.4")

    found = gathered(tmp_path, {"speed.csv": SPEED}, evidence("speed.csv", instances=1), study)

    assert not found.observations
    assert any("b.utilization is the number 0.4: give it a distribution" in note for note in found.notes[0])


def test_a_file_that_is_gone_is_named_at_its_line(tmp_path: Path) -> None:
    with pytest.raises(StudyError) as refused:
        gathered(tmp_path, {}, evidence("gone.csv"))

    (fault,) = refused.value.faults
    assert fault.key == "evidence.0.files"
    assert fault.line == STUDY.count("\n") + 4
    assert "gone.csv" in fault.found


def test_the_logs_of_several_ranks_are_one_run(tmp_path: Path) -> None:
    files = {"rank-0.log": TITAN, "rank-1.log": TITAN.replace("6,250", "6,251")}

    found = gathered(tmp_path, files, evidence("rank-*.log", devices_per_instance=16, instances=1))

    (speed,) = (each for each in found.observations if each.quantity.inputs == ("b.utilization",))
    assert isinstance(speed.model, Means)
    assert len(speed.model.means) == 1
    assert any("1 of the files tell of the same run" in note for note in found.notes[0])


MONITOR = "timestamp, pci.bus_id, utilization.gpu [%]\n" + "".join(
    f"2026/03/{day:02d} 10:00:00.000, 00000000:1B:00.0, 98 %\n" for day in range(1, 29)
)
JOBS = """JobID|JobName|State|ExitCode|Start|End|Elapsed|NNodes
100|train|NODE_FAIL|0:0|2026-03-01T00:00:00|2026-03-05T04:00:00|4-04:00:00|1
101|train|COMPLETED|0:0|2026-03-06T00:00:00|2026-03-10T04:00:00|4-04:00:00|1
"""


def test_a_monitor_that_counts_no_faults_does_not_say_that_there_were_none(tmp_path: Path) -> None:
    """It ran for 648 hours, the scheduler's accounts for 200 with a fault: the accounts are the witness."""
    alone = gathered(tmp_path, {"gpu.csv": MONITOR}, evidence("gpu.csv", instances=1, time_zone="'UTC'"))
    assert not alone.observations

    found = gathered(tmp_path, {"jobs.txt": JOBS}, evidence("gpu.csv", "jobs.txt", instances=1, time_zone="'UTC'"))

    (faults,) = (each for each in found.observations if each.quantity.inputs == ("b.faults_per_1000h",))
    assert isinstance(faults.model, Counts)
    assert (faults.model.events, faults.model.exposures) == ((1,), (pytest.approx(0.2),))
