"""Value of information from draws."""

from simulator.decision.voi.estimate import Estimate
from simulator.decision.voi.likelihood import Binomial, LogNormal, Normal, NormalUnknownSd, Poisson
from simulator.decision.voi.perfect import evpi, evppi
from simulator.decision.voi.sample import evsi

__all__ = ["Binomial", "Estimate", "LogNormal", "Normal", "NormalUnknownSd", "Poisson", "evpi", "evppi", "evsi"]
