"""AWS Cost and Usage Report, legacy (`lineItem/UsageType`) and 2.0 (`line_item_usage_type`), as charges.

Sources: the CUR data dictionary (docs.aws.amazon.com/cur, read 2026-12): amortised cost by line item type; capacity
reservations, where `Reservation` lists all reserved hours at no cost and `BoxUsage` and `UnusedBox` bill them.
"""

from collections.abc import Sequence

from simulator.evidence.bill_format import Format
from simulator.evidence.bill_table import Table, plain

_TEXTS = (
    "line_item_line_item_type",
    "line_item_product_code",
    "line_item_usage_type",
    "line_item_operation",
    "line_item_line_item_description",
    "line_item_currency_code",
    "line_item_availability_zone",
    "pricing_unit",
    "product",
    "product_instance_type",
    "product_product_family",
    "product_marketoption",
    "product_region_code",
    "product_region",
)
_PRESENCE = ("reservation_reservation_arn", "bill_invoice_id")
_NUMBERS = (
    "line_item_usage_amount",
    "line_item_unblended_cost",
    "line_item_net_unblended_cost",
    "pricing_public_on_demand_cost",
    "savings_plan_savings_plan_effective_cost",
    "savings_plan_net_savings_plan_effective_cost",
    "savings_plan_total_commitment_to_date",
    "savings_plan_used_commitment",
    "reservation_effective_cost",
    "reservation_net_effective_cost",
    "reservation_unused_quantity",
    "reservation_unused_recurring_fee",
    "reservation_unused_amortized_upfront_fee_for_billing_period",
)
_IDENTITY = ("identity_line_item_id", "identity_time_interval", "line_item_line_item_type")
_CONTENT = (
    *_IDENTITY,
    "line_item_usage_start_date",
    "line_item_usage_type",
    "line_item_operation",
    "line_item_resource_id",
    "line_item_usage_amount",
    "line_item_unblended_cost",
)

_BOX = "BoxUsage|HeavyUsage|SpotUsage|DedicatedUsage|HostBoxUsage|UnusedBox|UnusedDed|Reservation|DedicatedRes"

# docs.aws.amazon.com, "AWS Region billing codes"; us-east-1 may have none (S3 guide, on usage reports); 2026-12-01
_REGIONS = {
    "AFS1": "af-south-1", "APE1": "ap-east-1", "APE2": "ap-east-2", "APN1": "ap-northeast-1", "APN2": "ap-northeast-2",
    "APN3": "ap-northeast-3", "APS1": "ap-southeast-1", "APS2": "ap-southeast-2", "APS3": "ap-south-1",
    "APS4": "ap-southeast-3", "APS5": "ap-south-2", "APS6": "ap-southeast-4", "APS7": "ap-southeast-5",
    "APS8": "ap-southeast-6", "APS9": "ap-southeast-7", "CAN1": "ca-central-1", "CAN2": "ca-west-1",
    "EU": "eu-west-1", "EUC1": "eu-central-1", "EUC2": "eu-central-2", "EUN1": "eu-north-1", "EUS1": "eu-south-1",
    "EUS2": "eu-south-2", "EUW1": "eu-west-1", "EUW2": "eu-west-2", "EUW3": "eu-west-3", "MEC1": "me-central-1",
    "MES1": "me-south-1", "MXC1": "mx-central-1", "SAE1": "sa-east-1", "UGE1": "us-gov-east-1", "UGW1": "us-gov-west-1",
    "USE1": "us-east-1", "USE2": "us-east-2", "USW1": "us-west-1", "USW2": "us-west-2",
}  # fmt: skip
_REGION = " ".join(f"WHEN '{code}' THEN '{region}'" for code, region in _REGIONS.items())
_BLOCK_FEE = (
    "CapacityBlock(?:Fee)?"  # USE2-CapacityBlockFee:p5.48xlarge (grafana/cloudcost-exporter @ 68b7680, 2026-07-23)
)

# Each record as a charge. A plan's covered usage and its negation cancel: the plan's own fee is what is paid.
_CHARGES = f"""
told AS (SELECT *,
    line_item_line_item_type AS kind,
    nullif(regexp_extract(line_item_usage_type, '(?:^|-)({_BOX})(?::.*)?$', 1), '') AS box,
    coalesce(
        nullif(regexp_extract(line_item_usage_type, ':((?:ml\\.)?[a-z][a-z0-9-]*\\.[a-z0-9-]+)', 1), ''),
        product_instance_type,
        nullif(regexp_extract(product, 'instance_?type"?\\s*[=:]\\s*"?([a-z0-9.-]+)', 1, 'i'), '')) AS instance,
    coalesce(
        product_region_code, product_region,
        nullif(regexp_extract(product, '\\bregion(?:_?code)?"?\\s*[=:]\\s*"?([a-z0-9-]+)', 1, 'i'), ''),
        nullif(regexp_extract(line_item_availability_zone, '^([a-z]+(?:-[a-z]+)+-\\d+)', 1), ''),
        CASE regexp_extract(line_item_usage_type, '^([A-Z]{{2,4}}\\d?)-', 1) {_REGION} END,
        CASE WHEN regexp_matches(line_item_usage_type, '^(?:{_BOX}|{_BLOCK_FEE}):') THEN 'us-east-1' END) AS region,
    regexp_matches(concat_ws(' ', line_item_usage_type, line_item_operation, line_item_line_item_description,
        product_product_family, product_marketoption, product), 'capacity[ _-]?block', 'i') AS block,
    CASE WHEN pricing_unit IS NULL OR regexp_full_match(pricing_unit, 'h(ou)?rs?', 'i') THEN 1
         WHEN regexp_full_match(pricing_unit, 's(ec(ond)?s?)?', 'i') THEN 1 / 3600 END AS hours_per_unit
    FROM named),
placed AS (SELECT *,
    coalesce(bool_or(kind = 'Fee' AND block AND pricing_unit IS NOT NULL AND hours_per_unit IS NOT NULL)
        OVER (PARTITION BY instance), false) AS block_in_hours,
    coalesce(line_item_product_code IN ('AmazonEC2', 'AmazonSageMaker'), true)
        AND (box IS NOT NULL OR (instance LIKE 'ml.%' AND pricing_unit IS NOT NULL AND hours_per_unit IS NOT NULL))
        AND instance IS NOT NULL AS machine
    FROM told),
charges AS (SELECT COLUMNS('^(_.*|heading|bad)$'), instance, region,
    CASE WHEN kind IS NULL THEN 'no line item type' END AS unread,
    CASE
        WHEN kind = 'Refund' AND regexp_matches(line_item_usage_type, '(?:^|-){_BLOCK_FEE}:') THEN 'instance'
        WHEN kind = 'Tax' THEN 'tax'
        WHEN kind = 'Credit' THEN 'credit'
        WHEN kind = 'Refund' THEN 'refund'
        WHEN kind LIKE '%Discount' THEN 'discount'
        WHEN regexp_matches(kind, 'total', 'i') THEN 'totals'
        WHEN kind NOT IN ('Usage', 'DiscountedUsage', 'Fee', 'RIFee') AND kind NOT LIKE 'SavingsPlan%' THEN 'unknown'
        WHEN line_item_product_code ILIKE '%support%' THEN 'support'
        WHEN kind IN ('SavingsPlanRecurringFee', 'SavingsPlanUpfrontFee') THEN 'commitment_fee'
        WHEN kind = 'Fee' AND block THEN 'instance'
        WHEN kind = 'Fee' AND reservation_reservation_arn THEN 'commitment_fee'
        WHEN kind = 'RIFee' AND NOT machine THEN 'commitment_fee'
        WHEN machine AND box IN ('Reservation', 'DedicatedRes') AND coalesce(line_item_unblended_cost, 0) = 0
             AND NOT block THEN 'listing'
        WHEN machine AND kind <> 'Fee' THEN 'instance'
        ELSE 'other'
    END AS charge,
    CASE
        WHEN block THEN 'capacity_block'
        WHEN box IN ('UnusedBox', 'UnusedDed') THEN 'unused_reservation'
        WHEN kind LIKE 'SavingsPlan%' THEN 'savings_plan'
        WHEN kind IN ('DiscountedUsage', 'RIFee') OR reservation_reservation_arn THEN 'reserved'
        WHEN box = 'SpotUsage' OR product_marketoption = 'Spot' THEN 'spot'
        WHEN machine AND kind = 'Usage' AND line_item_unblended_cost = 0 THEN 'no_charge'
        ELSE 'on_demand'
    END AS purchase,
    line_item_currency_code AS currency,
    CASE WHEN (machine AND kind IN ('Usage', 'DiscountedUsage', 'SavingsPlanCoveredUsage')
               AND NOT (block AND block_in_hours))
              OR (kind = 'Fee' AND block AND pricing_unit IS NOT NULL)
         THEN line_item_usage_amount * hours_per_unit END AS hours,
    CASE WHEN machine AND kind = 'Usage' AND block AND block_in_hours
         THEN line_item_usage_amount * hours_per_unit END AS within,
    CASE WHEN kind = 'Fee' AND block AND pricing_unit IS NOT NULL
         THEN line_item_usage_amount * hours_per_unit END AS bought,
    CASE WHEN kind IN ('SavingsPlanCoveredUsage', 'SavingsPlanNegation') THEN 0 ELSE line_item_unblended_cost
    END AS cash,
    CASE kind
        WHEN 'SavingsPlanCoveredUsage' THEN savings_plan_savings_plan_effective_cost
        WHEN 'SavingsPlanNegation' THEN 0
        WHEN 'SavingsPlanUpfrontFee' THEN 0
        WHEN 'SavingsPlanRecurringFee' THEN 0
        WHEN 'RIFee' THEN 0
        WHEN 'DiscountedUsage' THEN reservation_effective_cost
        WHEN 'Fee' THEN CASE WHEN NOT reservation_reservation_arn OR block THEN line_item_unblended_cost ELSE 0 END
        ELSE line_item_unblended_cost
    END AS amortised,
    pricing_public_on_demand_cost AS list,
    CASE WHEN kind = 'RIFee' THEN reservation_unused_quantity END AS unused_hours,
    CASE kind
        WHEN 'SavingsPlanRecurringFee' THEN savings_plan_total_commitment_to_date - savings_plan_used_commitment
        WHEN 'RIFee' THEN
            reservation_unused_recurring_fee + reservation_unused_amortized_upfront_fee_for_billing_period
    END AS unused_cost,
    CASE WHEN kind IN ('SavingsPlanCoveredUsage', 'SavingsPlanNegation') THEN line_item_unblended_cost END AS negated,
    CASE kind
        WHEN 'SavingsPlanCoveredUsage' THEN savings_plan_net_savings_plan_effective_cost
        WHEN 'DiscountedUsage' THEN reservation_net_effective_cost
        ELSE line_item_net_unblended_cost
    END AS net,
    false AS correction,
    NOT bill_invoice_id AS open,
    CASE WHEN machine AND hours_per_unit IS NULL THEN pricing_unit END AS odd_unit,
    machine AND pricing_unit IS NULL AND kind <> 'SavingsPlanNegation' AS unit_assumed
    FROM placed)
"""


def _knows(columns: Sequence[str]) -> bool:
    names = {plain(column) for column in columns}
    return "lineitemlineitemtype" in names and not names.isdisjoint({"lineitemunblendedcost", "lineitemusagetype"})


def _title(table: Table) -> str:
    version = (
        "legacy" if any("/" in name for name in table.names) else "2.0" if table.has("product") else "by Athena's names"
    )
    return f"AWS Cost and Usage Report ({version}), {len(table.names)} columns"


FORMAT = Format(
    title=_title,
    knows=_knows,
    texts=_TEXTS,
    presence=_PRESENCE,
    numbers=_NUMBERS,
    identity=_IDENTITY,
    content=_CONTENT,
    kind="line_item_line_item_type",
    period="line_item_usage_start_date",
    cash="line_item_unblended_cost",
    amortised="amortised cost by line item type",
    charges=_CHARGES,
)
