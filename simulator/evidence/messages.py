"""What a line of a log can say."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Per = Literal["device", "instance", "job"]


class Step(NamedTuple):
    """One optimizer step as printed, or the mean of the steps since the last print."""

    iteration: int | None = None
    total: int | None = None
    seconds: float | None = None  # of one step
    tokens_rate: float | None = None
    samples_rate: float | None = None
    tflops: float | None = None  # of one device
    batch: float | None = None  # samples a step, over all devices
    consumed_samples: float | None = None
    consumed_tokens: float | None = None
    loss: str | None = None  # as printed: with the iteration it tells a copy from a step done again
    mfu: float | None = None  # share, as printed; never a fact
    memory_bytes: float | None = None
    memory_share: float | None = None
    elapsed: float | None = None  # seconds since the run began, where printed
    epoch: float | None = None
    learning_rate: float | None = None
    per: Per = "job"  # what the rates are of


class Mark(NamedTuple):
    """Something beside training that may slow the next step, or begins a run."""

    kind: Literal["checkpoint", "evaluation", "profiler", "start", "resume"]
    iteration: int | None = None
    seconds: float | None = None


class Setting(NamedTuple):
    """An argument that a framework prints: `sequence`, `batch`, `devices`, `parameters`, `layers`, `hidden`, ..."""

    name: str
    value: float


class Summary(NamedTuple):
    """Totals that a framework prints at the end of a run, by its own names."""

    values: Mapping[str, float]


class Cut(NamedTuple):
    """A line that begins like a record and does not end like one; `partial` is what can be trusted of it."""

    reason: str
    partial: Step | None = None


Message = Step | Mark | Setting | Summary | Cut


class Parsed(NamedTuple):
    """A message, and what stands glued behind it on the line."""

    message: Message
    rest: str = ""
