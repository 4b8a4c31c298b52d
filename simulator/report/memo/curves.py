"""Curves of the memo, computed from draws: the saving's shape, P(beats) against hurdle and volume, cost by week."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.engine.outcome import Outcome
from simulator.report.memo.sample import Sample, quantiles
from simulator.study import Study

Floats = NDArray[np.float64]

SHOWN = (0.01, 0.99)  # part of a long-tailed distribution that a chart shows; the caption says what lies beyond
BINS = 44
POINTS = 61
VOLUMES = (0.1, 0.15, 0.25, 0.4, 0.6, 0.8, 1.0, 1.3, 1.7, 2.2, 3.0, 4.0, 6.0)
VOLUME_DRAWS = 512  # of each replicate
TIMES = 50  # points of a timeline at most
VOLUME_INPUTS = ("pflop_hours", "tokens", "baseline_hours")


@dataclass(frozen=True, slots=True)
class Exceedance:
    """P(saving > x) of an option, in money."""

    option: str
    x: tuple[float, ...]
    p: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Density:
    """Probability of each bin of the saving share, and what lies below the first and above the last edge."""

    option: str
    edges: tuple[float, ...]
    p: tuple[float, ...]
    below: float
    above: float


@dataclass(frozen=True, slots=True)
class Acceptability:
    """P(beats) of an option against the hurdle, and against the volume of work as a multiple of today's."""

    option: str
    hurdles: tuple[float, ...]
    p_hurdle: tuple[float, ...]
    volumes: tuple[float, ...]
    p_volume: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Cash spent by an option up to each week: mean, and the 5 and 95 % points. The schedule's worth is no cash."""

    option: str
    weeks: tuple[float, ...]
    mean: tuple[float, ...]
    p05: tuple[float, ...]
    p95: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Curves:
    """All curves, by option in file order; those of a saving that is the same in every draw are left out."""

    exceedance: tuple[Exceedance, ...]
    density: tuple[Density, ...]
    acceptability: tuple[Acceptability, ...]
    timeline: tuple[Timeline, ...]


def curves(study: Study, sample: Sample) -> Curves:
    """Curves of every candidate that is uncertain, and the timeline of every option."""
    candidates = [name for name in study.options if name != study.baseline and _varies(sample, name)]
    return Curves(
        tuple(_exceedance(sample, name) for name in candidates),
        tuple(_density(sample, name) for name in candidates),
        tuple(_acceptability(study, sample, candidates)),
        tuple(_timelines(study, sample)),
    )


def volume_inputs(study: Study) -> tuple[str, ...]:
    """Inputs to which the work is proportional."""
    return tuple(each.name for key, each in study.workload.inputs.items() if key in VOLUME_INPUTS)


def _varies(sample: Sample, name: str) -> bool:
    values, weights = sample.points(name, share=True)
    met = values[weights > 0]
    return bool(np.ptp(met) > 1e-9)


def _reached(values: Floats, weights: Floats, x: Floats) -> Floats:
    """P(value > x)."""
    order = np.argsort(values)
    total = np.concatenate([[0.0], np.cumsum(weights[order])])
    above: Floats = 1 - total[np.searchsorted(values[order], x, side="right")] / total[-1]
    return above


def _exceedance(sample: Sample, name: str) -> Exceedance:
    values, weights = sample.points(name, share=False)
    low, high = quantiles(values, weights, SHOWN)
    x = np.linspace(min(low, 0.0), max(high, 0.0), POINTS)
    return Exceedance(name, _tuple(x), _tuple(_reached(values, weights, x)))


def _density(sample: Sample, name: str) -> Density:
    values, weights = sample.points(name, share=True)
    named = [sample.study.hurdle, *(claim.saving_share for claim in sample.study.claims if claim.option == name)]
    low, high = quantiles(values, weights, SHOWN)
    step = _nice((max(high, *named, 0.0) - min(low, *named, 0.0)) / BINS)
    first, last = np.floor(min(low, *named, 0.0) / step), np.ceil(max(high, *named, 0.0) / step)
    edges = np.arange(first, last + 1) * step
    counts, _ = np.histogram(values, edges, weights=weights)
    below, above = float(weights[values < edges[0]].sum()), float(weights[values > edges[-1]].sum())
    return Density(name, _tuple(edges), _tuple(counts), below, above)


def _nice(step: float) -> float:
    """1, 2, 2.5 or 5 times a power of ten, not below a step."""
    size = 10.0 ** np.floor(np.log10(step))
    return float(next(m * size for m in (1, 2, 2.5, 5, 10) if m * size >= step * (1 - 1e-9)))


def _acceptability(study: Study, sample: Sample, candidates: list[str]) -> Iterator[Acceptability]:
    few, names = sample.first(VOLUME_DRAWS), volume_inputs(study)
    scaled = [few.at({name: few.columns[name] * v for name in names}) for v in VOLUMES] if candidates else []
    for name in candidates:
        values, weights = sample.points(name, share=True)
        low, high = quantiles(values, weights, (0.10, 0.99))
        hurdles = np.linspace(min(low, study.hurdle, 0.0), max(high, study.hurdle + 0.05), POINTS)
        yield Acceptability(
            name,
            _tuple(hurdles),
            _tuple(_reached(values, weights, hurdles)),
            VOLUMES[: len(scaled)],
            tuple(each.p_beats(name, study.hurdle) for each in scaled),
        )


def _timelines(study: Study, sample: Sample) -> Iterator[Timeline]:
    few = sample.first(VOLUME_DRAWS)
    spent = {name: Spending.of(study, name, few) for name in study.options}
    longest = max(float(np.quantile(few.full(each.weeks), 0.95)) for each in few.outcomes.values())
    step = _nice(max(longest, 1e-3) / TIMES)
    weeks = np.arange(0, np.ceil(longest / step) + 1) * step
    base = spent[study.baseline]
    for name, each in spent.items():
        mean, low, high = [], [], []
        for week in weeks:
            through = few.full(each.through(week))
            blocked = few.full(each.blocked(week, base))
            goes = few.full(few.outcomes[name].goes)
            weights = np.concatenate([goes, 1 - goes])
            mean.append(float(np.mean(goes * through + (1 - goes) * blocked)))
            ends = quantiles(np.concatenate([through, blocked]), weights, (0.05, 0.95))
            low.append(float(ends[0]))
            high.append(float(ends[1]))
        yield Timeline(name, _tuple(weeks), tuple(mean), tuple(low), tuple(high))


@dataclass(frozen=True)
class Spending:
    """When an option's money is spent: amounts at the start, the migration's over the delay, the rest over the run."""

    start: Floats
    migration: Floats
    rest: Floats
    delay: Floats
    run: Floats
    trial: Floats
    trial_weeks: Floats

    @classmethod
    def of(cls, study: Study, name: str, sample: Sample) -> Spending:
        """The parts of an option's cost by the time at which they fall due; they add up to TCO less schedule cost."""
        option, found, columns = study.options[name], sample.outcomes[name], sample.columns

        def column(key: str) -> Floats:
            return columns[option.inputs[key].name]

        migration = columns[study.engineer_rate.name] * column("engineer_hours")
        start = sum((columns[c.value.name] for c in option.other_costs if c.per == "amount"), np.zeros(()))
        delay = column("delay_weeks")
        lost = column("blocked_spent") * delay
        worth = columns[study.delay_week_rate.name] * lost
        return cls(
            start=start,
            migration=migration,
            rest=found.through - found.parts.schedule - migration - start,
            delay=delay,
            run=found.weeks - delay,
            trial=_trial(found, sample) - worth,
            trial_weeks=lost,
        )

    def through(self, week: float) -> Floats:
        """Spent by a week when the migration goes through."""
        return (
            self.start
            + self.migration * _done(week, self.delay)
            + self.rest * _done(week - self.delay, np.maximum(self.run, 1e-9))
        )

    def blocked(self, week: float, baseline: Spending) -> Floats:
        """Spent by a week when the migration fails: the trial, then the baseline's way."""
        after = week - self.trial_weeks
        back = np.where(
            after >= 0,
            baseline.start
            + baseline.migration * _done(np.maximum(after, 0), baseline.delay)
            + baseline.rest * _done(after - baseline.delay, np.maximum(baseline.run, 1e-9)),
            0.0,
        )
        return self.trial * _done(week, self.trial_weeks) + back


def _trial(found: Outcome, sample: Sample) -> Floats:
    """What a failed migration costs before the way back; 0 for the baseline."""
    return found.blocked - sample.outcomes[sample.study.baseline].through


def _done(time: float | Floats, length: Floats) -> Floats:
    """Share of a period of this length that is over; all of it where it has none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(length > 0, time / length, np.where(np.asarray(time) >= 0, 1.0, 0.0))
    return np.clip(share, 0.0, 1.0)


def _tuple(values: Floats) -> tuple[float, ...]:
    return tuple(values.tolist())
