"""Would catch: a launcher's prefix that hides a line, a rank taken for a step, a message eaten with its prefix."""

import pytest

from simulator.evidence.launcher import strip

from .conftest import ReadText
from .corpus import COMPILE, HF, OOM, counts, megatron

PREFIXES = {
    "0: ": "0",
    "  13: ": "13",
    "[rank3]:": "3",
    "[default7]: ": "7",
    "[1,5]<stdout>:": "5",
    "(pretraining, pid=4112) ": "4112",
    "[pod/train-worker-0/pytorch] ": None,
    "[worker-0] ": None,
    "worker-1  | ": None,
    "2025-06-16T22:30:48.735Z stdout F ": None,
    "2025-06-16T22:30:48Z 3: [rank3]: ": "3",
}


@pytest.mark.parametrize(("prefix", "rank"), PREFIXES.items())
def test_prefixes_come_off(prefix: str, rank: str | None) -> None:
    for text in (
        "iteration 1/ 2 |",
        "{}",
        "\t* total: 15.855GB",
        "2024-03-01 10:00:00.000100: INFO ||NCC_WRAPPER||: x",
    ):
        bare = strip(prefix + text)
        assert (bare.text, bare.rank) == (text, rank)


@pytest.mark.parametrize(
    "text", ["[2025-12-19 10:49:15] iteration 1/ 2 |", "12:30:01 hello", "step 4: loss", "[titan] x", "{}"]
)
def test_what_is_no_prefix_stays(text: str) -> None:
    assert strip(text).text == text


@pytest.mark.parametrize("prefix", ["0: ", "[rank0]:", "[1,0]<stdout>:", "(pretraining, pid=4112) ", "[worker-0] "])
@pytest.mark.parametrize("text", [COMPILE, HF, OOM, megatron(1, 30)])
def test_every_kind_of_line_is_read_behind_a_prefix(read_text: ReadText, prefix: str, text: str) -> None:
    bare = read_text(text)
    got = read_text("".join(prefix + line for line in text.splitlines(keepends=True)))
    assert counts(got) == counts(bare)
    assert (got.used, got.merged) == (bare.used, bare.merged)


def test_a_collector_s_clock_serves_lines_without_their_own(read_text: ReadText) -> None:
    text = "".join(
        f"2025-06-16T22:{i // 60:02d}:{i % 60:02d}.000Z {line}\n" for i, line in enumerate(megatron(1, 90).splitlines())
    )
    assert read_text(text, instances=1).of("exposure_hours")[0].value == pytest.approx(89 / 3600)
