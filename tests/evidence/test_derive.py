"""Would catch: a device's rate taken for an instance's, a rate without exposure, a utilization of a wrong formula."""

from dataclasses import replace

import pytest

from simulator.evidence import Options
from simulator.evidence.derive import (
    discount,
    distinct,
    faults_per_1000h,
    flops_per_token,
    hours_lost_per_fault,
    model_inputs,
    per_instance,
    utilization,
)
from simulator.evidence.reading import Fact

from .conftest import ReadText
from .corpus import COMPILE, MONITOR, megatron, torchtitan


def test_utilization_reproduces_a_published_one() -> None:
    """llm-foundry README at 8c8dd48: 13B (N = 12.86e9, 40 layers of 5,120) at 37,740 tokens/s on 8xH100 is 41.6 %."""
    token = flops_per_token(12.86e9, layers=40, hidden=5120, sequence=4096)
    assert utilization(37_740, token, 8 * 0.989) == pytest.approx(0.416, abs=0.001)


def test_closed_forms() -> None:
    assert flops_per_token(1e9) == 6e9
    assert faults_per_1000h(2, 340) == pytest.approx(5.882, abs=1e-3)
    assert faults_per_1000h(2, 0) is None
    assert hours_lost_per_fault(160.0, 16, 2) == 5.0
    assert hours_lost_per_fault(160.0, 16, 0) is None
    assert discount(34.608, 98.32) == pytest.approx(0.648, abs=1e-4)
    assert discount(1.0, 0.0) is None


@pytest.mark.parametrize(
    ("group", "options", "expected"),
    [
        ({"per": "device"}, Options(devices_per_instance=8), 8000.0),
        ({"per": "device"}, Options(instances=4), None),
        ({"per": "job"}, Options(instances=4), 250.0),
        ({"per": "job"}, Options(devices_per_instance=8), None),
        ({"per": "job", "instances": "2"}, Options(), 500.0),
        ({"per": "instance"}, Options(instances=4), 1000.0),
    ],
)
def test_a_rate_per_instance(group: dict[str, str], options: Options, expected: float | None) -> None:
    assert per_instance(Fact("tokens_per_second", 1000.0, "tokens/s", group=group), options) == expected


def test_inputs_of_a_log(read_text: ReadText) -> None:
    options = Options(instances=2, devices_per_instance=8, sequence=1000, parameters=1e9)
    text = COMPILE + megatron(1, 120) + megatron(101, 150, 1.6)
    got = read_text(text, instances=2, devices_per_instance=8, sequence=1000)
    inputs = {each.input: each for each in model_inputs([got], options, peak_pflops=1.0)}
    tokens = got.of("tokens_per_second")[0].value / 2
    assert inputs["tokens_per_second"].value == pytest.approx(tokens)
    assert inputs["utilization"].value == pytest.approx(tokens * 6e9 / 1e15)
    assert inputs["compile_minutes"].value == pytest.approx(1.5)
    exposure = got.of("exposure_hours")[0].value
    assert inputs["faults_per_1000h"].value == pytest.approx(1000 / exposure)  # the restart: no error was printed
    seconds = got.of("step_seconds")[0].value
    assert inputs["hours_lost_per_fault"].value == pytest.approx(20 * seconds / 3600)


def test_what_is_missing_is_asked_for(read_text: ReadText) -> None:
    got = read_text(torchtitan(200, 290, 10))
    (tokens,) = [each for each in model_inputs([got], Options()) if each.input == "tokens_per_second"]
    assert tokens.value is None
    assert "devices per instance" in tokens.basis
    restarted = read_text(megatron(1, 9) + megatron(5, 9, 1.6))
    (faults,) = [each for each in model_inputs([restarted], Options()) if each.input == "faults_per_1000h"]
    assert faults.value is None
    assert "no exposure" in faults.basis


def test_telemetry_beside_a_log_is_not_counted_twice(read_text: ReadText) -> None:
    log = read_text(megatron(1, 40), instances=1)
    both = model_inputs([log, read_text(MONITOR)], Options(instances=1))
    alone = model_inputs([log], Options(instances=1))
    assert [each.value for each in both if each.input == "faults_per_1000h"] == [
        each.value for each in alone if each.input == "faults_per_1000h"
    ]


def test_a_discount_from_a_bill_s_own_list_price(read_text: ReadText) -> None:
    group = {"instance_type": "p5.48xlarge", "purchase": "savings_plan"}
    facts = (
        Fact("rate_per_hour", 40.0, "USD/instance-hour", group={**group, "price": "effective"}),
        Fact("rate_per_hour", 100.0, "USD/instance-hour", group={**group, "price": "list"}),
    )
    bill = replace(read_text(MONITOR), facts=facts)
    (found,) = model_inputs([bill], Options())
    assert (found.input, found.value) == ("discount", pytest.approx(0.6))


def test_the_logs_of_a_job_s_ranks_are_one_job(read_text: ReadText) -> None:
    ranks = [read_text(torchtitan(200, 290, 10, f"[rank{rank}]:"), name=f"rank{rank}.log") for rank in range(4)]
    other = read_text(torchtitan(200, 290, 10, tps=4000), name="other.log")
    assert distinct([*ranks, other]) == (ranks[0], other)
    telemetry = [read_text(MONITOR, name=f"node{i}.jsonl") for i in range(2)]
    assert len(distinct(telemetry)) == 2


def test_hours_that_nobody_used_have_no_discount(read_text: ReadText) -> None:
    def rate(value: float, price: str, purchase: str) -> Fact:
        group = {"instance_type": "p5.48xlarge", "purchase": purchase, "price": price}
        return Fact("rate_per_hour", value, "USD/instance-hour", 10, group=group)

    pairs = [(33.0, "effective"), (55.04, "list")]
    facts = tuple(rate(x, price, kind) for kind in ("savings_plan", "unused_reservation") for x, price in pairs)
    bill = replace(read_text(MONITOR), facts=facts)

    (found,) = (each for each in model_inputs([bill], Options()) if each.input == "discount")
    assert found.value == pytest.approx(1 - 33 / 55.04)
