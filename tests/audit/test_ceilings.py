"""Rules on peaks and on what the hardware allows."""

from __future__ import annotations

import pytest

from tests.audit.clean_study import Find


@pytest.mark.parametrize(
    ("option", "peak", "what"),
    [("h100", 15.83, "sparse BF16"), ("trn2", 20.8, "dense FP8"), ("trn2", 41, "sparse BF16")],
)
def test_peak_is_another_figure(find: Find, option: str, peak: float, what: str) -> None:
    found = find(f"options.{option}.peak_pflops={peak}")["peak_is_another_figure"]
    assert found.severity == "error" and what in found.message and found.where == f"options.{option}.peak_pflops"


def test_peak_not_on_record(find: Find) -> None:
    assert find("options.h100.peak_pflops=9")["peak_not_on_record"].severity == "warning"


def test_a_smaller_instance_of_the_same_chips_has_its_share_of_the_peak(find: Find) -> None:
    assert not {code for code in find("options.h100.peak_pflops=0.989") if code.startswith("peak")}


@pytest.mark.parametrize("spelling", ["BF16", "bfloat16", "fp16"])
def test_spellings_of_a_precision(find: Find, spelling: str) -> None:
    reported = f'[reported.trn2]\npeak_pflops = 10.7\nprecision = "{spelling}"\n'
    assert not {code for code in find(more=reported) if code.startswith("peak")}


def test_peaks_as_published_are_none(find: Find) -> None:
    assert not {code for code in find() if code.startswith("peak")}
    reported = '[reported.trn2]\npeak_pflops = 20.8\nprecision = "{}"\n'
    assert "peak_is_another_figure" in find(more=reported.format("bf16"))
    assert "peak_is_another_figure" not in find(more=reported.format("fp8"))


def test_chips_contradict_peak(find: Find) -> None:
    reported = "[reported.trn2]\npeak_per_chip_pflops = {}\nchips = 16\npeak_pflops = 10.672\n"
    assert "chips_contradict_peak" in find(more=reported.format(2))
    assert "chips_contradict_peak" not in find(more=reported.format(0.667))


def test_utilization_above_ceiling(find: Find) -> None:
    assert "80.3%" in (find("options.h100.utilization=0.81")["utilization_above_ceiling"].arithmetic or "")
    assert "utilization_above_ceiling" not in find("options.h100.utilization=0.80")


def test_utilization_above_ceiling_of_a_law(find: Find) -> None:
    law = 'options.h100.utilization={dist = "beta", mean = 0.7, sd = %s}'
    assert find(law % 0.1)["utilization_above_ceiling"].severity == "warning"
    assert "utilization_above_ceiling" not in find(law % 0.03)


def test_tokens_above_ceiling(find: Find) -> None:
    reported = "[reported.h100]\nparameters = 13e9\ntokens_per_second = {}\n"
    assert "utilization_above_ceiling" in find(more=reported.format(83000))
    assert "utilization_above_ceiling" not in find(more=reported.format(81000))
