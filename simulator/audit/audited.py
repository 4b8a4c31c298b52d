"""A result with what the audit finds in its study."""

from __future__ import annotations

from dataclasses import replace

from simulator.audit.check import gravity
from simulator.audit.rules import audit
from simulator.audit.totals import claim_outside
from simulator.engine import Result
from simulator.study import Note, Study


def audited(study: Study, result: Result) -> Result:
    """The result with the audit's findings beside what turned up while the study was read, the gravest first."""
    found = list(audit(study))
    for name, claim in result.claims.items():
        found += claim_outside(
            f"claims.{name}", claim.option, claim.saving_share, claim.p_reached.value, claim.p_reached.mcse
        )
    notes = (
        Note(each.code, each.severity, each.where, each.message, each.source) for each in sorted(found, key=gravity)
    )
    return replace(result, findings=(*result.findings, *notes))
