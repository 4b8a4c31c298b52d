"""The sections of a study that other parts of the program own, as their values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any

from simulator.study.faults import nearest, shown
from simulator.study.findings import Findings
from simulator.study.names import canonical, given, given_names
from simulator.study.nearby import NotNearbyError, nearby
from simulator.study.schema import REPORTED_OPTION
from simulator.study.sections import Design, Evidence, Memo, Poc, Reported, ReportedFigures
from simulator.study.values import Input, Option, Path

Tables = Mapping[str, Any]

OF_FILES = (
    *("files", "reader", "instances", "devices_per_instance", "tokens_per_step", "column", "time_zone"),
    *("period_seconds", "hours_per_day", "filter", "share_done"),
)
NUMBERS = {"events": ("exposure_hours",), "successes": ("trials",), "values": (), "mean": ("sd", "n")}
"""Ways to give what was measured as numbers: the key that tells them apart, and the keys that it needs."""


def belongings(
    tables: Tables,
    data: Tables,
    inputs: Mapping[str, Input],
    options: Mapping[str, Option],
    folder: FilePath,
    findings: Findings,
) -> dict[str, Any]:
    """`reported`, `evidence`, `poc` and `memo` of a Study; `tables` is `data` once it has passed the schema."""
    for place, each in enumerate(tables.get("evidence", ())):
        _evidence(each, ("evidence", place), data, inputs, options, findings)
    reported, poc, memo = (tables.get(name) for name in ("reported", "poc", "memo"))
    for name, value in (reported or {}).items():
        if isinstance(value, dict):
            _option(name, ("reported", name), options, findings)
    if poc:
        _poc(poc, data, inputs, options, findings)
    if memo and "logo" in memo:
        try:
            nearby(folder, memo["logo"])
        except NotNearbyError as bad:
            findings.add(("memo", "logo"), bad.found, bad.expected, bad.nearest)
    return {
        "reported": None if reported is None else _reported(reported),
        "evidence": tuple(Evidence(**each) for each in tables.get("evidence", ())),
        "poc": None if poc is None else _planned(poc),
        "memo": None if memo is None else Memo(**memo),
    }


def _reported(table: Tables) -> Reported:
    own = {key: value for key, value in table.items() if key in REPORTED_OPTION.keys}
    others = {key: ReportedFigures(**value) for key, value in table.items() if key not in own}
    return Reported(ReportedFigures(**own), others)


def _planned(table: Tables) -> Poc:
    designs = {name: Design(**_named(each, "measures")) for name, each in table.get("designs", {}).items()}
    by_input = {
        key: {canonical(name): value for name, value in table[key].items()}
        for key in ("noise", "discrepancy")
        if key in table
    }
    return Poc(**{**table, **by_input, "designs": designs or None})


def _named(table: Tables, key: str) -> dict[str, Any]:
    """The table with the names under a key in their canonical form."""
    return {**table, key: tuple(canonical(name) for name in table[key])} if key in table else dict(table)


def _poc(
    table: Tables, data: Tables, inputs: Mapping[str, Input], options: Mapping[str, Option], findings: Findings
) -> None:
    """The option and every input that a PoC names."""
    if "option" in table:
        _option(table["option"], ("poc", "option"), options, findings)
    names: list[tuple[str, Path]] = [
        (name, ("poc", key, name)) for key in ("noise", "discrepancy") for name in table.get(key, {})
    ]
    for design, each in table.get("designs", {}).items():
        where: Path = ("poc", "designs", design)
        if not each.get("measures"):
            findings.add((*where, "measures"), "missing", "the inputs that every run measures")
        names += [(name, (*where, "measures")) for name in each.get("measures", ())]
    for name, path in names:
        if canonical(name) not in inputs and not given(canonical(name), data):
            known = [*inputs, *given_names(data)]
            findings.add(path, f"no input {shown(name)}", "the name of an input", nearest(canonical(name), known))


def _option(name: str, path: Path, options: Mapping[str, Option], findings: Findings) -> None:
    if name not in options:
        findings.add(path, f"no option {shown(name)}", f"one of {', '.join(options)}", nearest(name, options))


def _evidence(
    table: Tables,
    path: Path,
    data: Tables,
    inputs: Mapping[str, Input],
    options: Mapping[str, Option],
    findings: Findings,
) -> None:
    """Files of an option, or numbers for an input, and nothing between them."""
    if ("files" in table) == ("input" in table):
        found = "files and input both" if "files" in table else "neither files nor input"
        findings.add(path, found, "option and files; or input and its numbers")
        return
    if "files" in table:
        strange = [key for way in NUMBERS.items() for key in (way[0], *way[1]) if key in table]
        needed, home, beside = ["option"], "evidence from numbers", "files"
    else:
        strange = [key for key in OF_FILES if key in table]
        ways = [way for way in NUMBERS if way in table]
        if len(ways) != 1:
            found = " and ".join(ways) + " both given" if ways else "no numbers"
            expected = "events and exposure_hours; successes and trials; values; or mean, sd and n"
            findings.add(path, found, expected)
        needed = [key for way in ways[:1] for key in NUMBERS[way]]
        home, beside = "evidence from files", ways[0] if ways else ""
    for key in strange:
        findings.add((*path, key), "no such key here", f"it belongs to {home}")
    for key in needed:
        if key not in table:
            findings.add((*path, key), "missing", f"{key} beside {beside}")
    if "option" in table:
        _option(table["option"], (*path, "option"), options, findings)
    name = canonical(table.get("input", ""))
    if "input" in table and name not in inputs and not given(name, data):
        findings.add((*path, "input"), f"no input {shown(name)}", "the name of an input",
                     nearest(name, [*inputs, *given_names(data)]))  # fmt: skip
