"""Hugging Face `trainer_state.json`: the log history of a run; records are its entries, counted from 1.

No entry carries a wall-clock time; only the last one of a finished run tells `train_runtime`. The file's own rates
divide all steps by the last stretch's time when the run was resumed.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from simulator.evidence.huggingface import NAME as SOURCE
from simulator.evidence.huggingface import rates
from simulator.evidence.job import Job
from simulator.evidence.lines import Head, Line, Source
from simulator.evidence.options import Options
from simulator.evidence.reading import Fact, Ledger, Reading
from simulator.evidence.registry import Match

NAMES = ("trainer-state",)
LOOKS_FOR = "Hugging Face trainer_state.json"

_HISTORY = re.compile(r'"log_history"\s*:\s*\[')
_SEPARATOR = re.compile(r"[\s,]*")
_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_TOP = re.compile(
    r'"(global_step|max_steps|train_batch_size|num_input_tokens_seen|total_flos|logging_steps)"\s*:\s*'
    rf"({_NUMBER})(?=[\s,}}])"
)
_DECODER = json.JSONDecoder()


def sniff(head: Head) -> Match | None:
    if not head.text.lstrip().startswith("{"):
        return None
    if '"log_history"' in head.text or ('"global_step"' in head.text and '"is_local_process_zero"' in head.text):
        return Match(0.95, "keys of trainer_state.json")
    return None


def read(source: Source, options: Options) -> Reading:
    text = source.document()
    ledger, history = Ledger(), _History(options)
    start = _HISTORY.search(text)
    for number, (entry, raw) in enumerate(entries(text, start.end()) if start else (), 1):
        record = Line(number, raw)
        if entry is None:
            ledger.reject(record, "no whole JSON object: the file is cut or broken here")
        elif history.add(number, entry):
            ledger.use(record)
        else:
            ledger.merge(record)
    told = list(history.facts({key: float(value) for key, value in _TOP.findall(text)}))
    notes = [each for each in told if isinstance(each, str)]
    if start is None:
        notes.append("no log_history in it")
    return ledger.close(source, NAMES[0], [each for each in told if isinstance(each, Fact)], notes)


def entries(text: str, at: int) -> Iterator[tuple[dict[str, Any] | None, str]]:
    """Objects of a JSON array one by one; None for what breaks off, which ends it."""
    while True:
        match = _SEPARATOR.match(text, at)
        at = match.end() if match else at
        if at >= len(text) or text[at] == "]":
            return
        try:
            entry, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, or nested too deep
            yield None, text[at : at + 300]
            return
        yield (entry if isinstance(entry, dict) else None), text[at : min(end, at + 300)]
        at = end


class _Stretches:
    """Steps and tokens between records that tell the time since the run, or its resumption, began."""

    def __init__(self) -> None:
        self.steps = self.seconds = self.tokens = 0.0
        self.count = self.resumptions = 0
        self._before: tuple[float, float, float, float] | None = None

    def add(self, now: tuple[float, float, float, float]) -> None:
        """Step, runtime, tokens seen and seconds of evaluation, all so far."""
        if self._before is not None:
            steps, runtime, tokens, evaluated = (b - a for a, b in zip(self._before, now, strict=True))
            if steps > 0 and runtime > evaluated:
                self.steps, self.seconds = self.steps + steps, self.seconds + runtime - evaluated
                self.tokens, self.count = self.tokens + tokens, self.count + 1
            self.resumptions += runtime < 0
        self._before = now

    def facts(self, where: tuple[int, int], group: Mapping[str, str]) -> Iterator[Fact | str]:
        if not self.seconds:
            return
        basis = "time between records, evaluation left out"
        yield Fact("step_seconds", self.seconds / self.steps, "s", self.count, lines=where, basis=basis, group=group)
        if self.tokens > 0:
            rate, of = self.tokens / self.seconds, {**group, "per": "job"}
            basis = f"tokens seen over the {basis}"
            yield Fact("tokens_per_second", rate, "tokens/s per job", self.count, lines=where, basis=basis, group=of)
        if self.resumptions:
            yield f"train_runtime begins anew {self.resumptions:,} times: the run was resumed"


class _History:
    def __init__(self, options: Options) -> None:
        self.options = options
        self.totals: list[tuple[int, dict[str, float], float]] = []
        self.count = self.evaluations = self.losses = self.nan_losses = 0
        self.eval_seconds = self._eval_before = 0.0
        self.step = self.restarts = self.lost = 0
        self.stretches = _Stretches()
        self._last: Mapping[str, Any] | None = None

    def add(self, number: int, entry: Mapping[str, Any]) -> bool:
        self.count = number
        if entry == self._last:
            return False
        self._last = entry
        step = entry.get("step")
        if isinstance(step, int | float) and not isinstance(step, bool) and step == step:
            if step < self.step:
                self.restarts += 1
                self.lost += int(self.step - step)
            self.step = int(step)
        values = {key: float(value) for key, value in entry.items() if isinstance(value, int | float)}
        for key, value in values.items():
            if key.startswith("eval_") and key.endswith("_runtime") and value == value:
                self.evaluations += 1
                self.eval_seconds += value
        if "loss" in values:
            self.losses += 1
            self.nan_losses += values["loss"] != values["loss"]
        if values.get("train_runtime") and "loss" in values:
            self._stretch(values, step)
        elif values.get("train_runtime"):
            known = {key: value for key, value in values.items() if value == value and abs(value) != float("inf")}
            self.totals.append((number, known, self.eval_seconds - self._eval_before))
            self._eval_before = self.eval_seconds
        return True

    def _stretch(self, values: Mapping[str, float], step: Any) -> None:
        """Records with a runtime of their own, as `include_num_input_tokens_seen` gives them."""
        now = (float(step or 0), values["train_runtime"], values.get("num_input_tokens_seen", 0.0), self.eval_seconds)
        self.stretches.add(now)

    def facts(self, top: Mapping[str, float]) -> Iterator[Fact | str]:
        where = (1, self.count)
        group = {"source": SOURCE}
        job = Job(self.options, {})
        before: int | None = None
        steps = top.get("global_step", float(self.step))
        yield from self.stretches.facts(where, group)
        timed = self.stretches.seconds > 0
        for number, values, evaluated in self.totals:
            total = values.get("step", steps)
            for each in rates(number, values, evaluated, before, total, job):
                if not (
                    isinstance(each, Fact) and (each.quantity == "steps" or (each.quantity == "step_seconds" and timed))
                ):
                    yield each
            tokens = None if timed else top.get("num_input_tokens_seen")
            if tokens and len(self.totals) == 1 and values["train_runtime"] > evaluated:
                yield Fact(
                    "tokens_per_second", tokens / (values["train_runtime"] - evaluated), "tokens/s per job",
                    lines=(number, number), group={**group, "per": "job"},
                    basis="num_input_tokens_seen over train_runtime less evaluation; too high if the run was resumed",
                )  # fmt: skip
            before = int(total)
        if steps:
            yield Fact("steps", steps, "steps", int(steps), lines=where, basis="global_step", group=group)
        for quantity, value in (("restarts", self.restarts), ("lost_steps", self.lost)):
            if self.restarts:
                basis, unit = "the step goes back in log_history", quantity.removeprefix("lost_")
                yield Fact(quantity, float(value), unit, self.restarts, lines=where, basis=basis, group=group)
        if not self.totals and not timed:
            yield "no train_runtime: the run is unfinished; no other entry carries a time, so no rate can be read"
        if self.evaluations:
            yield f"{self.evaluations:,} evaluations took {self.eval_seconds:,.6g} s: set apart"
        if self.losses and self.nan_losses == self.losses:
            yield "every loss is NaN: its time counts as cost, but it is no run that converged"
        elif self.nan_losses:
            yield f"{self.nan_losses:,} of {self.losses:,} losses are NaN"
        if top.get("total_flos"):
            yield f"total_flos {top['total_flos']:.4g} is the Trainer's own estimate, 6 x parameters x tokens: unused"
