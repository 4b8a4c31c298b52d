"""The program held against what is known: problems and studies with closed forms, done on the user's own machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from simulator.verification.check import Check, Checks
from simulator.verification.coverage import errors, two_runs
from simulator.verification.information import (
    conjugate_models,
    perfect_information,
    sample_information,
    stopping_and_delay,
)
from simulator.verification.laws import inverses, tables
from simulator.verification.posteriors import conjugates
from simulator.verification.studies import arithmetic, faults, lognormal, normal

__all__ = ["GROUPS", "Check", "Verification", "verify"]

SCHEMA: Final = "switchodds/verify/1"

GROUPS: Final[Mapping[str, Callable[[], Checks]]] = MappingProxyType(
    {
        "Costs of a study of fixed numbers": arithmetic,
        "A study of two normal costs": normal,
        "A study of two lognormal prices": lognormal,
        "A study of faults alone": faults,
        "Monte Carlo errors": errors,
        "Seeds": two_runs,
        "Inverse distribution functions": inverses,
        "Their tables": tables,
        "Posteriors": conjugates,
        "Value of perfect information": perfect_information,
        "Value of sample information": sample_information,
        "Conjugate models": conjugate_models,
        "Stopping and delay": stopping_and_delay,
    }
)


@dataclass(frozen=True, slots=True)
class Verification:
    """Every check by group, and how long they took."""

    groups: Mapping[str, tuple[Check, ...]]
    seconds: float

    @property
    def checks(self) -> tuple[Check, ...]:
        return tuple(check for group in self.groups.values() for check in group)

    @property
    def failed(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.passed)

    def to_json(self) -> dict[str, object]:
        """The document of `simulate verify --json`."""
        return {
            "schema": SCHEMA,
            "seconds": self.seconds,
            "passed": not self.failed,
            "checks": [{"group": group, **check.to_json()} for group, found in self.groups.items() for check in found],
        }


def _silent(done: int, planned: int) -> None:
    """No progress shown."""


def verify(progress: Callable[[int, int], None] = _silent) -> Verification:
    """Run every check; a group that cannot be computed counts as one that fails.

    Parameters
    ----------
    progress : callable, optional
        Called with (groups done, groups planned).
    """
    start = time.perf_counter()
    groups = {}
    for done, (name, find) in enumerate(GROUPS.items()):
        progress(done, len(GROUPS))
        groups[name] = _found(find)
    return Verification(groups, time.perf_counter() - start)


def _found(find: Callable[[], Checks]) -> tuple[Check, ...]:
    found: list[Check] = []
    try:
        found.extend(find())
    except Exception as error:  # whatever a broken estimator does, the rest is still to be checked
        found.append(Check(f"stopped by {type(error).__name__}: {error}", 0.0, float("nan"), 0.0, "no error"))
    return tuple(found)
