"""Would catch: a library that is used and not declared, or declared and not used."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
BROUGHT = {"pydantic_core": "pydantic", "pytensor": "pymc", "xarray": "arviz", "markupsafe": "jinja2"}
"""Modules that come with a library that is declared, as part of how it is used."""
IF_THERE = {"weasyprint", "distributed", "dask"}
"""Used where they are installed, and done without where they are not."""


def imported() -> set[str]:
    """Modules from elsewhere that the program imports."""
    found = set()
    for path in [ROOT / "cli.py", *(ROOT / "simulator").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Import(names=names):
                    found |= {each.name.split(".")[0] for each in names}
                case ast.ImportFrom(module=str(module), level=0):
                    found.add(module.split(".")[0])
    return found - sys.stdlib_module_names - {"simulator", "cli"}


def declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return {_normal(re.split(r"[<>=!~;\[ ]", need)[0]) for need in project["dependencies"]}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def used() -> set[str]:
    """Distributions that the program's imports come from."""
    homes = packages_distributions()
    return {_normal(BROUGHT.get(module) or homes.get(module, [module])[0]) for module in imported() - IF_THERE}


def test_what_is_used_is_declared() -> None:
    assert used() - declared() == set()


def test_what_is_declared_is_used() -> None:
    assert declared() - used() == set()


def test_every_dependency_has_a_lowest_version() -> None:
    """Which .ci/lowest installs and tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert [need for need in project["dependencies"] if ">=" not in need] == []
