"""`simulate check`: the study told back on 80 columns, as JSON, and the exit code of `--strict`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main

STUDIES = Path(__file__).parents[2] / "studies"
SHIPPED = sorted(each.name for each in STUDIES.glob("*.toml"))

SMALL = """
baseline = "a"
currency = "USD"
hurdle = 0.1
as_of = 2026-11-30
[workload]
pflop_hours = 1000
[rates]
engineer = 150
delay_week = 1000
[[correlations]]
between = ["a.utilization", "b.utilization"]
spearman = 0.5
[options.a]
price = { value = 10, kind = "on_demand", region = "here", as_of = 2026-11-01, source = "an offer" }
peak_pflops = 2
utilization = { dist = "uniform", low = 0.2, high = 0.4 }
[options.b]
price = { value = 10, kind = "on_demand", region = "here", as_of = 2026-11-01, source = "an offer" }
peak_pflops = 2
utilization = { dist = "uniform", low = 0.2, high = 0.4, luck = true }
engineer_hours = 5
"""


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ["check", *args], catch_exceptions=False)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_studies_are_told_within_80_columns(name: str) -> None:
    lines = run(str(STUDIES / name)).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line != line.rstrip()]


@pytest.mark.parametrize("name", [name for name in SHIPPED if name != "article.toml"])
def test_shipped_studies_but_the_article_have_no_errors(name: str) -> None:
    document = json.loads(run(str(STUDIES / name), "--json").stdout)
    assert not [each for each in document["findings"] if each["severity"] == "error"]


def test_json_tells_every_input_with_its_kind(tmp_path: Path) -> None:
    (path := tmp_path / "small.toml").write_text(SMALL, "utf-8")
    document = json.loads(run(str(path), "--json").stdout)
    assert document["schema"] == "switchodds/check/1"
    inputs = {each["name"]: each for each in document["inputs"]}
    assert {name: each["kind"] for name, each in inputs.items() if "utilization" in name} == {
        "a.utilization": "epistemic", "b.utilization": "luck",
    }  # fmt: skip
    assert inputs["engineer_rate"]["kind"] == "fixed" and inputs["engineer_rate"]["value"] == 150
    quantiles = [inputs["a.utilization"][key] for key in ("p05", "p50", "p95")]
    assert quantiles == pytest.approx([0.21, 0.3, 0.39])
    assert inputs["a.price"]["source"] == "an offer" and inputs["a.price"]["as_of"] == "2026-11-01"


def test_not_modelled_says_what_was_left_at_its_default(tmp_path: Path) -> None:
    (path := tmp_path / "small.toml").write_text(SMALL, "utf-8")
    left = "\n".join(json.loads(run(str(path), "--json").stdout)["not_modelled"])
    assert "b: any discount, compiling, faults, upkeep" in left and "b: a commitment" in left
    assert "delay is worth" not in left and "independent" not in left and "engineering work" not in left
    path.write_text(SMALL.replace("delay_week = 1000\n", "").replace("hurdle = 0.1\n", ""), "utf-8")
    left = "\n".join(json.loads(run(str(path), "--json").stdout)["not_modelled"])
    assert "delay is worth 0" in left and "any saving counts" in left


def test_strict_exits_1_on_findings_and_0_without(tmp_path: Path) -> None:
    (path := tmp_path / "small.toml").write_text(SMALL, "utf-8")
    assert run(str(path), "--strict").exit_code == 0
    assert run(str(path), "--strict", "--set", "options.a.price=10").exit_code == 1
    assert run(str(STUDIES / "article.toml"), "--strict").exit_code == 1
    assert run(str(STUDIES / "article.toml")).exit_code == 0


def test_a_faulty_study_exits_2(tmp_path: Path) -> None:
    (path := tmp_path / "small.toml").write_text(SMALL + "utilisation = 3\n", "utf-8")
    result = run(str(path))
    assert result.exit_code == 2 and "utilisation" in result.stderr and not result.stdout
