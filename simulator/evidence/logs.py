"""Console logs: one file may hold training steps, compile lines, faults and progress bars of several ranks at once.

Every grammar sees every line; each line gets one verdict. The framework with the most steps gives the training facts,
the others' step lines count as merged: they tell the same steps again.
"""

from collections.abc import Callable
from typing import NamedTuple

from simulator.evidence import (
    compile_lines,
    faults,
    huggingface,
    launcher,
    marks,
    megatron,
    mlperf,
    progress,
    torchtitan,
)
from simulator.evidence.collected import Collected, no_fault
from simulator.evidence.compile_lines import Event
from simulator.evidence.grammars import LOOKS_FOR, NAMES, STEP_GRAMMARS, Found, Grammars
from simulator.evidence.lines import Block, Head, Line, Source
from simulator.evidence.messages import Cut, Mark, Setting, Step, Summary
from simulator.evidence.options import Options
from simulator.evidence.reading import Fact, Ledger, Reading, Verdict
from simulator.evidence.registry import Match
from simulator.evidence.scalars import clock

__all__ = ["LOOKS_FOR", "NAMES", "read", "sniff"]

WRAPPED = 4  # lines that a terminal may have made of one
WRAPPED_LENGTH = 4096
LONGEST = 1 << 16  # characters of a line that are looked at; commands of a compiler have a few thousand
SHORT = 1 << 14  # characters of a block that is not worth a look as a whole
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


class Held(NamedTuple):
    """A cut line that the next ones may complete, as a terminal wraps it."""

    line: Line
    found: Found
    more: list[Line]


class _Log:
    def __init__(self, options: Options) -> None:
        self.options = options
        self.ledger = Ledger()
        self.told = Collected(options)
        self.rank: str | None = None  # of the line at hand
        self.outer_clock: float | None = None  # the collector's
        self.ahead = 0.0  # of the job's clock before the collector's
        self.held: Held | None = None
        self.grammars = Grammars()
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
        series = self.told.series[megatron.NAME]
        if self.grammars.likely is not megatron or not series or len(block.text) < SHORT:
            for line in block.lines():
                self.take(line)
            return
        rows = megatron.regular(block.text)
        texts: list[str] = []
        for start, end, is_regular in megatron.stretches(rows, BULK):
            at = start
            while at < end:
                # A stretch may open with a restart or a copy; those go line by line until the run goes on.
                if is_regular and rows[at][1] and series.expects(int(rows[at][1])):
                    is_regular = False
                    if self._bulk(block.number + at, rows[at:end]):
                        break
                texts = texts or block.texts()
                self.take(Line(block.number + at, texts[at]))
                at += 1

    def _bulk(self, number: int, rows: list[tuple[str, ...]]) -> bool:
        """Take the rows at once if they go on from the last step; False (and nothing taken) if not."""
        if self.held or self.told.compile.trial:
            return False
        steps = megatron.columns(rows)
        at = clock(steps.prefix)
        if not self.told.series[megatron.NAME].extend(number, steps, launcher.strip(steps.prefix).rank, at):
            return False
        if at is not None:
            self.told.compile.tick(at)
        used = steps.iteration.size
        self.ledger.tally(used=used, ignored=len(rows) - used, tag=megatron.NAME)
        self.told.faults.progress()
        self.told.compile.progress()
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
        found = self.grammars.parse(text)
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
        tail = found is None or found.cut or (found.grammar is compile_lines and clock(text[:120]) is None)
        wrapped = sum(map(bool, map(str.strip, pieces))) <= WRAPPED and len(pieces) <= 2 * WRAPPED
        if tail and wrapped and len(whole.text) < WRAPPED_LENGTH:
            again = self.grammars.parse(whole.text)
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
            self._release()  # what was held is the start of nothing that goes on here
            self.held = Held(line._replace(text=text), found, [])
            return
        self.actions[type(found.what)](line, text, found)
        if found.rest:
            self._dispatch(line._replace(text=found.rest), found.rest, self.grammars.parse(found.rest))

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
            self._dispatch(piece, piece.text, self.grammars.parse(piece.text))

    # -- what lines say ------------------------------------------------------------------------------------------

    def _step(self, line: Line, text: str, found: Found) -> None:
        step = found.what
        assert isinstance(step, Step)
        if self.told.compile.trial:
            self.told.trial_steps.append(line.number)
            del self.told.trial_steps[1:-1]
            self.ledger.ignore(line)
            return
        at = self._clock(text)
        if at is not None:
            self.told.compile.tick(at)
        if found.grammar is progress:
            new = self.told.bars.add(line, step, text, self.rank, at)
        else:
            series = self.told.series[found.grammar.NAME]
            runs = len(series.runs)
            new = series.add(line, step, self.rank, at)
            if len(series.runs) > runs:
                series.runs[-1].settings = dict(self.told.settings)
        if not new:
            self.ledger.merge(line)
            return
        self.ledger.use(line, found.grammar.NAME)
        self.told.compile.progress()
        if found.grammar is not progress:
            self.told.faults.progress()

    def _summary(self, line: Line, _text: str, found: Found) -> None:
        assert isinstance(found.what, Summary)
        values = found.what.values
        if self.told.compile.trial:
            self._used(line, self.told.trial.add(line, values))
            return
        totals = self.told.totals[found.grammar]
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
            self.told.resumed_at = mark.iteration
        if mark.kind in ("start", "resume"):
            self.told.faults.progress()
            self.told.bars.mark(mark)
        for name, series in self.told.series.items():
            if name not in (progress.NAME, mlperf.NAME):
                series.mark(mark)

    def _setting(self, line: Line, _text: str, found: Found) -> None:
        assert isinstance(found.what, Setting)
        self._set(found.what)
        self.ledger.use(line)

    def _set(self, setting: Setting) -> None:
        self.told.settings[setting.name] = setting.value
        for series in self.told.series.values():
            if series:
                series.runs[-1].settings.setdefault(setting.name, setting.value)

    def _compile(self, line: Line, text: str, found: Found) -> None:
        assert isinstance(found.what, Event)
        new = self.told.compile.add(line, found.what, self._clock(text) or clock(text[-200:]))
        if new is None:
            self.ledger.ignore(line)
        else:
            self._used(line, new)

    def _fault(self, line: Line, text: str, found: Found) -> None:
        assert isinstance(found.what, str)
        at = self._clock(text)
        new = self.told.faults.add(line._replace(text=text), found.what, at)
        if at is not None:
            self.told.compile.tick(at)
        if new is None:
            self.ledger.ignore(line)
            return
        self._used(line, new)
        for series in self.told.series.values():
            series.disturb()

    def _other(self, line: Line, text: str) -> None:
        if at := self._clock(text):
            self.told.compile.tick(at)
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
        while self.held:  # what was taken for its tail may be held in its turn
            self._release()
        training = self.told.training()
        name, told = training.name, [*training.facts, *self.told.events()]
        for module in STEP_GRAMMARS:
            if module.NAME not in (name, training.support):
                self.ledger.demote(module.NAME, Verdict.MERGED)
        facts_ = [each for each in told if isinstance(each, Fact)]
        facts_ += no_fault(facts_) if not self.told.faults else ()
        notes = [each for each in told if isinstance(each, str)]
        if not name:
            found = compile_lines.NAME if self.told.compile else faults.NAME if self.told.faults else "log"
            name = self.options.reader or found
        return self.ledger.close(source, name, facts_, notes)
