"""Would catch: one kind of line hiding another, per-device figures summed over ranks, bars counted beside steps."""

import pytest

from simulator.evidence import EvidenceError

from .conftest import ReadText
from .corpus import BARS, BERT, COMPILE, HF, MLPERF, NANOCHAT, OOM, megatron, mllog, torchtitan


def test_one_log_holds_steps_compiles_and_faults(read_text: ReadText) -> None:
    got = read_text(COMPILE + megatron(1, 40) + OOM + megatron(31, 60, 1.6), instances=1)
    assert got.reader == "megatron"
    assert got.of("compiles")[0].value == 2
    assert got.of("oom_events")[0].value == 1
    assert (got.of("restarts")[0].value, got.of("lost_steps")[0].value) == (1, 10)
    assert got.of("exposure_hours")[0].value > 0


def test_hours_without_a_fault_are_evidence(read_text: ReadText) -> None:
    (none,) = read_text(megatron(1, 40), instances=1).of("fault_events")
    assert none.value == 0
    assert not read_text(megatron(1, 40)).of("fault_events")  # without exposure a zero says nothing


def test_torchtitan_is_per_device_however_many_ranks_print(read_text: ReadText) -> None:
    lines = torchtitan(200, 290, 10, "[rank{}]:").splitlines(keepends=True)
    got = read_text("".join(line.format(rank) for line in lines for rank in range(8)))
    (rate,) = got.of("tokens_per_second")
    assert (got.used, got.merged) == (10, 70)
    assert rate.unit == "tokens/s per device"
    assert 5860 <= rate.value <= 5868
    assert got.of("step_seconds")[0].value == pytest.approx(1.001)


def test_torchtitan_ranks_without_labels_that_differ_in_the_last_digit(read_text: ReadText) -> None:
    text = "".join(torchtitan(i, i, rank="", tps=tps) for i in range(4, 9) for tps in (10050, 10049, 10051))
    got = read_text(text)
    assert (got.used, got.merged) == (5, 10)


def test_a_step_with_a_profiler_dump_is_set_apart(read_text: ReadText) -> None:
    dump = "[rank0]:[titan] 2025-06-16 22:33:20,758 - root - INFO - Dumping profiler traces at step 200\n"
    slow = torchtitan(210, 210, rank="[rank0]:", tps=5400)
    got = read_text(torchtitan(190, 200, 10) + dump + slow + torchtitan(220, 280, 10))
    assert any("profiler: 1 steps: 210" in note for note in got.notes)
    assert got.of("tokens_per_second")[0].value > 5859


def test_a_printed_mfu_is_no_fact_and_its_peak_is_told(read_text: ReadText) -> None:
    got = read_text(torchtitan(200, 290, 10))
    assert any("peak of 989 TFLOP/s" in note for note in got.notes)
    nano = read_text(NANOCHAT)
    assert nano.of("tokens_per_second")[0].unit == "tokens/s per job"
    assert nano.of("step_seconds")[0].value == pytest.approx(0.9965)
    assert any("not used" in note for note in nano.notes)


@pytest.mark.parametrize(
    ("text", "seconds", "tokens"),
    [
        ("step {i}/18865 | loss 11.0{i} (+nanz)| 3056.36 ms | 42.6% bf16 MFU | 171536 tok/s\n", 3.05636, 171536),
        ("iter {i}0: loss 4.{i}, time 310.12ms, mfu 25.11%\n", 0.31012, None),
        ("step {i}0 | loss: 6.{i} | lr 1e-4 | norm: 1.2 | dt: 340.1ms | tok/sec: 1,540,000.2\n", 0.3401, 1540000.2),
        ("steps: {i} loss: 1.{i} iter time (s): 1.25 samples/sec: 52.1\n", 1.25, None),
    ],
)  # fmt: skip
def test_small_training_loops(read_text: ReadText, text: str, seconds: float, tokens: float | None) -> None:
    got = read_text("".join(text.format(i=i) for i in range(2, 9)))
    assert got.of("step_seconds")[0].value == pytest.approx(seconds)
    assert [fact.value for fact in got.of("tokens_per_second")] == ([] if tokens is None else [pytest.approx(tokens)])


def test_the_trainer_s_totals_lose_their_evaluations(read_text: ReadText) -> None:
    got = read_text(HF)
    assert got.of("step_seconds")[0].value == pytest.approx(300 / 300)
    assert got.of("samples_per_second")[0].value == pytest.approx(10)
    assert got.of("steps")[0].value == 300
    assert "run 1: 1 of 3 losses are NaN" in got.notes


def test_rates_of_a_resumed_trainer_are_mended(read_text: ReadText) -> None:
    resumed = HF.replace("{'loss': 2.5", "  Continuing training from global step 200\n{'loss': 2.5")
    got = read_text(resumed)
    assert got.of("step_seconds")[0].value == pytest.approx(300 / 100)  # 100 steps in 300 s, not 300
    assert got.of("samples_per_second")[0].value == pytest.approx(10 / 3)
    assert any("resumed at step 200" in note for note in got.notes)


def test_bars_give_the_time_where_the_trainer_is_cut(read_text: ReadText) -> None:
    bars = "".join(
        f"{i}%|##  | {i}/100 [{2 * i // 60:02d}:{2 * i % 60:02d}<03:00,  2.00s/it]\r" for i in range(10, 60, 5)
    )
    cut = HF[: HF.index("{'train_runtime'")]
    got = read_text(cut + bars + "\n")
    assert got.reader == "hf-trainer"
    assert got.of("step_seconds")[0].value == pytest.approx(2.0)
    whole = read_text(HF + bars + "\n")
    assert [fact.group["source"] for fact in whole.of("step_seconds")] == ["hf-trainer"]


def test_bars_of_evaluation_and_loading_are_no_steps(read_text: ReadText) -> None:
    loading = "Loading checkpoint shards: 50%|##  | 2/4 [00:10<00:10,  5.00s/it]\n"
    got = read_text(loading + BARS)
    assert got.of("steps")[0].value == 3
    assert got.of("step_seconds")[0].value == pytest.approx(25)
    assert got.of("samples_per_second")[0].value == pytest.approx(0.9)
    only = "^M100%|####| 2/2 [00:04<00:00,  2.55it/s]\n***** eval metrics *****\n  eval_runtime = 0:00:07.21\n"
    assert not read_text(only).of("step_seconds")


def test_a_bar_redrawn_with_old_metrics_counts_them_once(read_text: ReadText) -> None:
    got = read_text(BARS.replace("global_step=3.000", "global_step=2.000"))
    assert got.of("samples_per_second")[0].count == 1


def test_neuron_s_bert_lines(read_text: ReadText) -> None:
    got = read_text(BERT)
    assert got.of("samples_per_second")[0].value == pytest.approx((2873.14 + 2878.09 + 2875.31) / 3)
    earlier = BERT.replace("Thu Sep 29", "Tue Sep 27").replace("(0, 7", "(0, 2")
    assert [fact.value for fact in read_text(BERT + earlier).of("restarts")] == [0, 0]  # another run, not a restart


def test_ranks_of_the_mlp_tutorial_are_not_added(read_text: ReadText) -> None:
    got = read_text("Train throughput (iter/sec): 160.0\nTrain throughput (iter/sec): 160.1\nFinal loss is 0.1\n")
    assert [fact.value for fact in got.of("step_seconds")] == [1 / 160]


def test_mlperf_sets_evaluation_apart(read_text: ReadText) -> None:
    got = read_text(MLPERF)
    assert got.of("samples_per_second")[0].value == pytest.approx(2.0)
    assert got.of("exposure_hours")[0].value == pytest.approx(2 * 1800 / 3600)
    assert "run_start to run_stop: 30.00 min, success" in got.notes
    killed = read_text(MLPERF.replace(mllog("run_stop", 2_800_000, 0.92, samples_count=1920, status="success"), ""))
    assert not killed.of("exposure_hours")
    assert any("cut or was killed" in note for note in killed.notes)


def test_a_trial_run_of_parallel_compile_is_no_training(read_text: ReadText) -> None:
    command = "$ neuron_parallel_compile torchrun --nproc_per_node=32 train.py --steps_this_run 5\n"
    values = "{'steps': 5, 'loss': -22172234.0, 'train_time_minutes': 0.75, 'throughput_average': 1839.0}"
    result = f"Updating with data: {values}\n"
    got = read_text(command + BERT + result)
    assert not got.of("samples_per_second")
    assert not got.of("steps")
    (minutes,) = got.of("compile_wall_minutes")
    assert (minutes.value, minutes.censored) == (0.75, True)
    after = "INFO ||PARALLEL_COMPILE||: Starting parallel compilation of the extracted graphs\n"
    assert read_text(command + result + after + BERT).of("steps")[0].value == 3


def test_a_named_reader_wins(read_text: ReadText) -> None:
    both = NANOCHAT * 3 + megatron(5, 9)
    assert read_text(both).reader == "plain-steps"
    assert read_text(both, reader="megatron").of("steps")[0].value == 5


def test_what_no_reader_knows_is_refused_with_what_was_looked_for(read_text: ReadText) -> None:
    with pytest.raises(EvidenceError, match="Megatron"):
        read_text("dear diary\n")
    with pytest.raises(EvidenceError, match="empty"):
        read_text("")
    with pytest.raises(EvidenceError, match="did you mean 'megatron'"):
        read_text(BERT, reader="megatrn")


def test_a_bar_for_every_epoch_is_no_restart(read_text: ReadText) -> None:
    bar = "{}%|##  | {n}/20 [{m:02d}:{s:02d}<03:00, 10.00s/it]\n"
    epoch = [bar.format(5 * n, n=n, m=n // 6, s=10 * n % 60) for n in range(1, 21)]
    got = read_text("".join(epoch * 3))
    assert got.of("restarts")[0].value == 0
    assert got.of("steps")[0].value == 60
    assert got.of("step_seconds")[0].value == pytest.approx(10)


def test_a_resumed_trainer_that_never_ends_is_known_by_its_bars(read_text: ReadText) -> None:
    bar = "{}%|##  | {n}/300 [00:{s:02d}<09:40,  2.00s/it]\n"
    cut = HF[: HF.index("{'eval_loss'")]
    before = "".join(bar.format(n // 3, n=n, s=n) for n in (10, 20, 25))
    after = "  Continuing training from global step 10\n" + "".join(
        bar.format(5, n=n, s=n - 10) for n in (11, 20, 30, 40)
    )
    got = read_text(cut + before + after, instances=1, devices_per_instance=8)
    assert got.reader == "hf-trainer"
    assert (got.of("restarts")[0].value, got.of("lost_steps")[0].value) == (1, 15)
    assert got.of("exposure_hours")


def test_a_reader_of_events_leaves_training_out(read_text: ReadText) -> None:
    got = read_text(COMPILE + megatron(1, 9) + OOM, reader="neuron-compile")
    assert got.reader == "neuron-compile"
    assert got.of("compiles")[0].value == 2
    assert not got.of("step_seconds")
    none = read_text(BERT, reader="torchtitan")
    assert "no step of torchtitan in this file" in none.notes


def test_lines_that_one_grammar_takes_for_cut_are_whole_to_another_or_each_rejected(read_text: ReadText) -> None:
    line = "step: {} loss: 9.1 step_time: 2.00s tokens/s: 131,072\n"
    whole = read_text("".join(line.format(i) for i in range(1, 60)))
    assert whole.of("tokens_per_second")[0].value == pytest.approx(131_072)
    assert whole.of("step_seconds")[0].value == pytest.approx(2)

    cut = read_text("".join(line.format(i).split(" step_time")[0] + "\n" for i in range(1, 60)), reader="log")
    assert (cut.lines, cut.rejected_count) == (59, 59)


@pytest.mark.parametrize(
    "line",
    [
        "Step: {i}, Loss: 2.{i}, Tokens/sec: 12,300.0\n",
        "step {i}/100 | loss 2.{i} | lr 1e-4 | 12.3K tok/s\n",
        "step: {i} loss: 2.{i} tok/s: 12.3k mfu: 30.0%\n",
    ],
)
def test_thousands_and_capitals(read_text: ReadText, line: str) -> None:
    (tokens,) = read_text("".join(line.format(i=i) for i in range(10, 30))).of("tokens_per_second")
    assert tokens.value == pytest.approx(12_300)


def test_the_time_of_a_part_is_not_the_steps(read_text: ReadText) -> None:
    line = "step {i} | loss 2.{i} | data time: 0.01 | total time: 63.10s | batch time: 0.90\n"
    (seconds,) = read_text("".join(line.format(i=i) for i in range(10, 30))).of("step_seconds")
    assert seconds.value == pytest.approx(0.9)


def test_an_iteration_of_a_step_tells_no_step_time(read_text: ReadText) -> None:
    """litgpt: four iterations make a step, and the time is that of one."""
    got = read_text("".join(f"iter {i} step {i // 4}: loss 2.{i}, iter time: 250.5ms\n" for i in range(4, 80)))
    assert got.of("steps")[0].value == 19
    assert not got.of("step_seconds")


@pytest.mark.parametrize(("line", "first"), [
    ("Epoch [{e}/3], Step [{i}/100], Loss: 2.{i}, Time: 0.50s\n", 10),
    ("epoch: {e} | step: {i} | loss: 2.{i} | tokens/s: 5000\n", 0),
])  # fmt: skip
def test_an_epoch_that_counts_its_own_steps_is_no_restart(read_text: ReadText, line: str, first: int) -> None:
    got = read_text("".join(line.format(e=e, i=i) for e in (1, 2, 3) for i in range(first, first + 91, 10)))
    assert [fact.value for fact in (*got.of("steps"), *got.of("restarts"))] == [30, 0]
    assert got.merged == 0
