"""Console logs: one file may hold training steps, compile lines, faults and progress bars of several ranks at once.

Every grammar sees every line; each line gets one verdict. The framework with the most steps gives the training facts,
the others' step lines count as merged: they tell the same steps again.
"""

from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import NamedTuple, Protocol

from simulator.evidence import (
    compile_log,
    faults,
    huggingface,
    launcher,
    marks,
    megatron,
    mlperf,
    neuron_train,
    plain_steps,
    progress,
    steady,
    torchtitan,
)
from simulator.evidence.bars import Bars
from simulator.evidence.compile_log import Episodes, Event, Kind
from simulator.evidence.faults import Faults
from simulator.evidence.lines import Block, Head, Line, Source
from simulator.evidence.messages import Cut, Mark, Message, Parsed, Setting, Step, Summary
from simulator.evidence.options import Options
from simulator.evidence.reading import Fact, Ledger, Reading, Verdict
from simulator.evidence.registry import Match
from simulator.evidence.scalars import clock
from simulator.evidence.series import Run, Series
from simulator.evidence.steady import Job

STEP_GRAMMARS: tuple[ModuleType, ...] = (
    megatron,
    torchtitan,
    mlperf,
    huggingface,
    neuron_train,
    progress,
    plain_steps,
)
_EVENT_GRAMMARS = (compile_log, faults)
NAMES = ("log", *(module.NAME for module in (*STEP_GRAMMARS, *_EVENT_GRAMMARS)))
LOOKS_FOR = ", ".join(module.LOOKS_FOR for module in (*STEP_GRAMMARS, *_EVENT_GRAMMARS))

WRAPPED = 4  # lines that a terminal may have made of one
WRAPPED_LENGTH = 4096
LAST_STEP = 10**12
LONGEST = 1 << 16  # characters of a line that are looked at; commands of a compiler have a few thousand
BULK = 64  # regular lines in a row from which on they are taken at once

_SETTING_WORDS = (
    " ...",
    "world size",
    "otal ",
    "sequence length",
    "batch size",
    "Continuing",
    "trainable",
    "parameters",
)


def sniff(head: Head) -> Match | None:
    """Any text may be a log; whether it is one shows when it is read."""
    return Match(0.05, "text") if not head.binary and head.text.strip() else None


def read(source: Source, options: Options) -> Reading:
    log = _Log(options)
    for piece in source.pieces():
        if isinstance(piece, Block):
            log.take_block(piece)
        else:
            log.take(piece)
    return log.close(source)


class Found(NamedTuple):
    """What a grammar made of a piece of text."""

    grammar: ModuleType
    what: Message | Event | str
    rest: str = ""

    @property
    def cut(self) -> bool:
        return isinstance(self.what, Cut) or (isinstance(self.what, Event) and self.what.kind is Kind.CUT)


def _parsed(grammar: ModuleType, text: str) -> Parsed | None:
    """What a grammar makes of a line; a number that no run reaches is damage."""
    try:
        parsed: Parsed | None = grammar.parse(text)
    except (ValueError, OverflowError):  # thousands of digits in a row
        return Parsed(Cut("a number of too many digits"))
    if parsed and isinstance(parsed.message, Step | Mark) and (parsed.message.iteration or 0) > LAST_STEP:
        return Parsed(Cut(f"step {parsed.message.iteration:.0e}, which no run reaches"))
    return parsed


class Totals(Protocol):
    """Collects what a framework says of a whole run."""

    def add(self, line: Line, values: Mapping[str, float]) -> bool: ...


class Held(NamedTuple):
    """A cut line that the next ones may complete, as a terminal wraps it."""

    line: Line
    found: Found
    more: list[Line]


class _Log:
    def __init__(self, options: Options) -> None:
        self.options = options
        self.ledger = Ledger()
        self.series = {module.NAME: Series() for module in STEP_GRAMMARS}
        self.bars = Bars()
        self.compile = Episodes()
        self.faults = Faults()
        self.huggingface, self.neuron, self.mlperf = huggingface.Totals(), neuron_train.Totals(), mlperf.Totals()
        self.totals: dict[ModuleType, Totals] = {
            huggingface: self.huggingface,
            neuron_train: self.neuron,
            mlperf: self.mlperf,
        }
        self.trial = neuron_train.Totals()
        self.trial_steps: list[int] = []
        self.settings: dict[str, float] = {}
        self.resumed_at: int | None = None
        self.rank: str | None = None  # of the line at hand
        self.outer_clock: float | None = None  # the collector's
        self.ahead = 0.0  # of the job's clock before the collector's
        self.held: Held | None = None
        self.likely = STEP_GRAMMARS[0]
        self.actions: dict[type, Callable[..., None]] = {
            Step: self._step,
            Summary: self._summary,
            Mark: self._mark,
            Setting: self._setting,
            Event: self._compile,
            str: self._fault,
        }

    # -- lines ---------------------------------------------------------------------------------------------------

    def take_block(self, block: Block) -> None:
        """Line by line, but for long stretches of regular Megatron steps that simply go on."""
        if self.likely is not megatron or not self.series[megatron.NAME] or block.text.count("\n") < BULK:
            for line in block.lines():
                self.take(line)
            return
        text = block.text.removesuffix("\n")
        rows = megatron.regular(text)
        texts = text.split("\n")
        for start, end, is_regular in megatron.stretches(rows, BULK):
            at = start
            while at < end:
                # A stretch may open with a restart or a copy; those go line by line until the run goes on.
                if is_regular and rows[at][1] and self.series[megatron.NAME].expects(int(rows[at][1])):
                    is_regular = False
                    if self._bulk(block.number + at, rows[at:end]):
                        break
                self.take(Line(block.number + at, texts[at]))
                at += 1

    def _bulk(self, number: int, rows: list[tuple[str, ...]]) -> bool:
        """Take the rows at once if they go on from the last step; False (and nothing taken) if not."""
        if self.held or self.compile.trial:
            return False
        steps = megatron.columns(rows)
        at = clock(steps.prefix)
        if not self.series[megatron.NAME].extend(number, steps, launcher.strip(steps.prefix).rank, at):
            return False
        if at is not None:
            self.compile.tick(at)
        used = steps.iteration.size
        self.ledger.tally(used=used, ignored=len(rows) - used, tag=megatron.NAME)
        self.faults.progress()
        self.compile.progress()
        return True

    def take(self, line: Line) -> None:
        text = line.text[:LONGEST]
        if line.fault:
            self._release()
            self.ledger.reject(line, line.fault)
            return
        if "\\|" in text or "^M" in text or "\xa0" in text:
            text = text.replace("\\|", "|").replace("^M", "").replace("\xa0", " ")
        text, self.rank, self.outer_clock = launcher.strip(text)
        found = self._parse(text)
        if self.held and self._joined(line, text, found):
            return
        self._dispatch(line, text, found)

    def _joined(self, line: Line, text: str, found: Found | None) -> bool:
        """Whether the line goes on with a wrapped one that is held back; if not, that one is let go."""
        assert self.held is not None
        start, before, more = self.held
        pieces = [start.text.rstrip(), *(piece.text.rstrip() for piece in more), text]
        whole = Line(start.number, "".join(pieces), len(pieces), line.whole)
        # The tail of a wrapped compile line can look like one, but bears no time stamp.
        tail = found is None or found.cut or (found.grammar is compile_log and clock(text[:120]) is None)
        wrapped = sum(map(bool, map(str.strip, pieces))) <= WRAPPED and len(pieces) <= 2 * WRAPPED
        if tail and wrapped and len(whole.text) < WRAPPED_LENGTH:
            again = self._parse(whole.text)
            if again and again.grammar is before.grammar:
                if again.cut:
                    more.append(line._replace(text=text))
                else:
                    self.held = None
                    self._dispatch(whole, whole.text, again)
                return True
        self._release()
        return False

    def _dispatch(self, line: Line, text: str, found: Found | None) -> None:
        if found is None:
            self._other(line, text)
            return
        if found.cut:
            self.held = Held(line._replace(text=text), found, [])
            return
        self.actions[type(found.what)](line, text, found)
        if found.rest:
            self._dispatch(line._replace(text=found.rest), found.rest, self._parse(found.rest))

    def _release(self) -> None:
        """A held line stays alone: what can be trusted of it is used, else it is rejected."""
        if self.held is None:
            return
        (line, found, more), self.held = self.held, None
        if isinstance(found.what, Cut) and found.what.partial is not None:
            self._step(line, line.text, Found(found.grammar, found.what.partial))
        elif isinstance(found.what, Cut):
            self.ledger.reject(line, found.what.reason)
        else:
            self.ledger.reject(line, "cut before the name of its graph")
        for piece in more:
            self._dispatch(piece, piece.text, self._parse(piece.text))

    def _parse(self, text: str) -> Found | None:
        if len(text) < 3:
            return Found(compile_log, Event(Kind.DOTS, dots=len(text))) if text and not text.strip(".") else None
        for module in (self.likely, *STEP_GRAMMARS):
            if any(trigger in text for trigger in module.TRIGGERS):
                parsed = _parsed(module, text)
                if parsed is not None:
                    self.likely = module if isinstance(parsed.message, Step) else self.likely
                    return Found(module, *parsed)
        if event := compile_log.parse(text):
            return Found(compile_log, event)
        if kind := faults.parse(text):
            return Found(faults, kind)
        return None

    # -- what lines say ------------------------------------------------------------------------------------------

    def _step(self, line: Line, text: str, found: Found) -> None:
        step = found.what
        assert isinstance(step, Step)
        if self.compile.trial:
            self.trial_steps.append(line.number)
            del self.trial_steps[1:-1]
            self.ledger.ignore(line)
            return
        at = self._clock(text)
        if at is not None:
            self.compile.tick(at)
        if found.grammar is progress:
            new = self.bars.add(line, step, text, self.rank, at)
        else:
            series = self.series[found.grammar.NAME]
            runs = len(series.runs)
            new = series.add(line, step, self.rank, at)
            if len(series.runs) > runs:
                series.runs[-1].settings = dict(self.settings)
        if not new:
            self.ledger.merge(line)
            return
        self.ledger.use(line, found.grammar.NAME)
        self.compile.progress()
        if found.grammar is not progress:
            self.faults.progress()

    def _summary(self, line: Line, _text: str, found: Found) -> None:
        assert isinstance(found.what, Summary)
        values = found.what.values
        if self.compile.trial:
            self._used(line, self.trial.add(line, values))
            return
        totals = self.totals[found.grammar]
        if found.grammar is huggingface and any(key.startswith("eval_") for key in values):
            self._mark_all(Mark("evaluation"))
        self._used(line, totals.add(line, values))

    def _used(self, line: Line, new: bool) -> None:
        if new:
            self.ledger.use(line)
        else:
            self.ledger.merge(line)

    def _mark(self, line: Line, _text: str, found: Found) -> None:
        assert isinstance(found.what, Mark)
        self._mark_all(found.what)
        self.ledger.ignore(line)

    def _mark_all(self, mark: Mark) -> None:
        if mark.kind == "resume" and mark.iteration is not None:
            self.resumed_at = mark.iteration
        if mark.kind in ("start", "resume"):
            self.faults.progress()
        for name, series in self.series.items():
            if name not in (progress.NAME, mlperf.NAME):
                series.mark(mark)

    def _setting(self, line: Line, _text: str, found: Found) -> None:
        assert isinstance(found.what, Setting)
        self._set(found.what)
        self.ledger.use(line)

    def _set(self, setting: Setting) -> None:
        self.settings[setting.name] = setting.value
        for series in self.series.values():
            if series:
                series.runs[-1].settings.setdefault(setting.name, setting.value)

    def _compile(self, line: Line, text: str, found: Found) -> None:
        assert isinstance(found.what, Event)
        new = self.compile.add(line, found.what, self._clock(text) or clock(text[-200:]))
        if new is None:
            self.ledger.ignore(line)
        else:
            self._used(line, new)

    def _fault(self, line: Line, text: str, found: Found) -> None:
        assert isinstance(found.what, str)
        at = self._clock(text)
        new = self.faults.add(line._replace(text=text), found.what, at)
        if at is not None:
            self.compile.tick(at)
        if new is None:
            self.ledger.ignore(line)
            return
        self._used(line, new)
        for series in self.series.values():
            series.disturb()

    def _other(self, line: Line, text: str) -> None:
        if at := self._clock(text):
            self.compile.tick(at)
        if mark := marks.parse(text):
            self._mark_all(mark)
        if any(word in text for word in _SETTING_WORDS):
            told = [each for module in (megatron, torchtitan, huggingface) for each in module.settings(text)]
            for each in told:
                if isinstance(each, Setting):
                    self._set(each)
                else:
                    self._mark_all(each)
            if told:
                self.ledger.use(line)
                return
        self.ledger.ignore(line)

    def _clock(self, text: str) -> float | None:
        """A time stamp near the start of a line, else the collector's on the clock of the job; the cheap test first."""
        at = clock(text[:200]) if text.count(":", 0, 80) >= 2 else None
        if self.outer_clock is None:
            return at
        if at is not None:
            self.ahead = at - self.outer_clock
        return self.outer_clock + self.ahead

    # -- the end -------------------------------------------------------------------------------------------------

    def close(self, source: Source) -> Reading:
        self._release()
        training = self._training()
        name, told = training.name, [*training.facts, *self._events()]
        for module in STEP_GRAMMARS:
            if module.NAME not in (name, training.support):
                self.ledger.demote(module.NAME, Verdict.MERGED)
        facts_ = [each for each in told if isinstance(each, Fact)]
        facts_ += _no_fault(facts_) if not self.faults else ()
        notes = [each for each in told if isinstance(each, str)]
        if not name:
            name = compile_log.NAME if self.compile else faults.NAME if self.faults else "log"
        return self.ledger.close(source, name, facts_, notes)

    def _training(self) -> "Training":
        name = self._primary()
        if not name:
            return Training("", "", [])
        told: list[Fact | str] = []
        support = ""
        series = self.series[name]
        for run in series:
            told += steady.facts(run, self._job(run), name)
        job = self._job(None)
        match name:
            case huggingface.NAME:
                told += self.huggingface.facts(job, self.resumed_at, None)
            case neuron_train.NAME:
                told += self.neuron.facts(job)
            case mlperf.NAME:
                told += self.mlperf.facts(job)
        timed = any(isinstance(each, Fact) and each.quantity == "step_seconds" for each in told)
        only_evaluated = name == huggingface.NAME and not (self.series[name] or self.huggingface.train)
        if (bars := self.bars.training()) and (name == progress.NAME or not timed) and not only_evaluated:
            support = progress.NAME
            for run in bars:
                told += [
                    each
                    for each in steady.facts(run, self._job(run), progress.NAME)
                    if name == progress.NAME or isinstance(each, str) or each.quantity in ("step_seconds", "steps")
                ]
        return Training(name, support, told)

    def _primary(self) -> str:
        if self.options.reader in self.series:
            return self.options.reader or ""
        weights = {name: series.progress for name, series in self.series.items()}
        weights[huggingface.NAME] += 10 * bool(self.huggingface)
        weights[neuron_train.NAME] += bool(self.neuron)
        weights[mlperf.NAME] += 10 * bool(self.mlperf)
        best: str = max(weights, key=lambda name: weights[name])
        if weights[best]:
            return best
        return progress.NAME if self.bars.training() else ""

    def _job(self, run: Run | None) -> Job:
        return Job(self.options, run.settings if run else self.settings)

    def _events(self) -> Iterator[Fact | str]:
        yield from self.compile.facts()
        yield from self.compile.notes()
        if self.compile.trials:
            yield "a trial run of neuron_parallel_compile: what it prints as loss and rate is meaningless, set apart"
            minutes = self.trial.minutes()
            if minutes:
                lines = [line for line, _ in self.trial.results]
                yield Fact(
                    "compile_wall_minutes",
                    minutes,
                    "min",
                    len(lines),
                    censored=True,
                    lines=(lines[0], lines[-1]),
                    basis="at least: time of neuron_parallel_compile's trial runs, which count as compiling",
                    group={"trial": "yes"},
                )
        if self.trial_steps:
            first, last = self.trial_steps[0], self.trial_steps[-1]
            yield f"steps of the trial run set apart: lines {first:,} to {last:,}"
        yield from self.faults.facts()
        yield from self.faults.notes()


class Training(NamedTuple):
    """The framework that gave the training facts, the one that helped with times, and what they tell."""

    name: str
    support: str
    facts: list[Fact | str]


def _no_fault(facts_: list[Fact]) -> Iterator[Fact]:
    """Hours in which a log shows no fault are evidence too."""
    exposed = [each for each in facts_ if each.quantity == "exposure_hours"]
    if exposed:
        where = (exposed[0].lines[0], exposed[-1].lines[1])
        yield Fact("fault_events", 0.0, "events", 0, lines=where, basis="no error line of a known kind in the log")
