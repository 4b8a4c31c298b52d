"""Likelihoods of what a PoC measures, one module a kind of data: numpy for quadrature, PyMC for the sampler."""

from simulator.calibration.models.counts import Counts
from simulator.calibration.models.durations import Durations
from simulator.calibration.models.effort import Effort
from simulator.calibration.models.means import Means
from simulator.calibration.models.model import Model
from simulator.calibration.models.shares import Shares

__all__ = ["Counts", "Durations", "Effort", "Means", "Model", "Shares"]
