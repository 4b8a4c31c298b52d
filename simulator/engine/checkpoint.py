"""Sums of a long run kept in a folder, so that an interrupted run goes on to the same figures."""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from simulator.engine.figures import Sums
from simulator.engine.tree import Branch, Tree
from simulator.study import Fault, StudyError

EVERY = 10.0
"""Seconds between two writings."""

Identity = Mapping[str, str | int]
"""What a run is, by words for people: study, settings, seed, versions."""


class Kept(NamedTuple):
    """What was done: points of a replicate that were aimed at, and the sums so far."""

    per_replicate: int
    trees: list[Tree]


@dataclass
class Checkpoint:
    """A folder with the sums of a run: one file for each group of scenarios, each written whole or not at all."""

    folder: Path
    _written: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, folder: Path, identity: Identity) -> Checkpoint:
        """The folder of a run: a new one, or that of the same run.

        Raises
        ------
        StudyError
            When the folder belongs to another run, or cannot be read or written.
        """
        path = folder / "run.json"
        try:
            if path.exists():
                _same(path, json.loads(path.read_text("utf-8")), identity)
            elif folder.exists() and any(folder.iterdir()):
                raise _fault(folder, "a folder of something else", "a new folder, or that of an interrupted run")
            else:
                folder.mkdir(parents=True, exist_ok=True)
                _replace(path, json.dumps(dict(identity), indent=2).encode())
        except (OSError, ValueError) as error:
            if isinstance(error, StudyError):
                raise
            raise _fault(folder, f"cannot be used ({error})", "a folder that may be read and written") from None
        return cls(folder)

    def kept(self, group: int) -> Kept | None:
        """What the folder holds of a group of scenarios."""
        path = self._path(group)
        if not path.exists():
            return None
        try:
            with np.load(path, allow_pickle=False) as file:
                shape = json.loads(bytes(file["shape"]))
                trees = [Tree([_branch(each, file) for each in tree]) for tree in shape["trees"]]
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise _fault(path, f"cannot be read ({error})", "the sums of an interrupted run") from None
        return Kept(int(shape["per_replicate"]), trees)

    def keep(self, group: int, kept: Kept, *, now: bool = False) -> None:
        """Write the sums, if the last writing is some time ago or it must be now."""
        if not now and time.monotonic() - self._written < EVERY:
            return
        arrays: dict[str, np.ndarray] = {}
        trees = [[_shape(branch, arrays) for branch in tree.branches] for tree in kept.trees]
        shape = json.dumps({"per_replicate": kept.per_replicate, "trees": trees})
        buffer = io.BytesIO()
        np.savez(buffer, shape=np.frombuffer(shape.encode(), np.uint8), **arrays)  # type: ignore[arg-type]
        try:
            _replace(self._path(group), buffer.getvalue())
        except OSError as error:
            raise _fault(self.folder, f"cannot be written ({error.strerror})", "room for the sums of the run") from None
        self._written = time.monotonic()

    def _path(self, group: int) -> Path:
        return self.folder / f"sums-{group}.npz"


def _shape(branch: Branch, arrays: dict[str, np.ndarray]) -> dict[str, object]:
    """A branch as JSON, its arrays by their numbers."""
    cases: dict[str, list[list[object]]] = {}
    for name, sums in branch.sums.items():
        cases[name] = []
        for key, value in sums.items():
            number = f"a{len(arrays)}"
            arrays[number] = value
            cases[name].append([list(key) if isinstance(key, tuple) else key, number])
    return {"level": branch.level, "cases": cases}


def _branch(shape: Mapping[str, object], file: Mapping[str, np.ndarray]) -> Branch:
    cases = shape["cases"]
    assert isinstance(cases, dict)
    sums: dict[str, Sums] = {
        name: {tuple(key) if isinstance(key, list) else key: file[number] for key, number in each}
        for name, each in cases.items()
    }
    return Branch(int(str(shape["level"])), sums)


def _same(path: Path, found: Identity, expected: Identity) -> None:
    faults = [
        Fault(str(path), 0, key, f"{found.get(key)!r}: the folder is another run's", f"{value!r}, as asked for now")
        for key, value in expected.items()
        if found.get(key) != value
    ]
    if faults:
        raise StudyError(faults)


def _fault(path: Path, found: str, expected: str) -> StudyError:
    return StudyError([Fault(str(path), 0, "--resume", found, expected)])


def _replace(path: Path, content: bytes) -> None:
    """Write beside, to disk, and rename: a reader finds the old content or the new."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
