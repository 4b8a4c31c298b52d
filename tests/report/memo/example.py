"""A memo with every section: a real run, and made-up findings of the analyses that the memo only prints."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path

from simulator.engine import Figure, Result, run
from simulator.report.memo import MemoContent, assemble
from simulator.report.memo.content import (
    Belief,
    BreakEven,
    Calibration,
    Driver,
    Drivers,
    Effect,
    EvidenceShift,
    Map,
    Moved,
    Needed,
    PocPlan,
    PocSize,
    Threshold,
    Trade,
)
from simulator.study import Study, load_study

DRAWS = 4096


def figure(value: float, mcse: float = 50.0) -> Figure:
    return Figure(value, mcse)


def drivers() -> Drivers:
    rows = [
        ("trn2.utilization", "share", 0.22, 0.58, -310e3, 95e3, 21e3),
        ("trn2.engineer_hours", "hours", 90.0, 700.0, -30e3, -135e3, 6e3),
        ("trn2.hours_lost_per_fault", "hours", 0.7, 11.0, -40e3, -120e3, 2.5e3),
        ("h100.utilization", "share", 0.36, 0.49, 20e3, -150e3, 9e3),
        ("engineer_rate", "USD/hour", 110.0, 200.0, -55e3, -85e3, 300.0),
    ]
    return Drivers(
        "trn2",
        -70e3,
        tuple(
            Driver(name, unit, low, high, at_low, at_high, 0.1, 0.6, figure(worth))
            for name, unit, low, high, at_low, at_high, worth in rows
        ),
    )


def break_even() -> BreakEven:
    x = tuple(0.15 + 0.025 * i for i in range(23))
    prices = tuple(15.0 + 2.5 * i for i in range(17))
    return BreakEven(
        (
            Threshold("trn2", "trn2.utilization", "share", 0.40, (0.487,), (0.47, 0.51)),
            Threshold("trn2", "trn2.price", "USD/instance-hour", 35.76, (24.1,), None),
            Threshold("trn2", "trn2.discount", "share", 0.0, (), None),
        ),
        Trade("trn2", "trn2.utilization", "share", 0.40, x, tuple(550e3 - 270e3 / u for u in x)),
        Map(
            "trn2", "trn2.price", "USD/instance-hour", "trn2.utilization", "share", (35.76, 0.40), prices, x,
            tuple(tuple(480e3 - 5.6e3 * p / u for p in prices) for u in x),
        ),
    )  # fmt: skip


def poc(pays: bool = True) -> PocPlan:
    sizes = []
    for runs in (1, 2, 3, 5, 8, 12, 16):
        worth = 26e3 * (1 - math.exp(-runs / 2.5))
        cost = 6e3 + (900.0 if pays else 6000.0) * runs
        sizes.append(PocSize(runs, figure(worth), cost, figure(worth - cost)))
    best = max(sizes, key=lambda size: size.enbs.value)
    needed = Needed("trn2.utilization", "share", "runs", best.runs, 0.49, None)
    return PocPlan("trn2", ("trn2.utilization",), tuple(sizes), best if pays else None, (needed,))


def calibration() -> Calibration:
    return Calibration(
        (
            Moved("trn2.utilization", "share", Belief(0.4, 0.21, 0.395, 0.61), Belief(0.46, 0.42, 0.46, 0.50), 0.4),
            Moved("trn2.compile_minutes", "minutes", Belief(38, 12, 32, 86), Belief(41, 37, 41, 45), 0.6),
            Moved(
                "trn2.faults_per_1000h", "faults/1000 instance-hours",
                Belief(1.7, 0.05, 1.0, 5.8), Belief(3.9, 1.9, 3.8, 6.5), 0.004,
            ),
        ),
        {"trn2": Effect(Figure(0.32, 4e-4), Figure(0.46, 3e-3), figure(-70e3), figure(12e3, 2e3))},
        (
            EvidenceShift("poc/train-*.log", Figure(0.12, 1e-3), figure(60e3)),
            EvidenceShift("poc/bill.csv", Figure(-0.01, 1e-3), figure(-3e3)),
        ),
    )  # fmt: skip


@dataclass(frozen=True)
class Made:
    """A study, its run, and what a memo of it tells."""

    study: Study
    result: Result
    content: MemoContent


def plain(path: str | Path, draws: int = DRAWS) -> Made:
    """A memo without the analyses beyond a run."""
    study = load_study(str(path))
    result = run(study, draws=draws)
    return Made(study, result, assemble(study, result))


def whole(path: str = "studies/h100-to-trainium2.toml") -> Made:
    """A memo with every section."""
    made = plain(path)
    content = replace(made.content, drivers=drivers(), break_even=break_even(), poc=poc(), calibration=calibration())
    return replace(made, content=content)


ATTACKS = (
    "<script>window.pwned=1</script>",
    '"><img src=x onerror=window.pwned=1>',
    "' onmouseover='window.pwned=1",
    "</script><script>window.pwned=1</script>",
    "]]><!--",
    "{{ 7 * 7 }}{% raw %}",
    "[click](javascript:alert(1)) | `code` **bold** @everyone https://evil.example",
)


TURNED = "abc\u202egnp.exe\u2066\u200f"
"""Characters that turn the direction of what stands around them."""


def hostile(folder: Path) -> Made:
    """A study whose every text is an attack, in a file with a hostile name."""
    attack = json.dumps(" ".join(ATTACKS))
    text = f"""
title = {attack}
baseline = "h100"
currency = "USD"
[memo]
company = {attack}
author = {attack}
[workload]
pflop_hours = 20000
[rates]
engineer = {{ value = 150, source = {attack}, note = {attack} }}
[options.h100]
label = {attack}
price = 50
peak_pflops = 7.9
utilization = {{ dist = "beta", mean = 0.42, sd = 0.04, source = {attack} }}
[options.trn2]
label = {attack}
price = {{ value = 36, source = {attack}, note = {attack} }}
peak_pflops = 10.7
utilization = {{ dist = "beta", mean = 0.4, sd = 0.1, note = {attack} }}
engineer_hours = {{ dist = "lognormal", median = 200, sigma = 0.5 }}
[[options.trn2.other_costs]]
label = {attack}
amount = 100
[claims]
"</script><script>window.pwned=1</script>" = {{ option = "trn2", saving_share = 0.1, source = {attack} }}
[scenarios.cheaper]
"options.h100.price" = 40
"""
    path = folder / f"it's <b>`$(touch pwned)`{TURNED}.toml"
    path.write_text(text, encoding="utf-8")
    made = plain(path)
    # A study file with such characters is refused; a study made in Python may have them.
    study = replace(made.study, title=made.study.title + TURNED)
    return replace(made, study=study, content=replace(made.content, study=study))


def fixed(folder: Path) -> Made:
    """A study with numbers alone."""
    path = folder / "fixed.toml"
    path.write_text(
        """
title = "Fixed"
baseline = "h100"
currency = "USD"
[workload]
pflop_hours = 20000
[rates]
engineer = 150
[options.h100]
price = 50
peak_pflops = 7.9
utilization = 0.42
[options.trn2]
price = 36
peak_pflops = 10.7
utilization = 0.4
engineer_hours = 200
""",
        encoding="utf-8",
    )
    return plain(path)
