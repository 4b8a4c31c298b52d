"""Megatron-LM, Megatron-DeepSpeed, NeMo: `iteration i/ n | key: value | ...`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.evidence.messages import Cut, Parsed, Setting, Step
from simulator.evidence.scalars import number, positive, whole

Floats = NDArray[np.float64]

NAME = "megatron"
LOOKS_FOR = "Megatron or NeMo iteration lines"
TRIGGERS = ("iteration",)

_ITERATION = re.compile(r"iteration:?\s+(\d+)\s*/\s*(\d+)\s*\|")
_NEMO = re.compile(r"epoch:? (\d+), iteration (\d+)/(\d+)\s*\|")
_LAST_FIELD = "number of nan iterations"


def parse(text: str) -> Parsed | None:
    at = text.find("iteration")
    if at < 0:
        return None
    if match := _ITERATION.match(text, at):
        if "poch" in text[max(0, at - 16) : at]:
            return _nemo(text)
        return _megatron(text, match)
    return None


def _megatron(text: str, match: re.Match[str]) -> Parsed:
    fields = text[match.end() :].split("|")
    last = fields.pop()
    seconds = rate = tflops = batch = samples = tokens = loss = None
    ended = False
    for field in fields:
        key, _, value = field.partition(":")
        key = key.strip()
        if key == "elapsed time per iteration (ms)":
            milliseconds = positive(value)
            seconds = milliseconds / 1000 if milliseconds else None
        elif key == "elapsed time per iteration (s)":
            seconds = positive(value)
        elif key == "global batch size":
            batch = positive(value)
        elif key == "consumed samples":
            samples = number(value)
        elif key == "consumed tokens":
            tokens = number(value)
        elif key == "lm loss":
            loss = value.strip()
        elif key == "samples per second":
            rate = positive(value)
        elif key.startswith(("throughput per GPU", "TFLOPs")):
            tflops = positive(value)
        elif key.startswith("number of nan") and key.removeprefix("number of nan").strip() == "iterations":
            ended = True
    step = Step(
        iteration=int(match[1]),
        total=int(match[2]),
        seconds=seconds,
        samples_rate=rate,
        tflops=tflops,
        batch=batch,
        consumed_samples=samples,
        consumed_tokens=tokens,
        loss=loss,
    )
    if ended:
        return Parsed(step, last.strip())
    if not last.strip() and seconds is not None:
        return Parsed(step)
    return Parsed(Cut(f"cut before {_LAST_FIELD!r}", step if seconds is not None else None))


_FIELD = re.compile(r"\|\s*([\w ./()-]+?):\s*([^|]*?)\s*(?=\||$)")


def _nemo(text: str) -> Parsed | None:
    """NeMo 2 counts iterations inside an epoch; `global_step` is the step."""
    match = _NEMO.search(text)
    if match is None:
        return None
    fields = dict(_FIELD.findall(text[match.end() - 1 :]))
    seconds = positive(fields.get("train_step_timing in s"))
    step = whole(fields.get("global_step"))
    if seconds is None and "consumed_samples" not in fields:
        return Parsed(Cut("cut before 'train_step_timing in s'"))
    return Parsed(
        Step(
            iteration=step if step is not None else int(match[2]),
            seconds=seconds,
            batch=positive(fields.get("global_batch_size")),
            consumed_samples=number(fields.get("consumed_samples")),
            loss=fields.get("reduced_train_loss"),
            epoch=float(match[1]),
            tflops=positive(fields.get("TFLOPS_per_GPU") or fields.get("tflops_per_sec_per_gpu")),
        )
    )


_ARGUMENT = re.compile(r"^\W*(?:\d+:)?\s*(\w+) \.{3,} (\S+)")
_ARGUMENTS = {
    "seq_length": "sequence",
    "global_batch_size": "batch",
    "world_size": "devices",
    "num_layers": "layers",
    "hidden_size": "hidden",
}
_WORLD = re.compile(r"using world size: (\d+)")
_TOTAL_PARAMETERS = re.compile(r"Total number of parameters in billions:\s*([\d.]+)")


def settings(text: str) -> Iterator[Setting]:
    """Arguments that Megatron dumps as `name ..... value`."""
    if " ..." in text and (match := _ARGUMENT.search(text)) and (name := _ARGUMENTS.get(match[1])):
        if value := positive(match[2]):
            yield Setting(name, value)
    elif match := _WORLD.search(text):
        yield Setting("devices", float(match[1]))
    elif match := _TOTAL_PARAMETERS.search(text):
        yield Setting("parameters", float(match[1]) * 1e9)


# The lines of a long run are alike, so a block of them is taken with one expression (no backtracking: every part is
# possessive). Whatever it does not match comes out whole in the last group and goes the slow way.
_REGULAR = re.compile(
    r"^( *+(?:\d++: *+)?(?:\[[^\]\n]*+\]:?)? *+)iteration +(\d++)/ *(\d++) \| consumed samples: +(\d++) \|"
    r"(?: consumed tokens: +(\d++) \|)? elapsed time per iteration \((m?)s\): ([\d.]++) \|"
    r"(?: throughput per GPU \(TFLOP/s/GPU\): ([\d.]++) \|)? learning rate: [^|\n]*+\| global batch size: +(\d++) \|"
    r"(?: lm loss: ([-+.\dE]++) \|)?(?:(?! number of nan)[^|\n]*+\|)*+ number of nan iterations: +\d++ \|"
    r"(?: samples per second: ([\d.]++) \| TFLOPs: ([\d.]++) \|)?$|^([^\n]*+)$",
    re.MULTILINE,
)
_TIMERS = "time (ms) |"


def regular(text: str) -> list[tuple[str, ...]]:
    """Each line of a block as the groups of a regular step line, or as the last group alone."""
    rows = _REGULAR.findall(text)
    if text.endswith("\n"):
        rows.pop()  # what the expression finds behind the last line break is no line
    return rows


def stretches(rows: list[tuple[str, ...]], shortest: int) -> Iterator[tuple[int, int, bool]]:
    """Split the rows of a block into (first, end, regular); timer lines between regular ones do not break a stretch."""
    start = 0
    breaks = [i for i, row in enumerate(rows) if not row[1] and row[-1] and not row[-1].startswith(_TIMERS)]
    for at in (*breaks, len(rows)):
        if at - start >= shortest:
            yield start, at, True
        elif at > start:
            yield start, at, False
        if at < len(rows):
            yield at, at + 1, False
        start = at + 1


class Ends(NamedTuple):
    """A count at the first and the last of many steps; None where the lines do not hold it."""

    first: float | None
    last: float | None


@dataclass(frozen=True, slots=True)
class Steps:
    """Columns of regular step lines; NaN where a line does not hold the figure."""

    offset: Floats  # lines from the first of the block
    iteration: Floats
    seconds: Floats
    batch: Floats
    samples_rate: Floats
    tflops: Floats
    totals: frozenset[str]
    consumed_samples: Ends
    consumed_tokens: Ends
    loss: tuple[str, ...]
    prefix: str  # of the last line


def columns(rows: list[tuple[str, ...]]) -> Steps:
    """Columns of the regular ones among rows."""
    kept = [row for row in rows if row[1]]
    offset = range(len(rows)) if len(kept) == len(rows) else [i for i, row in enumerate(rows) if row[1]]
    groups = list(zip(*kept, strict=True))
    per_line = groups[7] if groups[7][0] else groups[11]
    units = set(groups[5])
    scale = (1e-3 if units == {"m"} else 1.0) if len(units) == 1 else np.where(np.array(groups[5]) == "m", 1e-3, 1.0)
    return Steps(
        offset=np.array(offset, dtype=float),
        iteration=_floats(groups[1]),
        seconds=_floats(groups[6]) * scale,
        batch=_floats(groups[8]),
        samples_rate=_floats(groups[10]),
        tflops=_floats(per_line),
        totals=frozenset(groups[2]),
        consumed_samples=Ends(number(groups[3][0]), number(groups[3][-1])),
        consumed_tokens=Ends(number(groups[4][0]), number(groups[4][-1])),
        loss=groups[9],
        prefix=groups[0][-1],
    )


def _floats(texts: tuple[str, ...]) -> Floats:
    if texts[0] == texts[-1] and len(set(texts)) == 1:
        value = number(texts[0])
        return np.full(len(texts), np.nan if value is None else value)
    try:
        return np.fromiter(map(float, texts), dtype=float, count=len(texts))
    except ValueError:
        return np.array([np.nan if (value := number(text)) is None else value for text in texts])
