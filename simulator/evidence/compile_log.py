"""Neuron compile logs: episodes of compiling, whoever printed them; hits, failures, and what never ended in the file.

An episode is one graph (`MODULE_hash+flags`) compiled once. All ranks and processes that wait for it or repeat its
lines belong to it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from simulator.evidence.compile_lines import Event, Kind
from simulator.evidence.lines import Line
from simulator.evidence.reading import Fact

DOT_SECONDS = 20.0  # neuronx-cc prints a dot every 20 s; a lone dot comes at once (a compile of 7 s prints one)
SAME_EPISODE = 60.0  # s in which the other ranks pick up a graph that one of them compiled or found


@dataclass(slots=True)
class Episode:
    """One graph being compiled, from the first line that shows it."""

    module: str | None
    line: int
    last: int
    start: float | None
    bracketed: bool = False  # no start line: counted from the time stamp before
    pids: set[str] = field(default_factory=set)
    dots: int = 0
    passed: int = 0
    end: float | None = None
    failed: bool = False
    ended: bool = False
    exit: str | None = None
    late: bool = False  # no end line: the time stamp after

    def minutes(self) -> tuple[float | None, bool, str]:
        """Value, whether it is only a lower bound, and how it was found."""
        dots = DOT_SECONDS * self.dots / 60 if self.dots > 1 else 0.0
        if self.start is not None and self.end is not None and self.ended:
            how = "start to end line"
            if self.bracketed or self.late:
                how = "at most: between the time stamps around it, it has no start or end line of its own"
            return max(self.end - self.start, 0.0) / 60, False, how
        if self.ended and self.dots < 2:
            return None, False, ""
        seen = (self.end - self.start) / 60 if self.end is not None and self.start is not None else 0.0
        basis = "at least: no end in the file" if not self.ended else "at least: no time stamps around it"
        if dots >= seen and dots:
            basis += f"; {self.dots} dots of {DOT_SECONDS:g} s"
        elif seen:
            basis += "; until the last time stamp"
        return max(dots, seen, 0.0), True, basis


class Episodes:
    """Collects compile events in file order; every method says whether the line told something new."""

    def __init__(self) -> None:
        self.done: list[Episode] = []
        self.open: list[Episode] = []
        self.missed: list[str] = []
        self.hits: dict[str, tuple[float | None, int]] = {}
        self.hit_lines: list[int] = []
        self.cached_failures: set[str] = set()
        self._wrapper = False
        self.trial = False
        self.trials = 0
        self.clock: float | None = None
        self._lines: list[int] = []
        self._last_kind: Kind | None = None
        self._dotted: Episode | None = None  # dots that no start line announced
        self._awaiting: list[Episode] = []  # passed, waiting for the next time stamp to bound their end

    def __bool__(self) -> bool:
        return bool(self.done or self.open or self.hit_lines or self._lines)

    def tick(self, clock: float) -> None:
        """Any time stamp in the log bounds what has no time of its own."""
        for episode in self._awaiting:
            if episode.end is None:
                episode.end, episode.late = clock, True
        self._awaiting.clear()
        self.clock = clock

    def progress(self) -> None:
        """A training step was made: what the compiler says next belongs to another graph."""
        self._last_kind = None

    def add(self, line: Line, event: Event, clock: float | None) -> bool | None:
        """True: something new; False: another rank's or a second line of it; None: nothing by itself."""
        before = self.clock
        if clock is not None and event.kind is not Kind.END:
            self.tick(clock)
        now = clock if clock is not None else self.clock
        new = self._take(line, event, now if event.kind is not Kind.DOTS else before, clock is None)
        if clock is not None and event.kind is Kind.END:
            self.tick(clock)
        self._last_kind = event.kind
        if new and event.kind is not Kind.DOTS:
            self._lines.append(line.number)
            del self._lines[1:-1]
        return new

    def _take(self, line: Line, event: Event, now: float | None, timeless: bool) -> bool | None:
        match event.kind:
            case Kind.START:
                return self._start(line, event, now)
            case Kind.MISS:
                return self._miss(event)
            case Kind.DOTS:
                return self._dots(line, event, now)
            case Kind.PASS:
                return self._pass(line, now)
            case Kind.END:
                return self._end(line, event, now, timeless)
            case Kind.HIT:
                return self._hit(line, event, now)
            case Kind.FAILURE:
                return self._fail(line, event, now)
            case Kind.CACHED_FAILURE:
                return self._cached_failure(event)
            case Kind.TRIAL_BEGIN | Kind.TRIAL_GRAPH:
                self.trials += not self.trial
                new, self.trial = not self.trial, True
                return new
            case Kind.TRIAL_END:
                was, self.trial = self.trial, False
                return was
            case Kind.CUT | Kind.WAIT | Kind.OTHER:
                self._wrapper = True
        return None

    def _start(self, line: Line, event: Event, now: float | None) -> bool:
        module = event.module or (self.missed.pop(0) if self.missed else None)
        if module in self.missed:
            self.missed.remove(module)
        for episode in self.open:
            if episode.module == module and module is not None:
                episode.last = line.number
                episode.pids |= {event.pid} if event.pid else set()
                return False
            if event.module is None and event.pid in episode.pids:
                return False
        for episode in reversed(self.done):
            if module is not None and episode.module == module and self._same_time(episode.end, now, 0.0):
                return False
        self.open.append(Episode(module, line.number, line.number, now, pids={event.pid} if event.pid else set()))
        return True

    @staticmethod
    def _same_time(then: float | None, now: float | None, within: float) -> bool:
        return then is not None and now is not None and now <= then + within

    def _miss(self, event: Event) -> bool:
        module = event.module
        if module is None or module in self.missed or any(each.module == module for each in self.open):
            return False
        self.missed.append(module)
        return True

    def _dots(self, line: Line, event: Event, before: float | None) -> bool | None:
        """Dots belong to the graph being compiled; before any start line they wait for what follows."""
        waiting = [each for each in self.open if not each.passed]
        if waiting:
            waiting[0].dots += event.dots
            waiting[0].last = line.number
            return True
        if self._dotted is None:
            self._dotted = Episode(None, line.number, line.number, before, bracketed=True)
        self._dotted.dots += event.dots
        self._dotted.last = line.number
        return None

    def _without_start(self, line: Line, now: float | None, module: str | None = None) -> Episode:
        """An episode whose start line is not in the file: it began with its dots, or after the last time stamp."""
        episode, self._dotted = self._dotted or Episode(None, line.number, line.number, now, bracketed=True), None
        episode.module = module
        self.open.append(episode)
        return episode

    def _pass(self, line: Line, now: float | None) -> bool:
        for episode in self.open:
            if not episode.passed and self._dotted is None:
                episode.passed, episode.last = 1, line.number
                self._awaiting.append(episode)
                return True
        if self._last_kind is Kind.PASS:
            return False
        episode = self._without_start(line, now)
        episode.passed = 1
        self._awaiting.append(episode)
        return True

    def _end(self, line: Line, event: Event, now: float | None, timeless: bool) -> bool | None:
        episode = self._ending(event)
        if episode is None:
            if self._repeats_end(event, now):
                return False
            if event.module is None and timeless and self._dotted is None:
                return None  # the tail of another line
            episode = self._without_start(line, self.clock, event.module)
        episode.module = episode.module or event.module
        episode.last, episode.end, episode.late = line.number, now, False
        self._finish(episode, now)
        return True

    def _ending(self, event: Event) -> Episode | None:
        """The open episode that an end line means: by graph, by process, by having passed, else the oldest."""
        if event.module:
            named = [each for each in self.open if each.module == event.module]
            unnamed = [each for each in self.open if each.module is None]
            return next(iter(named + unnamed), None)
        by_pid = [each for each in self.open if event.pid in each.pids]
        passed = [each for each in self.open if each.passed]
        return next(iter(by_pid + passed + self.open), None)

    def _repeats_end(self, event: Event, now: float | None) -> bool:
        if event.module:
            return any(
                each.module == event.module and (now is None or each.end is None or now - each.end <= SAME_EPISODE)
                for each in self.done
            )
        return bool(self.done) and self._last_kind in (Kind.END, Kind.HIT, Kind.PASS)

    def _hit(self, line: Line, event: Event, now: float | None) -> bool:
        assert event.module is not None
        module = event.module
        for episode in [each for each in self.open if each.module == module]:
            self._finish(episode, now)
        for episode in self.done:
            if episode.module == module and (now is None or self._same_time(episode.end, now, SAME_EPISODE)):
                return False
        last = self.hits.get(module)
        self.hits[module] = (now, line.number)
        if last is not None and (now is None or last[0] is None or now - last[0] <= SAME_EPISODE):
            return False
        self.hit_lines.append(line.number)
        return True

    def _fail(self, line: Line, event: Event, now: float | None) -> bool:
        known = any(each.failed and event.module in (None, each.module) for each in self.done)
        going_on = any(each.module == event.module for each in self.open)
        if known and not going_on and (event.module is not None or self._last_kind is Kind.FAILURE):
            return False
        episode = next((each for each in self.open if each.module == event.module), None)
        if episode is None and event.module is None and self.open:
            episode = self.open[0]
        if episode is None:
            episode = Episode(event.module, line.number, line.number, None)
            self.open.append(episode)
        episode.failed, episode.last, episode.exit = True, line.number, event.exit
        if event.exit is None or now is None:
            self._awaiting.append(episode)
        self._finish(episode, now)
        return True

    def _cached_failure(self, event: Event) -> bool:
        """A graph that failed before this file; every rank finds it, and again after each restart."""
        module = event.module or ""
        if module in self.cached_failures or any(each.failed and each.module == module for each in self.done):
            return False
        self.cached_failures.add(module)
        return True

    def _finish(self, episode: Episode, now: float | None) -> None:
        if now is not None and episode.end is None:
            episode.end = now
        episode.ended = True
        self.open.remove(episode)
        self.done.append(episode)

    def facts(self) -> Iterator[Fact]:
        if not (self.done or self.open or self.hit_lines or self.cached_failures):
            return
        for episode in [each for each in self.open if each.passed]:
            self._finish(episode, None)
        for episode in self.open:
            episode.end = self.clock
        episodes = sorted([*self.done, *self.open], key=lambda each: each.line)
        lines = [*(at for each in episodes for at in (each.line, each.last)), *self.hit_lines, *self._lines]
        where = (min(lines), max(lines))
        failures = sum(each.failed for each in episodes) + len(self.cached_failures)
        for quantity, count, basis in (
            ("compiles", len(episodes), "graphs compiled, ranks merged"),
            ("compile_hits", len(self.hit_lines), "graphs taken from the cache, ranks merged"),
            ("compile_failures", failures, "compiler ended with an error, or a failed graph lay in the cache"),
        ):
            yield Fact(quantity, float(count), quantity.replace("_", " "), count, lines=where, basis=basis)
        yield from (fact for each in episodes if (fact := _minutes(each)))
        if wall := _wall(episodes, where):
            yield wall

    def notes(self) -> Iterator[str]:
        for episode in self.done:
            if episode.failed:
                at = f" at {datetime.fromtimestamp(episode.end, UTC):%Y-%m-%d %H:%M:%S.%f}"[:-3] if episode.end else ""
                status = f" with exit status {episode.exit}" if episode.exit else ""
                yield f"line {episode.last}: MODULE_{episode.module or '?'} failed to compile{status}{at}"
        if self._wrapper and self._dotted is not None:
            yield f"line {self._dotted.line}: dots with neither a start nor an end: a graph may have been compiling"
        if self.missed:
            yield f"announced and never compiled in this file: {', '.join(self.missed[:5])}"


def _minutes(episode: Episode) -> Fact | None:
    value, censored, basis = episode.minutes()
    if value is None or (episode.failed and episode.start is None):
        return None
    group = {"module": episode.module} if episode.module else {}
    if episode.failed:
        group["failed"] = "yes"
    return Fact(
        "compile_minutes", value, "min", censored=censored, lines=(episode.line, episode.last), basis=basis, group=group
    )


def _wall(episodes: list[Episode], where: tuple[int, int]) -> Fact | None:
    """Length of the union of the episodes' intervals."""
    spans, loose, censored = [], 0.0, False
    for episode in episodes:
        value, is_bound, _ = episode.minutes()
        censored |= is_bound
        if value is None:
            continue
        if episode.start is None:
            loose += value
        else:
            spans.append((episode.start / 60, episode.start / 60 + value))
    if not spans and not loose:
        return None
    total, reached = loose, float("-inf")
    for start, end in sorted(spans):
        total += max(end - max(start, reached), 0.0)
        reached = max(reached, end)
    return Fact(
        "compile_wall_minutes",
        total,
        "min",
        len(episodes),
        censored=censored,
        lines=where,
        basis="union of the episodes",
    )
