"""Value of information: what it would be worth to know more before deciding, from draws or in closed form.

From draws of net benefit, (draws, options), and of inputs: `evpi`, `evppi`, `evsi` with the likelihoods `Normal`,
`LogNormal`, `Poisson`, `Binomial`, `NormalUnknownSd`. In closed form, for conjugate models: `exact`. Looking run by
run: `optimal_stopping`. After money and time: `enbs`. Needs nothing else of the project.
"""

from simulator.decision.voi import exact
from simulator.decision.voi.delay import break_even_delay, enbs
from simulator.decision.voi.estimate import Estimate
from simulator.decision.voi.likelihood import Binomial, Likelihood, LogNormal, Normal, NormalUnknownSd, Poisson
from simulator.decision.voi.perfect import evpi, evppi
from simulator.decision.voi.sample import evsi
from simulator.decision.voi.sequential import RUN, Plan, Region, Stage, optimal_stopping

__all__ = [
    "RUN",
    "Binomial",
    "Estimate",
    "Likelihood",
    "LogNormal",
    "Normal",
    "NormalUnknownSd",
    "Plan",
    "Poisson",
    "Region",
    "Stage",
    "break_even_delay",
    "enbs",
    "evpi",
    "evppi",
    "evsi",
    "exact",
    "optimal_stopping",
]
