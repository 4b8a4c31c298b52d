"""Draws kept in memory, for analyses that need them and for those who want to look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from simulator.engine.case import Case
from simulator.engine.dimensions import Block
from simulator.engine.plan import REPLICATES, Plan

Floats = NDArray[np.float64]


def block_columns(case: Case, block: Block) -> dict[str, Floats]:
    """Inputs and costs of a block of draws by name, (draws,) arrays.

    For each option `tco_through` and `tco_blocked` are its costs with luck drawn in either case, `p_through` the
    probability of the first, and `net_benefit` its net benefit with luck in expectation.
    """
    drawn = case.draw(block)
    columns = dict(drawn.columns)
    benefits = case.net_benefits(case.known_costs(block, drawn), block.size)
    for i, (name, each) in enumerate(drawn.drawn.items()):
        columns[f"{name}.tco_through"] = each.through
        columns[f"{name}.tco_blocked"] = each.blocked
        columns[f"{name}.p_through"] = each.goes
        columns[f"{name}.net_benefit"] = benefits[:, i]
    return {name: np.broadcast_to(value, (block.size,)) for name, value in columns.items()}


def blocks(plan: Plan, case: str = "") -> Iterator[dict[str, Floats]]:
    """Columns block by block, replicate after replicate; `replicate` numbers them."""
    for replicate in range(REPLICATES):
        for leaf in range(plan.leaves):
            number = {"replicate": np.full(plan.leaf, float(replicate))}
            yield number | block_columns(plan.cases[case], plan.block(replicate, leaf))


def draws(plan: Plan, names: Iterable[str] | None = None, case: str = "") -> Mapping[str, Floats]:
    """Columns of all draws by name, (draws,) arrays, the replicates one after another.

    Raises
    ------
    KeyError
        If there is no column of a name; the message has the nearest one.
    """
    wanted = None if names is None else list(names)
    parts: dict[str, list[Floats]] = {}
    for columns in blocks(plan, case):
        for name in columns if wanted is None else wanted:
            if name not in columns:
                near = get_close_matches(name, columns, 1)
                raise KeyError(f"no column {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
            parts.setdefault(name, []).append(columns[name])
    return {name: np.concatenate(each) for name, each in parts.items()}
