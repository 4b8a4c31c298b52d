"""From a study's evidence to its posterior, and what that changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from simulator.calibration import record
from simulator.calibration.diagnose import Diagnosis, diagnose
from simulator.calibration.fit import Fit, Group, groups
from simulator.calibration.gather import gather
from simulator.calibration.influence import without
from simulator.calibration.likelihood import Curve, curve
from simulator.calibration.posterior import Learned, applied
from simulator.calibration.quadrature import quadrature
from simulator.calibration.sampler import Progress, sample
from simulator.engine import Figure, Result, run
from simulator.study import canonical
from simulator.study.faults import Fault, StudyError, nearest
from simulator.study.said import Series

if TYPE_CHECKING:
    from simulator.calibration.observation import Observation
    from simulator.inputs import Distribution
    from simulator.study import Study

SCHEMA: Final = "switchodds/calibration/1"
REACH: Final = 8.0  # prior scores between which a likelihood is computed
EFFECT_DRAWS: Final = 65_536
WITHOUT_DRAWS: Final = 8_192
QUANTILES: Final = {"p05": 0.05, "p50": 0.5, "p95": 0.95}

Report = Callable[[str], None]
"""Called with what is being done."""


@dataclass(frozen=True)
class Moved:
    """What the figures of an option would be without one piece of evidence, and how much that evidence moved them."""

    place: int
    evidence: str
    option: str
    p_beats: float
    saving_mean: float


@dataclass(frozen=True)
class Calibration:
    """What was learned, from what, how well, and what it changes.

    Attributes
    ----------
    fits, diagnoses : sequences
        One a group; diagnoses by input.
    before, after : Result
        Figures under the priors and under the posterior of the fits that passed.
    moved_by : tuple of Moved
        Evidence by how far it moved P(beats), most first.
    unknown : tuple of (input, share)
        What is left to learn: inputs by their share of the spread of the leading option's saving.
    notes : mapping of place to notes
        What files held and taught nothing.
    """

    study: Study
    learned: Study
    fits: tuple[Fit, ...]
    diagnoses: tuple[Mapping[str, Diagnosis], ...]
    before: Result
    after: Result
    moved_by: tuple[Moved, ...]
    unknown: tuple[tuple[str, float], ...]
    notes: Mapping[int, tuple[str, ...]]
    path: Path
    kept: int
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether every fit passed its diagnostics."""
        return not any(self.problems)

    @property
    def problems(self) -> list[str]:
        """Why fits are not used."""
        return [each for fit in self.diagnoses for found in fit.values() for each in found.problems]

    @property
    def warnings(self) -> list[str]:
        """What a reader should know of the fits that are used."""
        return [each for fit in self.diagnoses for found in fit.values() for each in found.warnings]

    def prior(self, name: str) -> Distribution:
        """The law of a learned input before."""
        return next(fit.group.laws[name] for fit in self.fits if name in fit.group.laws)

    def posterior(self, name: str) -> Distribution:
        """The law of a learned input after, whether its fit passed or not."""
        from simulator.inputs.warped import Warped

        fit = next(fit for fit in self.fits if name in fit.group.laws)
        return Warped(fit.group.laws[name], fit.bends[fit.group.names.index(name)], fit.effective)

    def to_json(self) -> dict[str, Any]:
        """The document that `simulate calibrate --json` prints."""
        inputs: dict[str, Any] = {}
        for fit, found in zip(self.fits, self.diagnoses, strict=True):
            for name in fit.group.names:
                told = found.get(name)
                inputs[name] = {
                    "prior": _spread(self.prior(name)),
                    "posterior": _spread(self.posterior(name)),
                    **dict.fromkeys(("rhat", "ess_bulk", "ess_tail", "conflict")),
                    **(told.to_json() if told else {}),
                    "method": fit.method,
                    "evidence": [each.label for each in fit.group.observations if name in each.quantity.inputs],
                }
        return {
            "schema": SCHEMA,
            "study": {"title": self.study.title, "path": self.study.path, "sha256": self.study.sha256},
            "posterior": str(self.path),
            "seconds": self.seconds,
            "divergences": sum(fit.divergences for fit in self.fits),
            "ok": self.ok,
            "inputs": inputs,
            "effect": {
                name: {
                    "p_beats": _both(self.before.options[name].p_beats, self.after.options[name].p_beats),
                    "saving_mean": _both(self.before.options[name].saving.mean, self.after.options[name].saving.mean),
                }
                for name in self.study.options
                if name != self.study.baseline
            },
            "moved_by": [
                {
                    "evidence": each.evidence, "option": each.option,
                    "without": {"p_beats": each.p_beats, "saving_mean": each.saving_mean},
                }
                for each in self.moved_by
            ],
            "unknown": [{"input": name, "share": share} for name, share in self.unknown],
            "problems": self.problems,
            "warnings": self.warnings,
            "notes": [note for each in self.notes.values() for note in each],
        }  # fmt: skip


def _spread(law: Distribution) -> dict[str, float]:
    quantiles = law.ppf(np.array(list(QUANTILES.values())))
    return {"mean": law.mean, "sd": law.sd, **{k: float(x) for k, x in zip(QUANTILES, quantiles, strict=True)}}


def _both(before: Figure | None, after: Figure | None) -> dict[str, Any]:
    return {
        "prior": before.to_json() if before else None,
        "posterior": after.to_json() if after else None,
    }


def _silent(_: str) -> None:
    """Nothing is reported."""


def _no_bar(done: int, planned: int) -> None:
    """No progress is shown."""


def calibrate(
    study: Study,
    only: str | None = None,
    seed: int = 1,
    anew: bool = False,
    report: Report = _silent,
    progress: Progress = _no_bar,
) -> Calibration:
    """Learn the inputs of a study from its evidence, and keep the posterior beside it.

    Fits whose priors and data are those of the posterior file are taken from it; what quadrature fits is in the file
    before the sampler starts, so that an interrupted calibration is taken up where it was.

    Parameters
    ----------
    only : str, optional
        Fit the group of this input alone; the others stay as the file has them.
    anew : bool
        Fit everything again.
    report : callable
        Called with what is being done.
    progress : callable
        Called with the sampler's draws done and planned.

    Raises
    ------
    StudyError
        Where there is no evidence, or it does not fit the study.
    NoSamplerError
        Where inputs are learned together and the sampler cannot run.
    """
    start = time.perf_counter()
    report("reading the evidence")
    gathered = gather(study)
    every = groups(study, gathered.observations)
    curves = {each.key: _curve(each, group) for group in every for each in group.observations}
    path = record.path_of(study)
    known = {} if anew else kept(path, every)
    asked = [group for group in every if only is None or _holds(study, group, only, every)]
    fits: dict[str, Fit] = {title: fit for title, fit in known.items() if only is None or fit.group not in asked}
    found: dict[str, dict[str, Diagnosis]] = {}
    for group in asked:
        if group.title not in fits and len(group.measured) == 1:
            report(f"computing {group.title}")
            fits[group.title] = quadrature(group, curves, seed)
    _keep(path, study, every, fits, found, curves, seed)
    joint = [group for group in asked if group.title not in fits]
    if joint:
        report("compiling and sampling " + "; ".join(group.title for group in joint))
        for fit in sample(joint, seed, progress):
            fits[fit.group.title] = fit
        _keep(path, study, every, fits, found, curves, seed)
    ordered = [fits[group.title] for group in every if group.title in fits]
    diagnoses = [found[fit.group.title] for fit in ordered]
    report("running the study")
    sound = [fit for fit, told in zip(ordered, diagnoses, strict=True) if _passed(told)]
    learned = applied(study, [_learned(fit) for fit in sound])
    before, after = run(study, EFFECT_DRAWS, seed), run(learned, EFFECT_DRAWS, seed)
    report("leaving out each piece of evidence")
    moved = _moved(study, sound, curves, after, gathered.observations, seed)
    return Calibration(
        study, learned, tuple(ordered), tuple(diagnoses), before, after, tuple(moved), tuple(_unknown(learned, after)),
        gathered.notes, path, sum(fit.group.title in known for fit in ordered), time.perf_counter() - start,
    )  # fmt: skip


def _curve(observation: Observation, group: Group) -> Curve:
    """The observation's likelihood over all values that its quantity has between extreme scores of its inputs."""
    own = [name for name in observation.quantity.inputs if name in group.laws]
    corners = np.array(np.meshgrid(*[[-REACH, REACH]] * len(own))).reshape(len(own), -1)
    x = observation.quantity.of(group.values(dict(zip(own, corners, strict=True))))
    return curve(observation, float(np.min(x)), float(np.max(x)))


def _holds(study: Study, group: Group, only: str, every: Sequence[Group]) -> bool:
    name = canonical(only)
    measured = [n for each in every for n in each.names]
    if name not in measured:
        fault = Fault(
            study.path, 0, only, "no evidence bears on it", f"one of {', '.join(measured)}", nearest(name, measured)
        )
        raise StudyError([fault])
    return name in group.names


def kept(path: Path, every: Sequence[Group]) -> dict[str, Fit]:
    """Fits of the posterior file that rest on the same priors and data, by the title of their group."""
    stored = record.read(path)
    if stored is None:
        return {}
    found = {}
    for group in every:
        for learned, told in zip(stored.learned, stored.told["fits"], strict=True):
            if told["basis"] == record.basis(group) and told["ok"]:
                found[group.title] = record.fit_of(stored, group, learned, told)
    return found


def _keep(
    path: Path, study: Study, every: Sequence[Group], fits: Mapping[str, Fit], found: dict[str, dict[str, Diagnosis]],
    curves: Mapping[str, Curve], seed: int,
) -> None:  # fmt: skip
    """Diagnose what is new, and write the fits there are, in the order of the groups; nothing is written of none."""
    ordered = [fits[group.title] for group in every if group.title in fits]
    for fit in ordered:
        if fit.group.title not in found:
            found[fit.group.title] = diagnose(fit, curves, seed)
    if ordered:
        record.write(path, study, ordered, [_told(study, fit, found[fit.group.title]) for fit in ordered])


def _told(study: Study, fit: Fit, found: Mapping[str, Diagnosis]) -> dict[str, Any]:
    """What the posterior file says of a fit beside its draws."""
    return {
        "title": fit.group.title,
        "names": list(fit.group.names),
        "method": fit.method,
        "ok": _passed(found),
        "divergences": fit.divergences,
        "basis": record.basis(fit.group),
        "correlations": record.correlations_of(study, fit.group.names),
        "evidence": [each.label for each in fit.group.observations],
        "diagnostics": {name: each.to_json() for name, each in found.items()},
        "problems": [problem for each in found.values() for problem in each.problems],
    }


def _passed(found: Mapping[str, Diagnosis]) -> bool:
    return not any(each.problems for each in found.values())


def _learned(fit: Fit) -> Learned:
    return Learned(fit.group.names, fit.bends, fit.pearson, fit.effective)


def _moved(
    study: Study, sound: Sequence[Fit], curves: Mapping[str, Curve], after: Result,
    observations: Sequence[Observation], seed: int,
) -> list[Moved]:  # fmt: skip
    """Figures without each piece of evidence, those first that moved P(beats) most."""
    found = []
    for place in sorted({each.place for fit in sound for each in fit.group.observations}):
        learned = [
            without(fit, curves, place, seed)
            if any(e.place == place for e in fit.group.observations)
            else _learned(fit)
            for fit in sound
        ]
        result = run(applied(study, [each for each in learned if each is not None]), WITHOUT_DRAWS, seed)
        label = Series("; ", dict.fromkeys(each.label for each in observations if each.place == place))
        for name, option in result.options.items():
            if option.p_beats is not None:
                found.append(Moved(place, label, name, option.p_beats.value, option.saving.mean.value))

    def distance(each: Moved) -> float:
        now = after.options[each.option].p_beats
        return abs(each.p_beats - now.value) if now else 0.0

    return sorted(found, key=distance, reverse=True)


def _unknown(study: Study, result: Result) -> list[tuple[str, float]]:
    """Uncertain inputs by squared rank correlation with the leading candidate's saving, most first."""
    candidates = [name for name in study.options if name != study.baseline]
    uncertain = [name for name, each in study.inputs.items() if not isinstance(each.value, float) and not each.luck]
    if not candidates or not uncertain:
        return []
    leading = max(candidates, key=lambda name: result.options[name].saving.mean.value)
    columns = [f"{name}.net_benefit" for name in (study.baseline, leading)]
    small = run(study, WITHOUT_DRAWS, result.run.seed)
    draws = small.draws([*columns, *uncertain])
    saving = _ranks(draws[columns[1]] - draws[columns[0]])
    shares = [(name, float(np.corrcoef(_ranks(draws[name]), saving)[0, 1] ** 2)) for name in uncertain]
    return sorted(shares, key=lambda each: each[1], reverse=True)


def _ranks(x: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    ranks = np.empty(x.size)
    ranks[np.argsort(x, kind="stable")] = np.arange(x.size)
    return ranks
