"""Bills: what each kind of record adds, what is set apart, and that no record is lost or counted twice."""

import csv
import gzip
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.evidence import bills
from simulator.evidence.lines import EvidenceError, Source
from simulator.evidence.options import Options
from simulator.evidence.reading import Fact, Reading

CUR = {
    "identity/LineItemId": "",
    "identity/TimeInterval": "2026-03-01T00:00:00Z/2026-03-01T01:00:00Z",
    "bill/InvoiceId": "EU1",
    "lineItem/LineItemType": "Usage",
    "lineItem/UsageStartDate": "2026-03-01T00:00:00Z",
    "lineItem/ProductCode": "AmazonEC2",
    "lineItem/UsageType": "USE2-BoxUsage:p5.48xlarge",
    "lineItem/UsageAmount": "1",
    "lineItem/CurrencyCode": "USD",
    "lineItem/UnblendedCost": "",
    "lineItem/LineItemDescription": "",
    "product/regionCode": "us-east-2",
    "pricing/unit": "Hrs",
    "pricing/publicOnDemandCost": "",
    "reservation/EffectiveCost": "",
    "reservation/ReservationARN": "",
    "reservation/UnusedQuantity": "",
    "reservation/UnusedRecurringFee": "",
    "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod": "",
    "savingsPlan/SavingsPlanEffectiveCost": "",
    "savingsPlan/TotalCommitmentToDate": "",
    "savingsPlan/UsedCommitment": "",
}
SHORT = {name.split("/")[1][0].lower() + name.split("/")[1][1:]: name for name in CUR}

FOCUS = {
    "BilledCost": "",
    "EffectiveCost": "",
    "ListCost": "",
    "BillingCurrency": "USD",
    "ChargeCategory": "Usage",
    "ChargeClass": "",
    "ChargeDescription": "$55.04 per On Demand Linux p5.48xlarge Instance Hour",
    "ChargePeriodStart": "2026-03-01 00:00:00",
    "ChargePeriodEnd": "2026-03-01 01:00:00",
    "ConsumedQuantity": "1",
    "ConsumedUnit": "Hours",
    "PricingCategory": "Standard",
    "CommitmentDiscountId": "NULL",
    "CommitmentDiscountCategory": "NULL",
    "CommitmentDiscountStatus": "NULL",
    "RegionId": "us-east-2",
    "ResourceId": "",
    "ServiceCategory": "Compute",
    "ServiceName": "Amazon Elastic Compute Cloud",
}


def table(columns: Mapping[str, str], rows: Sequence[Mapping[str, str]], delimiter: str = ",") -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(columns), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({**columns, **row})
    return out.getvalue()


def cur(*rows: Mapping[str, str]) -> str:
    """A CUR with one identity a row, its columns named without the part before the slash."""
    full = [{SHORT[k]: v for k, v in row.items()} for row in rows]
    return table(CUR, [{"identity/LineItemId": f"id{i}", **row} for i, row in enumerate(full)])


def focus(*rows: Mapping[str, str]) -> str:
    return table(FOCUS, [{"ResourceId": f"i-{i}", **row} for i, row in enumerate(rows)])


def read(tmp_path: Path, content: str | bytes, name: str = "bill.csv", **options: str) -> Reading:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    source = Source(path)
    assert bills.sniff(source.head)
    reading = bills.read(source, Options(**options))  # type: ignore[arg-type]
    assert reading.used + reading.merged + reading.ignored + reading.rejected_count == reading.lines
    return reading


def only(reading: Reading, quantity: str, **group: str) -> Fact:
    (fact,) = (f for f in reading.of(quantity) if group.items() <= f.group.items())
    return fact


def cash(reading: Reading) -> float:
    return sum(fact.value for fact in reading.of("cost_cash"))


def says(reading: Reading, text: str) -> bool:
    return any(text in note for note in reading.notes)


# --- AWS CUR ---------------------------------------------------------------------------------------------------------


def test_on_demand_hours_rate_and_discount(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        cur(
            {"usageAmount": "1", "unblendedCost": "30", "publicOnDemandCost": "40"},
            {"usageAmount": "0.5", "unblendedCost": "15", "publicOnDemandCost": "20"},
        ),
    )

    assert only(reading, "billed_hours", instance_type="p5.48xlarge", purchase="on_demand").value == 1.5
    assert only(reading, "rate_per_hour", price="effective").value == 30
    listed = only(reading, "rate_per_hour", price="list")
    assert listed.value == 40
    assert "25.0%" in listed.basis
    assert listed.lines == (2, 3)


def test_savings_plan_is_paid_by_its_fee_and_used_at_its_effective_cost(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        cur(
            {"lineItemType": "SavingsPlanCoveredUsage", "unblendedCost": "55", "savingsPlanEffectiveCost": "35"},
            {"lineItemType": "SavingsPlanNegation", "unblendedCost": "-55"},
            {
                "lineItemType": "SavingsPlanRecurringFee",
                "usageType": "ComputeSP:1yrNoUpfront",
                "productCode": "ComputeSavingsPlans",
                "unblendedCost": "50",
                "totalCommitmentToDate": "50",
                "usedCommitment": "35",
            },
        ),
    )

    assert only(reading, "rate_per_hour", purchase="savings_plan").value == 35
    assert cash(reading) == 50  # the fee alone
    assert sum(f.value for f in reading.of("cost_amortised")) == 50  # 35 used and 15 unused
    assert only(reading, "cost_amortised", purchase="unused_savings_plan").value == 15
    assert only(reading, "billed_hours").value == 1
    assert says(reading, "not used: 15.0000 USD")


def test_many_records_of_a_report_keep_their_amortised_cost(tmp_path: Path) -> None:
    """It follows from rules and is no column that an exporter could have rounded."""
    paid = [{"unblendedCost": "55.04", "publicOnDemandCost": "55.04"}] * 10
    covered = {"lineItemType": "SavingsPlanCoveredUsage", "unblendedCost": "55.04", "savingsPlanEffectiveCost": "40"}
    reading = read(tmp_path, cur(*paid, *[covered] * 4))

    assert only(reading, "rate_per_hour", purchase="savings_plan", price="effective").value == 40
    assert only(reading, "cost_amortised", purchase="on_demand").value == pytest.approx(550.4)
    assert not says(reading, "rounded")


def test_reserved_instances_and_what_of_them_is_unused(tmp_path: Path) -> None:
    arn = {"reservationARN": "arn:aws:ec2:us-east-2:1:reserved-instances/r"}
    fee = {
        "lineItemType": "RIFee",
        "usageAmount": "744",
        "unblendedCost": "14880",
        "unusedQuantity": "44",
        "unusedRecurringFee": "880",
        "unusedAmortizedUpfrontFeeForBillingPeriod": "44",
    }
    reading = read(
        tmp_path,
        cur(
            {
                "lineItemType": "DiscountedUsage",
                "usageAmount": "700",
                "unblendedCost": "0",
                "effectiveCost": "14700",
                **arn,
            },
            {**fee, **arn},
            {"lineItemType": "Fee", "usageType": "", "unit": "", "unblendedCost": "8760", **arn},
        ),
    )

    assert only(reading, "billed_hours", purchase="reserved").value == 700  # not 744 more
    assert only(reading, "rate_per_hour", purchase="reserved").value == 21
    assert only(reading, "billed_hours", purchase="unused_reservation").value == 44
    assert only(reading, "cost_amortised", purchase="unused_reservation").value == 924
    assert cash(reading) == 14880 + 8760


def test_capacity_reservation_hours_are_billed_once(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        cur(
            {"usageType": "USE2-Reservation:p5.48xlarge", "usageAmount": "10", "unblendedCost": "0"},
            {"usageType": "USE2-BoxUsage:p5.48xlarge", "usageAmount": "2", "unblendedCost": "110"},
            {"usageType": "USE2-UnusedBox:p5.48xlarge", "usageAmount": "8", "unblendedCost": "440"},
        ),
    )

    assert only(reading, "billed_hours", purchase="on_demand").value == 2
    assert only(reading, "billed_hours", purchase="unused_reservation").value == 8
    assert reading.ignored == 2  # the header, and the listing of all reserved hours
    assert says(reading, "not used: 440.0000 USD")


def test_spot_and_capacity_block(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        cur(
            {"usageType": "USE2-SpotUsage:trn2.48xlarge", "usageAmount": "3", "unblendedCost": "12"},
            {
                "lineItemType": "Fee",
                "usageType": "USE2-CapacityBlock:trn2.48xlarge",
                "lineItemDescription": "EC2 Capacity Block for ML, 4 instances for 24 hours",
                "usageAmount": "96",
                "unblendedCost": "3432",
            },
        ),
    )

    assert only(reading, "rate_per_hour", purchase="spot").value == 4
    block = only(reading, "rate_per_hour", purchase="capacity_block")
    assert (block.value, block.group["instance_type"]) == (35.75, "trn2.48xlarge")


def test_a_capacity_block_is_paid_once_and_its_hours_count_once(tmp_path: Path) -> None:
    text = {"lineItemDescription": "p5.48xlarge Linux in Capacity Block", "unblendedCost": "0"}
    fee = {"lineItemType": "Fee", "lineItemDescription": "Capacity Block reservation", "unblendedCost": "2400"}

    bought = read(tmp_path, cur({**fee, "usageAmount": "48"}, {**text, "usageAmount": "40"}))
    assert only(bought, "billed_hours").value == 48
    assert only(bought, "rate_per_hour").value == 50
    assert says(bought, "48.00 hours bought, 40.00 of them used")

    used = read(tmp_path, cur({**fee, "usageAmount": "1", "unit": "Quantity"}, {**text, "usageAmount": "40"}))
    assert (only(used, "billed_hours").value, only(used, "cost_cash").value) == (40, 2400)
    assert not used.of("rate_per_hour")  # the block may go on beyond the bill, or have stood idle
    assert says(used, "60.00 for each of the 40.00 hours used here; the bill does not say how many hours were bought")

    later = read(tmp_path, cur({**text, "usageAmount": "40"}))
    assert only(later, "billed_hours").value == 40
    assert not later.of("rate_per_hour")
    assert says(later, "their fee is in another bill")


def test_a_capacity_block_that_was_given_back_costs_what_is_left(tmp_path: Path) -> None:
    """Its refund bears the usage type of its fee; only the code of the region tells where both belong."""
    fee = {"lineItemType": "Fee", "usageType": "USE2-CapacityBlockFee:p5.48xlarge", "regionCode": "", "unit": ""}
    back = {**fee, "lineItemType": "Refund", "unblendedCost": "-11628.29"}
    used = {"lineItemDescription": "p5.48xlarge Linux in Capacity Block", "unblendedCost": "0", "usageAmount": "40"}
    reading = read(tmp_path, cur({**fee, "unblendedCost": "11628.29"}, {**fee, "unblendedCost": "14710.6"}, back, used))

    cost = only(reading, "cost_cash")
    assert cost.value == pytest.approx(14710.6)
    assert (cost.group["purchase"], cost.group["region"]) == ("capacity_block", "us-east-2")
    assert not says(reading, "their fee is in another bill")


@pytest.mark.parametrize(
    ("usage_type", "region"),
    [
        ("USW2-BoxUsage:trn1.32xlarge", "us-west-2"),
        ("EU-BoxUsage:p5.48xlarge", "eu-west-1"),
        ("APS3-SpotUsage:p5.48xlarge", "ap-south-1"),
        ("BoxUsage:p5.48xlarge", "us-east-1"),
        ("XYZ9-BoxUsage:p5.48xlarge", "unknown"),
    ],
)
def test_the_usage_type_tells_the_region_where_nothing_else_does(tmp_path: Path, usage_type: str, region: str) -> None:
    reading = read(tmp_path, cur({"usageType": usage_type, "regionCode": "", "unblendedCost": "50"}))

    assert only(reading, "rate_per_hour").group["region"] == region


def test_hours_at_no_charge_do_not_dilute_the_rate(tmp_path: Path) -> None:
    reading = read(tmp_path, cur({"unblendedCost": "55"}, {"unblendedCost": "0"}))

    assert only(reading, "rate_per_hour", purchase="on_demand").value == 55
    assert only(reading, "billed_hours", purchase="no_charge").value == 1


def test_net_rates_stand_beside_gross_ones(tmp_path: Path) -> None:
    columns = {**CUR, "lineItem/NetUnblendedCost": "", "savingsPlan/NetSavingsPlanEffectiveCost": ""}
    rows = [
        {"lineItem/UnblendedCost": "50", "lineItem/NetUnblendedCost": "45"},
        {
            "lineItem/LineItemType": "SavingsPlanCoveredUsage",
            "lineItem/UnblendedCost": "50",
            "savingsPlan/SavingsPlanEffectiveCost": "35",
            "savingsPlan/NetSavingsPlanEffectiveCost": "31.5",
        },
    ]
    reading = read(tmp_path, table(columns, rows))

    rates = {(f.group["purchase"], f.group["price"]): f.value for f in reading.of("rate_per_hour")}
    assert rates == {
        ("on_demand", "effective"): 50,
        ("on_demand", "net"): 45,
        ("savings_plan", "effective"): 35,
        ("savings_plan", "net"): 31.5,
    }


def test_what_is_no_use_of_an_instance_is_set_apart(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        cur(
            {"unblendedCost": "55"},
            {"lineItemType": "Tax", "usageType": "", "unblendedCost": "10"},
            {"lineItemType": "Credit", "unblendedCost": "-5"},
            {"lineItemType": "Refund", "unblendedCost": "-4"},
            {"lineItemType": "EdpDiscount", "unblendedCost": "-3"},
            {"productCode": "AWSSupportBusiness", "usageType": "Dollar", "unblendedCost": "100"},
            {"usageType": "EBSOptimized:p3.2xlarge", "unblendedCost": "1"},
            {"usageType": "EBS:VolumeUsage.gp3", "unit": "GB-Mo", "unblendedCost": "2"},
            {"productCode": "ElasticMapReduce", "unblendedCost": "7"},  # a surcharge on an instance billed elsewhere
        ),
    )

    assert only(reading, "billed_hours").value == 1
    assert only(reading, "rate_per_hour").value == 55
    apart = {f.group["charge"]: f.value for f in reading.of("cost_cash")}
    assert apart == {
        "instance": 55,
        "tax": 10,
        "credit": -5,
        "refund": -4,
        "discount": -3,
        "support": 100,
        "other": 10,
    }
    for name in ("tax", "credits", "refunds", "discount line items", "support"):
        assert says(reading, f"set apart: {name}, 1 records")


def test_missing_is_not_zero(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        cur(
            {"lineItemType": "DiscountedUsage", "unblendedCost": "0", "effectiveCost": "20"},
            {"lineItemType": "DiscountedUsage", "unblendedCost": "0", "effectiveCost": ""},
        ),
    )

    assert only(reading, "billed_hours").value == 2
    assert only(reading, "rate_per_hour").value == 20  # over the hour whose cost is known
    assert says(reading, "amortised cost is missing, not 0, in 1 instance records")


def test_currencies_are_never_added(tmp_path: Path) -> None:
    reading = read(tmp_path, cur({"unblendedCost": "55"}, {"unblendedCost": "400", "currencyCode": "CNY"}))

    assert {(f.value, f.unit) for f in reading.of("cost_cash")} == {(55, "USD"), (400, "CNY")}
    assert says(reading, "more than one currency (CNY, USD)")


def test_a_line_item_delivered_twice_is_one_charge(tmp_path: Path) -> None:
    once, other = {"lineItemId": "a", "unblendedCost": "55"}, {"lineItemId": "b", "unblendedCost": "55"}
    reading = read(tmp_path, cur(once, other, once, {**other, "unblendedCost": "54"}))

    assert reading.merged == 1
    assert cash(reading) == 55 + 55 + 54
    assert says(reading, "1 records share their identity with another one but differ")


def test_records_without_an_identity_are_not_merged(tmp_path: Path) -> None:
    reading = read(tmp_path, cur({"lineItemId": "", "unblendedCost": "55"}, {"lineItemId": "", "unblendedCost": "55"}))

    assert (reading.merged, cash(reading)) == (0, 110)


@pytest.mark.parametrize(
    ("unit", "amount", "hours"),
    [("Hrs", "2", 2.0), ("Hours", "2", 2.0), ("Second", "7200", 2.0), ("vCPU-Hours", "2", None)],
)
def test_units(tmp_path: Path, unit: str, amount: str, hours: float | None) -> None:
    reading = read(tmp_path, cur({"unit": unit, "usageAmount": amount, "unblendedCost": "1"}))

    assert [f.value for f in reading.of("billed_hours")] == ([] if hours is None else [hours])
    assert says(reading, "not in hours") == (hours is None)


def test_cur_2_takes_type_and_region_from_the_product_map(tmp_path: Path) -> None:
    names = ["line_item_line_item_type", "line_item_usage_type", "line_item_usage_amount", "line_item_unblended_cost"]
    names += ["line_item_currency_code", "pricing_unit", "product"]
    row = dict(zip(names, ["Usage", "BoxUsage", "2", "80", "USD", "Hrs"], strict=False))
    product = '{"instance_type":"trn1.32xlarge","region":"us-east-1"}'
    reading = read(tmp_path, table(dict.fromkeys(names, ""), [{**row, "product": product}]))

    fact = only(reading, "rate_per_hour")
    assert (fact.value, fact.group["instance_type"], fact.group["region"]) == (40, "trn1.32xlarge", "us-east-1")
    assert says(reading, "2.0")


def test_parquet_with_a_map_and_numbers_reads_as_the_csv_does(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "cur.snappy.parquet"
    duckdb.sql(
        "COPY (SELECT 'Usage' line_item_line_item_type, 'BoxUsage' line_item_usage_type, "
        "2::DOUBLE line_item_usage_amount, "
        f" 80.5::DECIMAL(10, 2) line_item_unblended_cost, 'USD' line_item_currency_code, 'Hrs' pricing_unit,"
        f" MAP {{'instance_type': 'trn1.32xlarge', 'region': 'us-east-1'}} product) TO '{path}'"
    )
    source = Source(path)
    assert bills.sniff(source.head)
    reading = bills.read(source, Options())

    fact = only(reading, "rate_per_hour")
    assert (fact.value, fact.group["instance_type"], fact.group["region"]) == (40.25, "trn1.32xlarge", "us-east-1")
    assert (reading.lines, reading.used) == (1, 1)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("lineItem/UsageType ~ p5", 55 + 56),
        ("lineItem/UsageType !~ p5 and lineItem/LineItemType = usage", 7),
        ("lineItem/LineItemType = Tax or lineItem/UsageType ~ m5", 3 + 7),
        ("it's", 55),
    ],
)
def test_a_filter_takes_a_part_of_the_bill(tmp_path: Path, expression: str, expected: float) -> None:
    text = cur(
        {"unblendedCost": "55", "lineItemDescription": "it's ours"},
        {"unblendedCost": "56"},
        {"unblendedCost": "56", "lineItemId": "id1"},
        {"unblendedCost": "7", "usageType": "USE2-BoxUsage:m5.large"},
        {"lineItemType": "Tax", "usageType": "", "unblendedCost": "3"},
    )
    reading = read(tmp_path, text, filter=expression)

    assert (cash(reading), reading.merged) == (expected, 1)
    assert says(reading, f"leaves out {4 - reading.used} records")
    with pytest.raises(EvidenceError, match="did you mean 'lineitem/usagetype'"):
        read(tmp_path, text, filter="lineItem/UsageTyp = x")


# --- FOCUS -----------------------------------------------------------------------------------------------------------


def test_focus_purchase_kinds(tmp_path: Path) -> None:
    plan = {"CommitmentDiscountId": "sp-1", "CommitmentDiscountCategory": "Spend", "PricingCategory": "Committed"}
    reading = read(
        tmp_path,
        focus(
            {"BilledCost": "55.04", "EffectiveCost": "55.04", "ListCost": "55.04"},
            {"BilledCost": "8.5", "EffectiveCost": "8.5", "PricingCategory": "Dynamic"},
            {
                **plan,
                "BilledCost": "0",
                "EffectiveCost": "35.5",
                "ListCost": "55.04",
                "CommitmentDiscountStatus": "Used",
            },
            {
                **plan,
                "BilledCost": "0",
                "EffectiveCost": "4.5",
                "CommitmentDiscountStatus": "Unused",
                "ChargeDescription": "unused",
                "ConsumedUnit": "NULL",
            },
            {**plan, "BilledCost": "40", "EffectiveCost": "0", "ChargeCategory": "Purchase"},
        ),
    )

    rates = {f.group["purchase"]: f.value for f in reading.of("rate_per_hour") if f.group["price"] == "effective"}
    assert rates == {"on_demand": 55.04, "spot": 8.5, "savings_plan": 35.5}
    assert only(reading, "cost_amortised", purchase="unused_savings_plan").value == 4.5
    assert only(reading, "cost_cash", charge="commitment_fee").value == 40
    assert "35.5%" in only(reading, "rate_per_hour", purchase="savings_plan", price="list").basis  # 1 - 35.5/55.04


def test_focus_corrections_count_with_their_sign_and_refunds_do_not(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        focus(
            {"BilledCost": "110.5", "EffectiveCost": "110.5", "ConsumedQuantity": "2"},
            {"BilledCost": "-55.25", "EffectiveCost": "-55.25", "ConsumedQuantity": "-1", "ChargeClass": "Correction"},
            {"BilledCost": "-7.5", "EffectiveCost": "-7.5", "ConsumedQuantity": "-3"},
            {"BilledCost": "-2.5", "EffectiveCost": "-3", "ChargeCategory": "Credit", "ConsumedQuantity": "NULL"},
        ),
    )

    assert only(reading, "billed_hours").value == 1
    assert only(reading, "rate_per_hour").value == 55.25
    assert only(reading, "cost_cash", charge="refund").value == -7.5
    assert only(reading, "cost_cash", charge="credit").value == -2.5
    assert says(reading, "1 corrections of earlier periods")


def test_focus_capacity_block(tmp_path: Path) -> None:
    block = {"ChargeDescription": "trn2.48xlarge Linux Capacity Block", "EffectiveCost": "0", "BilledCost": "0"}
    fee = {"ChargeCategory": "Purchase", "BilledCost": "3432", "EffectiveCost": "3432", "ConsumedQuantity": "96"}
    reading = read(tmp_path, focus({**block, **fee}, {**block, "ConsumedQuantity": "90"}))

    assert only(reading, "billed_hours", purchase="capacity_block").value == 96
    assert only(reading, "rate_per_hour").value == 35.75
    assert says(reading, "96.00 hours bought, 90.00 of them used")


def test_focus_idle_capacity_and_capitals(tmp_path: Path) -> None:
    columns = {name.upper(): value for name, value in {**FOCUS, "CapacityReservationStatus": ""}.items()}
    row = {"BILLEDCOST": "110", "EFFECTIVECOST": "110", "CONSUMEDQUANTITY": "2", "CAPACITYRESERVATIONSTATUS": "Unused"}
    reading = read(tmp_path, table(columns, [row]))

    assert only(reading, "billed_hours", purchase="unused_reservation").value == 2
    assert says(reading, "not used: 110.0000 USD")


def test_rounded_effective_cost_is_not_believed(tmp_path: Path) -> None:
    billed = ["1.624", "0.481", "1.111", "1.624", "0.492", "1.624"]
    hours = ["1", "0.296", "0.684", "1", "0.303", "1"]
    rows = [
        {"BilledCost": b, "EffectiveCost": f"{round(float(b))}.000", "ConsumedQuantity": h}
        for b, h in zip(billed, hours, strict=True)
    ]
    reading = read(tmp_path, focus(*rows))

    assert only(reading, "rate_per_hour").value == pytest.approx(1.624, rel=1e-3)
    assert not reading.of("cost_amortised")
    assert says(reading, "it was rounded (7.00 against 6.9560 USD)")


def test_whole_prices_alone_are_no_sign_of_rounding(tmp_path: Path) -> None:
    reading = read(tmp_path, focus(*[{"BilledCost": "32", "EffectiveCost": "32"}] * 8))

    assert only(reading, "rate_per_hour").value == 32
    assert reading.of("cost_amortised")


def test_azure_units_and_meter_names(tmp_path: Path) -> None:
    row = {
        "ChargeDescription": "Virtual Machines ND H100 v5 Series - ND96isr H100 v5 - US East 2",
        "BilledCost": "98.32",
        "EffectiveCost": "98.32",
        "ConsumedQuantity": "0.01",
        "ConsumedUnit": "100 Hours",
    }
    reading = read(tmp_path, focus(row))

    fact = only(reading, "billed_hours")
    assert (fact.value, fact.group["instance_type"]) == (1, "ND96isr H100 v5")


def test_a_database_is_no_training_instance(tmp_path: Path) -> None:
    row = {
        "ChargeDescription": "$0.25 per db.r5.large Multi-AZ instance hour",
        "ServiceCategory": "Databases",
        "BilledCost": "0.25",
    }
    assert not read(tmp_path, focus(row)).of("billed_hours")


# --- Azure -----------------------------------------------------------------------------------------------------------

AZURE = {
    "invoiceId": "G1",
    "date": "03/01/2026",
    "chargeType": "Usage",
    "pricingModel": "OnDemand",
    "meterCategory": "Virtual Machines",
    "meterName": "ND96isr H100 v5",
    "meterId": "m",
    "unitOfMeasure": "100 Hours",
    "quantity": "24",
    "costInBillingCurrency": "",
    "billingCurrency": "EUR",
    "resourceLocation": "swedencentral",
    "additionalInfo": '{"ServiceType":"Standard_ND96isr_H100_v5"}',
    "resourceId": "",
}


def azure(*rows: Mapping[str, str]) -> str:
    return table(AZURE, [{"resourceId": f"/vm/{i}", **row} for i, row in enumerate(rows)])


def test_azure_twins_tell_one_cost_each(tmp_path: Path) -> None:
    demand = {"costInBillingCurrency": "2400.24"}
    used = {"pricingModel": "Reservation"}
    bought = {**used, "chargeType": "Purchase", "meterName": "", "unitOfMeasure": "1", "quantity": "1"}
    lost = {**used, "chargeType": "UnusedReservation", "quantity": "6", "costInBillingCurrency": "300.5"}

    actual = read(
        tmp_path, azure(demand, {**used, "costInBillingCurrency": "0"}, {**bought, "costInBillingCurrency": "1500"})
    )
    amortised = read(tmp_path, azure(demand, {**used, "costInBillingCurrency": "1200"}, lost))

    assert only(actual, "cost_cash", charge="commitment_fee").value == 1500
    assert not [f for f in actual.of("rate_per_hour") if f.group["purchase"] == "reserved"]  # unknown, not 0
    assert only(amortised, "rate_per_hour", purchase="reserved").value == 50
    assert only(amortised, "billed_hours", purchase="unused_reservation").value == 6
    assert not [f for f in amortised.of("cost_cash") if f.group.get("purchase") == "reserved"]
    for reading in (actual, amortised):
        fact = only(reading, "rate_per_hour", purchase="on_demand")
        assert (fact.value, fact.unit) == (pytest.approx(100.01), "EUR/instance-hour")
        assert fact.group["instance_type"] == "Standard_ND96isr_H100_v5"
    assert says(actual, "(actual") and says(amortised, "(amortised")


def test_azure_twins_in_one_file_do_not_double_what_is_on_demand(tmp_path: Path) -> None:
    demand = {"costInBillingCurrency": "2400", "resourceId": "/vm/a"}
    reading = read(tmp_path, azure(demand, demand))

    assert (reading.merged, only(reading, "billed_hours").value) == (1, 24)


# --- files as they are ------------------------------------------------------------------------------------------------

PLAIN = cur({"unblendedCost": "55"}, {"unblendedCost": "56"}, {"unblendedCost": "57"})


@pytest.mark.parametrize(
    "content",
    [
        PLAIN.encode("utf-16"),
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace("\n", "\r").encode(),
        gzip.compress(PLAIN.encode()),
        ("sep=,\n" + PLAIN).encode(),
        ("Cost report\n\n" + PLAIN + "\n").encode(),
        PLAIN.rstrip("\n").encode(),
        PLAIN.replace(",", ";").encode(),
        PLAIN.replace(",", "\t").encode(),
        PLAIN.replace("EU1", "M\xfcnchen").encode("latin-1"),
    ],
    ids=["utf-16", "bom", "crlf", "cr", "gz", "sep", "title", "no last break", "semicolons", "tabs", "latin-1"],
)
def test_dress(tmp_path: Path, content: bytes) -> None:
    reading = read(tmp_path, content, "bill[1] it's.csv")

    assert (reading.used, reading.rejected_count) == (3, 0)
    assert only(reading, "billed_hours").value == 3
    assert cash(reading) == 168


def test_a_cut_archive_and_a_monstrous_record(tmp_path: Path) -> None:
    line = PLAIN.splitlines()[1]
    many = PLAIN + "".join(line.replace("id0", f"x{i}") + "\n" for i in range(2000))
    cut = read(tmp_path, gzip.compress(many.encode())[:-2000])
    assert 0 < cut.used < 2003
    assert sum("cut or damaged" in note for note in cut.notes) == 1

    monstrous = read(tmp_path, PLAIN + line.replace("id0", "x" * 3_000_000) + "\n" + line.replace("id0", "y"))
    assert (monstrous.used, monstrous.rejected_count) == (4, 1)
    assert len(monstrous.rejected[0].text) < 300


def test_a_broken_parquet_file_is_refused(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "cur.parquet"
    rows = "SELECT 'Usage' line_item_line_item_type, i::DOUBLE line_item_unblended_cost FROM range(2000) t(i)"
    duckdb.sql(f"COPY ({rows}) TO '{path}'")
    whole = path.read_bytes()
    path.write_bytes(whole[:8] + b"\xff" * 400 + whole[408:])
    with pytest.raises(EvidenceError, match="cannot be read as a table"):
        bills.read(Source(path), Options())


def test_absurd_numbers_are_rejected_not_added(tmp_path: Path) -> None:
    amounts = ["1e308", "-1e308", "9" * 400, "inf", "5"]
    reading = read(tmp_path, cur(*({"unblendedCost": amount} for amount in amounts)))

    assert (reading.rejected_count, cash(reading)) == (4, 5)
    assert not read(tmp_path, cur({"unblendedCost": "5", "usageAmount": "1e-300"})).of("rate_per_hour")


def test_decimal_commas(tmp_path: Path) -> None:
    rows = [{"lineItem/UnblendedCost": "1.055,50", "lineItem/UsageAmount": "0,5", "identity/LineItemId": "a"}]
    reading = read(tmp_path, table(CUR, rows, delimiter=";"))

    assert only(reading, "rate_per_hour").value == 2111


def test_a_quoted_line_break_keeps_line_numbers_right(tmp_path: Path) -> None:
    text = cur({"unblendedCost": "55", "lineItemDescription": "one\ntwo, three"}, {"unblendedCost": "oops"})
    reading = read(tmp_path, text)

    assert [(r.line, r.reason) for r in reading.rejected] == [(4, "lineItem/UnblendedCost is not a number")]
    assert (reading.lines, reading.used, only(reading, "cost_cash").lines) == (4, 2, (2, 2))


def test_an_open_quote_costs_one_line(tmp_path: Path) -> None:
    lines = cur(*[{"unblendedCost": "55"}] * 5).splitlines()
    lines[2] = lines[2].replace("USE2-", '"USE2-')
    reading = read(tmp_path, "\n".join(lines))

    assert [r.line for r in reading.rejected] == [3]
    assert only(reading, "billed_hours").value == 4


def test_a_cut_last_line_and_a_second_header_inside(tmp_path: Path) -> None:
    lines = PLAIN.splitlines()
    reading = read(tmp_path, "\n".join([*lines, *lines[:1], lines[1].replace("id0", "id9"), lines[2][:60]]))

    assert (reading.used, reading.ignored, reading.rejected_count) == (4, 2, 1)
    assert "the file ends inside the record" in reading.rejected[0].reason
    assert says(reading, "1 headers inside the file")


def test_totals_and_unknown_kinds_are_kept_apart(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        cur(
            {"unblendedCost": "55"},
            {"lineItemType": "Barter", "unblendedCost": "7"},
            {"lineItemType": "Grand total", "unblendedCost": "62"},
        ),
    )

    assert cash(reading) == 62
    assert only(reading, "cost_cash", charge="unknown").value == 7
    assert says(reading, "1 rows of totals, not counted")


def test_a_record_without_its_type_is_rejected(tmp_path: Path) -> None:
    reading = read(tmp_path, cur({"unblendedCost": "55"}, {"lineItemType": "", "unblendedCost": "56"}))

    assert [(r.line, r.reason) for r in reading.rejected] == [(3, "no lineItem/LineItemType")]
    assert cash(reading) == 55


ROWS = cur(
    {"unblendedCost": "55", "lineItemDescription": 'a "quoted", text'},
    {"lineItemType": "Tax", "unblendedCost": "3"},
    {"lineItemType": "SavingsPlanCoveredUsage", "unblendedCost": "50", "savingsPlanEffectiveCost": "35"},
    {"unblendedCost": "55", "lineItemDescription": "two\nlines"},
    {"unblendedCost": "many"},
).splitlines(keepends=True)


@given(st.lists(st.integers(0, len(ROWS) - 1), max_size=12), st.integers(0, 400), st.binary(max_size=4))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_mixture_of_lines_raises_or_unbalances(tmp_path: Path, order: list[int], cut: int, junk: bytes) -> None:
    body = ROWS[0] + "".join(ROWS[i] for i in order)
    content = body.encode()[: max(len(ROWS[0]), len(body) - cut)] + junk
    reading = read(tmp_path, content)

    assert cash(reading) <= 55 * 2 + 3  # each of the charges at most once: a repetition is merged
