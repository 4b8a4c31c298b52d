"""Steps of one framework in file order: which are new, which repeat, where a run went back or another one begins."""

from collections.abc import Iterator

from simulator.evidence.lines import Line
from simulator.evidence.megatron import Steps
from simulator.evidence.messages import Mark, Step
from simulator.evidence.run import REASONS, Run

SAME_MOMENT = 5.0  # s between the copies that several ranks print of one step
LATE = 8  # prints by which a rank may lag behind the first one


class Series:
    """The runs of one framework; `add` says whether a step is new."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self._starting = False
        self._disturbed = False
        self._resumed_at: int | None = None
        self._before: tuple[float, int] | None = None  # epoch and its own count of the step before
        self._offsets: dict[float, int] = {}  # steps before an epoch that counts its own

    def __bool__(self) -> bool:
        return bool(self.runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    @property
    def progress(self) -> int:
        """Steps seen, over all runs."""
        return sum(run.count for run in self.runs)

    def mark(self, mark: Mark) -> None:
        if mark.kind in REASONS:
            if self.runs:
                self.runs[-1].mark(REASONS.index(mark.kind))
            return
        self._starting = True
        if mark.iteration is not None:
            self._resumed_at = mark.iteration

    def disturb(self) -> None:
        """A fault was printed: if the step falls behind the next time, it is a restart and no copy."""
        self._disturbed = True

    def expects(self, iteration: int) -> bool:
        return bool(self.runs) and not self._starting and self.runs[-1].expects(iteration)

    def extend(self, number: int, steps: Steps, rank: str | None, clock: float | None) -> bool:
        """Take many steps at once, if they simply go on."""
        if self._starting or not self.runs[-1].follows(steps):
            return False
        self.runs[-1].extend(number, steps, rank, clock)
        return True

    def add(self, line: Line, step: Step, rank: str | None = None, clock: float | None = None) -> bool:
        """Take a step; False when it repeats one that was seen (another rank's print, a line twice in the file)."""
        run = self.runs[-1] if self.runs else None
        if step.epoch is not None and step.iteration is not None:
            step = step._replace(iteration=self._counted_on(step.epoch, step.iteration, step.total))
        if run is None:
            return self._begin_run(line, step, rank, clock)
        iteration = step.iteration
        if iteration is None:
            if run.last and (run.last.loss, run.last.elapsed) == (step.loss, step.elapsed):
                run.copies += 1
                return False
            if run.last and step.epoch is not None and run.last.epoch is not None and step.epoch < run.last.epoch:
                run.restarts += 1  # without step numbers nothing says how much was lost
                run.restart_lines.append(line.number)
                run.begin_segment(step, after_restart=True)
            run.append(line, step, rank, clock)
            return True
        if iteration > run.highest:
            if self._starting:
                self._restart(run, line, step, clock)
            run.append(line, step, rank, clock)
            self._settle()
            return True
        if self._is_copy(run, step, rank, clock):
            run.copies += 1
            return False
        if self._is_other_run(run, step, clock):
            return self._begin_run(line, step, rank, clock)
        self._restart(run, line, step, clock)
        run.append(line, step, rank, clock)
        self._settle()
        return True

    def _counted_on(self, epoch: float, iteration: int, total: int | None) -> int:
        """The step of the run, where each epoch counts its own: a later epoch with a lower count goes on."""
        if self._before is not None and epoch > self._before[0] and iteration < self._before[1]:
            run, before = self.runs[-1], self._offsets.get(self._before[0], 0)
            counted = run.highest + (0 if iteration else max(run.interval, 1))  # from 1, or from 0
            self._offsets.setdefault(epoch, max(counted, before + (total or 0)))
        self._before = (epoch, iteration)
        return iteration + self._offsets.get(epoch, 0)

    def _settle(self) -> None:
        self._starting, self._disturbed, self._resumed_at = False, False, None

    def _begin_run(self, line: Line, step: Step, rank: str | None, clock: float | None) -> bool:
        run = Run(len(self.runs) + 1, line, step)
        run.begin_segment(step, after_restart=self._resumed_at is not None)
        run.append(line, step, rank, clock)
        self.runs.append(run)
        self._settle()
        return True

    def _is_copy(self, run: Run, step: Step, rank: str | None, clock: float | None) -> bool:
        """Whether a step that was seen before is printed again, or done again.

        Another rank prints it at the same moment or a few steps later; the same line twice has the same figures; a step
        done again has the same loss perhaps, but another time.
        """
        assert step.iteration is not None
        first = run.seen.get(step.iteration)
        if first is None:
            return False
        exact = first.loss == step.loss and first.seconds == step.seconds and first.rate == step.tokens_rate
        if clock is not None and first.clock is not None:
            another = rank != first.rank or first.loss == step.loss or step.iteration == run.highest
            return abs(clock - first.clock) <= SAME_MOMENT and another
        if exact or self._starting:
            return exact
        late = run.highest - step.iteration
        if self._disturbed:
            return late == 0
        # Ranks have their own rates but share the time of a step, so a step with another time is done again.
        own_rate = step.seconds is None and first.loss == step.loss
        return late == 0 or (late <= LATE * max(run.interval, 1) and (rank != first.rank or own_rate))

    def _is_other_run(self, run: Run, step: Step, clock: float | None) -> bool:
        if step.total is not None and run.total is not None and step.total != run.total:
            return True
        if clock is not None and run.clock is not None and clock < run.clock - 1:
            return True
        # A job that starts from the beginning again, where nothing says that it resumed, and had not just begun.
        return step.batch is not None and run.batch is not None and run.first_step.batch == run.batch != step.batch

    def _restart(self, run: Run, line: Line, step: Step, clock: float | None) -> None:
        assert step.iteration is not None
        before = max(step.iteration - max(run.interval, 1), 0)
        resumed = self._resumed_at if self._resumed_at is not None else before
        lost = max(run.highest - resumed, 0)
        run.restarts += 1
        run.lost_steps += lost
        run.restart_lines.append(line.number)
        if clock is not None and run.clock is not None and clock > run.clock:
            run.gap_seconds += clock - run.clock
        run.seen.forget(step.iteration)
        run.highest = min(run.highest, before)
        run.begin_segment(step, after_restart=True)
