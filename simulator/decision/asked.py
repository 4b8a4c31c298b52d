"""What a user asks about: an option, an input; faults with the nearest name where there is no such thing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulator.study import Fault, Input, Study, StudyError, canonical, named
from simulator.study.faults import nearest

Floats = NDArray[np.float64]


def candidate(study: Study, name: str | None, benefits: Floats) -> str:
    """The candidate that is asked about: the one named, or the one with the highest mean net benefit.

    Raises
    ------
    StudyError
        When there is no candidate of that name, or none at all.
    """
    others = [each for each in study.options if each != study.baseline]
    if not others:
        found = f"{study.baseline} alone"
        raise StudyError([Fault(study.path, 0, "options", found, "an option beside the baseline")])
    if name is None:
        means = dict(zip(study.options, benefits.mean(axis=0), strict=True))
        return max(others, key=lambda each: means[each])
    if name not in others:
        fault = Fault(study.path, 0, "--option", f"no candidate {name}", ", ".join(others), nearest(name, others))
        raise StudyError([fault])
    return name


def uncertain(study: Study, name: str) -> Input:
    """The input that a user names, when it can be learnt; StudyError when it is a number, luck, or not there."""
    found = named(study, name)
    if found.fixed or found.luck:
        known = [each.name for each in study.inputs.values() if not each.fixed and not each.luck]
        why = "a number: there is nothing to learn" if found.fixed else "luck: nothing can be learnt of it"
        fault = Fault(study.path, 0, found.name, why, f"an uncertain input: {', '.join(known)}")
        raise StudyError([fault])
    return found


def moveable(study: Study, name: str, volume: str) -> str:
    """The canonical name of an input that can be set to a value, or `volume` itself; luck cannot be set."""
    if name == volume:
        return name
    if canonical(name) not in study.inputs:
        known = [*study.inputs, volume]
        expected = f"the name of an input, or {volume}"
        raise StudyError([Fault(study.path, 0, name, "no such input", expected, nearest(canonical(name), known))])
    found = named(study, name)
    if found.luck:
        raise StudyError([Fault(study.path, 0, found.name, "luck: it cannot be set", "an input that can be known")])
    return found.name
