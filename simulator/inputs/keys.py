"""Which keys a table may have: unknown ones, missing ones, and one thing given in two ways."""

from __future__ import annotations

import re

from simulator.inputs.families import BY_QUANTILES, FAMILIES, QUANTILES
from simulator.inputs.faults import BadSpec, nearest


def faulty_keys(name: str, keys: set[str], quantiles: list[str]) -> list[BadSpec]:
    """Keys that the family does not know, that it lacks, and one thing given in two ways."""
    spellings: tuple[tuple[str, ...], ...] = FAMILIES[name].spellings
    own = [key for spelling in spellings for key in spelling]
    if name in BY_QUANTILES:
        ways = [*map(" and ".join, map(_listed, spellings)), "quantiles p01 to p99"]
    else:
        ways = list(map(" and ".join, map(_listed, spellings)))
    expected = ", or ".join(ways)
    known = (*dict.fromkeys(own), "min", "max", *(QUANTILES if name in BY_QUANTILES else ()))
    unknown = [
        BadSpec((key,), "no such key", f"for {name}: {expected}", _nearest_key(key, known))
        for key in sorted(keys - set(own))
    ]
    given = keys & set(own)
    if quantiles and name not in BY_QUANTILES:
        return [
            *unknown,
            BadSpec(
                (quantiles[0],), f"quantiles for {name}", expected + "; quantiles go with " + ", ".join(BY_QUANTILES)
            ),
        ]
    if quantiles and given:
        return [
            *unknown,
            BadSpec((), f"two ways at once: {', '.join([*sorted(given), *quantiles])}", f"one way: {expected}"),
        ]
    if any(fault.nearest for fault in unknown):
        return unknown  # a key that is merely misspelt is not missing as well
    if len(quantiles) == 1:
        return [*unknown, BadSpec((), f"one quantile, {quantiles[0]}", "at least two quantiles p01 to p99")]
    if quantiles or any(given == set(spelling) for spelling in spellings):
        return unknown
    if any(given > set(spelling) for spelling in spellings):
        return [
            *unknown,
            BadSpec(
                (),
                f"two ways at once: {', '.join(k for k in dict.fromkeys(own) if k in given)}",
                f"one way: {expected}",
            ),
        ]
    found = ", ".join(k for k in dict.fromkeys(own) if k in given)
    return [*unknown, BadSpec((), f"{name} with {found or 'nothing'}" + (" alone" if found else ""), expected)]


def _listed(spelling: tuple[str, ...]) -> tuple[str, ...]:
    return (", ".join(spelling[:-1]), spelling[-1]) if len(spelling) > 1 else spelling


def _nearest_key(key: str, known: tuple[str, ...]) -> str | None:
    if re.fullmatch(r"p\d", key):
        return f"p0{key[1]}" if f"p0{key[1]}" in known else None
    return nearest(key.lower(), known)
