"""Would catch: wrong units, steps lost or doubled, a job taken for a restart, a disturbed step for a steady one."""

import pytest

from .conftest import ReadText
from .corpus import megatron


def line(i: int, **fields: object) -> str:
    """One iteration line, fields in the order given."""
    told = " | ".join(f"{name.replace('_', ' ')}: {value}" for name, value in fields.items())
    return f" iteration {i}/ 100 | {told} | number of nan iterations:   0 |\n"


def test_warm_up_is_set_apart_and_the_rest_averaged(read_text: ReadText) -> None:
    got = read_text(megatron(1, 1, 9.0) + megatron(2, 31, 1.5), sequence=1000)
    assert got.reader == "megatron"
    (step,), (tokens,), (samples,) = got.of("step_seconds"), got.of("tokens_per_second"), got.of("samples_per_second")
    assert step.count == 30
    assert step.value == pytest.approx(sum(1.5 + i % 7 / 1000 for i in range(2, 32)) / 30)
    assert step.lines == (2, 31)
    assert tokens.value == pytest.approx(1000 * samples.value)
    assert tokens.unit == "tokens/s per job"
    assert samples.value == pytest.approx(64 / step.value, rel=1e-4)
    assert any("warm-up: 1 steps: 1 (line 1)" in note for note in got.notes)


@pytest.mark.parametrize(("unit", "value"), [("(ms)", "106460.0"), ("(s)", "106.46"), ("(ms)", "106,460.0")])
def test_milliseconds_and_seconds(read_text: ReadText, unit: str, value: str) -> None:
    text = "".join(line(i, **{f"elapsed time per iteration {unit}": value, "global batch size": 2048}) for i in (7, 8))
    (step,) = read_text(text).of("step_seconds")
    assert step.value == pytest.approx(106.46)


@pytest.mark.parametrize(
    "prefix", ["[default7]:", "0:", "(pretraining, pid=4112)", "[2025-12-19 10:49:15]", "\x1b[32m"]
)
def test_prefixes_of_launchers(read_text: ReadText, prefix: str) -> None:
    got = read_text(megatron(5, 14, prefix=prefix))
    assert got.used == got.lines == 10
    assert got.of("steps")[0].value == 10


def test_throughput_stands_anywhere_on_the_line(read_text: ReadText) -> None:
    new = {"elapsed time per iteration (ms)": 100.0, "throughput per GPU (TFLOP/s/GPU)": 400.5, "global batch size": 8}
    old = line(9, **{"elapsed time per iteration (s)": 0.1, "global batch size": 8}).rstrip("\n")
    old += " samples per second: 80.0 | TFLOPs: 401.5 |\n"
    got = read_text(line(8, **new) + old)
    (tflops,) = got.of("tflops_per_device")
    assert tflops.value == 401.0
    assert tflops.unit == "TFLOP/s per device"


def test_a_record_wrapped_by_the_terminal_is_joined(read_text: ReadText) -> None:
    whole = megatron(11, 13).splitlines()
    cut = [piece for text in whole for piece in (text[:90], text[90:170], text[170:])]
    got = read_text("\n".join(cut) + "\n")
    assert got.of("steps")[0].value == 3
    assert (got.lines, got.used) == (9, 9)
    assert got.of("step_seconds")[0].lines == (1, 7)


def test_a_glued_message_is_read_too(read_text: ReadText) -> None:
    glued = megatron(1, 1).rstrip("\n") + "Number of parameters in transformer layers in billions:  6.98\n"
    got = read_text(glued)
    assert got.of("steps")[0].value == 1
    assert not got.of("step_seconds")  # the first iteration alone is no steady state
    assert any("no steady step" in note for note in got.notes)


def test_a_cut_line_is_used_if_its_time_is_whole_else_rejected(read_text: ReadText) -> None:
    text = megatron(11, 13)
    last = text.splitlines()[-1]
    at = last.index("| learning rate")
    used = read_text(text[: -len(last) - 1] + last[: at + 4])
    assert used.of("steps")[0].value == 3
    got = read_text(text[: -len(last) - 1] + last[: at - 3])
    assert got.of("steps")[0].value == 2
    assert [(r.line, r.reason) for r in got.rejected] == [(3, "cut before 'number of nan iterations'")]


def test_a_restart_counts_the_steps_done_again(read_text: ReadText) -> None:
    got = read_text(megatron(1, 120) + megatron(101, 150, 1.6), instances=2, devices_per_instance=8)
    assert got.of("restarts")[0].value == 1
    assert got.of("lost_steps")[0].value == 20
    assert got.of("steps")[0].value == 150
    lost = got.of("lost_device_hours")[0]
    mean = got.of("step_seconds")[0].value
    assert lost.value == pytest.approx(20 * mean * 16 / 3600)
    assert lost.lines == (121, 121)


def test_the_time_until_the_next_step_is_lost_too(read_text: ReadText) -> None:
    before = "".join(f"[2025-01-01 10:00:{i:02d}]{megatron(i, i)}" for i in range(1, 31))
    after = "".join(f"[2025-01-01 11:00:{i - 20:02d}]{megatron(i, i)}" for i in range(21, 41))
    got = read_text(before + after, instances=1, devices_per_instance=1)
    lost = got.of("lost_device_hours")[0]
    assert lost.value == pytest.approx((3571 + 10 * got.of("step_seconds")[0].value) / 3600)
    assert got.of("exposure_hours")[0].value == pytest.approx((29 + 19) / 3600)  # running hours


def test_a_checkpoint_told_by_the_log_fixes_the_loss(read_text: ReadText) -> None:
    text = megatron(1, 120) + " successfully loaded checkpoint from /x at iteration 100\n" + megatron(110, 150, 1.6)
    assert read_text(text).of("lost_steps")[0].value == 20


def test_printing_every_tenth_step_counts_the_same_loss(read_text: ReadText) -> None:
    every = [megatron(i, i) for i in range(10, 121, 10)] + [megatron(i, i, 1.7) for i in range(110, 160, 10)]
    got = read_text("".join(every))
    assert got.of("lost_steps")[0].value == 20


def test_another_job_in_the_file_is_another_run(read_text: ReadText) -> None:
    got = read_text(megatron(25, 27, 0.087, total=7000, batch=2) + megatron(1, 3, 243.0, total=500, batch=288))
    assert [fact.value for fact in got.of("steps")] == [3, 3]
    assert [fact.value for fact in got.of("restarts")] == [0, 0]
    assert [round(fact.value, 2) for fact in got.of("step_seconds")] == [0.09, 243.0]


def test_ranks_that_print_the_same_step_are_merged(read_text: ReadText) -> None:
    ranks = [megatron(i, i, prefix=f"[default{rank}]:") for i in range(1, 31) for rank in range(4)]
    late = ranks[:7] + ranks[8:12] + ranks[7:8] + ranks[12:]  # a rank that lags by a step
    got = read_text("".join(late))
    assert got.of("steps")[0].value == 30
    assert (got.used, got.merged) == (30, 90)
    assert got.of("restarts")[0].value == 0


def test_steps_slowed_by_an_event_are_set_apart(read_text: ReadText) -> None:
    text = (
        megatron(1, 40)
        + " saving checkpoint at iteration 40 to /x\n"
        + megatron(41, 41, 3.0)
        + megatron(42, 80)
        + " validation loss at iteration 80 | lm loss value: 2.3E+00 |\n"
        + megatron(81, 81)  # not slower: it stays
        + megatron(82, 90)
        + megatron(91, 91, 30.0)
        + megatron(92, 99)
    )
    got = read_text(text)
    assert got.of("step_seconds")[0].count == 99 - 3
    notes = " ".join(got.notes)
    assert "checkpoint: 1 steps: 41 (line 42)" in notes
    assert "stall: 1 steps: 91" in notes
    assert "evaluation" not in notes


def test_the_log_s_own_arithmetic_is_checked(read_text: ReadText) -> None:
    fields = {"elapsed time per iteration (s)": 10.0, "global batch size": 100}
    tail = "samples per second: {} | TFLOPs: 100.0 |\n"
    right = "".join(line(i, **fields).rstrip("\n") + " " + tail.format("10.000") for i in range(5, 9))
    wrong = "".join(line(i, **fields).rstrip("\n") + " " + tail.format("12.000") for i in range(5, 9))
    assert not any("contradict" in note for note in read_text(right).notes)
    assert any("contradict batch / seconds at 4" in note for note in read_text(wrong).notes)


def test_arguments_give_sequence_and_devices(read_text: ReadText) -> None:
    head = "  seq_length ............... 2048\n  world_size ............... 64\n"
    got = read_text(head + megatron(1, 120) + megatron(101, 150, 1.6))
    assert got.of("tokens_per_second")[0].value == pytest.approx(2048 * got.of("samples_per_second")[0].value)
    assert got.of("lost_device_hours")[0].group["devices"] == "64"
    told = read_text(head + megatron(1, 120), devices_per_instance=8)
    assert told.of("exposure_hours")[0].value == pytest.approx(8 * 120 * 1.503 / 3600, rel=1e-3)


def test_nemo_counts_global_steps(read_text: ReadText) -> None:
    text = "".join(
        f"Training epoch 2, iteration {i}/999 | lr: 6.9e-06 | global_batch_size: 512 | global_step: {1000 + i} |"
        f" reduced_train_loss: 11.0{i} | train_step_timing in s: 47.{i} | consumed_samples: {512 * i}\n"
        for i in range(1, 6)
    )
    got = read_text(text)
    assert got.of("step_seconds")[0].value == pytest.approx(47.3)
    assert "1,001 to 1,005" in got.of("steps")[0].basis


def test_a_long_log_read_by_the_block_gives_the_same(read_text: ReadText, monkeypatch: pytest.MonkeyPatch) -> None:
    from simulator.evidence import logs

    timers = "time (ms) | forward-compute: 32054.16 | optimizer: 342.01 |\n"
    text = (
        megatron(1, 900)
        + timers
        + " saving checkpoint at iteration 900 to /x\n"
        + megatron(901, 901, 4.0)
        + "".join(megatron(i, i) + timers for i in range(902, 1100))
        + megatron(1050, 1700, 1.6)
    ).replace("/    1000", "/    9000")
    fast = read_text(text)
    monkeypatch.setattr(logs, "BULK", 1 << 30)
    slow = read_text(text)
    assert fast.facts == slow.facts
    assert fast.notes == slow.notes
    assert (fast.used, fast.merged, fast.ignored) == (slow.used, slow.merged, slow.ignored)


def test_a_run_longer_than_memory_keeps_its_mean(read_text: ReadText, monkeypatch: pytest.MonkeyPatch) -> None:
    from simulator.evidence import run

    whole = read_text(megatron(1, 3000))
    monkeypatch.setattr(run, "KEPT", 256)
    thinned = read_text(megatron(1, 3000))
    assert thinned.of("steps") == whole.of("steps")
    a, b = thinned.of("step_seconds")[0], whole.of("step_seconds")[0]
    assert 32 < a.count < 256 < b.count
    assert a.value == pytest.approx(b.value, abs=4 * b.sd / a.count**0.5)  # type: ignore[operator]
