"""What these would catch: a study dropped from the table, figures unlike a run's, and a bad study that stops all."""

from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from cli import main
from simulator.engine import run
from simulator.report.batch import COLUMNS, tasks
from simulator.study import StudyError, load_study

DATA = Path(__file__).parents[1] / "data"


def table(path: Path) -> list[dict[str, object]]:
    with duckdb.connect(":memory:") as database:
        found = database.execute(f"SELECT * FROM '{path}'")
        names = [each[0] for each in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("studies")
    for name in ("study-a", "study-c"):
        (place / f"{name}.toml").write_text((DATA / f"{name}.toml").read_text())
    return place


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[dict[str, object]]:
    target = folder / "out" / "table.parquet"
    grid = ["--grid", "rates.engineer=[100, 150.5]"]
    asked = ["run", str(folder), *grid, "--draws", "256", "--table", str(target), "--workers", "2"]
    outcome = CliRunner().invoke(main, asked)
    assert outcome.exit_code == 0, outcome.output
    return table(target)


def test_every_study_scenario_and_option_has_its_row_in_order(folder: Path, rows: list[dict[str, object]]) -> None:
    wanted = []
    for name in ("study-a", "study-c"):
        study = load_study(folder / f"{name}.toml")
        for setting in ("rates.engineer=100", "rates.engineer=150.5"):
            for case, each in {"": study, **study.scenarios}.items():
                wanted += [(f"{name}.toml", setting, case, option) for option in each.options]
    got = [(Path(str(row["study"])).name, row["settings"], row["scenario"], row["option"]) for row in rows]
    assert got == wanted
    assert list(rows[0]) == list(COLUMNS)


def test_figures_are_those_of_a_run_to_the_last_bit(folder: Path, rows: list[dict[str, object]]) -> None:
    option = run(load_study(folder / "study-a.toml", ["rates.engineer=150.5"]), 256).options["trn2"]
    wanted = ("study-a.toml", "rates.engineer=150.5", "trn2")
    (row,) = (r for r in rows if (Path(str(r["study"])).name, r["settings"], r["option"]) == wanted)
    assert option.p_beats is not None
    assert (row["p_beats"], row["p_beats_mcse"]) == (option.p_beats.value, option.p_beats.mcse)
    assert (row["saving_p05"], row["tco_sd_mcse"]) == (option.saving.p05.value, option.tco.sd.mcse)
    baseline = next(r for r in rows if r["option"] == "h100")
    assert baseline["p_beats"] is None


def test_a_study_with_faults_keeps_its_row_and_the_others_run(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("title = 3\n")
    target = tmp_path / "table.parquet"
    asked = ["run", str(bad), str(DATA / "study-a.toml"), "--draws", "256", "--table", str(target)]
    outcome = CliRunner().invoke(main, asked)
    assert outcome.exit_code == 2
    assert "1 of 2 studies" in outcome.output
    found = table(target)
    assert [row["option"] for row in found] == [None, "h100", "trn2"]
    assert "bad.toml" in str(found[0]["fault"])
    assert [row["fault"] for row in found[1:]] == [None, None]


def test_a_grid_is_every_combination() -> None:
    found = tasks(["a.toml"], ["x=1"], ["y=[1, 2]", 'z=["u", true]'])
    assert [task.settings for task in found] == [
        ("x=1", "y=1", "z='u'"),
        ("x=1", "y=1", "z=true"),
        ("x=1", "y=2", "z='u'"),
        ("x=1", "y=2", "z=true"),
    ]
    assert [task.number for task in found] == [0, 1, 2, 3]


@pytest.mark.parametrize("wrong", ["y=", "y=3", "y=[]", "y=[[1]]", "y"])
def test_a_grid_without_values_is_refused(wrong: str) -> None:
    with pytest.raises(StudyError, match="no list of values"):
        tasks(["a.toml"], [], [wrong])


def test_a_folder_without_studies_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="a folder without studies"):
        tasks([str(tmp_path)], [], [])


def test_several_studies_without_a_table_are_refused() -> None:
    outcome = CliRunner().invoke(main, ["run", str(DATA / "study-a.toml"), str(DATA / "study-c.toml")])
    assert outcome.exit_code == 2
    assert "--table" in outcome.output
