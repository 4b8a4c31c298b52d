"""`simulate check`: a study told back, what it leaves out, and what the audit finds in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from simulator.audit.explain import Told, not_modelled, told
from simulator.audit.finding import SEVERITIES, Finding
from simulator.audit.rules import audit
from simulator.audit.totals import claim_outside
from simulator.study import Claim, Study

SCHEMA = "switchodds/check/1"
CLAIM_DRAWS = 2**14  # gives a probability of 1 % to about 0.05 %


@dataclass(frozen=True, slots=True)
class Check:
    """What there is to say of a study before it is run."""

    study: Study
    inputs: tuple[Told, ...]
    not_modelled: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def counts(self) -> Counter[str]:
        """How many findings there are of each severity."""
        return Counter(each.severity for each in self.findings)

    @property
    def grave(self) -> bool:
        """Whether anything was found that is more than good to know."""
        return any(each.severity != "info" for each in self.findings)

    def to_json(self) -> dict[str, object]:
        """The document that `simulate check --json` prints."""
        study = self.study
        return {
            "schema": SCHEMA,
            "study": {
                "title": study.title,
                "path": study.path,
                "sha256": study.sha256,
                "baseline": study.baseline,
                "currency": study.currency,
                "hurdle": study.hurdle,
                "as_of": study.as_of.isoformat() if study.as_of else None,
            },
            "inputs": [each.to_json() for each in self.inputs],
            "correlations": [{"between": list(each.between), "spearman": each.spearman} for each in study.correlations],
            "not_modelled": list(self.not_modelled),
            "findings": [each.to_json() for each in self.findings],
        }


def check(study: Study) -> Check:
    """Explain a study and audit it; simulated are its claims alone, without the scenarios."""
    found = (*audit(study), *claims(study), *notes(study))
    return Check(study, told(study), not_modelled(study), tuple(sorted(found, key=gravity)))


def claims(study: Study) -> Iterator[Finding]:
    """Claims, and savings that are reported, that lie outside the distribution of the saving."""
    places = {f"claims.{claim.name}": claim for claim in study.claims} | _reported(study)
    if not places:
        return
    from simulator.engine import run

    made = tuple(replace(claim, name=place) for place, claim in places.items())
    for place, claim in run(replace(study, scenarios={}, claims=made), draws=CLAIM_DRAWS).claims.items():
        reached = claim.p_reached
        yield from claim_outside(place, claim.option, claim.saving_share, reached.value, reached.mcse)


def _reported(study: Study) -> dict[str, Claim]:
    """Savings that are reported, by their place; those that stand among the claims as well are left out."""
    known = {(claim.option, claim.saving_share) for claim in study.claims}
    candidates = [name for name in study.options if study.reported and name != study.baseline]
    shares = {name: study.reported.of(name).saving_share for name in candidates if study.reported}
    return {
        f"reported.{name}.saving_share": Claim(name, name, share)
        for name, share in shares.items()
        if share is not None and (name, share) not in known
    }


def gravity(finding: Finding) -> int:
    """Rank of a finding, the gravest first."""
    return SEVERITIES.index(finding.severity)


def notes(study: Study) -> tuple[Finding, ...]:
    """What turned up while the file was read, as findings."""
    return tuple(
        Finding(code=each.code, severity=each.severity, where=each.where, message=each.message, source=each.source)
        for each in study.notes
    )
