"""Kinds of values in a study file: each knows pydantic's check of it, its JSON Schema, and its name in messages.

The schema goes to pydantic's core as it is. Models of pydantic proper say the same, but to import and to build them
takes longer than to read a study and run it (0.16 s of a whole process of 0.6 s, measured 2026-12-01).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from pydantic_core import core_schema

if TYPE_CHECKING:
    from pydantic_core.core_schema import CoreSchema


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value must be: pydantic's check, JSON Schema, and `words` of what is expected.

    `keys` are those of a table, and `called` its name within a sentence; `item` is what an array or a table under free
    names is made of; `choices` are those of a word.
    """

    core: CoreSchema
    json: Mapping[str, Any]
    words: str
    called: str = ""
    keys: Mapping[str, Key] = field(default_factory=dict)
    item: Kind | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a table: its kind, what it says, its unit, and its default (None: not there)."""

    kind: Kind
    doc: str = ""
    unit: str = ""
    default: Any = None
    required: bool = False


def text(pattern: str | None = None, words: str = "text") -> Kind:
    """Text, optionally of a form."""
    return Kind(core_schema.str_schema(pattern=pattern, strict=True), _some(type="string", pattern=pattern), words)


def whole(low: int, high: int | None = None) -> Kind:
    """A whole number within bounds."""
    words = f"a whole number, {low:,} or more" if high is None else f"a whole number from {low:,} to {high:,}"
    return Kind(
        core_schema.int_schema(ge=low, le=high, strict=True), _some(type="integer", minimum=low, maximum=high), words
    )


def number(low: float = -math.inf, high: float = math.inf, *, above: float | None = None) -> Kind:
    """A finite number within bounds; `above` is not allowed itself."""
    ge, le = (None if math.isinf(bound) else bound for bound in (low, high))
    match above, ge, le:
        case None, None, None:
            words = "a number"
        case None, None, _:
            words = f"a number, {le:g} at most"
        case None, _, None:
            words = f"a number, {ge:g} or more"
        case None, _, _:
            words = f"a number from {ge:g} to {le:g}"
        case _, _, None:
            words = f"a number above {above:g}"
        case _:
            words = f"a number above {above:g}, {le:g} at most"
    return Kind(
        core_schema.float_schema(gt=above, ge=ge, le=le, allow_inf_nan=False, strict=True),
        _some(type="number", exclusiveMinimum=above, minimum=ge, maximum=le),
        words,
    )


def day() -> Kind:
    """A TOML date; JSON knows it as text."""
    return Kind(
        core_schema.date_schema(strict=True), {"type": "string", "format": "date"}, "a date without quotes: 2026-11-30"
    )


def choice(*choices: str) -> Kind:
    """One of some words."""
    words = ", ".join(f'"{each}"' for each in choices[:-1]) + f' or "{choices[-1]}"'
    return Kind(core_schema.literal_schema(list(choices)), {"enum": list(choices)}, words, choices=choices)


def array(item: Kind, most: int | None = None, *, exactly: int | None = None) -> Kind:
    """An array of one kind."""
    words = f"an array of {exactly}: {item.words}" if exactly else f"an array: {item.words} each"
    if most:
        words += f", {most:,} at most"
    return Kind(
        core_schema.tuple_schema(
            [item.core], variadic_item_index=0, min_length=exactly, max_length=exactly or most, strict=False
        ),
        _some(type="array", items=item.json, minItems=exactly, maxItems=exactly or most),
        words,
        item=item,
    )


def table(called: str, doc: str, keys: Mapping[str, Key], extras: Kind | None = None) -> Kind:
    """A table of known keys; with `extras`, of other things under free names as well."""
    core = core_schema.typed_dict_schema(
        {name: core_schema.typed_dict_field(key.kind.core, required=key.required) for name, key in keys.items()},
        extra_behavior="allow" if extras else "forbid",
        extras_schema=extras.core if extras else None,
    )
    json: dict[str, Any] = {
        "type": "object",
        "description": doc,
        "properties": {name: _described(key) for name, key in keys.items()},
        "required": [name for name, key in keys.items() if key.required],
        "additionalProperties": extras.json if extras else False,
    }
    return Kind(core, json, f"a table, {called}", called, keys=keys, item=extras)


def mapping(item: Kind, name: Kind, words: str, least: int | None = None, most: int | None = None) -> Kind:
    """Tables, or other values, under names."""
    return Kind(
        core_schema.dict_schema(name.core, item.core, min_length=least, max_length=most),
        _some(
            type="object", propertyNames=name.json, additionalProperties=item.json, minProperties=least,
            maxProperties=most,
        ),
        f"{words}, {most:,} at most" if most else words,
        item=item,
    )  # fmt: skip


def anything(json: Mapping[str, Any], words: str) -> Kind:
    """A value that is checked elsewhere."""
    return Kind(core_schema.any_schema(), json, words)


def key(kind: Kind, doc: str, unit: str = "", default: Any = None) -> Any:
    """A field of a dataclass that is read from a table of a study."""
    return field(default=default, metadata={"key": Key(kind, doc, unit, default)})


def keys_of(cls: type) -> dict[str, Key]:
    """The keys of a dataclass whose fields were made by `key`."""
    return {each.name: each.metadata["key"] for each in fields(cls)}


def _described(key: Key) -> dict[str, Any]:
    doc = f"{key.doc} [{key.unit}]" if key.unit else key.doc
    return {**key.kind.json, **_some(description=doc or None, default=key.default)}


def _some(**given: Any) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}
