"""Studies whose answers are known: the saving is a constant less normal costs, or less hours times a rate."""

from __future__ import annotations

from pathlib import Path

from simulator.study import Study, load_study

HEAD = """
baseline = "old"
currency = "USD"
hurdle = 0.0
[workload]
pflop_hours = 1000
[rates]
engineer = {rate}
[options.old]
price = 100
peak_pflops = 1
utilization = 1
[options.new]
price = {price}
peak_pflops = 1
utilization = 1
"""


def linear(folder: Path, costs: dict[str, str], more: str = "", price: float = 50, rate: str = "100") -> Study:
    """Saving 1000 (100 - price) less other costs, each a number or a table, by label; `more` follows as it is."""
    entries = "".join(
        f'[[options.new.other_costs]]\nlabel = "{label}"\namount = {law}\n' for label, law in costs.items()
    )
    path = folder / "study.toml"
    path.write_text(HEAD.format(price=price, rate=rate) + entries + more, encoding="utf-8")
    return load_study(path)


def normal(mean: float, sd: float) -> str:
    return f'{{ dist = "normal", mean = {mean}, sd = {sd} }}'
