"""Rules on tokens, steps and speeds: each fires on a contradiction and is silent on figures that agree."""

from __future__ import annotations

import pytest

from simulator.audit.speeds import flops_per_token
from tests.audit.clean_study import Find


def test_flops_of_a_13b_model_with_attention_reproduce_a_published_mfu() -> None:
    """llm-foundry's 13B at 4,096 on 8xH100: 37,740 tokens/s are printed as 41.6 % of 8 x 989.4 TFLOP/s."""
    each = flops_per_token(12.86444e9, 40, 5120, 4096)
    assert each * 37740 / (8 * 989.4e12) == pytest.approx(0.416, abs=5e-4)


STEP = "[reported.h100]\nbatch_sequences = 512\nsequence = 4096\ntokens_per_second = 48200\nstep_seconds = {}\n"


def test_step_contradicts_tokens(find: Find) -> None:
    assert "step_contradicts_tokens" in find(more=STEP.format(0.87))
    assert "step_contradicts_tokens" not in find(more=STEP.format(43.5))


def test_tokens_a_step_are_shared_by_the_instances(find: Find) -> None:
    assert "step_contradicts_tokens" not in find(more=STEP.format(5.44) + "instances = 8\n")


DURATION = "[reported.trn2]\nsteps = 2000\nstep_seconds = 0.62\ntotal_seconds = {}\ncompile_minutes = 40\n"


def test_steps_contradict_duration(find: Find) -> None:
    assert "steps_contradict_duration" in find(more=DURATION.format(1289))
    assert "steps_contradict_duration" not in find(more=DURATION.format(3640))


MFU = "[reported.h100]\nparameters = 13e9\ntokens_per_second = 48200\nutilization = {}\n"


def test_utilization_is_busy_time(find: Find) -> None:
    assert "47.5%" in find(more=MFU.format(0.91))["utilization_is_busy_time"].message
    assert "utilization_is_busy_time" not in find(more=MFU.format(0.48))


def test_busy_share_used_as_utilization(find: Find) -> None:
    more = "[reported.h100]\nbusy_share = 0.97\n"
    assert "busy_share_used_as_utilization" in find("options.h100.utilization=0.97", more=more)
    assert "busy_share_used_as_utilization" not in find(more=more)
    assert "busy_share_used_as_utilization" in find(more=more + "utilization = 0.97\n")


def test_samples_contradict_tokens(find: Find) -> None:
    more = "[reported.h100]\nsamples_per_second = 11.8\nsequence = 4096\ntokens_per_second = {}\n"
    assert "samples_contradict_tokens" in find(more=more.format(6000))
    assert "samples_contradict_tokens" not in find(more=more.format(48200))


def test_sequences_a_second_stand_for_tokens_a_second(find: Find) -> None:
    more = "[reported.h100]\nparameters = 13e9\nsamples_per_second = 11.77\nsequence = 4096\nutilization = {}\n"
    assert "utilization_is_busy_time" in find(more=more.format(0.7))
    assert "utilization_is_busy_time" not in find(more=more.format(0.48))


PRODUCT = "[reported.h100]\nparameters = 13e9\ntokens_per_second = 48200\nutilization = {}\npeak_pflops = 7.915\n"


@pytest.mark.parametrize(("utilization", "fires"), [(0.91, True), (0.2, True), (0.475, False)])
def test_speed_contradicts_peak(find: Find, utilization: float, fires: bool) -> None:
    assert ("speed_contradicts_peak" in find(more=PRODUCT.format(utilization))) is fires


SPEEDS = """[reported]\nparameters = 13e9
[reported.h100]\neffective_pflops = 3.76\ntokens_per_second = 48200
[reported.trn2]\neffective_pflops = {}\ntokens_per_second = 67800\n"""


def test_speed_contradicts_efficiency(find: Find) -> None:
    assert "speed_contradicts_efficiency" in find(more=SPEEDS.format(3.58))
    assert "speed_contradicts_efficiency" not in find(more=SPEEDS.format(5.29))
