"""Software releases that cannot have run on the hardware."""

from __future__ import annotations

import re
from collections.abc import Iterator

from simulator.audit.finding import Case, Finding
from simulator.study.said import Said


def release(text: str) -> tuple[int, ...]:
    """`2.20` and `2.20.0` of any text around them, as numbers that compare; empty when there is none."""
    found = re.search(r"\d+(?:\.\d+)+", text)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def sdk_older_than_hardware(case: Case) -> Iterator[Finding]:
    """A release before the first that supports the hardware."""
    for name, facts in case.stated().items():
        first = case.reference.table(f"{case.hardware(name)}/first_sdk")
        if facts.sdk is None or first is None:
            continue
        stated, needed = release(facts.sdk), release(first["version"])
        if not stated or stated >= needed[: len(stated)]:
            continue
        yield Finding(
            code="sdk_older_than_hardware",
            severity="error",
            where=f"reported.{name}.sdk",
            message=Said("release {stated} does not know {instance}", stated=facts.sdk, instance=first["instance"]),
            arithmetic=Said(
                "{stated} < {needed} of {dated}, the first that does",
                stated=facts.sdk,
                needed=first["version"],
                dated=first["as_of"],
            ),
            source=first["source"],
            advice=Said("Ask on which hardware the figures were measured."),
        )
