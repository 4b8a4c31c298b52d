"""Would catch: an event counted once a line or rank, a consequence beside its cause, harmless words as faults."""

import pytest

from .conftest import ReadText
from .corpus import OOM, megatron


def events(read_text: ReadText, text: str) -> dict[str, float]:
    got = read_text(text)
    return {fact.group["kind"]: fact.value for fact in (*got.of("oom_events"), *got.of("fault_events")) if fact.group}


def test_one_allocation_failure_is_one_event(read_text: ReadText) -> None:
    got = read_text(OOM)
    assert [fact.value for fact in got.of("oom_events")] == [1]
    assert got.of("memory_peak_bytes")[0].value == pytest.approx(15.855 * 2**30)
    assert got.of("memory_peak_bytes")[0].group["device"] == "ND0:NC0"
    assert any("172.0 MiB (180,355,072 B) requested" in note for note in got.notes)


def test_all_ranks_run_out_of_memory_together(read_text: ReadText) -> None:
    line = "[rank{0}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU {0} has 79 GiB\n"
    died = "".join(line.format(rank) for rank in range(8)) + "torch.distributed.elastic ... ChildFailedError:\n"
    assert events(read_text, megatron(1, 20) + died) == {"device_oom": 1}
    again = megatron(1, 20) + died + megatron(11, 30, 1.6) + died
    assert events(read_text, again) == {"device_oom": 2}


def test_ten_minutes_part_events_where_nothing_trains(read_text: ReadText) -> None:
    xid = "2025-01-01 10:{:02d}:00 kernel: NVRM: Xid (PCI:0000:18:00): 79, GPU has fallen off the bus\n"
    assert events(read_text, "".join(xid.format(minute) for minute in (0, 1, 2, 30, 31))) == {"xid": 2}


def test_the_cause_names_the_event(read_text: ReadText) -> None:
    text = (
        "[rank3]: torch.distributed.DistBackendError: NCCL error in: x.cpp, unhandled system error\n"
        "NVRM: Xid (PCI:0000:18:00): 63, row remapped\n"
        "RuntimeError: CUDA error: uncorrectable ECC error encountered\n"
    )
    assert events(read_text, text) == {"ecc": 1}


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("slurmstepd: error: Detected 1 oom_kill event in StepId=1.0. Some tasks have been OOM Killed.", "host_oom"),
        ("Out of memory: Killed process 4121 (python) total-vm:1kB", "host_oom"),
        ("[E ProcessGroupNCCL.cpp:828] [Rank 5] Watchdog caught collective operation timeout: x", "collective"),
        ("2024-Oct-15 18:01:17.7 1:1 ERROR   NRT:nrt_infodump  nrt_execute status=1003, NRT_EXEC_BAD_STATE", "runtime"),
        ("terminate: CUDA error: an illegal memory access was encountered", "runtime"),
        ("srun: error: node-3: task 24: Exited with exit code 1", "process"),
        ("Fatal Python error: Segmentation fault", "process"),
    ],
)  # fmt: skip
def test_kinds(read_text: ReadText, line: str, kind: str) -> None:
    assert events(read_text, line + "\n") == {kind: 1}


@pytest.mark.parametrize(
    "line",
    [
        "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
        "TORCH_NCCL_ASYNC_ERROR_HANDLING=1",
        "[WARNING] process group: NCCL error handling is off",
        "ValueError: not a fault of the machine",
        "Traceback (most recent call last):",
        "Allocated 3.2 GB of memory",
    ],
)
def test_words_that_are_no_fault(read_text: ReadText, line: str) -> None:
    assert events(read_text, megatron(1, 3) + line + "\n" + megatron(4, 6)) == {}


@pytest.mark.parametrize(
    ("stamp", "later"),
    [
        ("Mar  3 10:00:00 node-1 kernel: ", "Mar  3 18:00:00 node-1 kernel: "),
        ("Dec 31 23:59:00 node-1 kernel: ", "Jan  1 09:00:00 node-1 kernel: "),
        ("[12345.678901] ", "[52345.678901] "),
        ("[52345.678901] ", "[  345.678901] "),
    ],
)
def test_clocks_of_the_kernel_part_events(read_text: ReadText, stamp: str, later: str) -> None:
    """Syslog has no year and dmesg counts from the boot: hours apart are two events all the same."""
    xid = "NVRM: Xid (PCI:0000:18:00): 79, GPU has fallen off the bus\n"
    assert events(read_text, f"{stamp}{xid}{stamp}{xid.replace('79', '154')}{later}{xid}") == {"xid": 2}
