"""One command for all that is measured: a table on the terminal, and JSON with `--json FILE`."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import scipy

from benchmarks import engine, whole


def show(value: object, depth: int = 0) -> None:
    """A nested mapping as indented lines."""
    if not isinstance(value, Mapping):
        return
    for key, each in value.items():
        words = f"{each:.4g}" if isinstance(each, float) else "" if isinstance(each, Mapping) else str(each)
        print(f"{'  ' * depth}{key:<{32 - 2 * depth}} {words}")
        show(each, depth + 1)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--seeds", type=int, default=8, help="Seeds of the race to an error.")
    parser.add_argument("--rounds", type=int, default=15, help="Rounds of the start-up.")
    parser.add_argument("--most-draws", type=float, default=2**23, help="Largest run of the growth with draws.")
    parser.add_argument("--only", nargs="*", default=None, help="Parts to measure.")
    parser.add_argument("--json", type=Path, help="Write the results here too.")
    asked = parser.parse_args()
    parts: dict[str, Callable[[], Mapping[object, object]]] = {
        "start_up": lambda: whole.start_up(asked.rounds),
        "to_an_error": lambda: whole.to_an_error(asked.seeds),
        "ns_of_a_draw": engine.cost_of_a_draw,
        "seconds_by_draws": lambda: engine.growth_with_draws(int(asked.most_draws)),
        "seconds_by_inputs": engine.growth_with_inputs,
        "seconds_by_options": engine.growth_with_options,
        "seconds_by_scenarios": engine.growth_with_scenarios,
    }
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    found: dict[str, object] = {"machine": f"{platform.machine()}, {platform.processor()}", **versions}
    for name, measure in parts.items():
        if asked.only is None or name in asked.only:
            found[name] = measure()
            show({name: found[name]})
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
