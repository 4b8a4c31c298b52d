"""A study with the posterior that lies beside it, where there is one that still holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.study import Note

if TYPE_CHECKING:
    from simulator.engine import Result
    from simulator.study import Study


@dataclass(frozen=True)
class Used:
    """The study to run, and the posterior that it rests on (its `path` and `sha256`); None where it rests on priors."""

    study: Study
    posterior: Mapping[str, str] | None


def with_posterior(study: Study) -> Used:
    """The study with its posterior; with its priors and a note where there is none, or one that is stale or failed."""
    path = Path(study.path).with_suffix(".posterior.nc")
    if not study.path or not path.exists():
        return Used(study, None)
    from simulator.calibration import record
    from simulator.calibration.posterior import applied

    stored = record.read(path)
    if stored is None:
        message = f"{path.name} cannot be read, or another version wrote it; priors are used. Run simulate calibrate."
        return Used(_noted(study, "posterior_unreadable", "warning", message), None)
    if reasons := record.stale(stored, study):
        message = f"{path.name} is out of date, priors are used: {'; '.join(reasons)}. Run simulate calibrate."
        return Used(_noted(study, "posterior_stale", "warning", message), None)
    failed = [told["title"] for told in stored.told["fits"] if not told["ok"]]
    if failed:
        message = f"{path.name} has fits that failed, and their priors are used: {', '.join(failed)}"
        study = _noted(study, "posterior_failed", "warning", message)
    if not stored.sound:
        return Used(study, None)
    names = ", ".join(name for each in stored.sound for name in each.names)
    learned = _noted(
        applied(study, stored.sound), "posterior_used", "info", f"learned from a PoC ({path.name}): {names}"
    )
    return Used(learned, {"path": str(path), "sha256": stored.sha256})


def _noted(study: Study, code: str, severity: str, message: str) -> Study:
    note = Note(code, "warning" if severity == "warning" else "info", "evidence", message)
    return replace(study, notes=(*study.notes, note))


def resting_on(result: Result, posterior: Mapping[str, str] | None) -> Result:
    """The result with the posterior that it rests on named in it."""
    return replace(result, study=replace(result.study, posterior=posterior))


def beside(prior_only: Result, with_it: Result) -> Result:
    """A result of priors alone, with a finding that says what the posterior makes of each candidate."""
    told = [
        f"{name}: P(beats) {new.p_beats.value:.3g} with it and {old.p_beats.value:.3g} without, mean saving "
        f"{new.saving.mean.value:,.0f} and {old.saving.mean.value:,.0f}"
        for name, old, new in ((n, o, with_it.options[n]) for n, o in prior_only.options.items())
        if old.p_beats is not None and new.p_beats is not None
    ]
    message = f"these figures leave out what the PoC taught; {'; '.join(told)}"
    return replace(prior_only, findings=(*prior_only.findings, Note("prior_only", "info", "evidence", message)))
