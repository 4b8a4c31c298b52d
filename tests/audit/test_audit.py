"""The audit as a whole: clean studies, scenarios, options without known hardware, savings that are only reported."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.audit import audit, check
from simulator.study import load_study
from simulator.study.sections import Reported, ReportedFigures
from tests.audit.clean_study import CLEAN, Find

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("name", ["study-a.toml", "study-c.toml"])
def test_the_reference_studies_have_no_errors(name: str) -> None:
    found = check(load_study(DATA / name)).findings
    assert not [each for each in found if each.severity == "error"]


def test_the_gravest_stands_first(find: Find) -> None:
    severities = [each.severity for each in find("options.h100.peak_pflops=15.83", "options.h100.price=55.04").values()]
    assert severities == sorted(severities, key=["error", "warning", "info"].index)


def test_a_scenario_is_audited_where_it_differs(find: Find) -> None:
    scenario = '[scenarios.sparse]\n"options.h100.peak_pflops" = 15.83\n'
    found = find(more=scenario)
    assert found["peak_is_another_figure"].where == "scenarios.sparse: options.h100.peak_pflops"
    assert found.keys() - find().keys() == {"peak_is_another_figure"}


def test_unknown_hardware_is_left_alone(tmp_path: Path) -> None:
    (path := tmp_path / "study.toml").write_text(
        CLEAN.replace("h100", "now").replace("8xH100 (p5.48xlarge)", "our own machines"), "utf-8"
    )
    study = load_study(path, ["options.now.peak_pflops=15.83", "options.now.utilization=0.9"])
    assert not [each for each in audit(study) if "options.now" in each.where]


def test_a_reported_saving_is_placed_on_the_distribution(tmp_path: Path) -> None:
    (path := tmp_path / "study.toml").write_text(CLEAN + "[reported.trn2]\nsaving_share = 0.9\n", "utf-8")
    (found,) = (each for each in check(load_study(path)).findings if each.code == "claim_outside")
    assert found.where == "reported.trn2.saving_share" and "90%" in found.message


def test_a_shadowed_prior_is_told(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text('["trn2/utilization"]\nvalue = 0.45\nsource = "our PoC"\n', "utf-8")
    study = CLEAN.replace("utilization = 0.40", 'utilization = { prior = "trn2/utilization" }')
    (path := tmp_path / "study.toml").write_text(study + '[priors]\nfiles = ["ours.toml"]\n', "utf-8")
    (found,) = (each for each in check(load_study(path)).findings if each.code == "prior_shadowed")
    assert "trn2/utilization" in found.where


NUMBERS = [each.name for each in fields(ReportedFigures) if each.type.startswith(("float", "int"))]
SHARES = {"utilization", "busy_share", "discount", "waste_share"}
COUNTS = {"sequence", "layers", "hidden", "instances", "chips"}


@st.composite
def reported_figures(draw: st.DrawFn) -> ReportedFigures:
    """Any figures that a file may state, the ends of their ranges included."""
    some = {}
    for name in draw(st.sets(st.sampled_from(NUMBERS), min_size=3)):
        if name in SHARES:
            some[name] = draw(st.sampled_from([0.0, 0.5, 1.0]))
        elif name in COUNTS:
            some[name] = draw(st.sampled_from([1, 4096]))
        else:
            some[name] = draw(st.sampled_from([1e-9, 1.0, 55.04, 1e12]))
    for name in ("faults", "engineer_hours", "engineer_rate", "total_cost", "saving_share"):
        if draw(st.booleans()):
            some[name] = draw(st.sampled_from([0.0, 1.0]))
    return ReportedFigures(**some, sdk=draw(st.sampled_from([None, "", "latest", "2.20"])))


@given(figures=st.tuples(reported_figures(), reported_figures()))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_no_reported_figure_breaks_the_audit(figures: tuple[ReportedFigures, ReportedFigures]) -> None:
    study = load_study(DATA / "study-a.toml")
    h100, trn2 = figures
    findings = audit(replace(study, reported=Reported(ReportedFigures(), {"h100": h100, "trn2": trn2})))
    assert all("nan" not in (each.arithmetic or "") for each in findings)
