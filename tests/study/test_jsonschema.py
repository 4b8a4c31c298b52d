"""The JSON Schema takes what the program takes, and refuses the slips that an editor can see."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from simulator.study.jsonschema import json_schema, rendered_schema, shipped_schema
from simulator.study.starters import template, templates
from tests.study.conftest import GOOD, spoiled

ROOT = Path(__file__).parent.parent.parent
STUDIES = [*sorted((ROOT / "studies").glob("*.toml")), *sorted((ROOT / "tests" / "data").glob("study-*.toml"))]


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def as_json(text: str) -> Any:
    """A TOML text as an editor shows it to its schema: dates are texts."""
    return json.loads(json.dumps(tomllib.loads(text), default=date.isoformat))


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.name)
def test_the_studies_are_valid(path: Path, validator: jsonschema.Draft202012Validator) -> None:
    validator.validate(as_json(path.read_text("utf-8")))


@pytest.mark.parametrize("kind", templates())
def test_the_starters_are_valid(kind: str, validator: jsonschema.Draft202012Validator) -> None:
    validator.validate(as_json(template(kind)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("utilization = 0.4", "utilisation = 0.4"),
        ("utilization = 0.4", "utilization = 41"),
        ("price = 55\n", ""),
        ("price = 55", "price = 0"),
        ('"lognormal"', '"lognorml"'),
        ("median = 240, sigma = 0.75", "median = 240"),
        ("mean = 0.38", "mena = 0.38"),
        ("pflop_hours = 1e5", "pflop_hour = 1e5"),
        ('currency = "USD"\n', ""),
        ("[options.trn2]", '[options."trn2.48x"]'),
    ],
)
def test_slips_are_seen(old: str, new: str, validator: jsonschema.Draft202012Validator) -> None:
    assert validator.is_valid(as_json(GOOD))
    assert not validator.is_valid(as_json(spoiled(old, new)))


def test_the_shipped_schema_is_current() -> None:
    assert shipped_schema() == rendered_schema(), "run `python -m simulator.study.reference`"


def test_every_key_of_an_option_has_words_unit_and_default() -> None:
    option = json_schema()["properties"]["options"]["additionalProperties"]["properties"]

    assert option["price"]["description"].endswith("[currency/instance-hour]")
    assert option["unworkable"]["default"] == 0.5
    assert all(each["description"] for each in option.values())
