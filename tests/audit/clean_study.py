"""A clean study, and what the audit finds when lines of it are exchanged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from simulator.audit import Finding, audit
from simulator.study import load_study

CLEAN = """
title = "Clean"
baseline = "h100"
currency = "USD"
as_of = 2026-11-30
[workload]
parameters = 13e9
tokens = 1e12
[rates]
engineer = 150
[options.h100]
label = "8xH100 (p5.48xlarge)"
instances = 8
price = { value = 55.04, kind = "on_demand", region = "us-east-1", as_of = 2026-09-17, source = "list" }
peak_pflops = 7.915
utilization = 0.42
[options.trn1]
label = "16xTrainium1 (trn1.32xlarge)"
instances = 8
price = { value = 21.50, kind = "on_demand", region = "us-east-1", as_of = 2026-09-17, source = "list" }
peak_pflops = 3.04
utilization = 0.27
[options.trn2]
label = "16xTrainium2 (trn2.48xlarge)"
instances = 8
price = { value = 30.0, kind = "on_demand", region = "us-east-1", as_of = 2026-09-17, source = "a quote" }
peak_pflops = 10.672
utilization = 0.40
"""

Find = Callable[..., dict[str, Finding]]


def findings_in(folder: Path, *settings: str, more: str = "") -> dict[str, Finding]:
    """Findings by code, of the clean study with settings applied and text appended; the first one of a code stands."""
    path = folder / "study.toml"
    path.write_text(CLEAN + more, "utf-8")
    found: dict[str, Finding] = {}
    for each in audit(load_study(path, settings)):
        found.setdefault(each.code, each)
    return found
