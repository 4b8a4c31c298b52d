"""docs/audit.md names every code, and no other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_code_is_documented() -> None:
    text = "".join(path.read_text("utf-8") for path in (ROOT / "simulator" / "audit").glob("*.py"))
    codes = {code for line in re.findall(r"code=(.*)", text) for code in re.findall(r'"([a-z_]+)"', line)}
    documented = re.findall(r"^\| `([a-z_]+)`", (ROOT / "docs" / "audit.md").read_text("utf-8"), re.MULTILINE)
    assert len(documented) == len(set(documented))
    assert set(documented) == codes
