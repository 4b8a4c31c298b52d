"""What these would catch: a verb that no longer does what its words say, a wrong exit code, a traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cli

ROOT = Path(__file__).parents[1]
STUDY_A = str(ROOT / "tests/data/study-a.toml")
STUDY_C = str(ROOT / "tests/data/study-c.toml")
QUICK = ["--draws", "1024"]


def simulate(*words: str) -> Result:
    return CliRunner().invoke(cli.main, list(words), catch_exceptions=False)


@pytest.fixture
def bad_study(tmp_path: Path) -> str:
    text = (
        Path(STUDY_A).read_text().replace("utilization = {", "utilisation = {", 1).replace("hurdle = 0.0", "hurdle = 5")
    )
    path = tmp_path / "bad.toml"
    path.write_text(text)
    return str(path)


def test_a_study_alone_is_run() -> None:
    direct, named = simulate(STUDY_A, *QUICK), simulate("run", STUDY_A, *QUICK)
    assert direct.exit_code == 0
    assert direct.output == named.output
    assert "saves money in 23 of 100 cases" in " ".join(direct.output.split())


@pytest.mark.parametrize(
    "words", [[STUDY_A, *QUICK], ["drivers", STUDY_A, *QUICK], ["priors"]], ids=lambda words: words[0]
)
def test_no_verb_starts_threads_of_blas_unless_it_is_told_to(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside other work on two cores they made `drivers` eight times slower."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    simulate(*words)
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"

    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    simulate(*words)
    assert os.environ["OPENBLAS_NUM_THREADS"] == "2"


def test_the_report_keeps_to_80_columns_without_escapes() -> None:
    for study in (STUDY_A, STUDY_C):
        text = simulate(study, *QUICK).output
        assert max(map(len, text.splitlines())) <= 80
        assert "\x1b" not in text


def test_json_stands_alone_and_holds_the_contract() -> None:
    got = simulate(STUDY_C, *QUICK, "--json")
    document = json.loads(got.stdout)
    assert document["schema"] == "switchodds/result/1"
    assert list(document) == [
        "schema", "study", "run", "options", "decision", "claims", "scenarios", "findings",
    ]  # fmt: skip
    assert set(document["study"]) == {"title", "path", "sha256", "baseline", "currency", "hurdle", "posterior"}
    assert set(document["run"]) == {"seed", "draws", "replicates", "version", "seconds", "converged"}
    trn2, h100 = document["options"]["trn2"], document["options"]["h100"]
    for spread in ("tco", "saving", "saving_share"):
        assert set(trn2[spread]) == {"mean", "sd", "p05", "p25", "p50", "p75", "p95"}
        assert set(trn2[spread]["mean"]) == {"value", "mcse"}
    assert h100["p_beats"] is None
    assert h100["saving"]["mean"]["value"] == 0
    assert set(document["decision"]) == {"best", "evpi", "p_wrong", "epistemic_share"}
    assert set(document["claims"]["vendor"]) == {"option", "saving_share", "p_reached", "percentile"}
    assert set(document["scenarios"]) == {"small_commitment", "half_volume"}
    assert set(document["scenarios"]["half_volume"]) == {"options", "decision"}
    assert sum(part["value"] for part in trn2["components"].values()) == pytest.approx(trn2["tco"]["mean"]["value"])


def test_seed_draws_and_settings_are_obeyed() -> None:
    words = [STUDY_A, "--json", "--draws", "5000", "--seed", "9", "--set", "options.trn2.price=20"]
    document = json.loads(simulate(*words).stdout)
    assert document["run"]["seed"] == 9
    assert document["run"]["draws"] == 8192
    assert document["options"]["trn2"]["p_beats"]["value"] > 0.5  # at 20 instead of 35.76 it pays


def test_verbose_says_on_standard_error_how_the_figures_were_made() -> None:
    quiet, verbose = simulate(STUDY_A, *QUICK), simulate(STUDY_A, *QUICK, "-v")
    assert verbose.stdout == quiet.stdout
    assert quiet.stderr == ""
    assert "saving of trn2: averaged over trn2.engineer_hours in closed form" in verbose.stderr


def test_a_scenario_can_be_run_as_the_study() -> None:
    alone = json.loads(simulate(STUDY_C, *QUICK, "--json", "--scenario", "half_volume").stdout)
    beside = json.loads(simulate(STUDY_C, *QUICK, "--json").stdout)["scenarios"]["half_volume"]
    value, error = (alone["options"]["trn2"]["tco"]["mean"][key] for key in ("value", "mcse"))
    assert abs(value - beside["options"]["trn2"]["tco"]["mean"]["value"]) < 6 * error
    assert alone["scenarios"] == {}
    missed = simulate(STUDY_C, "--scenario", "half_volum")
    assert missed.exit_code == 2
    assert "half_volume" in missed.stderr


def test_every_fault_is_named_at_once_and_nothing_is_run(bad_study: str) -> None:
    got = simulate(bad_study)
    assert got.exit_code == 2
    assert got.stdout == ""
    assert 'did you mean "utilization"?' in got.stderr
    assert "hurdle" in got.stderr
    assert "nothing was run" in got.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chekc", "x.toml"], "did you mean 'check'?"),
        (["no-such-file.toml"], "no-such-file.toml"),
        ([STUDY_A, "--set", "options.trn2.prize=3"], "price"),
        ([STUDY_A, "--tolerance", "7"], "--tolerance"),
        ([STUDY_A, "--draws", "0"], "--draws"),
        ([STUDY_A, "--save-draws"], "--save DIR"),
        ([STUDY_A, "--no-such-option"], "--no-such-option"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_2(words: list[str], said: str) -> None:
    got = simulate(*words)
    assert got.exit_code == 2
    assert said in got.stderr
    assert "Traceback" not in got.stderr


def test_a_run_is_saved_whole_and_never_over_another(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "first"
    got = simulate(STUDY_A, *QUICK, "--save", str(folder), "--save-draws", "--json")
    assert got.exit_code == 0
    assert sorted(each.name for each in folder.iterdir()) == ["draws.parquet", "result.json", "study.toml"]
    assert json.loads((folder / "result.json").read_text()) == json.loads(got.stdout)
    assert (folder / "study.toml").read_bytes() == Path(STUDY_A).read_bytes()

    again = simulate(STUDY_A, *QUICK, "--save", str(folder))
    assert again.exit_code == 2
    assert "there already" in again.stderr
    assert [each.name for each in folder.parent.iterdir()] == ["first"]


def test_saved_draws_are_those_of_the_run(tmp_path: Path) -> None:
    import duckdb

    folder = tmp_path / "tonight's run"
    simulate(STUDY_A, *QUICK, "--save", str(folder), "--save-draws")
    query = 'SELECT count(*), avg("trn2.utilization"), count(DISTINCT replicate) FROM read_parquet(?)'
    with duckdb.connect(":memory:") as database:
        ((count, utilization, replicates),) = database.execute(query, [str(folder / "draws.parquet")]).fetchall()
    assert (count, replicates) == (1024, 16)
    assert utilization == pytest.approx(0.38, abs=0.002)


def test_a_saved_run_keeps_the_scenario_that_was_asked_for(tmp_path: Path) -> None:
    simulate(STUDY_C, *QUICK, "--scenario", "half_volume", "--save", str(tmp_path / "run"))
    assert json.loads((tmp_path / "run" / "settings.json").read_text()) == {"set": [], "scenario": "half_volume"}


def test_init_writes_a_study_that_runs_and_never_over_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    for kind in ("minimal", "hardware-switch", "price-bases"):
        assert simulate("init", str(path), "--kind", kind).exit_code == 0
        assert simulate("check", str(path)).exit_code == 0
        assert simulate(str(path), *QUICK).exit_code == 0
        before = path.read_text()
        assert simulate("init", str(path), "--kind", kind).exit_code == 2
        assert path.read_text() == before
        path.unlink()
    assert simulate("init", str(path), "--kind", "minimall").exit_code == 2


def test_schema_is_a_json_schema() -> None:
    schema = json.loads(simulate("schema").stdout)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert "options" in schema["properties"]


@pytest.mark.parametrize("study", sorted((ROOT / "studies").glob("*.toml")), ids=lambda path: path.stem)
def test_every_shipped_study_runs(study: Path) -> None:
    got = simulate(str(study), *QUICK)
    assert got.exit_code == 0
    assert "What to do next" in got.output


def test_as_a_module_in_a_plain_locale_through_a_pipe() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "simulator", STUDY_A, *QUICK],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert b"What to do next" in done.stdout


def test_heavy_libraries_are_not_imported_to_run_a_study() -> None:
    code = f"""
import sys, cli
cli.main([{STUDY_A!r}, "--json", "--draws", "256"], standalone_mode=False)
print(sorted({{"scipy.stats", "pymc", "arviz", "altair", "duckdb", "dask", "pandas", "rich"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_saved_run_is_read_again_with_the_files_beside_its_study(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "speeds.csv").write_text("mfu\n0.3\n0.35\n0.4\n")
    (tmp_path / "hours.csv").write_text("hours\n100\n300\n")
    (tmp_path / "own" / "priors.toml").write_text(
        '["own/speed"]\ndist = "empirical"\nfile = "speeds.csv"\ncolumn = "mfu"\nunit = "share"\nbasis = "measured"\n'
        'source = "own runs"\nas_of = 2026-10-01\n'
    )
    (tmp_path / "study.toml").write_text("""
baseline = "a"
currency = "USD"
[priors]
files = ["own/priors.toml"]
[workload]
pflop_hours = 1000
[rates]
engineer = 100
[options.a]
price = 10
peak_pflops = 2
utilization = 0.4
[options.b]
price = 8
peak_pflops = 2
utilization = { prior = "own/speed" }
engineer_hours = 10
""")
    hours = 'options.b.engineer_hours={dist = "empirical", file = "hours.csv", column = "hours"}'
    got = simulate(str(tmp_path / "study.toml"), *QUICK, "--set", hours, "--save", str(tmp_path / "run"), "--json")
    assert got.exit_code == 0, got.output
    assert {str(f.relative_to(tmp_path / "run")) for f in (tmp_path / "run").rglob("*") if f.is_file()} == {
        *("study.toml", "settings.json", "result.json", "hours.csv", "own/priors.toml", "own/speeds.csv")
    }

    compared = simulate("compare", str(tmp_path / "run"), str(tmp_path / "study.toml"), "--json")

    assert compared.exit_code == 0, compared.output
    assert [each["where"] for each in json.loads(compared.output)["changes"]] == ["options.b.engineer_hours"]
