"""Neuron's own training scripts: BERT's `LOG ... step_loss`, the MLP's `Train throughput`, results dictionaries."""

import re
from collections.abc import Iterator, Mapping

from simulator.evidence.job import Job
from simulator.evidence.lines import Line
from simulator.evidence.messages import Cut, Parsed, Step, Summary
from simulator.evidence.reading import Fact
from simulator.evidence.scalars import number, positive

NAME = "neuron-train"
TRIGGERS = ("step_loss", "Train throughput", "Current data:", "Updating with data:")
LOOKS_FOR = "step lines of Neuron's training scripts"

_LOG = re.compile(r"\(\s*(\d+),\s*(\d+)\)\s*step_loss\s*:\s*(\S+)")
_THROUGHPUT = re.compile(r"throughput\s*:\s*([\d.]+)(?=\s|$)")
_ITERATIONS = re.compile(r"Train throughput \(iter/sec\):\s*([\d.]+)")
_RESULTS = re.compile(r"(?:Current data|Updating with data):\s*\{")
_PAIR = re.compile(r"'(\w+)':\s*(-?[\d.eE+]+)(?=[,}])")


def parse(text: str) -> Parsed | None:
    if match := _LOG.search(text):
        rate = _THROUGHPUT.search(text, match.end())
        if rate is None:
            return Parsed(Cut("cut before 'throughput'"))
        return Parsed(Step(iteration=int(match[2]), samples_rate=positive(rate[1]), loss=match[3]))
    if match := _ITERATIONS.search(text):
        rate_per_second = positive(match[1])
        return Parsed(Summary({"steps_per_second": rate_per_second})) if rate_per_second else None
    if match := _RESULTS.search(text):
        found = ((key, number(value)) for key, value in _PAIR.findall(text, match.end() - 1))
        values = {key: value for key, value in found if value is not None}
        return Parsed(Summary(values)) if values else Parsed(Cut("a results dictionary without a number"))
    return None


class Totals:
    """The one rate that a script prints at its end; ranks print nearly the same one and are not added."""

    def __init__(self) -> None:
        self.rates: list[tuple[int, float]] = []
        self.results: list[tuple[int, Mapping[str, float]]] = []
        self.copies = 0
        self._last_line = -2

    def __bool__(self) -> bool:
        return bool(self.rates or self.results)

    def add(self, line: Line, values: Mapping[str, float]) -> bool:
        rate = values.get("steps_per_second")
        if rate is None:
            known = any(values == before for _, before in self.results)
            if not known:
                self.results.append((line.number, values))
            return not known
        another_rank = (
            bool(self.rates) and line.number - self._last_line <= 3 and abs(rate / self.rates[-1][1] - 1) < 0.05
        )
        self._last_line = line.number
        if another_rank:
            self.copies += 1
            return False
        self.rates.append((line.number, rate))
        return True

    def facts(self, _job: Job) -> Iterator[Fact | str]:
        for line, rate in self.rates:
            yield Fact(
                "step_seconds",
                1 / rate,
                "s",
                lines=(line, line),
                group={"source": NAME},
                basis=f"1 / printed {rate:.6g} iterations/s, warm-up included",
            )
        if self.copies:
            yield f"{self.copies} lines repeat the rate of another rank: not added"
        for line, values in self.results:
            rate = values.get("throughput_average", 0.0)
            if rate > 0:
                yield Fact(
                    "samples_per_second",
                    rate,
                    "samples/s per job",
                    lines=(line, line),
                    basis="average as printed, warm-up included",
                    group={"per": "job", "source": NAME},
                )

    def minutes(self) -> float:
        """Time that the results dictionaries tell of."""
        return sum(values.get("train_time_minutes", 0.0) for _, values in self.results)
