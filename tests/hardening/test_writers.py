"""Would catch: half a file under a final name, after a kill, on a full disk, in a folder that may not be written."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hardening.writers import ROOT, WRITERS, Writer, environment, prepared, started

KILLS = 2
writers = pytest.mark.parametrize("writer", WRITERS, ids=lambda each: each.name)


@contextlib.contextmanager
def small_disk(place: Path, kilobytes: int) -> Iterator[Path]:
    """A disk of this size; the test is left out where one cannot be mounted."""
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(place)]
    try:
        subprocess.run(words, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no disk can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@writers
def test_killed_at_any_moment_leaves_all_or_nothing(writer: Writer, tmp_path: Path) -> None:
    randomly = random.Random(1)
    for number in range(KILLS):
        folder = prepared(tmp_path / str(number))
        process = started(writer, folder)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=randomly.uniform(0.6, 2.5))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        if (folder / writer.final).exists():
            writer.whole(folder / writer.final)


@writers
def test_a_full_disk_is_told_and_leaves_nothing(writer: Writer, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 24) as folder:
        _, said = started(writer, prepared(folder)).communicate()
        assert "cannot be written" in said
        assert "Traceback" not in said
        assert {each.name for each in folder.iterdir()} == {"study.toml"}


@contextlib.contextmanager
def read_only(place: Path) -> Iterator[Path]:
    """A folder with the study that may not be written; for root, who may write anywhere, a disk that is read-only."""
    if os.geteuid() == 0:
        with small_disk(place, 100) as folder:
            prepared(folder)
            subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
            yield folder
    else:
        prepared(place).chmod(0o555)
        yield place
        place.chmod(0o755)


@writers
def test_a_folder_that_may_not_be_written_is_told(writer: Writer, tmp_path: Path) -> None:
    with read_only(tmp_path / "folder") as folder:
        process = started(writer, folder)
        _, said = process.communicate()
    assert process.returncode == 2
    assert "cannot be written" in said


@writers
def test_two_at_once_leave_one_whole(writer: Writer, tmp_path: Path) -> None:
    folder = prepared(tmp_path / "folder")
    both = [started(writer, folder) for _ in range(2)]
    said = [process.communicate()[1] for process in both]
    writer.whole(folder / writer.final)
    assert not any("Traceback" in each for each in said)
    assert 0 in [process.returncode for process in both]
    assert {each.name for each in folder.iterdir()} == {"study.toml", writer.final}


POOR = {
    "no home folder": {"HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent"},
    "a locale of ASCII alone": {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    "another code page": {"LC_ALL": "C", "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
    "a terminal of no abilities": {"TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "20"},
}


@pytest.mark.parametrize("name", POOR)
def test_in_a_poor_environment(name: str, tmp_path: Path) -> None:
    folder = prepared(tmp_path / "folder")
    text = (folder / "study.toml").read_text("utf-8").replace("Written under fire", "Größe 模型 ≥ 1")
    (folder / "study.toml").write_text(text, "utf-8")
    for words in (["run", "study.toml", "--draws", "256"], ["init", "new.toml"]):
        done = subprocess.run(
            [sys.executable, str(ROOT / "cli.py"), *words],
            cwd=folder,
            env=environment(**POOR[name]),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stderr


def test_a_reader_that_goes_away_ends_the_command_quietly(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "folder")
    process = started(Writer("run", ("run", "study.toml", "--draws", "256", "--json"), "", str), folder)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    process.wait()
    process.stderr.close()
    assert "Traceback" not in said
