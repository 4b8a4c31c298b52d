"""What the title of a metric's column (or of a key) tells: which quantity, in which unit, of how many devices."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from simulator.evidence.messages import Per

_DEVICE = r"(?:gpu|device|core|rank|chip|accelerator)"
_INSTANCE = r"(?:node|host|instance|machine)"
_PER_SECOND = (  # "tokens_per_gpu_per_s", "tokens/sec", "tokens_sec", "tokens/train_per_sec"; "tokens" alone is a count
    rf"(?:[ _/-]train)?(?:[ _-]*(?:per|/)[ _-]*(?:{_DEVICE}|{_INSTANCE}))?"
    r"(?:[ _-]*(?:per|/)[ _-]*s(?:ec(?:ond)?s?)?|[ _-]+s(?:ec(?:ond)?s?)?)(?![a-z])"
)
_THOUSANDS = r"(?:(?<![a-z])(?P<prefix>k|kilo|m|mega|million)[ _-]?)?"
_KINDS = {
    "tokens_per_second": re.compile(rf"{_THOUSANDS}tok(?:en)?s?{_PER_SECOND}|(?<![a-z])(?:tps|wps|tgs)(?![a-z])"),
    "samples_per_second": re.compile(rf"{_THOUSANDS}(?:samples?|seq(?:uence)?s?|examples?){_PER_SECOND}"),
    "tflops_per_device": re.compile(r"tflops?"),
    "step_seconds": re.compile(
        r"(?:step|iter(?:ation)?|batch)[ _/-]*(?:time|seconds|duration)|time[ _/-]*per[ _/-]*(?:step|iter)"
        r"|(?<![a-z])s(?:ec(?:onds?)?)?[ _-]*(?:per|/)[ _-]*(?:step|it)|train_step_timing"
    ),
}
_UNITS = (  # of a duration, in seconds
    (1e-3, re.compile(r"(?<![a-z])(?:ms|msecs?)(?![a-z])|millisec")),
    (1e-6, re.compile(r"(?<![a-z])(?:us|usecs?)(?![a-z])|µs|microsec")),
    (60.0, re.compile(r"[(\[]mins?[)\]]|minutes?")),  # "step_time_min" is the least
    (3600.0, re.compile(r"(?<![a-z])(?:hrs?|hours?)(?![a-z])")),
)
BOUNDS = ("__MIN", "__MAX")  # W&B, beside the mean of what it sampled
RATES = ("tokens_per_second", "samples_per_second")
FACTORS = {"k": 1e3, "kilo": 1e3, "m": 1e6, "mega": 1e6, "million": 1e6}
_PER_DEVICE = re.compile(rf"(?:per|/)[ _/-]?{_DEVICE}|device|(?<![a-z])tgs(?![a-z])")
_PER_INSTANCE = re.compile(rf"(?:per|/)[ _/-]?{_INSTANCE}(?![a-z])")
_EVALUATION = re.compile(
    r"(?<![a-z])(?:eval|evaluation|val|valid|validation|test|inference|generate|generation)(?![a-z])"
)
# A spread, an extreme, a sum or a goal of the quantity, or a part of the step: none is the quantity itself.
_NOT_ITSELF = re.compile(
    r"(?<![a-z])(?:std|stdev|stddev|var|min|max|p\d\d?|peak|promised|theoretical|target|ideal|total|sum|cum|cumulative"
    r"|delta|diff)(?![a-z])"
)
_PART = re.compile(
    r"(?<![a-z])(?:opt|optim|optimizer|inner|forward|backward|fwd|bwd|fw|bw|data|dataload(?:er|ing)?|load(?:er|ing)?"
    r"|comm|communication|allreduce|reduce|clip|grads?|ckpt|checkpoint|save|h2d|copy|params?|wait|idle|micro)(?![a-z])"
)


_NEAREST: tuple[Per, ...] = ("device", "instance", "job")


@dataclass(frozen=True, slots=True)
class Column:
    """A column that bears on a quantity, and the run it belongs to."""

    index: int
    quantity: str
    run: str
    name: str
    scale: float
    per: Per


def column(index: int, title: str) -> Column | None:
    """What a column's title tells of it, or None."""
    if title.endswith(BOUNDS):
        return None
    run, dash, metric = title.rpartition(" - ")
    name = (metric if dash else title).strip()
    lower = name.lower()
    if _EVALUATION.search(lower):
        return None
    for quantity, pattern in _KINDS.items():
        if found := pattern.search(lower):
            return (
                Column(index, quantity, run, name, scale, _per(lower)) if (scale := _scale(quantity, found)) else None
            )
    return None


def _scale(quantity: str, found: re.Match[str]) -> float | None:
    """What turns the column's figures into the quantity's unit; None where they are not that quantity."""
    lower = found.string
    beside = lower[: found.start()] + lower[found.end() :]
    if quantity == "step_seconds":
        if _NOT_ITSELF.search(re.sub(r"[(\[]mins?[)\]]", "", beside)) or _PART.search(beside):
            return None
        return next((scale for scale, unit in _UNITS if unit.search(lower)), 1.0)
    if _NOT_ITSELF.search(
        re.sub(r"(?<![a-z])total(?![a-z])", "", beside) if quantity != "tflops_per_device" else beside
    ):
        return None
    return FACTORS.get(found.groupdict().get("prefix") or "", 1.0)


def _per(lower: str) -> Per:
    return "device" if _PER_DEVICE.search(lower) else "instance" if _PER_INSTANCE.search(lower) else "job"


def chosen(columns: Iterable[Column]) -> tuple[list[Column], list[Column]]:
    """One column a quantity and run, and those left out; rates of one run are all per device, instance or job.

    Where a table holds a rate twice, per device and of the job, the one per device needs no count to be compared.
    """
    taken: dict[tuple[str, str], Column] = {}
    per: dict[str, Per] = {}
    left = []
    order = {quantity: place for place, quantity in enumerate(_KINDS)}
    for each in sorted(columns, key=lambda c: (order.get(c.quantity, 0), _NEAREST.index(c.per))):
        if (each.run, each.quantity) in taken or (
            each.quantity in RATES and per.setdefault(each.run, each.per) != each.per
        ):
            left.append(each)
        else:
            taken[each.run, each.quantity] = each
    return sorted(taken.values(), key=lambda c: c.index), left
