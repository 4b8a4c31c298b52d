"""What knowing is worth: everything, one input, a group of them, and a number of noisy measurements of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from simulator.decision import themes, voi
from simulator.decision.asked import uncertain
from simulator.decision.documents import facts, told
from simulator.decision.known import Known
from simulator.decision.measure import Way, likelihood
from simulator.decision.offers import hours_of, ways_of
from simulator.decision.steps import Progress, Steps, silent
from simulator.decision.voi import Estimate
from simulator.decision.worth import Group, group_worths, worths
from simulator.engine import DEFAULT_SEED, Figure
from simulator.engine.plan import REPLICATES
from simulator.study import Study

SCHEMA: Final = "switchodds/voi/1"
DRAWS: Final = 2**14
SIZES: Final = (1, 2, 4, 8, 16, 32)


@dataclass(frozen=True, slots=True)
class Measured:
    """Worth of measuring an input, by number of observations; see `simulator.decision.measure`."""

    way: Way
    hours: float
    sizes: tuple[tuple[int, Estimate], ...]


@dataclass(frozen=True, slots=True)
class Worth:
    """Worth of knowing one input, and of measuring it; `measured` is None where knowing it is worth nothing."""

    input: str
    group: str
    unit: str
    evppi: Estimate
    measured: Measured | None


@dataclass(frozen=True, slots=True)
class Value:
    """What knowing is worth for a study's choice between all its options.

    Attributes
    ----------
    best : str
        The option that is best on what is known.
    gain : Figure
        Its expected net benefit over staying.
    evpi : Estimate
    inputs : tuple of Worth
        The most valuable first.
    groups : tuple of Group
        The most valuable first.
    luck : tuple of str
        Uncertain inputs of which nothing can be learnt.
    """

    study: Study
    draws: int
    seed: int
    best: str
    gain: Figure
    evpi: Estimate
    inputs: tuple[Worth, ...]
    groups: tuple[Group, ...]
    luck: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """The document that `simulate voi --json` prints."""
        return {
            "schema": SCHEMA,
            "study": facts(self.study),
            "run": {"draws": self.draws, "seed": self.seed, "replicates": REPLICATES},
            "best": self.best,
            "gain": self.gain.to_json(),
            "evpi": told(self.evpi),
            "inputs": [_worth(each) for each in self.inputs],
            "groups": [each.to_json() for each in self.groups],
            "luck": list(self.luck),
        }


def _worth(each: Worth) -> dict[str, object]:
    found = each.measured
    return {
        "input": each.input,
        "group": each.group,
        "unit": each.unit,
        "evppi": told(each.evppi),
        "measured": None
        if found is None
        else {
            **asdict(found.way),
            "hours_per_run": found.hours,
            "sizes": [{"observations": size, "evsi": told(evsi)} for size, evsi in found.sizes],
        },
    }


def value_of_information(
    study: Study,
    draws: int = DRAWS,
    seed: int = DEFAULT_SEED,
    inputs: Sequence[str] = (),
    sizes: Sequence[int] = SIZES,
    progress: Progress = silent,
) -> Value:
    """What knowing is worth.

    Parameters
    ----------
    study : Study
        Its scenarios are left aside; a `[poc]` says how noisy a measurement is.
    draws, seed : int
        As of `run`.
    inputs : sequence of str
        Inputs whose measurement is valued; by default all whose EVPPI can be told from 0.
    sizes : sequence of int
        Numbers of observations.
    progress : callable, optional
        Called with (steps done, steps planned).

    Raises
    ------
    StudyError
        When an input is not there, a number, or luck.
    """
    asked = {uncertain(study, each).name for each in inputs}
    known = Known.of(study, draws, seed)
    steps = Steps(progress, 2 * len(known.names) + len(themes.grouped(known.names)))
    singles = worths(known, steps)
    found = []
    for name in known.names:
        wanted = name in asked if asked else singles[name].distinguishable
        measured = _measured(known, name, sizes) if wanted else None
        found.append(Worth(name, themes.group_of(name), study.inputs[name].unit, singles[name], measured))
        steps()
    means = known.benefits.mean(axis=0)
    return Value(
        study=study,
        draws=known.draws,
        seed=seed,
        best=list(study.options)[int(means.argmax())],
        gain=known.mean(known.benefits[:, int(means.argmax())]),
        evpi=voi.evpi(known.benefits, replicates=REPLICATES),
        inputs=tuple(sorted(found, key=lambda each: (not each.evppi.distinguishable, -each.evppi.value))),
        groups=group_worths(known, singles, steps),
        luck=tuple(name for name, each in study.inputs.items() if each.luck and not each.fixed),
    )


def _measured(known: Known, name: str, sizes: Sequence[int]) -> Measured | None:
    """Worth of measuring an input; None for one that has no way to be measured."""
    how, hours = ways_of(known.study).get(name), hours_of(known.study)
    if how is None:
        return None
    found = voi.evsi(known.benefits, known.column(name), likelihood(how, hours), sizes, replicates=REPLICATES)
    return Measured(how, hours, tuple(zip(sizes, found, strict=True)))
