"""torchtitan: `step: 10  loss: 6.1  memory: 49.66GiB(52.28%)  tps: 5,862  tflops: 339.48  mfu: 34.33%`.

`tps` (older: `wps`) is of one device, and every rank may print it.
"""

import re
from collections.abc import Iterator

from simulator.evidence.messages import Cut, Parsed, Setting, Step
from simulator.evidence.scalars import binary_size, number, positive

NAME = "torchtitan"
LOOKS_FOR = "torchtitan step lines"
TRIGGERS = ("step:",)

_STEP = re.compile(r"(?<!validate )step:\s*(\d+)\s+(?:loss|global_avg_loss):\s*(\S+)")
_FIELD = re.compile(r"\b(\w+):\s*([\d,.eE+-]+)(%?)(?=\s|$)")
_MEMORY = re.compile(r"memory:\s*([\d.]+)\s*(GiB|MiB|GB|MB)\s*\(([\d.]+)%\)")


def parse(text: str) -> Parsed | None:
    match = _STEP.search(text)
    if match is None:
        return None
    fields = {key: value for key, value, _ in _FIELD.findall(text, match.end())}
    rate = positive(fields.get("tps") or fields.get("wps"))
    if rate is None:
        return Parsed(Cut("cut before 'tps'"))
    memory = _MEMORY.search(text, match.end())
    mfu, share = number(fields.get("mfu")), number(memory[3]) if memory else None
    return Parsed(
        Step(
            iteration=int(match[1]),
            tokens_rate=rate,
            tflops=positive(fields.get("tflops")),
            loss=match[2],
            mfu=mfu / 100 if mfu else None,
            memory_bytes=binary_size(memory[1], memory[2]) if memory else None,
            memory_share=share / 100 if share else None,
            per="device",
        )
    )


_SEQUENCE = re.compile(r"sequence length ([\d,]+)")
_BATCH = re.compile(r"global batch size ([\d,]+)")
_SIZE = re.compile(r"size: ([\d,]+) total parameters")


def settings(text: str) -> Iterator[Setting]:
    for name, pattern in (("sequence", _SEQUENCE), ("parameters", _SIZE), ("batch", _BATCH)):
        if (match := pattern.search(text)) and (value := positive(match[1])):
            yield Setting(name, value)
