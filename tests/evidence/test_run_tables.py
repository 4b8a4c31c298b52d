"""Would catch: a column read as another quantity, empty cells as zero, the runs of one export mixed."""

import pytest

from simulator.evidence.run_tables import column

from .conftest import ReadText
from .corpus import CATALOG, LIGHTNING, WANDB


def test_lightning_s_sparse_table(read_text: ReadText) -> None:
    got = read_text(LIGHTNING)
    assert got.of("steps")[0].value == 10
    assert got.of("tokens_per_second")[0].value == pytest.approx(sum(range(1002, 1011)) / 9)
    assert (got.used, got.ignored) == (10, 11)


def test_each_run_of_a_wandb_export_stands_alone(read_text: ReadText) -> None:
    got = read_text(WANDB)
    means = {fact.group["run"]: fact.value for fact in got.of("tokens_per_second")}
    assert means == {"run-a": pytest.approx(505), "run-b": pytest.approx(905.5)}
    assert {fact.unit for fact in got.of("tokens_per_second")} == {"tokens/s per device"}


def test_a_named_column(read_text: ReadText) -> None:
    text = "step;speed\n1;10\n2;20\n3;oops\n4;\n5;20\n"
    got = read_text(text, column="samples_per_second=speed", sequence=100)
    assert got.of("samples_per_second")[0].value == pytest.approx(20)
    assert got.of("tokens_per_second")[0].value == pytest.approx(2000)
    assert [(r.line, r.reason) for r in got.rejected] == [(4, "speed: 'oops' is no number")]
    asked = read_text(text, column="speed", reader="csv")
    assert any("QUANTITY=speed" in note for note in asked.notes)


def test_milliseconds_of_a_column(read_text: ReadText) -> None:
    got = read_text("step,iteration_time_ms\n" + "".join(f"{i},1500\n" for i in range(5, 9)))
    assert got.of("step_seconds")[0].value == pytest.approx(1.5)


def test_a_wall_clock_gives_the_time_of_a_step(read_text: ReadText) -> None:
    got = read_text("_step,_runtime,train/loss\n" + "".join(f"{i},{10 * i},{3 - i / 10}\n" for i in range(1, 11)))
    assert got.of("step_seconds")[0].value == pytest.approx(10)


def test_a_price_that_is_missing_is_unknown(read_text: ReadText) -> None:
    got = read_text(CATALOG)
    rates = {(fact.group["instance_type"], fact.group["purchase"]): fact.value for fact in got.of("rate_per_hour")}
    assert rates == {("trn2.48xlarge", "spot"): 23.5, ("trn1.32xlarge", "on_demand"): 21.5}
    assert any("trn2.48xlarge has no on demand price" in note for note in got.notes)


def test_a_vendor_s_benchmarks(read_text: ReadText) -> None:
    text = (
        "Model,Instance-Type,Nodes, Sequence Length, Performance [seq/sec],MFU[%]\n"
        "Llama-8B,trn1.32xlarge,32,8192,47.95,24.7\nBERT,trn1.32xlarge,1,,,\n"
    )
    got = read_text(text)
    assert [fact.value for fact in got.of("samples_per_second")] == [47.95]
    assert got.of("tokens_per_second")[0].value == pytest.approx(392806.4)
    assert got.of("tokens_per_second")[0].group["instances"] == "32"


def test_a_history_of_prices(read_text: ReadText) -> None:
    fallen = "2025-06-23 1b5 ('us-east-1', 'p5.48xlarge') 98.32 -> 55.04\n"
    got = read_text(fallen + "2023-10-09 0ef (None, 'p5.48xlarge') 98.32 -> GONE\n")
    (rate,) = got.of("rate_per_hour")
    assert (rate.value, rate.group["as_of"], rate.group["region"]) == (55.04, "2025-06-23", "us-east-1")


@pytest.mark.parametrize(
    ("title", "quantity", "per_device"),
    [
        ("tokens_per_sec", "tokens_per_second", False),
        ("train/tokens/s", "tokens_per_second", False),
        ("tok_s", "tokens_per_second", False),
        ("tokens_per_gpu_per_second", "tokens_per_second", True),
        ("tokens/gpu/sec", "tokens_per_second", True),
        ("throughput/device/tokens_per_sec", "tokens_per_second", True),
        ("tgs", "tokens_per_second", True),
        ("seq_per_s", "samples_per_second", False),
        ("s/step", "step_seconds", False),
        ("seconds per iteration", "step_seconds", False),
    ],
)
def test_a_title_names_a_rate(title: str, quantity: str, per_device: bool) -> None:
    found = column(0, title)
    assert found is not None
    assert (found.quantity, found.per_device) == (quantity, per_device)


@pytest.mark.parametrize(
    "title",
    [
        *("tokens", "num_tokens", "num_input_tokens_seen", "tokens_per_step", "tokens_per_gpu", "total_tokens"),
        *("samples", "consumed_samples", "samples_per_iteration", "examples seen", "sequences", "eval/tokens_per_sec"),
    ],
)
def test_a_count_is_no_rate(title: str) -> None:
    assert column(0, title) is None
