"""What an analyst would write for the study of the benchmarks: plain numpy, and scipy's Sobol' points.

    python -m benchmarks.peers numpy --draws 1048576 --seed 1

The study is tests/data/study-a.toml; its equations are those of docs/model.md, written out for it. One JSON line.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Floats = np.ndarray
BLOCK = 2**17
WORK = 4000 * 7.915 * 0.42  # PFLOP/s-hours


def beta_shapes(mean: float, sd: float) -> tuple[float, float]:
    total = mean * (1 - mean) / sd**2 - 1
    return mean * total, (1 - mean) * total


def pert_shapes(low: float, mode: float, high: float) -> tuple[float, float]:
    return 1 + 4 * (mode - low) / (high - low), 1 + 4 * (high - mode) / (high - low)


INPUTS: dict[str, tuple[Any, ...]] = {
    "engineer": ("lognormal", 150, 0.2),
    "discount0": ("pert", 0.20, 0.40, 0.55),
    "utilization0": ("beta", 0.42, 0.06),
    "faults0": ("gamma", 0.27, 0.15),
    "lost0": ("lognormal", 2.0, 0.6),
    "discount1": ("pert", 0.0, 0.10, 0.30),
    "utilization1": ("beta", 0.38, 0.09),
    "recompiles": ("poisson", 40),
    "minutes": ("lognormal", 32, 0.6),
    "faults1": ("gamma", 0.60, 0.40),
    "lost1": ("lognormal", 3.0, 0.6),
    "hours": ("lognormal", 240, 0.75),
    "delay": ("lognormal", 3.0, 0.5),
    "blocked": ("uniform",),
    "luck0": ("uniform",),
    "luck1": ("uniform",),
}


def saving(x: Mapping[str, Floats], faults: Callable[[Floats, str], Floats]) -> Floats:
    """Saving of trn2 over h100; `faults` draws counts of given means."""
    n, week = 8, 2000.0

    def running(which: str, peak: float) -> tuple[Floats, Floats]:
        rate, lost = x[f"faults{which}"], x[f"lost{which}"]
        productive = WORK / (peak * x[f"utilization{which}"])
        share = rate * n * lost / 1000
        workable = share < 0.5
        lost = np.where(workable, lost, 500 / (rate * n))
        mean = rate * productive / (1 - np.minimum(share, 0.5)) / 1000
        return productive + faults(mean, which) * n * lost, workable

    run0, _ = running("0", 7.915)
    run1, workable = running("1", 10.672)
    stay = run0 * 55.04 * (1 - x["discount0"]) + x["engineer"] * 10
    compiling = x["recompiles"] * x["minutes"] / 60
    price = 35.7608 * (1 - x["discount1"])
    late = x["delay"] + (run1 / n + compiling) / 168 - run0 / n / 168
    move = (run1 + n * compiling) * price + x["engineer"] * (x["hours"] + 0.5 * compiling) + week * late
    back = 0.7 * x["engineer"] * x["hours"] + 300 * price + 0.7 * week * x["delay"] + stay
    return stay - np.where(workable & (x["blocked"] >= 0.15), move, back)


def by_numpy(draws: int, seed: int) -> Floats:
    """Random numbers of numpy, block by block."""
    random = np.random.default_rng(seed)

    def draw(spec: tuple[Any, ...], size: int) -> Floats:
        match spec:
            case "lognormal", median, sigma:
                return median * np.exp(sigma * random.standard_normal(size))
            case "beta", mean, sd:
                return random.beta(*beta_shapes(mean, sd), size)
            case "pert", low, mode, high:
                return low + (high - low) * random.beta(*pert_shapes(low, mode, high), size)
            case "gamma", mean, sd:
                return random.gamma((mean / sd) ** 2, sd**2 / mean, size)
            case "poisson", mean:
                return random.poisson(mean, size).astype(float)
        return random.random(size)

    found = []
    for start in range(0, draws, BLOCK):
        size = min(BLOCK, draws - start)
        x = {name: draw(spec, size) for name, spec in INPUTS.items() if not name.startswith("luck")}
        found.append(saving(x, lambda mean, _: random.poisson(mean)))
    return np.concatenate(found)


def by_scipy_sobol(draws: int, seed: int) -> Floats:
    """Scrambled Sobol' points of scipy through scipy's inverse distribution functions."""
    from scipy import special, stats

    u = np.clip(stats.qmc.Sobol(len(INPUTS), seed=seed).random(draws), 1e-15, 1 - 1e-15)

    def inverse(spec: tuple[Any, ...], u: Floats) -> Floats:
        match spec:
            case "lognormal", median, sigma:
                return median * np.exp(sigma * special.ndtri(u))
            case "beta", mean, sd:
                return special.betaincinv(*beta_shapes(mean, sd), u)
            case "pert", low, mode, high:
                return low + (high - low) * special.betaincinv(*pert_shapes(low, mode, high), u)
            case "gamma", mean, sd:
                return special.gammaincinv((mean / sd) ** 2, u) * sd**2 / mean
            case "poisson", mean:
                return stats.poisson.ppf(u, mean)
        return u

    x = {name: inverse(spec, u[:, i]) for i, (name, spec) in enumerate(INPUTS.items())}
    return saving(x, lambda mean, which: stats.poisson.ppf(x[f"luck{which}"], mean))


def figures(saving: Floats) -> dict[str, float]:
    """The figures that are compared."""
    ordered = np.sort(saving)
    p05, p50, p95 = np.quantile(ordered, [0.05, 0.5, 0.95])
    return {
        "p_beats": float(np.mean(ordered > 0)),
        "saving_mean": float(ordered.mean()),
        "saving_sd": float(ordered.std()),
        "saving_p05": float(p05),
        "saving_p50": float(p50),
        "saving_p95": float(p95),
        "saving_cvar05": float(ordered[: max(1, ordered.size // 20)].mean()),
    }


PEERS = {"numpy": by_numpy, "scipy_sobol": by_scipy_sobol}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("--draws", type=int, default=2**17)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(json.dumps(figures(PEERS[asked.peer](asked.draws, asked.seed))))
