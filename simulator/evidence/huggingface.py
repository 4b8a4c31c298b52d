"""Hugging Face Trainer on the console: printed dictionaries, metric blocks, the argument block before training."""

import re
from collections.abc import Iterator, Mapping

from simulator.evidence.job import Job
from simulator.evidence.lines import Line
from simulator.evidence.messages import Cut, Mark, Parsed, Setting, Step, Summary
from simulator.evidence.metric_columns import chosen, column
from simulator.evidence.reading import Fact
from simulator.evidence.scalars import duration, number, whole

NAME = "hf-trainer"
TRIGGERS = ("{'", '{"', "train_", "eval_", "perplexity")
LOOKS_FOR = "Hugging Face Trainer dictionaries"

_PAIR = re.compile(r"""["']([\w/]+)["']:\s*["']?([-+\w.:]+)["']?(?=\s*[,}])""")
_KNOWN = re.compile(
    r"""\{\s*["'](?:loss|eval_\w+|train_\w+|current_steps|grad_norm|epoch|step|global_step|iteration)["']:"""
)
_BLOCK = re.compile(r"^\W*((?:train|eval)_\w+|perplexity)\s+=\s+(\S+)\s*$")


def parse(text: str) -> Parsed | None:
    if match := _BLOCK.match(text):
        return _totals({match[1]: match[2]})
    match = _KNOWN.search(text)
    if match is None:
        return None
    end = text.find("}", match.start())
    fields = dict(_PAIR.findall(text, match.start(), end + 1 if end >= 0 else len(text)))
    if end < 0:
        return Parsed(Cut("a dictionary without its end"))
    message = _dictionary(fields)
    return Parsed(message.message, text[end + 1 :].strip()) if message else None


def _dictionary(fields: Mapping[str, str]) -> Parsed | None:
    if ("train_runtime" in fields and "loss" not in fields) or any(key.startswith("eval_") for key in fields):
        return _totals(fields)
    if "train_runtime" in fields:  # its rate is of all the time so far, and of earlier sessions' tokens too
        fields = {key: text for key, text in fields.items() if key != "train_tokens_per_second"}
    rates_ = {found.quantity: found for found in chosen(filter(None, (column(0, key) for key in fields)))[0]}
    if "loss" not in fields and not rates_:
        return None
    if "current_steps" in fields:  # LLaMA-Factory's trainer_log.jsonl
        return Parsed(
            Step(
                iteration=whole(fields["current_steps"]),
                total=whole(fields.get("total_steps")),
                loss=fields.get("loss"),
                consumed_tokens=_so_far(fields),
                elapsed=duration(fields.get("elapsed_time")),
            )
        )
    # Without a step number the learning rate and the epoch tell one record from the next.
    figures = {name: number(fields[each.name]) for name, each in rates_.items()}
    figures = {name: value * rates_[name].scale for name, value in figures.items() if value}
    of = rates_.get("tokens_per_second") or rates_.get("samples_per_second")
    identity = "/".join(fields.get(key, "") for key in ("loss", "learning_rate", "epoch"))
    return Parsed(
        Step(
            iteration=whole(fields.get("step") or fields.get("global_step") or fields.get("iteration")),
            loss=identity,
            seconds=figures.get("step_seconds"),
            tokens_rate=figures.get("tokens_per_second"),
            samples_rate=figures.get("samples_per_second"),
            per=of.per if of else "job",
            consumed_tokens=_seen(fields),
            elapsed=duration(fields.get("train_runtime")),
            epoch=number(fields.get("epoch")),
            learning_rate=number(fields.get("learning_rate")),
        )
    )


def _seen(fields: Mapping[str, str]) -> float | None:
    return number(fields.get("num_input_tokens_seen") or fields.get("num_tokens"))


def _so_far(fields: Mapping[str, str]) -> float | None:
    """Tokens of the run so far; LLaMA-Factory's `throughput` is those over all the time, no rate of these steps."""
    rate, elapsed = number(fields.get("throughput")), duration(fields.get("elapsed_time"))
    return number(fields.get("total_tokens")) or (rate * elapsed if rate and elapsed else None)


def _totals(fields: Mapping[str, str]) -> Parsed | None:
    values: dict[str, float] = {}
    for key, text in fields.items():
        value = duration(text) if key.endswith("_runtime") else number(text)
        if value is not None and key.startswith(("train_", "eval_")):
            values[key] = value
        elif text.lower() == "nan" and key.startswith(("train_", "eval_")) and key.endswith("loss"):
            values[key + "_is_nan"] = 1.0
    return Parsed(Summary(values)) if values else None


_ARGUMENT = re.compile(
    r"^.*?(Total train batch size|Total optimization steps|Number of trainable parameters)[^=]*=\s*([\d,]+)"
)
_ARGUMENTS = {
    "Total train batch size": "batch",
    "Total optimization steps": "total_steps",
    "Number of trainable parameters": "trainable_parameters",
}
_CONTINUE = re.compile(r"Continuing training from global step ([\d,]+)")


def settings(text: str) -> Iterator[Setting | Mark]:
    if match := _CONTINUE.search(text):
        yield Mark("resume", whole(match[1]))
    elif (match := _ARGUMENT.match(text)) and (value := number(match[2])):
        yield Setting(_ARGUMENTS[match[1]], value)


class Totals:
    """What the Trainer prints at the end of a run, and the evaluations between.

    `train_runtime` includes evaluation and saving. After a resumption the Trainer divides all steps by the time of the
    last stretch alone, so its rates are too high by total / (total - resumed) (mended in transformers#41156).
    """

    def __init__(self) -> None:
        self.eval_seconds = 0.0
        self.evaluations = 0
        self.nan_losses: dict[str, None] = {}
        self.train: list[tuple[int, dict[str, float], float]] = []
        self._last: Mapping[str, float] = {}
        self._lines = (0, 0)
        self._eval_before = 0.0

    def __bool__(self) -> bool:
        return bool(self.train or self.evaluations or self.nan_losses)

    def add(self, line: Line, values: Mapping[str, float]) -> bool:
        """False where the values repeat (the dictionary and the metrics block print the same totals)."""
        of_block = len(values) == 1  # and rounded: 0:00:21.03 for 21.0345 of the dictionary
        if values == self._last or (of_block and all(_alike(self._last.get(key), values[key]) for key in values)):
            return False
        self._last = {**self._last, **values} if of_block else values
        self._lines = (self._lines[0] or line.number, line.number)
        for key, value in values.items():
            if key.endswith("_is_nan"):
                self.nan_losses[key.removesuffix("_is_nan")] = None
            elif key.startswith("eval_") and key.endswith("runtime"):
                self.eval_seconds += value
                self.evaluations += 1
            elif key.startswith("train_"):
                self._train(line, key, value)
        return True

    def _train(self, line: Line, key: str, value: float) -> None:
        totals = self.train[-1][1] if self.train else {}
        known = totals.get(key)
        if _alike(known, value):
            return
        if known is not None or not self.train:
            self.train.append((line.number, {}, self.eval_seconds - self._eval_before))
            self._eval_before = self.eval_seconds
        self.train[-1][1][key] = value

    def facts(self, job: Job, resumed_at: int | None, steps: int | None) -> Iterator[Fact | str]:
        total = job.settings.get("total_steps") or (float(steps) if steps else None)
        for line, values, evaluated in self.train:
            runtime = values.get("train_runtime")
            steps_rate = values.get("train_steps_per_second")
            if total is None and runtime and steps_rate:
                total = round(runtime * steps_rate)
            yield from rates(line, values, max(evaluated, 0.0), resumed_at, total, job)
        if self.evaluations:
            yield f"{self.evaluations:,} evaluations took {self.eval_seconds:,.4g} s: set apart"
        if self.nan_losses:
            yield f"{', '.join(self.nan_losses)} is NaN: the run's time is cost, but it did not converge"


def _alike(known: float | None, value: float) -> bool:
    return known is not None and abs(known - value) <= 0.01 * abs(known) + 0.01


def rates(
    line: int, values: Mapping[str, float], evaluated: float, resumed_at: int | None, total: float | None, job: Job
) -> Iterator[Fact | str]:
    runtime, samples = values.get("train_runtime"), values.get("train_samples_per_second")
    if not runtime or runtime <= evaluated:
        return
    training = runtime - evaluated
    done = total - resumed_at if total and resumed_at and resumed_at < total else total
    share = done / total if done and total else 1.0
    basis = f"train_runtime {runtime:,.6g} s less {evaluated:,.4g} s of evaluation; includes saving"
    where = (line, line)
    if share < 1 and total and done:
        yield f"resumed at step {resumed_at:,}: rates count {total:,.0f} steps in the time of {done:,.0f}; mended"
        basis += f"; printed rate x {share:.4g} because the run resumed"
    if samples:
        rate = samples * runtime / training * share
        group = {"per": "job", "source": NAME}
        yield Fact("samples_per_second", rate, "samples/s per job", lines=where, basis=basis, group=group)
        if job.sequence:
            yield Fact(
                "tokens_per_second",
                rate * job.sequence,
                "tokens/s per job",
                lines=where,
                group=group,
                basis=f"{basis}; x {job.sequence:g} tokens",
            )
    if done:
        group = {"source": NAME}
        yield Fact("step_seconds", training / done, "s", int(done), lines=where, basis=basis, group=group)
        yield Fact(
            "steps",
            done,
            "steps",
            int(done),
            lines=where,
            basis="total steps less those before it resumed",
            group=group,
        )
    if job.instances:
        yield Fact(
            "exposure_hours",
            runtime / 3600 * job.instances,
            "instance-hours",
            lines=where,
            basis=f"train_runtime x {job.instances:g} instances",
            group={"source": NAME},
        )
