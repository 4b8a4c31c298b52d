"""The studies that come with the program."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_REFERENCE = re.compile(r'prior\s*=\s*"([^"\n]+)"')


@cache
def shipped_studies() -> dict[str, str]:
    """Text of each shipped study, by the name of its file."""
    folder = files("simulator") / "_data" / "studies"
    if not folder.is_dir():
        folder = files("simulator") / ".." / "studies"  # a checkout
    found = sorted((each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name)
    return {each.name: each.read_text("utf-8") for each in found}


def studies_using(prior: str) -> tuple[str, ...]:
    """Names of the shipped studies that refer to an entry of the library."""
    return tuple(name for name, text in shipped_studies().items() if prior in _REFERENCE.findall(text))
