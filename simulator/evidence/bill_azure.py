"""Azure cost details (the actual and the amortised export of Cost Management), as charges.

The two exports are twins: the same usage, but a commitment's cost stands in the actual one where it is bought and in
the amortised one where it is used or lost. Each tells one of the two costs of committed hours; the other one is
missing, not 0. Source: "Understand cost details fields", learn.microsoft.com, read 2026-12. `Quantity` is in hours even
where the unit of measure, a block for pricing, says "100 Hours" (finops-toolkit maps it so to ConsumedQuantity).
"""

from collections.abc import Sequence

from simulator.evidence.bill_format import Format
from simulator.evidence.bill_table import Table, plain

_TEXTS = (
    "charge_type",
    "pricing_model",
    "meter_category",
    "meter_name",
    "product_name",
    "additional_info",
    "unit_of_measure",
    "resource_location",
    "location",
    "meter_region",
    "billing_currency",
    "billing_currency_code",
    "currency",
    "pricing_currency",
    "pay_g_price",
)
_PRESENCE = ("reservation_id", "invoice_id")
_NUMBERS = ("quantity", "cost_in_billing_currency", "cost")
_IDENTITY = ("resource_id", "date", "meter_id", "charge_type", "quantity")

_CHARGES = """
told AS (SELECT *,
    charge_type AS kind,
    coalesce(cost_in_billing_currency, cost) AS amount,
    coalesce(billing_currency, billing_currency_code, currency) AS money,
    coalesce(pricing_model, '') IN ('Reservation', 'SavingsPlan') OR (reservation_id AND pricing_model IS NULL)
        AS committed,
    coalesce(
        nullif(regexp_extract(additional_info, '"?(?:ServiceType|VMName_Size)"?\\s*:\\s*"?([^",}]+)', 1, 'i'), ''),
        CASE WHEN meter_category = 'Virtual Machines' THEN meter_name END) AS instance,
    coalesce(resource_location, location, meter_region) AS region,
    regexp_full_match(unit_of_measure, '(\\d+ )?hours?', 'i') AS in_hours
    FROM named),
views AS (SELECT *,
    kind LIKE 'Unused%' AS unused,
    instance IS NOT NULL AND meter_category = 'Virtual Machines' AND coalesce(in_hours, false) AS machine,
    coalesce(bool_or(kind LIKE 'Unused%' OR (committed AND kind = 'Usage' AND amount <> 0)) OVER (), false) AS spread
    FROM told),
charges AS (SELECT COLUMNS('^(_.*|heading|bad)$'), instance, region,
    CASE WHEN kind IS NULL THEN 'no charge type' END AS unread,
    CASE
        WHEN kind = 'Tax' THEN 'tax'
        WHEN kind = 'Credit' THEN 'credit'
        WHEN kind = 'Refund' THEN 'refund'
        WHEN kind LIKE '%Adjustment' THEN 'adjustment'
        WHEN regexp_matches(kind, 'total', 'i') THEN 'totals'
        WHEN kind NOT IN ('Usage', 'Purchase') AND NOT unused THEN 'unknown'
        WHEN meter_category ILIKE '%support%' THEN 'support'
        WHEN kind = 'Purchase' AND committed THEN 'commitment_fee'
        WHEN (kind = 'Usage' OR unused) AND machine THEN 'instance'
        WHEN unused THEN 'unused_commitment'
        ELSE 'other'
    END AS charge,
    CASE
        WHEN kind = 'UnusedSavingsPlan' THEN 'unused_savings_plan'
        WHEN kind = 'UnusedReservation' THEN 'unused_reservation'
        WHEN pricing_model = 'SavingsPlan' THEN 'savings_plan'
        WHEN committed THEN 'reserved'
        WHEN pricing_model = 'Spot' THEN 'spot'
        ELSE 'on_demand'
    END AS purchase,
    money AS currency,
    CASE WHEN machine AND (kind = 'Usage' OR unused) THEN quantity END AS hours,
    CASE WHEN spread AND (committed OR unused) THEN NULL ELSE amount END AS cash,
    CASE WHEN committed AND NOT spread THEN NULL ELSE amount END AS amortised,
    CASE WHEN machine AND unit_of_measure IN ('1 Hour', '1 Hours', 'Hour', 'Hours')
              AND coalesce(pricing_currency, money) = money
         THEN finite(TRY_CAST(pay_g_price AS DOUBLE)) * quantity END AS list,
    NULL::DOUBLE AS unused_hours,
    NULL::DOUBLE AS unused_cost,
    NULL::DOUBLE AS negated,
    NULL::DOUBLE AS net,
    NULL::DOUBLE AS within,
    NULL::DOUBLE AS bought,
    false AS correction,
    NOT invoice_id AS open,
    NULL::VARCHAR AS odd_unit,
    false AS unit_assumed
    FROM views)
"""


def _knows(columns: Sequence[str]) -> bool:
    names = {plain(column) for column in columns}
    return {"metercategory", "chargetype", "quantity"} <= names and not names.isdisjoint(
        {"cost", "costinbillingcurrency"}
    )


def _title(table: Table) -> str:
    spread = table.query(
        "SELECT coalesce(bool_or(charge_type LIKE 'Unused%' OR (pricing_model IN ('Reservation', 'SavingsPlan') "
        "AND charge_type = 'Usage' AND coalesce(cost_in_billing_currency, cost) <> 0)), false) FROM folded"
    ).fetchone()[0]
    view = (
        "amortised: read its actual twin for cash" if spread else "actual: read its amortised twin for committed hours"
    )
    return f"Azure cost details ({view}), {len(table.names)} columns"


FORMAT = Format(
    title=_title,
    knows=_knows,
    texts=_TEXTS,
    presence=_PRESENCE,
    numbers=_NUMBERS,
    identity=_IDENTITY,
    content=(),
    kind="charge_type",
    period="date",
    cash="cost_in_billing_currency",
    amortised="cost_in_billing_currency",
    charges=_CHARGES,
)
