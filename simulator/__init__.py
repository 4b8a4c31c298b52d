"""Switchodds: how likely a move of model training pays, by how much, and what decides it.

>>> from simulator import load_study, run
>>> result = run(load_study("study.toml"), draws=2**18, seed=1)  # doctest: +SKIP
>>> result.options["trn2"].p_beats.value  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.decision import voi
    from simulator.engine import Figure, Result, run
    from simulator.study import Fault, Study, StudyError, load_study

__all__ = ["Fault", "Figure", "Result", "Study", "StudyError", "load_study", "run", "voi"]

_HOMES = {
    "voi": "simulator.decision.voi",
    **dict.fromkeys(("Figure", "Result", "run"), "simulator.engine"),
    **dict.fromkeys(("Fault", "Study", "StudyError", "load_study"), "simulator.study"),
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: a reader of evidence needs no engine."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'simulator' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    return home if _HOMES[name].endswith(f".{name}") else getattr(home, name)
