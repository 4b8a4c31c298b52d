"""Would catch: a file that leaves the study's folder, a glob without a match passed over, two readers of one name."""

from importlib import import_module
from pathlib import Path

import pytest

from simulator.evidence import EvidenceError, expand
from simulator.evidence.registry import MODULES, readers


def test_every_name_belongs_to_one_reader() -> None:
    names = [name for module in MODULES for name in import_module(f"simulator.evidence.{module}").NAMES]
    assert len(names) == len(set(names)) == len(readers())


def test_globs_are_relative_to_the_study_and_stay_in_it(tmp_path: Path) -> None:
    study, outside = tmp_path / "study", tmp_path / "outside.log"
    (study / "poc").mkdir(parents=True)
    for name in ("b.log", "a.log"):
        (study / "poc" / name).write_text("x")
    outside.write_text("x")
    (study / "link.log").symlink_to(outside)
    assert [Path(path).name for path in expand(["poc/*.log", "poc/a.log"], study)] == ["a.log", "b.log"]
    for pattern in ("../outside.log", "link.log", str(outside)):
        with pytest.raises(EvidenceError, match="leaves the study's folder"):
            expand([pattern], study)
    with pytest.raises(EvidenceError, match="matches no file"):
        expand(["*.csv"], study)
