"""A scenario of a study as a study of its own."""

from __future__ import annotations

from dataclasses import replace

from simulator.study.faults import Fault, StudyError, nearest
from simulator.study.values import Study


def scenario_of(study: Study, name: str | None) -> Study:
    """The study itself, or the scenario of that name in its place; StudyError when it has none of that name."""
    if name is None:
        return study
    if name not in study.scenarios:
        known = ", ".join(study.scenarios) or "none: the study has no scenarios"
        raise StudyError(
            [Fault(study.path, 0, f"scenarios.{name}", "no such scenario", known, nearest(name, study.scenarios))]
        )
    chosen = study.scenarios[name]
    return replace(chosen, title=f"{study.title} [{name}]", settings=study.settings, chosen=name)
