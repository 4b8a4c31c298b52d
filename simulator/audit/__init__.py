"""Findings on figures that cannot be true, or on which the answer hangs without saying so."""

from simulator.audit.audited import audited
from simulator.audit.check import Check, check
from simulator.audit.finding import Case, Finding
from simulator.audit.reference import Reference
from simulator.audit.rules import RULES, audit
from simulator.audit.totals import claim_outside

__all__ = ["RULES", "Case", "Check", "Finding", "Reference", "audit", "audited", "check", "claim_outside"]
