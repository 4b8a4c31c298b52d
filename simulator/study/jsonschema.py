"""The JSON Schema of a study (2020-12), for editors: every key with its unit and default, every spelling of a law."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from simulator.study.reading import BASES, PRICE_KINDS
from simulator.study.scalars import CURRENCY
from simulator.study.schema import STUDY

SHIPPED = "study.schema.json"

_NUMBER = {"type": "number"}
_KINDS: Mapping[str, dict[str, Any]] = {
    "number": _NUMBER,
    "numbers": {"type": "array", "items": _NUMBER, "minItems": 1},
    "text": {"type": "string"},
    "parts": {"type": "array", "items": {"anyOf": [_NUMBER, {"$ref": "#/$defs/uncertain"}]}, "minItems": 1},
}
_FACTS: Mapping[str, dict[str, Any]] = {
    "unit": {"type": "string", "description": "unit of the value; it must be that of the key"},
    "source": {"type": "string", "description": "where the value comes from"},
    "as_of": {"type": "string", "format": "date", "description": "the day for which it was true"},
    "basis": {"enum": list(BASES), "description": "what stands behind it"},
    "note": {"type": "string", "description": "anything a reader should know"},
    "luck": {"type": "boolean", "default": False, "description": "true for what no measuring can reduce"},
    "kind": {"enum": list(PRICE_KINDS), "description": "purchase kind, of a price"},
    "region": {"type": "string", "description": "region, of a price"},
}
_QUANTILES = {"^p(0[1-9]|[1-9][0-9])$": {"type": "number", "description": "value not exceeded with so many per cent"}}
_BOUNDS = {
    "min": {"type": "number", "description": "the law given a value of at least this"},
    "max": {"type": "number", "description": "the law given a value of at most this"},
}


def json_schema() -> dict[str, Any]:
    """The schema as JSON has it: an object whose `$defs` hold the ways to spell an uncertain value."""
    from simulator.inputs import FAMILIES

    ways = [*FAMILIES, "quantiles", "prior", "value"]
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "switchodds study",
        **STUDY.json,
        "$defs": {
            "uncertain": {"anyOf": [{"$ref": f"#/$defs/{way}"} for way in ways]},
            **{name: _family(name, family) for name, family in FAMILIES.items()},
            "quantiles": _table("A judgement by quantiles: p05 = 1, p50 = 2, p95 = 4", _BOUNDS, quantiles=True),
            "prior": _table("A value of the prior library, by its name", {
                "prior": {"type": "string", "description": "such as trn2/utilization"}, **_BOUNDS}, ["prior"]),
            "value": _table("A number with its facts", {"value": _NUMBER}, ["value"]),
        },
    }  # fmt: skip
    plain: dict[str, Any] = json.loads(json.dumps(schema).replace(CURRENCY, "currency"))
    return plain


def shipped_schema() -> str:
    """The text of the schema file in the package, for `#:schema` in a study; it is `json_schema()`, held by a test."""
    return (files("simulator.study") / SHIPPED).read_text("utf-8")


def rendered_schema() -> str:
    """What the schema file holds."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


def _family(name: str, family: type) -> dict[str, Any]:
    from simulator.inputs import BY_QUANTILES, KEYS

    spellings: tuple[tuple[str, ...], ...] = family.spellings  # type: ignore[attr-defined]
    keys = dict.fromkeys(key for spelling in spellings for key in spelling)
    properties = {key: {**_KINDS[KEYS[key].kind], "description": KEYS[key].doc} for key in keys}
    by_quantiles = name in BY_QUANTILES
    table = _table(
        _first_line(family), {"dist": {"const": name}, **properties, **_BOUNDS}, ["dist"], quantiles=by_quantiles
    )
    ways: list[dict[str, Any]] = [{"required": list(spelling)} for spelling in spellings]
    if by_quantiles:
        ways.append({"minProperties": 3})
    return {**table, "anyOf": ways}


def _table(
    doc: str, properties: Mapping[str, Any], required: list[str] | None = None, quantiles: bool = False
) -> dict[str, Any]:
    return {
        "type": "object",
        "description": doc,
        "properties": {**properties, **_FACTS},
        **({"patternProperties": _QUANTILES} if quantiles else {}),
        "required": required or [],
        "additionalProperties": False,
    }


def _first_line(family: type) -> str:
    return (family.__doc__ or "").strip().splitlines()[0]
