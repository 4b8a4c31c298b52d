"""FOCUS 1.0, 1.1 and 1.2 (focus.finops.org) of any provider, as charges.

BilledCost is what is invoiced, EffectiveCost spreads prepayments over their use. Where ChargeClass is "Correction" a
record amends an earlier period and counts with its sign; negative usage without it is a refund.
"""

from collections.abc import Sequence

from simulator.evidence.bill_format import Format
from simulator.evidence.bill_table import Table, plain

_TEXTS = (
    "charge_category",
    "charge_class",
    "charge_description",
    "service_category",
    "service_name",
    "billing_currency",
    "region_id",
    "region_name",
    "pricing_category",
    "commitment_discount_category",
    "commitment_discount_type",
    "commitment_discount_status",
    "capacity_reservation_status",
    "consumed_unit",
    "pricing_unit",
    "sku_price_details",
    "sku_meter",
    "x_usage_type",
    "x_instance_type",
    "x_sku_meter_name",
    "x_sku_meter_category",
)
_PRESENCE = ("commitment_discount_id",)
_NUMBERS = ("billed_cost", "effective_cost", "list_cost", "consumed_quantity", "pricing_quantity")
_IDENTITY = (
    "resource_id",
    "charge_period_start",
    "charge_period_end",
    "sku_price_id",
    "charge_category",
    "billed_cost",
)
_CONTENT: tuple[str, ...] = ()  # a record has no identity of its own: only one that is the same in every column repeats

_AWS_TYPE = r"\b((?:ml\.)?[a-z][a-z0-9-]*\.(?:nano|micro|small|medium|[0-9]*x?large|metal(?:-[0-9a-z]+)?))\b"


def _hours(unit: str) -> str:
    """Hours in one unit: 1 for "Hours" and "Hrs", 100 for "100 Hours", NULL for vCPU-hours and the like."""
    return (
        f"CASE WHEN regexp_full_match({unit}, '(\\d+ )?(instance[- ])?h(ou)?rs?', 'i') "
        f"THEN coalesce(TRY_CAST(regexp_extract({unit}, '^(\\d+) ', 1) AS DOUBLE), 1) END"
    )


_CHARGES = f"""
told AS (SELECT *,
    coalesce(
        x_instance_type,
        nullif(regexp_extract(sku_price_details,
            '(?:instance_?type|machine_?type|vm_?size)"?\\s*[:=]\\s*"?([^",}}]+)', 1, 'i'), ''),
        nullif(regexp_extract(x_usage_type, ':((?:ml\\.)?[a-z][a-z0-9-]*\\.[a-z0-9-]+)', 1), ''),
        CASE WHEN x_sku_meter_category = 'Virtual Machines' THEN x_sku_meter_name END,
        nullif(regexp_extract(charge_description, '{_AWS_TYPE}', 1), ''),
        nullif(regexp_extract(charge_description, '^Virtual Machines .* Series - (.+?)(?: - .*)?$', 1), '')
    ) AS instance,
    coalesce(
        consumed_quantity * ({_hours("consumed_unit")}),
        pricing_quantity * ({_hours("pricing_unit")})) AS quantity_hours,
    regexp_matches(concat_ws(' ', x_usage_type, charge_description, sku_price_details, sku_meter),
        'capacity[ _-]?block', 'i') AS block,
    regexp_matches(charge_description, 'EBS.?optimi|idle public|per CPU', 'i')
        OR regexp_matches(x_usage_type, 'EBSOptimized|CPUCredits') AS extra,
    coalesce(regexp_matches(x_usage_type, '(^|-)(Reservation|DedicatedRes)(:|$)'), false)
        AND coalesce(billed_cost, 0) = 0 AND coalesce(effective_cost, 0) = 0 AS listing,
    CASE WHEN commitment_discount_category = 'Spend' OR commitment_discount_type ILIKE '%savings%' THEN 'savings_plan'
         WHEN commitment_discount_id OR pricing_category = 'Committed' THEN 'reserved' END AS commitment
    FROM named),
placed AS (SELECT *,
    coalesce(bool_or(charge_category = 'Purchase' AND block AND quantity_hours IS NOT NULL)
        OVER (PARTITION BY instance), false) AS block_in_hours,
    instance IS NOT NULL AND quantity_hours IS NOT NULL AND NOT coalesce(extra, false)
        AND coalesce(service_category IN ('Compute', 'AI and Machine Learning'),
                     regexp_matches(service_name, 'compute|machine|sagemaker|virtual', 'i'), true) AS machine,
    charge_category = 'Usage' AND charge_class IS DISTINCT FROM 'Correction'
        AND coalesce(quantity_hours, consumed_quantity, pricing_quantity, 0) < 0 AND coalesce(billed_cost, 0) <= 0
        AS given_back
    FROM told),
charges AS (SELECT COLUMNS('^(_.*|heading|bad)$'), instance, coalesce(region_id, region_name) AS region,
    CASE WHEN charge_category IS NULL THEN 'no charge category' END AS unread,
    CASE
        WHEN charge_category = 'Tax' THEN 'tax'
        WHEN charge_category = 'Credit' THEN 'credit'
        WHEN charge_category = 'Refund' OR given_back THEN 'refund'
        WHEN charge_category = 'Adjustment' THEN 'adjustment'
        WHEN regexp_matches(charge_category, 'total', 'i') THEN 'totals'
        WHEN charge_category NOT IN ('Usage', 'Purchase') THEN 'unknown'
        WHEN service_name ILIKE '%support%' THEN 'support'
        WHEN charge_category = 'Purchase' AND commitment IS NOT NULL AND NOT coalesce(block, false)
            THEN 'commitment_fee'
        WHEN listing AND machine THEN 'listing'
        WHEN charge_category = 'Purchase' AND block AND instance IS NOT NULL THEN 'instance'
        WHEN charge_category = 'Usage' AND machine THEN 'instance'
        WHEN commitment_discount_status = 'Unused' THEN 'unused_commitment'
        ELSE 'other'
    END AS charge,
    CASE
        WHEN block THEN 'capacity_block'
        WHEN commitment_discount_status = 'Unused' AND commitment = 'savings_plan' THEN 'unused_savings_plan'
        WHEN commitment_discount_status = 'Unused' OR capacity_reservation_status = 'Unused' THEN 'unused_reservation'
        WHEN regexp_matches(x_usage_type, '(^|-)(UnusedBox|UnusedDed)(:|$)') THEN 'unused_reservation'
        WHEN commitment IS NOT NULL THEN commitment
        WHEN pricing_category = 'Dynamic' OR x_usage_type LIKE '%SpotUsage%' THEN 'spot'
        WHEN machine AND billed_cost = 0 AND effective_cost = 0 THEN 'no_charge'
        ELSE 'on_demand'
    END AS purchase,
    billing_currency AS currency,
    CASE WHEN (machine AND NOT (block AND block_in_hours)) OR (block AND charge_category = 'Purchase')
         THEN quantity_hours END AS hours,
    CASE WHEN machine AND charge_category = 'Usage' AND block AND block_in_hours THEN quantity_hours END AS within,
    CASE WHEN charge_category = 'Purchase' AND block THEN quantity_hours END AS bought,
    billed_cost AS cash,
    effective_cost AS amortised,
    list_cost AS list,
    NULL::DOUBLE AS unused_hours,
    NULL::DOUBLE AS unused_cost,
    NULL::DOUBLE AS negated,
    NULL::DOUBLE AS net,
    coalesce(charge_class = 'Correction', false) AS correction,
    false AS open,
    NULL::VARCHAR AS odd_unit,
    false AS unit_assumed
    FROM placed)
"""


def _knows(columns: Sequence[str]) -> bool:
    return {"chargecategory", "billedcost"} <= {plain(column) for column in columns}


def _title(table: Table) -> str:
    version = "1.2" if table.has("invoice_id") or table.has("pricing_currency") else "1.0"
    if version == "1.0" and (table.has("capacity_reservation_id") or table.has("sku_meter")):
        version = "1.1"
    return f"FOCUS {version}, {len(table.names)} columns"


FORMAT = Format(
    title=_title,
    knows=_knows,
    texts=_TEXTS,
    presence=_PRESENCE,
    numbers=_NUMBERS,
    identity=_IDENTITY,
    content=_CONTENT,
    kind="charge_category",
    period="charge_period_start",
    cash="billed_cost",
    amortised="effective_cost",
    charges=_CHARGES,
)
