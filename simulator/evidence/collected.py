"""What a log has told so far, and in the end the facts of it: of training, of compiling, of faults."""

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import NamedTuple, Protocol

from simulator.evidence import compile_lines, faults, huggingface, mlperf, neuron_train, progress, run_facts
from simulator.evidence.bars import Bars
from simulator.evidence.compile_log import Episodes
from simulator.evidence.faults import Faults
from simulator.evidence.grammars import STEP_GRAMMARS
from simulator.evidence.job import Job
from simulator.evidence.lines import Line
from simulator.evidence.options import Options
from simulator.evidence.reading import Fact
from simulator.evidence.run import Run
from simulator.evidence.series import Series


class Totals(Protocol):
    """Collects what a framework says of a whole run."""

    def add(self, line: Line, values: Mapping[str, float]) -> bool: ...


class Training(NamedTuple):
    """The framework that gave the training facts, the one that helped with times, and what they tell."""

    name: str
    support: str
    facts: list[Fact | str]


class Collected:
    """The steps of each framework, bars, compile episodes, faults, totals and settings of one log."""

    def __init__(self, options: Options) -> None:
        self.options = options
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

    def training(self) -> "Training":
        name = self._primary()
        if not name:
            return Training("", "", [])
        told: list[Fact | str] = []
        support = ""
        series = self.series[name]
        for run in series:
            told += run_facts.facts(run, self._job(run), name)
        job = self._job(None)
        match name:
            case huggingface.NAME:
                told += self.huggingface.facts(job, self.resumed_at, None)
            case neuron_train.NAME:
                told += self.neuron.facts(job)
            case mlperf.NAME:
                told += self.mlperf.facts(job)
        known = {each.quantity for each in told if isinstance(each, Fact)}
        only_evaluated = name == huggingface.NAME and not (self.series[name] or self.huggingface.train)
        if (bars := self.bars.training()) and "step_seconds" not in known and not only_evaluated:
            support = progress.NAME
            of_bars = (each for run in bars for each in run_facts.facts(run, self._job(run), progress.NAME))
            told += [each for each in of_bars if isinstance(each, str) or each.quantity not in known]
        return Training(name, support, told or [f"no step of {name} in this file"])

    def _primary(self) -> str:
        if self.options.reader in (compile_lines.NAME, faults.NAME):
            return ""  # asked for these events alone
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

    def events(self) -> Iterator[Fact | str]:
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


def no_fault(facts_: list[Fact]) -> Iterator[Fact]:
    """Hours in which a log shows no fault are evidence too."""
    exposed = [each for each in facts_ if each.quantity == "exposure_hours"]
    if exposed:
        where = (exposed[0].lines[0], exposed[-1].lines[1])
        yield Fact("fault_events", 0.0, "events", 0, lines=where, basis="no error line of a known kind in the log")
