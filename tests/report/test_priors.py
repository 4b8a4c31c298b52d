"""`simulate priors`: list, search, one entry, a library of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from simulator.report.priors import histogram
from simulator.study.entries import value_of
from simulator.study.library import library


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ["priors", *args], catch_exceptions=False)


def test_the_list_has_a_line_an_entry_within_80_columns() -> None:
    lines = run().stdout.splitlines()
    assert len(lines) == len(library()) and max(map(len, lines)) <= 80


def test_search_by_words_of_the_name_then_of_anything() -> None:
    assert {line.split()[0] for line in run("trn2", "spot").stdout.splitlines()} == {
        "trn2/price/spot", "trn2/price/spot/trn2.3xlarge",
    }  # fmt: skip
    assert "a100/hours_lost_per_fault" in run("bloom").stdout


def test_an_entry_is_shown_whole() -> None:
    shown = run("trn2/utilization").stdout
    for part in ("share of dense BF16 peak", "5% 0.206", "95% 0.61", "█", "judgement", "MLPerf", "h100-to-trainium2"):
        assert part in shown
    assert "98.32 (2023-08-09 to 2025-06-22)" in run("h100/price/on_demand").stdout
    assert "no published list price" in run("trn2/price/on_demand").stdout


def test_nothing_found_names_the_nearest() -> None:
    result = run("trn2/utilisation")
    assert result.exit_code == 2 and '"trn2/utilization"' in result.stderr


def test_json_has_quantiles_and_facts() -> None:
    document = json.loads(run("trn2/utilization", "--json").stdout)
    assert document["schema"] == "switchodds/priors/1"
    entry = document["priors"]["trn2/utilization"]
    assert entry["mean"] == pytest.approx(0.4) and entry["quantiles"]["p50"] == pytest.approx(0.395, abs=5e-4)
    assert entry["basis"] == "judgement" and "h100-to-trainium2.toml" in entry["studies"]


def test_a_library_of_ones_own_stands_before_the_shipped(tmp_path: Path) -> None:
    (path := tmp_path / "own.toml").write_text(
        '["trn2/utilization"]\nvalue = 0.45\nunit = "share"\nbasis = "measured"\nsource = "our PoC"\n'
        "as_of = 2026-11-01\nnote = 'two weeks'\n",
        "utf-8",
    )
    assert "our PoC" in run("trn2/utilization", "--file", str(path)).stdout


def test_an_entry_of_ones_own_may_lack_facts_but_not_a_value(tmp_path: Path) -> None:
    (path := tmp_path / "own.toml").write_text('["ours/price"]\nvalue = 30\n', "utf-8")
    assert "none given" in run("ours/price", "--file", str(path)).stdout
    path.write_text('["ours/price"]\ndist = "beta"\nmean = 0.5\nsd = 0.6\n', "utf-8")
    result = run("ours/price", "--file", str(path))
    assert result.exit_code == 2 and "own.toml:4" in result.stderr
    path.write_text('["ours/price"]\nvalue = "30"\n', "utf-8")
    assert run("ours", "--file", str(path)).exit_code == 2


@pytest.mark.parametrize("name", ["trn2/utilization", "trn2/recompiles", "trn2/graphs_per_attempt", "price_drift_1y"])
def test_a_histogram_holds_what_lies_between_its_ends(name: str) -> None:
    """At most 1 % is cut at each end; an atom at an end belongs to it."""
    law = value_of(library()[name])
    assert law is not None and not isinstance(law, float)
    assert 0.98 - 1e-9 <= sum(each.share for each in histogram(law)) <= 1 + 1e-12
