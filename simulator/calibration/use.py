"""A study with the posterior that lies beside it, where there is one that still holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.study import Note
from simulator.study.said import Said, Series

if TYPE_CHECKING:
    from simulator.engine import Result
    from simulator.study import Study


def with_posterior(study: Study) -> Study:
    """The study with its posterior; with its priors and a note where there is none, or one that is stale or failed."""
    path = Path(study.path).with_suffix(".posterior.nc")
    if not study.path or not path.exists():
        return study
    from simulator.calibration import record
    from simulator.calibration.posterior import applied
    from simulator.engine.saved import is_saved

    stored = record.read(path)
    if stored is None:
        message = Said(
            "{file} cannot be read, or another version wrote it; priors are used. Run simulate calibrate.",
            file=path.name,
        )
        return _noted(study, "posterior_unreadable", "warning", message)
    kept = is_saved(path.parent)
    if reasons := record.changed_priors(stored, study) if kept else record.stale(stored, study):
        message = Said(
            "{file} is out of date, priors are used: {reasons}. Run simulate calibrate.",
            file=path.name,
            reasons=Series("; ", reasons),
        )
        return _noted(study, "posterior_stale", "warning", message)
    failed = [told["title"] for told in stored.told["fits"] if not told["ok"]]
    if failed:
        message = Said(
            "{file} has fits that failed, and their priors are used: {fits}",
            file=path.name,
            fits=Series(", ", failed),
        )
        study = _noted(study, "posterior_failed", "warning", message)
    if not stored.sound:
        return study
    names = Series(", ", (name for each in stored.sound for name in each.names))
    source = {"path": str(path), "sha256": stored.sha256}
    learned = applied(study, stored.sound)
    message = Said("learned from a PoC ({file}): {names}", file=path.name, names=names)

    def told(each: Study) -> Study:
        return _noted(replace(each, posterior=source), "posterior_used", "info", message)

    scenarios = {name: told(each) for name, each in learned.scenarios.items()}
    return told(replace(learned, scenarios=scenarios))


def _noted(study: Study, code: str, severity: str, message: Said) -> Study:
    note = Note(code, "warning" if severity == "warning" else "info", "evidence", message)
    return replace(study, notes=(*study.notes, note))


def beside(prior_only: Result, with_it: Result) -> Result:
    """A result of priors alone, with a finding that says what the posterior makes of each candidate."""
    told = [
        Said(
            "{option}: P(beats) {p:.3g} with it and {p_prior:.3g} without, mean saving {saving:,.0f} and "
            "{saving_prior:,.0f}",
            option=name,
            p=new.p_beats.value,
            p_prior=old.p_beats.value,
            saving=new.saving.mean.value,
            saving_prior=old.saving.mean.value,
        )
        for name, old, new in ((n, o, with_it.options[n]) for n, o in prior_only.options.items())
        if old.p_beats is not None and new.p_beats is not None
    ]
    message = Said("these figures leave out what the PoC taught; {told}", told=Series("; ", told))
    return replace(prior_only, findings=(*prior_only.findings, Note("prior_only", "info", "evidence", message)))
