"""Would catch: rates of a resumed run taken as printed, NaN as an error, a cut file as a whole one."""

import json
from typing import Any

import pytest

from .conftest import ReadText

LOSS = [{"epoch": i / 10, "loss": 2.0 - i / 100, "step": 10 * i} for i in range(1, 11)]
EVAL = {"epoch": 1.0, "eval_loss": 1.9, "eval_runtime": 20.0, "step": 100}


def state(history: list[dict[str, Any]], steps: int, **more: object) -> str:
    return json.dumps({"global_step": steps, "is_local_process_zero": True, "log_history": history, **more}, indent=2)


def end(step: int, runtime: float, samples: float) -> dict[str, Any]:
    return {"step": step, "train_runtime": runtime, "train_samples_per_second": samples, "total_flos": 1e15}


def test_a_finished_run(read_text: ReadText) -> None:
    got = read_text(state([*LOSS, EVAL, end(100, 120.0, 25.0)], 100), sequence=512)
    assert got.reader == "trainer-state"
    assert got.lines == got.used == 12
    assert got.of("steps")[0].value == 100
    assert got.of("step_seconds")[0].value == pytest.approx(1.0)
    assert got.of("samples_per_second")[0].value == pytest.approx(30.0)
    assert got.of("tokens_per_second")[0].value == pytest.approx(30.0 * 512)


def test_a_second_end_divides_all_steps_by_the_last_stretch(read_text: ReadText) -> None:
    more = [{"loss": 1.0, "step": 110}]
    got = read_text(state([*LOSS, end(100, 100.0, 30.0), *more, end(200, 100.0, 60.0)], 200))
    first, second = got.of("samples_per_second")
    assert first.value == second.value == pytest.approx(30.0)


def test_an_unfinished_run_has_no_rate(read_text: ReadText) -> None:
    got = read_text(state([*LOSS, EVAL], 100))
    assert {fact.quantity for fact in got.facts} == {"steps"}
    assert any("no rate can be read" in note for note in got.notes)


def test_nan_is_a_value_of_the_format(read_text: ReadText) -> None:
    text = state([{"loss": float("nan"), "step": i} for i in (10, 20)], 20)
    assert "NaN" in text
    assert any("every loss is NaN" in note for note in read_text(text).notes)


def test_a_cut_file_gives_what_is_whole(read_text: ReadText) -> None:
    text = state(LOSS, 100)
    got = read_text(text[: text.index('"step": 80')])
    assert (got.used, got.rejected_count) == (7, 1)
    assert "cut" in got.rejected[0].reason


def test_steps_that_go_back(read_text: ReadText) -> None:
    got = read_text(state([*LOSS, *LOSS[5:]], 100))
    assert got.of("restarts")[0].value == 1
    assert got.of("lost_steps")[0].value == 40
