"""The studies that come with the program: found from any folder by the names that they have in a checkout."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

_REFERENCE = re.compile(r'prior\s*=\s*"([^"\n]+)"')


@cache
def folder() -> Path:
    """Where they stand: in the installed package, or in a checkout."""
    root = Path(str(files("simulator")))
    installed = root / "_data" / "studies"
    return installed if installed.is_dir() else root.parent / "studies"


def found(path: Path) -> Path:
    """The file itself; where there is none, the shipped study of that name (`studies/article.toml`, `article.toml`)."""
    if path.exists() or str(path.parent) not in {".", "studies"}:
        return path
    shipped = folder() / path.name
    return shipped if shipped.is_file() else path


@cache
def shipped_studies() -> dict[str, str]:
    """Text of each shipped study, by the name of its file."""
    return {each.name: each.read_text("utf-8") for each in sorted(folder().glob("*.toml"))}


def studies_using(prior: str) -> tuple[str, ...]:
    """Names of the shipped studies that refer to an entry of the library."""
    return tuple(name for name, text in shipped_studies().items() if prior in _REFERENCE.findall(text))
