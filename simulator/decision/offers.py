"""The proofs of concept that a study offers: what each run measures, and what money and time it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from simulator.decision.known import Known
from simulator.decision.measure import HOURS, Way, joint, likelihood, measurable, way
from simulator.decision.voi.likelihood import Likelihood
from simulator.study import Fault, Study, StudyError
from simulator.study.sections import Design, Poc

SNIPPET = """\
a section that says what a PoC would cost, such as

    [poc]
    fixed_cost = 6000              # the part of the port that any PoC takes
    hours_per_run = 48             # instance-hours of one run, at the option's price
    engineer_hours_per_run = 8     # at the rate of an engineer
    weeks = 2                      # by which it delays the decision, at delay_week each
    weeks_per_run = 0.5
    most_runs = 8

"""
ALL = "all that a run shows"


@dataclass(frozen=True, slots=True)
class Offer:
    """A design of a PoC.

    Attributes
    ----------
    name : str
    measures : tuple of str
        Inputs that every run measures.
    ways : mapping of input to Way
    hours : float
        Of one run, instance-hours.
    setup, per_run : float
        Money, without that of the time it takes.
    weeks, weeks_per_run : float
        By which the decision waits.
    week : float
        Mean cost of a week.
    most : int
        Runs at most.
    """

    name: str
    measures: tuple[str, ...]
    ways: Mapping[str, Way]
    hours: float
    setup: float
    per_run: float
    weeks: float
    weeks_per_run: float
    week: float
    most: int

    def delay(self, runs: int) -> float:
        """Cost of the weeks that so many runs take."""
        return self.week * (self.weeks + runs * self.weeks_per_run)

    def cost(self, runs: int) -> float:
        """Cost of so many runs, the weeks among it."""
        return self.setup + runs * self.per_run + self.delay(runs)

    def law(self, inputs: tuple[str, ...]) -> Likelihood:
        """Law of what one run shows of some of the measured inputs."""
        return joint([likelihood(self.ways[name], self.hours) for name in inputs])

    def only(self, name: str) -> Offer:
        """The same PoC, one input of it measured."""
        return replace(self, name=f"{name} alone", measures=(name,))


def offers(known: Known, option: str) -> tuple[Offer, ...]:
    """The designs of a study's `[poc]`; without any, one that measures all that a run of the option shows.

    Raises
    ------
    StudyError
        When the study has no `[poc]`, when nothing says what a run costs, or when a measured input is no unknown.
    """
    study = known.study
    if study.poc is None:
        raise StudyError([Fault(study.path, 0, "poc", "missing", SNIPPET.rstrip())])
    designs = study.poc.designs or {ALL: Design(measures=_shown(study, option))}
    return tuple(_offer(known, study.poc, option, name, each) for name, each in designs.items())


def hours_of(study: Study) -> float:
    """Length of a run: the study's, or the default."""
    return study.poc.hours_per_run if study.poc and study.poc.hours_per_run else HOURS


def ways_of(study: Study) -> dict[str, Way]:
    """How each input that can be measured is measured, by what the study says and the defaults."""
    poc = study.poc or Poc()
    inputs = study.inputs.items()
    return {name: way(each, poc.noise or {}, poc.discrepancy or {}) for name, each in inputs if measurable(each)}


def _shown(study: Study, option: str) -> tuple[str, ...]:
    ways = ways_of(study)
    own = tuple(each.name for each in study.options[option].inputs.values() if each.name in ways)
    found = tuple(name for name in own if ways[name].shown)
    if not found:
        why = f"no input of {option} that a run shows is uncertain"
        raise StudyError([Fault(study.path, 0, "poc", why, "[poc.designs.NAME] with what its runs measure")])
    return found


def _offer(known: Known, poc: Poc, option: str, name: str, design: Design) -> Offer:
    study, ways = known.study, ways_of(known.study)
    measures = design.measures or ()
    for each in measures:
        if each not in ways:
            where = f"poc.designs.{name}.measures"
            why = "a number, or luck" if each not in known.names else "below 0 in some draws, where no noise is known"
            raise StudyError([Fault(study.path, 0, where, f"{each} is {why}", f"some of {', '.join(ways)}")])

    def given(key: str) -> float | None:
        own: float | None = getattr(design, key)
        general: float | None = getattr(poc, key)
        return general if own is None else own

    hours, run = given("hours_per_run"), given("cost_per_run")
    if hours is None and run is None:
        found = "neither cost_per_run nor hours_per_run"
        raise StudyError([Fault(study.path, 0, f"poc.designs.{name}", found, "one of them: what a run costs")])
    if run is None:
        rate = known.mean(known.now.columns[study.engineer_rate.name]).value
        run = _hourly(known, option) * (hours or 0.0) + rate * (given("engineer_hours_per_run") or 0.0)
    return Offer(
        name=name,
        measures=measures,
        ways={each: ways[each] for each in measures},
        hours=hours or HOURS,
        setup=given("fixed_cost") or 0.0,
        per_run=run,
        weeks=given("weeks") or 0.0,
        weeks_per_run=given("weeks_per_run") or 0.0,
        week=known.mean(known.now.columns[study.delay_week_rate.name]).value,
        most=int(given("most_runs") or 1),
    )


def _hourly(known: Known, option: str) -> float:
    inputs = known.study.options[option].inputs
    price, discount = (known.now.columns[inputs[key].name] for key in ("price", "discount"))
    return known.mean(price * (1 - discount)).value
