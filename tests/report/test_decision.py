"""The verbs on a decision as a user meets them: words first, 80 columns, a document, faults with the nearest name."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from tests.decision.linear import linear, normal

HOURS = """[options.new.engineer_hours]
dist = "lognormal"
median = 200
sigma = 0.7
"""
POC = """[poc]
fixed_cost = 100
cost_per_run = 50
[poc.designs.port]
measures = ["new.engineer_hours"]
[scenarios.dear]
"options.new.price" = 99
"""
VERBS = ("drivers", "breakeven", "voi", "poc", "risk")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return linear(tmp_path_factory.mktemp("verbs"), {"a": normal(25e3, 20e3)}, HOURS + POC).path


def invoke(*args: str) -> Result:
    return CliRunner().invoke(main, [*args], env={"COLUMNS": "80", "NO_COLOR": "1"})


@pytest.mark.parametrize("verb", VERBS)
def test_words_come_first_within_80_columns(verb: str, path: str) -> None:
    got = invoke(verb, path, "--draws", "2048")
    assert got.exit_code == 0, got.output
    lines = got.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    reading = " ".join(lines[2:8])
    opening = {
        "drivers": "What decides it is new.",
        "breakeven": "Today the expected saving of new lies",
        "voi": "Knowing every input in advance would be worth",
        "poc": "Do a PoC before you decide:",
        "risk": "Switching to new costs over",
    }
    assert reading.startswith(opening[verb])


@pytest.mark.parametrize("verb", VERBS)
def test_json_is_the_document_alone(verb: str, path: str) -> None:
    got = invoke(verb, path, "--draws", "1024", "--json")
    assert got.exit_code == 0, got.output
    assert json.loads(got.stdout)["schema"] == f"switchodds/{verb}/1"
    again = invoke(verb, path, "--draws", "1024", "--json")
    assert again.stdout == got.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_settings_and_scenarios_are_those_of_run(verb: str, path: str) -> None:
    scenario = json.loads(invoke(verb, path, "--draws", "256", "--json", "--scenario", "dear").stdout)
    setting = json.loads(invoke(verb, path, "--draws", "256", "--json", "--set", "new.price=99").stdout)
    for each in (scenario, setting):
        each.pop("study")
    assert scenario == setting


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("drivers", "--option", "newer"), 'did you mean "new"?'),
        (("breakeven", "--input", "new.prise"), 'did you mean "new.price"?'),
        (("breakeven", "--with", "new.price"), "goes with one --input"),
        (("voi", "--input", "new.price"), "a number: there is nothing to learn"),
        (("voi", "--input", "new.engineer_ours"), 'did you mean "new.engineer_hours"?'),
        (("poc", "--scenario", "deer"), 'did you mean "dear"?'),
        (("risk", "--set", "new.prize=3"), 'did you mean "price"?'),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_faults_end_with_2_and_the_nearest_name(args: tuple[str, ...], message: str, path: str) -> None:
    got = invoke(args[0], path, *args[1:])
    assert got.exit_code == 2
    assert message in " ".join(got.stderr.split())
    assert got.stdout == ""


def test_one_input_is_told_in_full(path: str) -> None:
    text = " ".join(
        invoke("breakeven", path, "--input", "options.new.engineer_hours", "--with", "new.price").stdout.split()
    )
    assert "simulation error alone leaves it between" in text
    assert "Pays in 80 of 100 cases: below" in text
    assert "new.price at which it pays, by new.engineer_hours" in text


def test_without_a_poc_it_shows_what_to_write(path: str, tmp_path: Path) -> None:
    bare = tmp_path / "bare.toml"
    bare.write_text(Path(path).read_text().split("[poc]")[0])
    got = invoke("poc", str(bare))
    assert got.exit_code == 2
    assert "[poc]" in got.stderr
    assert "hours_per_run = 48" in got.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("drivers",),
        ("breakeven",),
        ("breakeven", "--option", "b", "--input", "volume", "--with", "b.price"),
        ("voi", "--input", "b.blocked", "--input", "b.recompiles", "--input", "b.price"),
        ("poc",),
        ("risk", "--risk-tolerance", "100000"),
    ],
    ids=" ".join,
)
def test_every_kind_of_input_is_borne(args: tuple[str, ...]) -> None:
    """Luck that hangs on an input, laws with atoms, three options, commitments, credits, counts and trials."""
    study = Path(__file__).parents[1] / "data" / "three-ways.toml"
    got = invoke(args[0], str(study), "--draws", "512", *args[1:])
    assert got.exit_code == 0, got.output
    assert max(map(len, got.stdout.splitlines())) <= 80
    assert "nan" not in got.stdout.split()
