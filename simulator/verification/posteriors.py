"""Posteriors whose closed form is known: conjugate priors under their own likelihoods, no discrepancy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.special import betaincinv, gammaincinv, ndtri

from simulator.verification.check import Check, Checks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from simulator.calibration.models import Model

LEVELS: Final = (0.05, 0.5, 0.95)
GRID: Final = 2e-4  # of the posterior's sd: a bend is linear between nodes 1/32 apart


def conjugates() -> Checks:
    """Rates after counts, probabilities after trials, and lognormals after measurements with known noise."""
    from simulator.calibration.models import Counts, Means, Shares

    yield from _compared(
        "rate after 2 events in 340 hours",
        {"dist": "gamma", "shape": 2.25, "scale": 0.6 / 2.25},
        Counts((2,), (0.34,)),
        lambda level: float(gammaincinv(2.25 + 2, level)) / (2.25 / 0.6 + 0.34),
        math.sqrt(2.25 + 2) / (2.25 / 0.6 + 0.34),
    )
    yield from _compared(
        "probability after 1 of 12",
        {"dist": "beta", "alpha": 2, "beta": 9},
        Shares(1, 12),
        lambda level: float(betaincinv(3, 20, level)),
        math.sqrt(3 * 20 / (23**2 * 24)),
    )
    precision, runs, noise = 1 / 0.3**2, 5, 0.1
    centre = (precision * math.log(40e3) + runs / noise**2 * math.log(46e3)) / (precision + runs / noise**2)
    sigma = (precision + runs / noise**2) ** -0.5
    yield from _compared(
        "throughput after 5 runs",
        {"dist": "lognormal", "median": 40e3, "sigma": 0.3},
        Means((math.log(46e3),), (float(runs),), noise=noise, known=True),
        lambda level: math.exp(centre + sigma * float(ndtri(level))),
        46e3 * sigma,
    )


def _compared(
    name: str, prior: Mapping[str, Any], model: Model, quantile: Callable[[float], float], sd: float
) -> Checks:
    from simulator.calibration.discrepancy import Discrepancy
    from simulator.calibration.fit import Group
    from simulator.calibration.likelihood import curve
    from simulator.calibration.observation import Observation, Quantity
    from simulator.calibration.quadrature import quadrature
    from simulator.inputs import distribution
    from simulator.inputs.warped import Warped

    law = distribution(prior)
    seen = Observation(0, name, Quantity.input("x", ""), model, Discrepancy(0.0))
    low, high = (float(law.at_score(np.array([z]))[0]) for z in (-7.0, 7.0))
    group = Group(("x",), (), {"x": law}, np.eye(1), (seen,))
    fit = quadrature(group, {seen.key: curve(seen, low, high)}, seed=1)
    posterior = Warped(law, fit.bends[0])
    for level in LEVELS:
        got = float(posterior.ppf(np.array([level]))[0])
        yield Check(f"{level:.0%} point of the {name}", quantile(level), got, GRID * sd, "conjugate posterior")
