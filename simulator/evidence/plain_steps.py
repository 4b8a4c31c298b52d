"""Small training loops: nanochat, nanoGPT, llm.c, litgpt, and DeepSpeed's own timer lines."""

import re

from simulator.evidence.messages import Cut, Parsed, Step
from simulator.evidence.scalars import number, positive

NAME = "plain-steps"
TRIGGERS = ("step", "iter")
LOOKS_FOR = "nanochat, nanoGPT, llm.c or DeepSpeed step lines"

_HEAD = re.compile(r"(?<!\w)(?:step|iter)s?:?\s+(\d+)(?:/(\d+))?(?=[\s(:|,]|$)")
_TIME = re.compile(r"(?<!\w)(?:dt|time|iter time|iter time \(s\)|step time):?\s*([\d.,]+)\s*(ms|s|)(?=[\s|,(]|$)")
_BARE_TIME = re.compile(r"\|\s*([\d.,]+)\s*(ms)\s*(?=\|)")
_TOKENS = re.compile(r"(?:tok/sec|tok/s|tokens/s|tokens/sec|tokens_per_sec)[:=]?\s*([\d,.]+)(?=[\s|,]|$)")
_TOKENS_BEFORE = re.compile(r"([\d,.]+) (?:tok/s|tokens/s)(?=[\s|,]|$)")
_SAMPLES = re.compile(r"samples/sec:\s*([\d,.]+)(?=[\s|,]|$)")
_LOSS = re.compile(r"loss:?\s*([-\d.eE+]+|nan|inf)(?=[\s|,]|$)")
_MFU = re.compile(r"mfu:?\s*([\d.]+)%?")
_DEEPSPEED = re.compile(r"global_step=(\d+), RunningAvgSamplesPerSec=[\d.]+, CurrSamplesPerSec=([\d.]+)")


def parse(text: str) -> Parsed | None:
    if match := _DEEPSPEED.search(text):
        return Parsed(Step(iteration=int(match[1]), samples_rate=positive(match[2])))
    head = _HEAD.search(text)
    if head is None or "loss" not in text:
        return None
    time = _TIME.search(text, head.end()) or _BARE_TIME.search(text, head.end())
    tokens, samples = _TOKENS.search(text), _SAMPLES.search(text)
    tokens = tokens or _TOKENS_BEFORE.search(text, head.end())
    if not (time or tokens or samples):
        looks_cut = "|" in text and "loss:" in text
        return Parsed(Cut("cut before its time and rate")) if looks_cut else None
    value = positive(time[1]) if time else None
    milliseconds = time is not None and (time[2] == "ms" or "(ms)" in time[0])
    mfu, loss = _MFU.search(text, head.end()), _LOSS.search(text, head.end())
    share = number(mfu[1]) if mfu else None
    return Parsed(
        Step(
            iteration=int(head[1]),
            total=int(head[2]) if head[2] else None,
            seconds=value / 1000 if value and milliseconds else value,
            tokens_rate=positive(tokens[1]) if tokens else None,
            samples_rate=positive(samples[1]) if samples else None,
            loss=loss[1] if loss else None,
            mfu=share / 100 if share else None,
        )
    )
