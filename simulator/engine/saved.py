"""A run kept in a folder: `result.json`, `study.toml` as it was read, what lies beside it, the draws on request.

Beside a study lie the files that it is read from and its posterior; the evidence is not kept.
Where the run was of something else than the file says, by `--set` or `--scenario`, `settings.json` has the difference.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from pathlib import Path

from simulator.engine.kept import blocks
from simulator.engine.result import Result
from simulator.study import Fault, Study, StudyError
from simulator.study.companions import companions


def save_run(study: Study, result: Result, folder: Path, *, with_draws: bool = False) -> Path:
    """Write a run to a new folder: whole, or not at all.

    Parameters
    ----------
    study, result : Study, Result
        What was run, and what came out.
    folder : Path
        Must not exist yet.
    with_draws : bool
        Keep the inputs and costs of every draw too, as `draws.parquet`.

    Raises
    ------
    StudyError
        If the folder is there already or cannot be written.
    """
    if folder.exists() or folder.is_symlink():
        raise StudyError([Fault(str(folder), 0, "--save", "this is there already", "a folder that is not there yet")])
    beside = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        (beside / "study.toml").write_bytes(study.text)
        for name in companions(study):
            copy = beside / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(study.path).parent / name, copy)
        if study.posterior is not None:
            shutil.copyfile(study.posterior["path"], beside / "study.posterior.nc")
        if study.settings or study.chosen:
            asked = {"set": study.settings, "scenario": study.chosen}
            (beside / "settings.json").write_text(json.dumps(asked, indent=2) + "\n", encoding="utf-8")
        document = json.dumps(result.to_json(), indent=2, ensure_ascii=False)
        (beside / "result.json").write_text(document + "\n", encoding="utf-8")
        if with_draws:
            _save_draws(result, beside / "draws.parquet")
        for file in beside.rglob("*"):
            if file.is_file():
                _to_disk(file)
        beside.chmod(0o755)
        beside.rename(folder)
    except OSError as error:
        found = f"cannot be written ({error.strerror})"
        raise StudyError([Fault(str(folder), 0, "--save", found, "a folder that may be written")]) from None
    finally:
        if beside is not None and beside.exists():
            shutil.rmtree(beside, ignore_errors=True)
    return folder


def is_saved(folder: Path) -> bool:
    """Whether a run was kept in a folder; the evidence that its posterior rests on was not."""
    return (folder / "result.json").is_file() and (folder / "study.toml").is_file()


def _save_draws(result: Result, path: Path) -> None:
    """The same, with one kind of error for whatever stops the writing."""
    import duckdb

    try:
        _write_draws(result, path)
    except duckdb.Error as error:
        message = "no space left" if "No space left" in str(error) else str(error).splitlines()[0]
        raise OSError(errno.EIO, message) from None


def _write_draws(result: Result, path: Path) -> None:
    """Draws as Parquet, block by block, so that memory does not grow with them."""
    import duckdb

    names: list[str] = []
    with duckdb.connect(":memory:") as database:
        database.execute("SET preserve_insertion_order = true")
        database.execute(f"SET temp_directory = '{str(path.parent).replace(chr(39), chr(39) * 2)}'")
        for columns in blocks(result.plan):
            if not names:
                names = list(columns)
                kinds = ", ".join(f'"{name}" DOUBLE' for name in names)
                database.execute(f"CREATE TABLE draws ({kinds})")
            # duckdb reads a dictionary of arrays by the name of the variable
            block = {f"c{i}": columns[name].copy() for i, name in enumerate(names)}
            database.execute(f"INSERT INTO draws SELECT {', '.join(block)} FROM block")
        database.execute(f"COPY draws TO '{str(path).replace(chr(39), chr(39) * 2)}' (FORMAT parquet)")


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
