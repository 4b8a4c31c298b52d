"""Progress bars over a whole log: which is training's, where one starts anew, what a redrawn one repeats."""

from dataclasses import dataclass, field

from simulator.evidence import progress
from simulator.evidence.lines import Line
from simulator.evidence.messages import Mark, Step
from simulator.evidence.series import Series

KEPT = 200  # bars of different lengths followed at once; further ones share one


@dataclass(slots=True)
class Bar:
    """Bars of one length: an epoch's, an evaluation's."""

    series: Series = field(default_factory=Series)
    ticks: int = 0  # of the last bar
    passes: int = 0  # bars that were filled before
    optimizer_step: int | None = None


class Bars:
    """All bars of a log, by their length."""

    def __init__(self) -> None:
        self._bars: dict[int, Bar] = {}

    def add(self, line: Line, step: Step, text: str, rank: str | None, clock: float | None) -> bool:
        """Whether the bar shows something new."""
        length = step.total or 0
        if length not in self._bars and len(self._bars) >= KEPT:
            length = -1
        bar = self._bars.setdefault(length, Bar())
        return bar.series.add(line, _fresh(bar, _continued(bar, step), text), rank, clock)

    def mark(self, mark: Mark) -> None:
        """A run began or was resumed."""
        for bar in self._bars.values():
            bar.series.mark(mark)

    def training(self) -> Series | None:
        """The bars that took the longest; short ones are evaluation or loading."""
        timed = [
            (run.last.elapsed or 0.0, length)
            for length, bar in self._bars.items()
            for run in bar.series.runs[-1:]
            if run.last is not None
        ]
        return self._bars[max(timed)[1]].series if timed else None


def _continued(bar: Bar, step: Step) -> Step:
    """A bar that was filled and begins anew is the next epoch, not a restart."""
    ticks, length = step.iteration or 0, step.total or 0
    if ticks > length:
        return step  # its label counts the epochs already
    if ticks < bar.ticks == length:
        bar.passes += 1
    bar.ticks = ticks
    return step._replace(iteration=ticks + bar.passes * length)


def _fresh(bar: Bar, step: Step, text: str) -> Step:
    """A bar is redrawn between optimizer steps with the metrics of the last one: they count once."""
    now = progress.global_step(text)
    stale = now is not None and now == bar.optimizer_step
    bar.optimizer_step = now
    return step._replace(samples_rate=None, loss=None) if stale else step
