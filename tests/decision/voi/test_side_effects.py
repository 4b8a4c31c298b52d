"""EVPI of a whole health-economic model by what a year of health is worth, fourteen inputs and a Markov chain.

The chemotherapy model of the R package voi (github.com/chjackson/voi, commit b43b895 of 2024-09-09; Heath, Kunst and
Jackson, Value of Information for Healthcare Decision Making, CRC Press, 2024), its equations written anew for arrays:
they give the net benefits of the package's 10,000 rows to 1e-9. The answers are of 4 million draws; those 10,000 rows
give 8.76, 368.6, 206.5, 150.5, 127.0.

Would catch: an EVPI that depends on the scale or sign of net benefit, or takes the option that is best on the average
from another willingness to pay.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import betaincinv, gammaincinv, ndtr

from simulator import voi
from tests.decision.problems import REPLICATES, Problem

Floats = NDArray[np.float64]

BETAS = {  # 111 patients, 52 with side effects, of whom 43 were in hospital, of whom 8 died
    "side_effects": (53, 60),
    "hospital": (44, 10),
    "died": (9, 36),
}
SHARES = {  # mean and sd of beta laws
    "recovery_at_home": (0.21, 0.03),
    "recovery_in_hospital": (0.03, 0.0065),
    "u_recovered": (0.98, math.sqrt(0.0008)),
    "u_home": (0.7, math.sqrt(0.02)),
    "u_hospital": (0.3, math.sqrt(0.03)),
}
COSTS = {  # mean and sd of lognormal laws, GBP
    "c_home": (830, math.sqrt(150)),
    "c_hospital": (2400, math.sqrt(1880)),
    "c_death": (1710, math.sqrt(760)),
}
WEEKS, YEARS = 52, 40
EVPI = {10_000: 9.28, 20_000: 365.4, 30_000: 202.5, 40_000: 145.3, 50_000: 120.3}


def inputs(z: Floats) -> dict[str, Floats]:
    """Inputs of (draws, 13) standard normals."""
    scores = iter(z.T)
    found = {name: betaincinv(*shape, ndtr(next(scores))) for name, shape in BETAS.items()}
    for name, (mean, sd) in SHARES.items():
        size = mean * (1 - mean) / sd**2 - 1
        found[name] = betaincinv(mean * size, (1 - mean) * size, ndtr(next(scores)))
    for name, (mean, sd) in COSTS.items():
        spread = math.sqrt(math.log(1 + (sd / mean) ** 2))
        found[name] = mean * np.exp(spread * next(scores) - spread**2 / 2)
    found["mortality"] = gammaincinv(0.0475**2 / 0.001, ndtr(next(scores))) * 0.001 / 0.0475
    found["log_odds_ratio"] = math.log(0.54) + 0.3 * next(scores)
    return found


def of_a_case(x: Mapping[str, Floats]) -> tuple[Floats, Floats]:
    """Cost and years of health of one patient with side effects, less those of one without."""
    falls_ill, dies = (1 - (1 - x[name]) ** (1 / WEEKS) for name in ("hospital", "died"))
    ends = 1 - np.exp(-x["mortality"] / 52)
    home, hospital, well, dead = np.ones_like(ends), 0 * ends, 0 * ends, 0 * ends
    weeks = [home, hospital, well]
    for _ in range(WEEKS):
        stays, survives = home * (1 - falls_ill), hospital * (1 - dies)
        dead = dead + hospital * dies + well * ends
        well = well * (1 - ends) + stays * x["recovery_at_home"] + survives * x["recovery_in_hospital"]
        hospital = survives * (1 - x["recovery_in_hospital"]) + home * falls_ill
        home = stays * (1 - x["recovery_at_home"])
        weeks = [sum_ + now for sum_, now in zip(weeks, (home, hospital, well), strict=True)]
    rate = x["mortality"]
    later_cost = (1 - np.exp(-(YEARS - 2) * rate)) * x["c_death"]
    later_years = x["u_home"] * (np.exp(-2 * rate) - np.exp(-YEARS * rate)) / rate
    cost = (x["c_home"] * weeks[0] + x["c_hospital"] * weeks[1] + x["c_death"] * dead) / 52 - dead * later_cost
    health = (x["u_home"] * weeks[0] + x["u_hospital"] * weeks[1] + x["u_recovered"] * weeks[2]) / 52
    return cost, health - x["u_recovered"] * (WEEKS + 1) / 52 - dead * later_years


def _draw(z: Floats) -> tuple[Floats, dict[str, Floats]]:
    """Cases that the new treatment adds, and cost and years of health of a case."""
    x = inputs(z)
    old = x["side_effects"]
    new = 1 / (1 + (1 / old - 1) * np.exp(-x["log_odds_ratio"]))
    cost, health = of_a_case(x)
    return z, {"cases": new - old, "cost": cost, "health": health}


@pytest.fixture(scope="module")
def model() -> dict[str, Floats]:
    return Problem("chemotherapy", 13, _draw, 0.0).sobol(2**15, seed=8)[1]


@pytest.mark.parametrize(("worth", "evpi"), EVPI.items())
def test_evpi_by_willingness_to_pay(model: dict[str, Floats], worth: int, evpi: float) -> None:
    gain = model["cases"] * (worth * model["health"] - model["cost"]) - (1975 - 120)

    got = voi.evpi(np.column_stack([np.zeros_like(gain), gain]), replicates=REPLICATES)

    assert got.value == pytest.approx(evpi, rel=0.015)
    assert abs(got.value - evpi) < 4 * got.se + 0.002 * evpi
