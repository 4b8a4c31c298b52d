"""Hugging Face's printed dictionaries: what is so far, what is of these steps, and what is of how many steps."""

import json

import pytest

from simulator.evidence.reading import Reading
from tests.evidence.conftest import ReadText


def _value(got: Reading, quantity: str) -> float:
    (fact,) = got.of(quantity)
    return fact.value


def _records(first: int = 1, tokens: int = 0) -> list[dict[str, float]]:
    """Ten steps a record, 20 s each after a start of 60 s, as `include_num_input_tokens_seen` makes them."""
    return [
        {
            "loss": 3 - i / 100,
            "epoch": i / 30,
            "num_input_tokens_seen": tokens + (i - first + 1) * 655_360,
            "train_runtime": 60.0 + 20 * (i - first + 1),
            "train_tokens_per_second": (tokens + (i - first + 1) * 655_360) / (60 + 20 * (i - first + 1)),
            "step": 10 * i,
        }
        for i in range(first, 31)
    ]


def test_a_runtime_in_every_dictionary_is_a_clock_and_no_total(read_text: ReadText) -> None:
    """Taken for totals, each record would claim all the run's steps; and its own rate is of all the time so far."""
    lines = [str({key: value for key, value in record.items() if key != "step"}) for record in _records()]
    got = read_text("INFO   Total optimization steps = 300\n" + "\n".join(lines) + "\n")
    assert _value(got, "tokens_per_second") == pytest.approx(32_768)
    assert not got.of("step_seconds")


def test_the_same_in_a_trainer_state(read_text: ReadText) -> None:
    state = {"global_step": 300, "num_input_tokens_seen": 30 * 655_360, "log_history": _records()}
    got = read_text(json.dumps(state, indent=1))
    assert _value(got, "tokens_per_second") == pytest.approx(32_768)
    assert _value(got, "step_seconds") == pytest.approx(2.0)


def test_tokens_of_earlier_sessions_do_not_count(read_text: ReadText) -> None:
    """transformers#40560: a resumed run counts all tokens and its own time."""
    total = {"train_runtime": 480.0, "train_samples_per_second": 10.0, "train_loss": 2.0, "step": 300}
    history = [*_records(11, tokens=10 * 655_360), total]
    state = {"global_step": 300, "num_input_tokens_seen": 30 * 655_360, "log_history": history}
    assert _value(read_text(json.dumps(state, indent=1)), "tokens_per_second") == pytest.approx(32_768)


@pytest.mark.parametrize("keys", [{"total_tokens", "throughput"}, {"throughput"}])
def test_llama_factory_prints_a_mean_over_all_the_time(read_text: ReadText, keys: set[str]) -> None:
    lines = []
    for i in range(5, 105, 5):
        elapsed, tokens = 30 + 4 * i, i * 32_768
        told = {"throughput": round(tokens / elapsed, 2), "total_tokens": tokens}
        record = {
            "current_steps": i,
            "total_steps": 100,
            "loss": 2 - i / 1000,
            "elapsed_time": f"0:{elapsed // 60:02}:{elapsed % 60:02}",
        }
        lines.append(json.dumps(record | {key: told[key] for key in told if key in keys}))
    lines.append(json.dumps({"current_steps": 100, "total_steps": 100, "tokens_per_second": 1.0}))
    got = read_text("\n".join(lines) + "\n")
    assert _value(got, "tokens_per_second") == pytest.approx(8192, rel=1e-3)
    assert _value(got, "step_seconds") == pytest.approx(4.0)


def test_time_between_records_of_unknown_length_is_no_step(read_text: ReadText) -> None:
    """Without a step number nothing says how many steps lie between two time stamps."""
    lines = [
        f"[INFO|2025-03-01 10:{i // 3:02}:{i % 3 * 20:02}] >> {{'loss': {2 - i / 100}, 'epoch': {i / 20}}}"
        for i in range(20)
    ]
    got = read_text(
        "INFO Total train batch size (w. parallel, distributed & accumulation) = 64\n" + "\n".join(lines) + "\n"
    )
    assert not got.of("step_seconds")
    assert not got.of("samples_per_second")


def test_evaluations_that_took_the_same_time_are_two(read_text: ReadText) -> None:
    lines = [
        str({"eval_loss": loss, "eval_runtime": 21.03, "eval_samples_per_second": 9.9, "epoch": loss})
        for loss in (2.0, 1.0)
    ]
    block = "***** eval metrics *****\n  eval_runtime = 0:00:21.03\n"
    got = read_text("{'train_runtime': 500.0, 'train_loss': 2.0}\n" + "\n".join(lines) + "\n" + block)
    assert any("2 evaluations took 42.06 s" in note for note in got.notes)
