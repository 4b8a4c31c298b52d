"""How the figures of a run were made, for those who ask (`-v`)."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.engine import Result


def how_it_was_made(result: Result) -> Iterator[str]:
    """Lines on the dimensions of the point set, what was averaged over in closed form, and the time it took."""
    plan, run = result.plan, result.run
    inputs, faults = len(plan.dimensions.inputs), len(plan.dimensions.options)
    yield f"{inputs} uncertain inputs and the faults of {faults} options: {inputs + faults} dimensions"
    for scenario, case in plan.cases.items():
        where = f" in scenario {scenario}" if scenario else ""
        for name in case.candidates:
            carrier = case.carriers.get(name)
            how = f"averaged over {carrier.name} in closed form" if carrier else "averaged over the draws"
            yield f"saving of {name}{where}: {how}"
    yield f"{run.draws:,} draws in {run.seconds:.2f} s; switchodds {run.version}"
