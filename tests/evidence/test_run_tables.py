"""Would catch: a column read as another quantity, empty cells as zero, the runs of one export mixed."""

import pytest

from simulator.evidence.metric_columns import column

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
    ("title", "quantity", "per"),
    [
        ("tokens_per_sec", "tokens_per_second", "job"),
        ("train/tokens/s", "tokens_per_second", "job"),
        ("tok_s", "tokens_per_second", "job"),
        ("tokens_per_gpu_per_second", "tokens_per_second", "device"),
        ("tokens/gpu/sec", "tokens_per_second", "device"),
        ("throughput/device/tokens_per_sec", "tokens_per_second", "device"),
        ("tgs", "tokens_per_second", "device"),
        ("tokens/s/chip", "tokens_per_second", "device"),
        ("tokens/train_per_sec_per_gpu", "tokens_per_second", "device"),
        ("tokens_per_sec_per_node", "tokens_per_second", "instance"),
        ("total_tokens_per_second", "tokens_per_second", "job"),
        ("iteration-time", "step_seconds", "job"),
        ("seq_per_s", "samples_per_second", "job"),
        ("s/step", "step_seconds", "job"),
        ("seconds per iteration", "step_seconds", "job"),
    ],
)
def test_a_title_names_a_rate(title: str, quantity: str, per: str) -> None:
    found = column(0, title)
    assert found is not None
    assert (found.quantity, found.per) == (quantity, per)


@pytest.mark.parametrize(
    "title",
    [
        *("tokens", "num_tokens", "num_input_tokens_seen", "tokens_per_step", "tokens_per_gpu", "total_tokens"),
        *("samples", "consumed_samples", "samples_per_iteration", "examples seen", "sequences", "eval/tokens_per_sec"),
    ],
)
def test_a_count_is_no_rate(title: str) -> None:
    assert column(0, title) is None


@pytest.mark.parametrize(
    "title",
    [
        *("optimizer-inner-step-time", "data_step_time", "forward_step_time", "step_time_std", "step_time/min"),
        *("total_step_time", "peak_tflops", "total_tflops", "tokens_per_second_std", "generation/tokens_per_second"),
    ],
)
def test_a_part_a_spread_or_an_extreme_is_not_the_quantity(title: str) -> None:
    assert column(0, title) is None


@pytest.mark.parametrize(
    ("title", "value"),
    [("step_time_ms", 2000.0), ("step_time_us", 2e6), ("step time (min)", 1 / 30)],
)
def test_a_unit_in_the_title_counts(read_text: ReadText, title: str, value: float) -> None:
    got = read_text(f"step,{title}\n" + "".join(f"{i},{value}\n" for i in range(9)))
    (seconds,) = got.of("step_seconds")
    assert seconds.value == pytest.approx(2.0)


def test_thousands_of_tokens(read_text: ReadText) -> None:
    got = read_text("step,ktok/s\n" + "".join(f"{i},8.5\n" for i in range(9)))
    assert got.of("tokens_per_second")[0].value == 8500


@pytest.mark.parametrize(
    "titles", [("device/tokens_per_sec", "tokens_per_sec"), ("tokens_per_sec", "device/tokens_per_sec")]
)
def test_a_rate_that_stands_there_twice_is_read_once(read_text: ReadText, titles: tuple[str, str]) -> None:
    """Of the two, the one per device; and never the one's figure with the other's unit."""
    values = {"device/tokens_per_sec": 1000, "tokens_per_sec": 8000}
    rows = "".join(f"{i},{values[titles[0]]},{values[titles[1]]},16\n" for i in range(9))
    got = read_text(f"step,{titles[0]},{titles[1]},samples_per_sec\n{rows}")
    (tokens,) = got.of("tokens_per_second")
    assert (tokens.value, tokens.group["per"]) == (1000, "device")
    assert not got.of("samples_per_second")  # of the job: no row of a table per device
    assert sum("not read" in note for note in got.notes) == 2


def test_samples_of_a_device_make_tokens_of_a_device(read_text: ReadText) -> None:
    got = read_text("step,device/samples_per_sec\n" + "".join(f"{i},4\n" for i in range(9)), sequence=100)
    (tokens,) = got.of("tokens_per_second")
    assert (tokens.value, tokens.group["per"]) == (400, "device")


def test_decimal_commas_of_a_spreadsheet(read_text: ReadText) -> None:
    got = read_text("step;step_time_s;tokens/s\n" + "".join(f"{i};1,234;4321,5\n" for i in range(9)))
    assert got.of("step_seconds")[0].value == 1.234
    assert got.of("tokens_per_second")[0].value == 4321.5


def test_milliseconds_since_1970_are_a_clock(read_text: ReadText) -> None:
    rows = "".join(f"{i},{1_700_000_000_000 + 2000 * i},5000\n" for i in range(40))
    got = read_text("step,timestamp,tokens_per_second\n" + rows)
    assert got.of("step_seconds")[0].value == pytest.approx(2.0)


def test_a_column_called_time_may_be_either(read_text: ReadText) -> None:
    got = read_text("step,tokens_per_second,time\n" + "".join(f"{i},5000,{0.5 + i / 1000}\n" for i in range(9)))
    assert not got.of("step_seconds")
    assert any("--column step_seconds=time" in note for note in got.notes)


def test_an_iteration_beside_a_step_is_a_part_of_it(read_text: ReadText) -> None:
    got = read_text("iter,step,iter_time\n" + "".join(f"{i},{i // 4},0.25\n" for i in range(40)))
    assert not got.of("step_seconds")
    assert got.of("steps")[0].value == 10
