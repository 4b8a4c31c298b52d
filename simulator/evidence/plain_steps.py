"""Small training loops and what is like them: nanochat, nanoGPT, llm.c, torchtune, MaxText, DeepSpeed's timer lines."""

import re

from simulator.evidence.messages import Cut, Parsed, Step
from simulator.evidence.metric_columns import FACTORS
from simulator.evidence.scalars import number, positive

NAME = "plain-steps"
TRIGGERS = ("step", "iter", "Step", "Iter")
LOOKS_FOR = "nanochat, nanoGPT, llm.c, torchtune, MaxText or DeepSpeed step lines"

_NUMBER = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_THOUSANDS = r"\s?([kKmM]?)"  # "12.3K tok/s"
_VALUE = rf"[:=\s]\s*{_NUMBER}"
_END = r"(?=[\s|,;()]|$)"
_HEAD = re.compile(r"(?<!\w)(?:step|iter|Step|Iter)s?:?\s+\[?(\d+)(?:/(\d+))?(?=[\s(:|,\]]|$)")
_EPOCH = re.compile(r"(?<!\w)epoch[:=]?\s+\[?(\d+)(?![\w.])", re.IGNORECASE)
_NOT_OF_STEP = "".join(
    rf"(?<!{word}[ _])" for word in ("total", "elapsed", "data", "load", "wall", "remaining", "eval")
)
_TIME = re.compile(
    rf"(?<!\w){_NOT_OF_STEP}(?:dt|time|(?:batch|iter|step)[ _]time|iter time \(s\)|seconds){_VALUE}\s*(ms|s|){_END}",
    re.IGNORECASE,
)
_BARE_TIME = re.compile(rf"\|\s*{_NUMBER}\s*(ms)\s*(?=\|)")
_PER_SECOND = r"tok(?:en)?s?[/_ ](?:per[/_ ])?s(?:ec(?:ond)?)?"
_DEVICE = r"(?:[/_ ](?:per[/_ ])?(?:gpu|device|chip|core))?"
_TOKENS = re.compile(
    rf"(?<!\w)((?:{_PER_SECOND}|tps){_DEVICE}){_VALUE}{_THOUSANDS}(?:\([\d,.]+/\w+\))?{_END}", re.IGNORECASE
)
_TOKENS_BEFORE = re.compile(rf"{_NUMBER}{_THOUSANDS} ?(?:{_PER_SECOND}){_END}", re.IGNORECASE)
_SAMPLES = re.compile(rf"samples/sec{_VALUE}{_END}", re.IGNORECASE)
_BOTH = re.compile(r"iter\s+\d+(?:/\d+)?\s+step\s+(\d+)", re.IGNORECASE)
_TFLOPS = re.compile(rf"TFLOPs?/s/(?:device|gpu|chip){_VALUE}{_END}", re.IGNORECASE)
_LOSS = re.compile(r"loss[:=]?\s*([-\d.eE+]+|nan|inf)(?=[\s|,]|$)", re.IGNORECASE)
_MFU = re.compile(r"mfu:?\s*([\d.]+)%?")
_DEEPSPEED = re.compile(r"global_step=(\d+), RunningAvgSamplesPerSec=[\d.]+, CurrSamplesPerSec=([\d.]+)")


def parse(text: str) -> Parsed | None:
    if match := _DEEPSPEED.search(text):
        return Parsed(Step(iteration=int(match[1]), samples_rate=positive(match[2])))
    head = _HEAD.search(text)
    if head is None or ("loss" not in text and "Loss" not in text):
        return None
    time = _TIME.search(text, head.end()) or _BARE_TIME.search(text, head.end())
    tokens, samples = _TOKENS.search(text, head.end()), _SAMPLES.search(text, head.end())
    before = None if tokens else _TOKENS_BEFORE.search(text, head.end())
    if not (time or tokens or before or samples):
        looks_cut = "|" in text and "loss:" in text
        return Parsed(Cut("cut before its time and rate")) if looks_cut else None
    value = positive(time[1]) if time else None
    part_of = _BOTH.search(text, head.start())  # litgpt: "iter 8 step 2", the time is of an iteration
    if part_of:
        head, value = part_of, None
    rate = (tokens[2], tokens[3]) if tokens else (before[1], before[2]) if before else (None, "")
    rate_, epoch = positive(rate[0]), _EPOCH.search(text, 0, head.start())
    mfu, loss, tflops = _MFU.search(text, head.end()), _LOSS.search(text, head.end()), _TFLOPS.search(text, head.end())
    share = number(mfu[1]) if mfu else None
    return Parsed(
        Step(
            iteration=int(head[1]),
            total=int(head[2]) if not part_of and head[2] else None,
            seconds=value / 1000 if value and time and time[2].lower() == "ms" else value,
            tokens_rate=rate_ * FACTORS.get(rate[1].lower(), 1.0) if rate_ else None,
            samples_rate=positive(samples[1]) if samples else None,
            tflops=positive(tflops[1]) if tflops else None,
            loss=loss[1] if loss else None,
            epoch=float(epoch[1]) if epoch else None,
            mfu=share / 100 if share else None,
            per="device" if tokens and re.search("gpu|device|chip|core", tokens[1], re.IGNORECASE) else "job",
        )
    )
