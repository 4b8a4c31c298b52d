"""What the documents of the analyses have in common."""

from __future__ import annotations

from dataclasses import asdict

from simulator.decision.voi import Estimate
from simulator.study import Study


def told(estimate: Estimate) -> dict[str, object]:
    """A value of information as JSON, with its note."""
    return {**asdict(estimate), "note": estimate.note}


def facts(study: Study) -> dict[str, object]:
    """What the study was, as JSON."""
    return {
        "title": study.title,
        "path": study.path,
        "sha256": study.sha256,
        "baseline": study.baseline,
        "currency": study.currency,
        "hurdle": study.hurdle,
        "posterior": study.posterior,
    }
