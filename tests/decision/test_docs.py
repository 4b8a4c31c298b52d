"""docs/decision.md: every screen that it shows is printed, and its tables are those of the program."""

import re
from pathlib import Path

import pytest

from simulator.decision.measure import OTHERWISE, WAYS
from simulator.decision.themes import GROUPS
from tests.test_tutorial import run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "decision.md").read_text("utf-8")
CONSOLES = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("text", CONSOLES, ids=lambda text: text.split()[2])
def test_screens(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    run(text)


def test_groups() -> None:
    for group, keys in GROUPS.items():
        (row,) = re.findall(rf"^\| {group} \| (.*) \|$", PAGE, re.MULTILINE)
        told = set(re.findall(r"`(\w+)`", row))
        assert told <= {*keys, "other_costs", "engineer", "delay_week"} or group == "work"


def test_defaults_of_measuring() -> None:
    def cell(share: float) -> str:
        return f"{100 * share:.0f} %" if share else ""

    cells = [[each.strip() for each in line.split("|")[1:-1]] for line in PAGE.splitlines() if line.count("|") == 6]
    rows = {key: row for keys, *row in cells for key in re.findall(r"`(\w+)`", keys) or [keys]}
    for key, way in {**WAYS, "any other": OTHERWISE}.items():
        one, law, noise, apart = rows[key]
        assert one.startswith(way.one)
        assert noise == cell(way.noise)
        assert apart.removesuffix(" of the odds") == cell(way.discrepancy)
        kinds = {"runs": "lognormal" if way.noise else "exact", "counts": "Poisson", "trials": "binomial"}
        assert law == kinds[way.kind]
