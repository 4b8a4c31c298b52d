"""Would catch: busy shares averaged over runtimes that all list every core, blanks read as numbers, counts as rates."""

import json

import pytest

from .conftest import ReadText
from .corpus import MONITOR, PROMETHEUS, SMI, monitor


def test_every_runtime_lists_every_core(read_text: ReadText) -> None:
    got = read_text(monitor({"0": 10, "1": 30}) + "\n")
    (busy,) = got.of("busy_share")
    assert busy.value == pytest.approx(0.20)  # not the 0.10 of all pairs of runtime and core
    assert got.of("memory_peak_bytes")[0].value == 2000


def test_periods_with_errors_and_exposure(read_text: ReadText) -> None:
    got = read_text(MONITOR)
    assert got.of("fault_events")[0].value == 1
    assert got.of("exposure_hours")[0].value == pytest.approx(4 * 5 / 3600)
    told = read_text(MONITOR, period_seconds=60.0)
    assert told.of("exposure_hours")[0].value == pytest.approx(4 * 60 / 3600)


def test_consecutive_periods_are_one_event(read_text: ReadText) -> None:
    text = "".join(f"{monitor({'0': i}, hardware=i in (2, 3, 6), ecc=i == 6)}\n" for i in range(9))
    got = read_text(text)
    assert got.of("fault_events")[0].value == 2
    assert "3 hardware" in got.of("fault_events")[0].basis
    assert got.of("uncorrected_ecc")[0].value == 1


def test_a_record_printed_over_many_lines(read_text: ReadText) -> None:
    record = json.loads(monitor({"0": 10, "1": 30}))
    pretty = json.dumps({"1": record}, indent=2) + "\n" + json.dumps(record, indent=2) + "\n"
    got = read_text(pretty)
    assert got.used == got.lines == pretty.count("\n")
    assert got.of("busy_share")[0].count == 2


def test_a_cut_record_is_rejected(read_text: ReadText) -> None:
    got = read_text(MONITOR + MONITOR[:300])
    assert got.used == 4
    assert [(r.line, r.reason) for r in got.rejected] == [(5, "part of no whole JSON object")]


def test_new_processes_are_told(read_text: ReadText) -> None:
    got = read_text(monitor({"0": 1}, pid=1) + "\n" + monitor({"0": 2}, pid=100) + "\n")
    assert any("replaced 1 times" in note for note in got.notes)


def test_prometheus_text(read_text: ReadText) -> None:
    got = read_text(PROMETHEUS)
    assert got.of("busy_share")[0].value == pytest.approx(0.8)
    assert got.of("memory_peak_bytes")[0].value == 2**30
    assert got.of("uncorrected_ecc")[0].value == 3  # of a counter that stood at 2
    assert got.of("fault_events")[0].value == 1
    assert not got.of("exposure_hours")  # and so never a rate
    assert any("1 samples are blank" in note for note in got.notes)


def test_a_sample_cut_in_its_labels(read_text: ReadText) -> None:
    got = read_text(PROMETHEUS + 'DCGM_FI_DEV_GPU_UTIL{gpu="0",UUI')
    assert [r.reason for r in got.rejected] == ["not a whole sample"]


def test_nvidia_smi(read_text: ReadText) -> None:
    got = read_text(SMI)
    assert got.of("busy_share")[0].value == pytest.approx(0.9)
    assert got.of("busy_share")[0].count == 3
    assert got.of("memory_peak_bytes")[0].value == 2048 * 2**20
    assert got.of("uncorrected_ecc")[0].value == 1
    assert got.of("exposure_hours")[0].value == pytest.approx(1)


def test_nvidia_smi_without_units(read_text: ReadText) -> None:
    bare = SMI.replace(" %,", ",").replace(" MiB,", ",")
    assert read_text(bare).of("memory_peak_bytes")[0].value == 2048 * 2**20


def test_nvidia_smi_without_its_header_is_asked_for_it(read_text: ReadText) -> None:
    got = read_text("".join(SMI.splitlines(keepends=True)[1:]), reader="nvidia-smi")
    assert got.rejected_count == 4
    assert "noheader" in got.rejected[0].reason


def test_a_fragment_of_documentation(read_text: ReadText) -> None:
    text = (
        '  "neuroncores_in_use": {\n    "0": {\n      "neuroncore_utilization": 42.01,\n      "v3d": {\n'
        '        "nc_v3.0": {\n          "neuroncore_utilization": 21.01\n        }\n      }\n    },\n'
        '    "1": {\n      "neuroncore_utilization": 42.03\n    },\n    [...]\n'
    )
    got = read_text(text)
    assert got.of("busy_share")[0].value == pytest.approx(0.4202)
    assert any("no whole record" in note for note in got.notes)


def test_memory_is_in_mib_whether_or_not_the_file_says_so(read_text: ReadText) -> None:
    got = read_text("timestamp, uuid, utilization.gpu, memory.used\n2026/03/01 10:00:00.123, GPU-0, 90, 70000\n")
    assert got.of("memory_peak_bytes")[0].value == 70_000 * 2**20


def test_samples_with_time_stamps_alone_are_prometheus_text(read_text: ReadText) -> None:
    sample = 'DCGM_FI_DEV_GPU_UTIL{{gpu="0",UUID="GPU-0"}} {} 17408232{}0000\n'
    got = read_text("".join(sample.format(90 + i, i) for i in range(5)))
    assert (got.reader, got.of("busy_share")[0].value) == ("prometheus", pytest.approx(0.92))


def test_a_collectors_stamp_hides_no_record_and_copies_are_told(read_text: ReadText) -> None:
    record = '{{"neuron_runtime_data": [], "system_data": {{"memory_info": {{"period": 5.0, "used": {}}}}}}}\n'
    stamped = "".join(f"2026-03-01T10:00:{i:02}Z {record.format(i)}" for i in range(10))
    got = read_text(stamped + "2026-03-01T10:00:50Z " + record.format(9))
    (exposure,) = got.of("exposure_hours")
    assert (exposure.count, got.merged) == (10, 1)
    assert any("hours are missing" in note for note in got.notes)
