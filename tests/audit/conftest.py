from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.audit.clean_study import Find, findings_in


@pytest.fixture
def find(tmp_path: Path) -> Find:
    """What the audit finds in the clean study, with lines of it exchanged."""
    return partial(findings_in, tmp_path)
