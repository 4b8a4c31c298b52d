"""docs/study.md is the schema in words; it is made, not written."""

from __future__ import annotations

from pathlib import Path

from simulator.inputs import FAMILIES
from simulator.study.reference import study_reference
from simulator.study.scalars import OPTION, WORKLOAD

DOC = Path(__file__).parent.parent.parent / "docs" / "study.md"


def test_the_committed_reference_is_the_generated_one() -> None:
    assert DOC.read_text("utf-8") == study_reference(), "run `python -m simulator.study.reference`"


def test_every_key_and_every_distribution_is_in_it() -> None:
    text = study_reference()

    assert [key for key in (*OPTION, *WORKLOAD, *FAMILIES) if f"| `{key}`" not in text] == []
