"""Rules on claimed savings."""

from __future__ import annotations

from simulator.audit import claim_outside
from tests.audit.clean_study import Find

TOTALS = "[reported.h100]\ntotal_cost = 100\n[reported.trn2]\ntotal_cost = 80\nsaving_share = {}\n"


def test_total_contradicts_saving(find: Find) -> None:
    assert "total_contradicts_saving" in find(more=TOTALS.format(0.4))
    assert "total_contradicts_saving" not in find(more=TOTALS.format(0.2))


READINGS = "[reported.h100]\nprice = 55.04\n[reported.trn2]\nprice = 35.76\nsaving_share = {}\n"


def test_saving_not_reproduced(find: Find) -> None:
    assert "+35.0%" in (find(more=READINGS.format(0.6))["saving_not_reproduced"].arithmetic or "")
    assert "saving_not_reproduced" not in find(more=READINGS.format(0.35))


def test_claim_outside_the_distribution() -> None:
    (high,) = claim_outside("claims.vendor", "trn2", 0.6, 0.002, 1e-4)
    assert "above" in high.message and high.where == "claims.vendor"
    (low,) = claim_outside("claims.vendor", "trn2", -0.9, 0.999)
    assert "below" in low.message
    assert not list(claim_outside("claims.vendor", "trn2", 0.3, 0.2))
