"""Progress bars of tqdm and Lightning: `5%|... | 3/62 [02:59<58:44, 0.02it/s, k=v]`, mojibake or not."""

import re

from simulator.evidence.messages import Parsed, Step
from simulator.evidence.scalars import duration, number, positive, whole

NAME = "progress"
TRIGGERS = ("%|",)
LOOKS_FOR = "progress bars of tqdm or Lightning"

_BAR = re.compile(
    r"(?:(?P<label>[A-Za-z][\w ./()-]{0,40}?)[:\s]*\s)?(?P<percent>\d{1,3})%\|[^|]{0,200}\|\s*"
    r"(?P<n>\d+)/(?P<total>\d+)\s*\[\s*(?P<elapsed>(?:\d+ days?, )?(?:\d+:)?\d+:\d+)<[^,\]]{1,30},?\s*"
    r"(?:(?P<rate>[\d.]+|\?)\s*(?P<unit>it/s|s/it|steps?/s|s/steps?))?(?P<post>[^\]]*)\]?"
)
_EPOCH = re.compile(r"Epoch\s+(\d+)")
_TRAINING = re.compile(r"^(?:epoch|train|step|iter|finetun|pretrain)", re.IGNORECASE)
_POST = re.compile(r"([\w. ]+?)=\s*([^,\]]+)")


def parse(text: str) -> Parsed | None:
    match = _BAR.search(text)
    if match is None:
        return None
    label = (match["label"] or "").strip()
    if label and not _TRAINING.match(label):
        return None
    n, total = int(match["n"]), int(match["total"])
    fields = {key.strip(): value.strip() for key, value in _POST.findall(match["post"] or "")}
    epoch = _EPOCH.search(label)
    rate = positive(match["rate"])
    return Parsed(
        Step(
            iteration=n + (int(epoch[1]) * total if epoch else 0),
            total=total,
            seconds=positive(fields.get("train_step_timing in s")) or _seconds(rate, match["unit"] or ""),
            samples_rate=positive(fields.get("throughput")),
            consumed_samples=number(fields.get("consumed_samples")),
            batch=positive(fields.get("global_batch_size")),
            loss=fields.get("reduced_train_loss") or fields.get("loss"),
            elapsed=duration(match["elapsed"]),
        ),
        text[match.end() :].strip(),
    )


def global_step(text: str) -> int | None:
    """Optimizer step in a bar's postfix; bars redrawn before the next step repeat its metrics."""
    match = re.search(r"global_step=\s*([\d.]+)", text)
    return whole(match[1]) if match else None


def _seconds(rate: float | None, unit: str) -> float | None:
    if rate is None:
        return None
    return rate if unit.startswith("s/") else 1 / rate
