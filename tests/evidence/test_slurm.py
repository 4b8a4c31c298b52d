"""Slurm's accounts: each attempt of a job once, its hours, and which ends are faults."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.evidence import slurm
from simulator.evidence.lines import EvidenceError, Source
from simulator.evidence.options import Options
from simulator.evidence.reading import Reading
from simulator.evidence.slurm_jobs import hosts

HEAD = "JobID|JobName|Partition|State|ExitCode|ElapsedRaw|Start|NNodes|AllocTRES\n"
TRES = "billing=1,gres/gpu:h100={gpus},gres/gpu={gpus},node={nodes}"
ROW = f"{{id}}|pretrain|p5|{{state}}|{{code}}|{{elapsed}}|{{start}}|{{nodes}}|{TRES}\n"


def row(
    name: str, state: str = "COMPLETED", hours: float = 1, nodes: int = 2, start: str = "01", code: str = "0:0"
) -> str:
    return ROW.format(
        id=name,
        state=state,
        code=code,
        elapsed=round(3600 * hours),
        start=f"2026-03-{start}T00:00:00",
        nodes=nodes,
        gpus=8 * nodes,
    )


def read(tmp_path: Path, content: str | bytes, **options: str | float) -> Reading:
    path = tmp_path / "sacct.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    source = Source(path)
    assert slurm.sniff(source.head)
    reading = slurm.read(source, Options(**options))  # type: ignore[arg-type]
    assert reading.used + reading.merged + reading.ignored + reading.rejected_count == reading.lines
    return reading


def exposure(reading: Reading) -> float:
    return sum(fact.value for fact in reading.of("exposure_hours"))


def faults(reading: Reading) -> dict[str, float]:
    return {fact.group["state"]: fact.value for fact in reading.of("fault_events") if fact.value}


def says(reading: Reading, text: str) -> bool:
    return any(text in note for note in reading.notes)


def test_steps_repeat_their_job(tmp_path: Path) -> None:
    reading = read(
        tmp_path, HEAD + row("7", hours=3) + row("7.batch", hours=3, nodes=1) + row("7.extern", hours=3) + row("7.0")
    )

    assert (exposure(reading), reading.used, reading.merged) == (6, 1, 3)


def test_which_ends_are_faults(tmp_path: Path) -> None:
    states = [
        "COMPLETED",
        "FAILED",
        "TIMEOUT",
        "CANCELLED by 1000",
        "NODE_FAIL",
        "OUT_OF_MEMORY",
        "PREEMPTED",
        "BOOT_FAIL",
    ]
    reading = read(tmp_path, HEAD + "".join(row(str(i), state, code=f"{i}:0") for i, state in enumerate(states)))

    assert faults(reading) == {"NODE_FAIL": 1, "OUT_OF_MEMORY": 1, "BOOT_FAIL": 1}
    assert exposure(reading) == 16  # all of them ran
    assert says(reading, "FAILED, cause unknown, not counted as faults: 1 (1:0 x 1)")
    assert says(reading, "ended by decision, not by a fault: CANCELLED, TIMEOUT, PREEMPTED")


def test_a_failed_job_whose_step_ran_out_of_memory_is_explained(tmp_path: Path) -> None:
    reading = read(tmp_path, HEAD + row("7", "FAILED") + row("7.batch", "OUT_OF_MEMORY", nodes=1))
    assert faults(reading) == {"OUT_OF_MEMORY": 1}


def test_no_fault_is_an_observation(tmp_path: Path) -> None:
    (fact,) = read(tmp_path, HEAD + row("7", hours=10)).of("fault_events")
    assert (fact.value, fact.count) == (0, 0)


def test_requeued_attempts_each_count(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        HEAD
        + row("7", "NODE_FAIL", 2, start="01")
        + row("7", "NODE_FAIL", 5, start="02")
        + row("7", hours=1, start="03"),
    )

    assert (exposure(reading), faults(reading)) == (16, {"NODE_FAIL": 2})
    (lost,) = reading.of("lost_device_hours")
    assert lost.value == 7 * 16
    assert "at most" in lost.basis


def test_the_same_attempt_in_two_exports_is_one(tmp_path: Path) -> None:
    reading = read(tmp_path, HEAD + row("7", "RUNNING", 2) + row("8") + HEAD + row("7", hours=9) + row("8"))

    assert (exposure(reading), reading.used, reading.merged, reading.ignored) == (20, 2, 2, 2)
    assert says(reading, "1 rows tell of an attempt that another row tells of")


def test_arrays_and_jobs_that_never_ran(tmp_path: Path) -> None:
    pending = "9_[3-8%2]|x|p5|PENDING|0:0|0|Unknown|1|\n9_9|x|p5|CANCELLED by 7|0:0|0|None|1|\n"
    reading = read(tmp_path, HEAD + row("9_1") + row("9_2") + pending)

    assert (exposure(reading), reading.ignored) == (4, 3)


def test_running_jobs_count_so_far(tmp_path: Path) -> None:
    assert says(read(tmp_path, HEAD + row("7", "RUNNING", 4)), "1 have not ended")


@pytest.mark.parametrize(
    ("head", "line", "hours"),
    [
        ("JobIDRaw|State|Elapsed|AllocNodes", "7|COMPLETED|1-02:30:00|2", 53.0),
        ("JobID|State|Elapsed|AllocTRES", "7|CD|26:30:00|cpu=8,node=2", 53.0),
        ("JobID|State|Start|End|NodeList", "7|COMPLETED|2026-03-01T00:00:00|2026-03-02T02:30:00|trn[1,3]", 53.0),
        ("jobid|STATE|elapsed|nnodes|", "7|OUT_OF_ME+|00:30:00|2|", 1.0),
        ("JobID,State,ElapsedRaw,NNodes", "7,COMPLETED,3600,2", 2.0),
    ],
)
def test_fields_and_spellings(tmp_path: Path, head: str, line: str, hours: float) -> None:
    assert exposure(read(tmp_path, f"{head}\n{line}\n")) == pytest.approx(hours)


def test_without_nodes_there_is_no_exposure(tmp_path: Path) -> None:
    reading = read(tmp_path, "JobID|State|Elapsed\n7|NODE_FAIL|01:00:00\n")

    assert not reading.of("exposure_hours")
    assert faults(reading) == {"NODE_FAIL": 1}
    assert says(reading, "without a number of nodes")


def test_shared_nodes_by_devices(tmp_path: Path) -> None:
    shared = "7|x|p5|COMPLETED|0:0|3600|2026-03-01T00:00:00|1|gres/gpu=2,node=1\n"
    assert exposure(read(tmp_path, HEAD + shared, devices_per_instance=8)) == 0.25


def test_filter_and_partitions(tmp_path: Path) -> None:
    text = HEAD + row("7") + row("8").replace("|p5|", "|trn2|")
    assert {f.group["partition"]: f.value for f in read(tmp_path, text).of("exposure_hours")} == {"p5": 2, "trn2": 2}
    assert exposure(read(tmp_path, text, filter="partition = trn2")) == 2
    with pytest.raises(EvidenceError, match="did you mean 'partition'"):
        read(tmp_path, text, filter="partiton = trn2")


def test_quotes_and_bars_in_a_name(tmp_path: Path) -> None:
    reading = read(
        tmp_path, HEAD + row("7").replace("pretrain", '5" "x') + row("8").replace("pretrain", "a|b") + row("9")
    )

    assert exposure(reading) == 4
    assert [(r.line, r.reason) for r in reading.rejected] == [(3, "10 cells, expected 9")]


def test_a_table_of_fixed_width_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match="sacct -P"):
        read(tmp_path, "JobID           State    Elapsed\n------------ ---------- ----------\n7  CANCELLED+ 00:00:01\n")


def test_bad_rows_are_rejected_with_their_reason(tmp_path: Path) -> None:
    reading = read(tmp_path, HEAD + row("x") + row("7", "DANCING") + row("8").replace("3600", "soon") + row("9")[:30])

    assert [r.line for r in reading.rejected] == [2, 3, 4, 5]
    assert "no state that Slurm knows" in reading.rejected[1].reason
    assert "the file ends inside the line" in reading.rejected[3].reason


@pytest.mark.parametrize(
    ("text", "count"),
    [("a", 1), ("trn[1-3,07],head", 5), ("n[001-100]", 100), ("a,b,c", 3), ("", None), ("n[x-y]", None)],
)
def test_hosts(text: str, count: int | None) -> None:
    assert hosts(text) == count


LINES = [HEAD, row("7", "NODE_FAIL"), row("7.batch", "NODE_FAIL"), row("7", start="02"), row("8"), "\n", "a|b\n"]


@given(st.lists(st.integers(0, len(LINES) - 1), max_size=20), st.integers(0, 200), st.binary(max_size=4))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_mixture_of_lines_raises_unbalances_or_counts_twice(
    tmp_path: Path, order: list[int], cut: int, junk: bytes
) -> None:
    body = (HEAD + "".join(LINES[i] for i in order)).encode()
    reading = read(tmp_path, body[: max(len(HEAD), len(body) - cut)] + junk)

    assert reading.used <= 3 + 1  # three attempts, and what the cut and the junk may make of one more
    assert sum(faults(reading).values()) <= 1 + 1
