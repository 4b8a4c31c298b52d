"""A file of one's own per trap, read as a user would."""

from collections.abc import Callable
from pathlib import Path

import pytest

from simulator.evidence import Options, Reading
from simulator.evidence import read as read_file

ReadText = Callable[..., Reading]


@pytest.fixture
def read_text(tmp_path: Path) -> ReadText:
    """`read_text(text, reader="...", instances=2)`: the reading of a file with that text."""

    def read(text: str | bytes, name: str = "file", **options: object) -> Reading:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        got = read_file(path, Options(**options))  # type: ignore[arg-type]
        assert got.used + got.merged + got.ignored + got.rejected_count == got.lines
        return got

    return read
