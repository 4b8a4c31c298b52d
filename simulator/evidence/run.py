"""One training job in a log: its printed steps in columns, its restarts, its own arithmetic checked."""

from array import array
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.evidence.lines import Line
from simulator.evidence.megatron import Steps
from simulator.evidence.messages import Step

Floats = NDArray[np.float64]

KEPT = 1 << 20  # records of a run kept for its statistics; beyond, every second, then every fourth, ...
REMEMBERED = 4096  # steps whose copies are recognised
COARSE = 5.0  # s; clocks that tick in seconds say nothing about shorter spans

REASONS = ("", "checkpoint", "evaluation", "profiler")


class Segment(NamedTuple):
    """A stretch of steps between two restarts."""

    first: int
    after_restart: bool


class Seen(NamedTuple):
    """Who printed a step first."""

    loss: str | None
    rank: str | None
    clock: float | None
    seconds: float | None
    rate: float | None


class Recent:
    """Who printed the last few thousand steps first."""

    def __init__(self) -> None:
        self._seen: dict[int, Seen] = {}
        self._bulk: list[
            tuple[Floats, Floats, Sequence[str], str | None]
        ] = []  # not looked into before a step comes twice

    def add(self, iteration: int, seen: Seen) -> None:
        self._seen[iteration] = seen
        if len(self._seen) > 2 * REMEMBERED:
            self._seen = dict(list(self._seen.items())[-REMEMBERED:])

    def extend(self, iterations: Floats, seconds: Floats, losses: Sequence[str], rank: str | None) -> None:
        self._bulk.append((iterations, seconds, losses, rank))
        while sum(each[0].size for each in self._bulk[1:]) > REMEMBERED:
            del self._bulk[0]

    def get(self, iteration: int) -> Seen | None:
        self._unfold()
        return self._seen.get(iteration)

    def forget(self, iteration: int) -> None:
        """A restart makes the steps from this one on again."""
        self._unfold()
        self._seen = {at: seen for at, seen in self._seen.items() if at < iteration}

    def _unfold(self) -> None:
        for *columns, rank in self._bulk:
            for at, seconds, loss in zip(*columns, strict=True):
                self.add(int(at), Seen(loss or None, rank, None, float(seconds), None))
        self._bulk.clear()


class Run:
    """One training job in the file, possibly restarted; columns hold one row a printed step."""

    COLUMNS = (
        "iteration",
        "seconds",
        "tokens_rate",
        "samples_rate",
        "tflops",
        "batch",
        "line",
        "reason",
        "segment",
        "place",
    )

    def __init__(self, number: int, line: Line, step: Step) -> None:
        self.number = number
        self.settings: dict[str, float] = {}
        self.total, self.batch, self.per = step.total, step.batch, step.per
        self.lines = (line.number, line.number)
        self.columns = {name: array("d") for name in self.COLUMNS}
        self.count = self.copies = self.restarts = self.lost_steps = self.losses = self.nan_losses = 0
        self.gap_seconds = 0.0
        self.restart_lines: list[int] = []
        self.segments: list[Segment] = []
        self.seen = Recent()
        self.highest = self.interval = self._advance = 0
        self.top = -1  # highest step ever seen
        self.again = 0  # steps printed once more after a restart
        self.first_clock: float | None = None
        self.clock: float | None = None
        self.memory_bytes: float | None = None
        self.peak_tflops: float | None = None
        self.capacity_bytes: float | None = None
        self.sequence: float | None = None
        self.printed_seconds: float | None = None  # a bar's own smoothed rate, for want of a second bar
        self.learning_rates: list[tuple[int, float]] = []  # of the first, second and last record
        self.batch_mismatches = 0
        self.rate_mismatches = 0
        self.first_step = step
        self.last: Step | None = None
        self._anchor: tuple[int, float] | None = None
        self._fed: tuple[float, float] | None = None  # tokens seen, and when
        self.counted_tokens = False  # the rate of tokens follows from them
        self._mfu = 0.0
        self._stride = 1
        self._reason = 0
        self._place = 0

    def column(self, name: str) -> Floats:
        return np.frombuffer(self.columns[name], dtype=np.float64) if self.columns[name] else np.empty(0)

    def mark(self, reason: int) -> None:
        self._reason = max(self._reason, reason)

    def begin_segment(self, step: Step, after_restart: bool) -> None:
        self.segments.append(Segment(step.iteration or 0, after_restart))
        self._anchor, self._fed, self._place, self._reason = None, None, 0, 0

    def append(self, line: Line, step: Step, rank: str | None, clock: float | None) -> None:
        iteration = step.iteration if step.iteration is not None else self.count + 1
        if self._place:
            advance = iteration - self.highest
            # A gap seen once may be an elision; seen twice running it is how often the framework prints.
            # The first one after a start is often short: step 1, then every tenth.
            if not self.interval or (advance < self.interval and self._place > 1) or advance == self._advance:
                self.interval = advance
            self._advance = advance
        self._check(step)
        self._observe(step)
        if step.consumed_tokens is not None and step.consumed_samples is None and step.tokens_rate is None:
            step = step._replace(tokens_rate=self._consumption(step.consumed_tokens, step.elapsed or clock))
            self.counted_tokens |= step.tokens_rate is not None
        seconds = self._seconds(step, iteration, clock)
        self._store(line, step, iteration, seconds)
        if step.iteration is not None:
            self.seen.add(iteration, Seen(step.loss, rank, clock, step.seconds, step.tokens_rate))
        self.highest = max(self.highest, iteration)
        self.again += iteration <= self.top
        self.top = max(self.top, iteration)
        self.count += 1
        self.lines = (self.lines[0], line.number + line.span - 1)
        self.clock = clock if clock is not None else self.clock
        if self.first_clock is None:
            self.first_clock = clock
        self.last, self._reason, self._place = step, 0, self._place + 1

    def extend(self, number: int, steps: Steps, rank: str | None, clock: float | None) -> None:
        """Append steps that follow each other, one interval apart, with nothing between them."""
        size = steps.iteration.size
        rows = {
            "iteration": steps.iteration,
            "seconds": steps.seconds,
            "tokens_rate": np.full(size, np.nan),
            "samples_rate": steps.samples_rate,
            "tflops": steps.tflops,
            "batch": steps.batch,
            "line": steps.offset + number,
            "reason": np.zeros(size),
            "segment": np.full(size, len(self.segments) - 1.0),
            "place": np.arange(self._place, self._place + size, dtype=float),
        }
        keep = (self.count + np.arange(size)) % self._stride == 0
        for name, values in rows.items():
            self.columns[name].frombytes(values[keep].tobytes())
        if len(self.columns["line"]) >= KEPT:
            self._thin()
        with np.errstate(invalid="ignore", divide="ignore"):
            self.rate_mismatches += int((abs(steps.samples_rate * steps.seconds / steps.batch - 1) > 0.02).sum())
        samples, tokens = steps.consumed_samples, steps.consumed_tokens
        if samples.first and samples.last and samples.last > samples.first:
            between = samples.last - samples.first
            self.batch_mismatches += bool(abs(between / (self.interval * steps.batch[1:].sum()) - 1) > 0.001)
            if tokens.first and tokens.last:
                self.sequence = (tokens.last - tokens.first) / between
        self.losses += size if steps.loss[0] else 0
        kept = slice(-REMEMBERED, None)
        self.seen.extend(steps.iteration[kept], steps.seconds[kept], steps.loss[kept], rank)
        self.highest = int(steps.iteration[-1])
        self.again += int((steps.iteration <= self.top).sum())
        self.top = max(self.top, self.highest)
        self.count += size
        self._place += size
        self.lines = (self.lines[0], number + int(steps.offset[-1]))
        self.clock = clock if clock is not None else self.clock
        self.last = Step(
            iteration=self.highest,
            total=self.total,
            batch=float(steps.batch[-1]),
            consumed_samples=samples.last,
            consumed_tokens=tokens.last,
            loss=steps.loss[-1] or None,
        )

    def expects(self, iteration: int) -> bool:
        """Whether the run is well under way, unmarked, and this is its next step."""
        under_way = self.interval > 0 and self._place > 10 and not self._reason
        return under_way and iteration == self.highest + self.interval

    def follows(self, steps: Steps) -> bool:
        """Whether the steps go on where this run stands, without a gap or a change."""
        return bool(
            self.expects(int(steps.iteration[0]))
            and (np.diff(steps.iteration) == self.interval).all()
            and steps.totals == {str(self.total)}
        )

    def _store(self, line: Line, step: Step, iteration: int, seconds: float | None) -> None:
        if self._stride > 1 and not self._reason and self._place > 10 and self.count % self._stride:
            return
        row = (iteration, seconds, step.tokens_rate, step.samples_rate, step.tflops, step.batch)
        for column, value in zip(self.columns.values(), row, strict=False):
            column.append(np.nan if value is None else value)
        for name, number in (("line", line.number), ("reason", self._reason), ("place", self._place)):
            self.columns[name].append(number)
        self.columns["segment"].append(len(self.segments) - 1)
        if len(self.columns["line"]) >= KEPT:
            self._thin()

    def _thin(self) -> None:
        self._stride *= 2
        kept = self.column("line").size
        keep = (self.column("reason") > 0) | (self.column("place") <= 10) | (np.arange(kept) % 2 == 0)
        self.columns = {name: array("d", self.column(name)[keep].tobytes()) for name in self.COLUMNS}

    def _seconds(self, step: Step, iteration: int, clock: float | None) -> float | None:
        """Printed, or from the time between two prints; coarse clocks are read over spans they can resolve."""
        now = step.elapsed if step.elapsed is not None else clock
        if now is None or step.iteration is None or (step.seconds is not None and step.elapsed is None):
            return step.seconds
        if self._anchor is None:
            self._anchor = (iteration, now)
            self.printed_seconds = step.seconds
            return step.elapsed / iteration if step.elapsed and iteration else step.seconds
        then, before = self._anchor
        coarse = now == int(now) and before == int(before)
        if now - before < (COARSE if coarse else 1e-3) or iteration <= then:
            if now < before:
                self._anchor = (iteration, now)
            return None
        self._anchor = (iteration, now)
        return (now - before) / (iteration - then)

    def _consumption(self, tokens: float, now: float | None) -> float | None:
        """Tokens a second since the last print that the clock can resolve."""
        if now is None:
            return None
        then, before = self._fed or (tokens, now)
        coarse = now == int(now) and before == int(before)
        if self._fed and tokens > then and 0 <= now - before < (COARSE if coarse else 1e-3):
            return None
        self._fed = (tokens, now)
        return (tokens - then) / (now - before) if tokens > then and now > before else None

    def _observe(self, step: Step) -> None:
        if step.loss is not None:
            self.losses += 1
            self.nan_losses += step.loss.lower().startswith(("nan", "-nan"))
        if step.learning_rate is not None:
            del self.learning_rates[2:]
            self.learning_rates.append((self.count, step.learning_rate))
        if step.memory_bytes:
            self.memory_bytes = max(self.memory_bytes or 0.0, step.memory_bytes)
            if step.memory_share:
                self.capacity_bytes = step.memory_bytes / step.memory_share
        if step.mfu and step.tflops:
            # The largest share has the most digits.
            self.peak_tflops = step.tflops / step.mfu if step.mfu > self._mfu else self.peak_tflops
            self._mfu = max(self._mfu, step.mfu)

    def _check(self, step: Step) -> None:
        """The log's own arithmetic: samples consumed against batch, printed rates against batch over time."""
        if step.batch and step.seconds and step.samples_rate:
            self.rate_mismatches += abs(step.samples_rate * step.seconds / step.batch - 1) > 0.02
        last = self.last
        if step.consumed_samples and step.consumed_tokens:
            samples, tokens = step.consumed_samples, step.consumed_tokens
            if last and last.consumed_samples and last.consumed_tokens and samples > last.consumed_samples:
                samples, tokens = samples - last.consumed_samples, tokens - last.consumed_tokens
            self.sequence = tokens / samples
        if last and last.consumed_samples and step.consumed_samples and step.batch and last.batch == step.batch:
            steps = (step.iteration or 0) - (last.iteration or 0)
            samples = step.consumed_samples - last.consumed_samples
            self.batch_mismatches += steps > 0 and samples > 0 and abs(samples / (steps * step.batch) - 1) > 0.001
