"""Rules on prices: date, purchase kind, instance type, common basis."""

from __future__ import annotations

import pytest

from tests.audit.clean_study import Find

PRICE = 'options.h100.price={{value = {}, kind = "{}", region = "us-east-1", as_of = {}, source = "test"}}'


def test_price_is_old_beyond_180_days(find: Find) -> None:
    assert "181 days" in find(PRICE.format(55.04, "on_demand", "2026-06-02"))["price_is_old"].message
    assert "price_is_old" not in find(PRICE.format(55.04, "on_demand", "2026-06-03"))


def test_price_undated(find: Find) -> None:
    assert find("options.h100.price=55.04")["price_undated"].where == "options.h100.price"
    assert "price_undated" not in find()


@pytest.mark.parametrize(("value", "code"), [
    (32.77, "price_of_another_instance"), (98.32, "price_of_another_date"), (77.7, "price_not_on_record"),
])  # fmt: skip
def test_price_belongs_elsewhere(find: Find, value: float, code: str) -> None:
    found = find(PRICE.format(value, "on_demand", "2026-11-01"))
    assert found[code].where == "options.h100.price"


@pytest.mark.parametrize(("value", "code"), [(4.326, "price_of_a_chip"), (39.80, "price_of_another_instance")])
def test_price_of_a_chip_or_of_a_sister_type(find: Find, value: float, code: str) -> None:
    assert find(PRICE.format(value, "capacity_block", "2026-11-01"))[code].severity == "error"


def test_a_smaller_instance_has_its_own_price(find: Find) -> None:
    small = 'options.h100.label="1xH100 (p5.4xlarge)"'
    assert not {
        each for each in find(small, PRICE.format(6.88, "on_demand", "2026-11-01")) if each.startswith("price_of")
    }


def test_price_of_its_own_date_is_none(find: Find) -> None:
    found = find(PRICE.format(98.32, "on_demand", "2024-11-01"))
    assert "price_of_another_date" not in found and "price_is_old" in found


def test_price_not_on_sale(find: Find) -> None:
    assert find()["price_not_on_sale"].where == "options.trn2.price"
    block = 'options.trn2.price={prior = "trn2/price/capacity_block"}'
    assert "price_not_on_sale" not in find(block)


@pytest.mark.parametrize(("tokens", "fires"), [("1e12", False), ("5e12", True)])
def test_capacity_block_does_not_last(find: Find, tokens: str, fires: bool) -> None:
    """6 x 13e9 x 5e12 / 3.6e18 / (7.915 x .42 x 8) hours = 169.7 days on H100; 211 on Trainium2 at half the speed."""
    block = 'options.trn2.price={prior = "trn2/price/capacity_block"}'
    found = find(block, f"workload.tokens={tokens}", "options.trn2.utilization=0.25")
    assert ("price_term_too_short" in found) is fires


def test_price_bases_differ(find: Find) -> None:
    assert find('options.trn2.price={prior = "trn2/price/capacity_block"}')["price_bases_differ"].severity == "warning"
    assert "price_bases_differ" not in find()
    scenario = '[scenarios.block]\n"options.trn2.price" = { prior = "trn2/price/capacity_block" }\n'
    assert find(more=scenario)["price_bases_differ"].severity == "info"
