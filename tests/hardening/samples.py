"""Small files of evidence to spoil, of every family of formats."""

from __future__ import annotations

import json

from tests.evidence.corpus import CORPUS
from tests.evidence.test_bills import CUR, FOCUS
from tests.evidence.test_slurm import HEAD, row
from tests.evidence.test_timesheets import CLOCKIFY, HARVEST, JIRA, TOGGL


def _csv(columns: dict[str, str], *changes: dict[str, str]) -> str:
    rows = [",".join(f'"{value}"' for value in {**columns, **change}.values()) for change in changes]
    return "\n".join([",".join(columns), *rows, ""])


CUR_BILL = _csv(
    CUR,
    {"lineItem/UnblendedCost": "55.04", "pricing/publicOnDemandCost": "55.04"},
    {
        "lineItem/LineItemType": "DiscountedUsage",
        "reservation/EffectiveCost": "30.5",
        "reservation/ReservationARN": "a",
    },
    {"lineItem/LineItemType": "RIFee", "lineItem/UnblendedCost": "100", "reservation/UnusedQuantity": "3"},
    {"lineItem/LineItemType": "Tax", "lineItem/UnblendedCost": "9.9", "lineItem/UsageType": ""},
    {"lineItem/LineItemType": "Credit", "lineItem/UnblendedCost": "-9.9"},
)
FOCUS_BILL = _csv(
    FOCUS,
    {"BilledCost": "55.04", "EffectiveCost": "55.04", "ListCost": "55.04"},
    {"BilledCost": "0", "EffectiveCost": "30.5", "CommitmentDiscountId": "r-1", "CommitmentDiscountStatus": "Used"},
    {"BilledCost": "1200", "EffectiveCost": "0", "ChargeCategory": "Purchase"},
    {"BilledCost": "-12", "EffectiveCost": "-12", "ChargeCategory": "Credit", "ChargeClass": "Correction"},
)
SLURM = HEAD + "".join(
    row(str(100 + i), state, hours=1 + i / 3, start=f"{i + 1:02d}")
    for i, state in enumerate(["COMPLETED", "FAILED", "NODE_FAIL", "TIMEOUT", "CANCELLED by 12", "OUT_OF_MEMORY"])
)
TRAINER_STATE = json.dumps(
    {
        "global_step": 40,
        "max_steps": 100,
        "num_input_tokens_seen": 4_000_000,
        "log_history": [
            {"epoch": step / 100, "loss": 3.0, "step": step, "train_runtime": 3.2 * step} for step in range(10, 50, 10)
        ],
    }
)

SAMPLES: dict[str, str] = {
    **CORPUS,
    "cur": CUR_BILL,
    "focus": FOCUS_BILL,
    "slurm": SLURM,
    "toggl": TOGGL,
    "clockify": CLOCKIFY,
    "harvest": HARVEST,
    "jira": JIRA,
    "trainer_state": TRAINER_STATE,
}
