"""Distributions of the inputs, as mathematics: no file, no study, no randomness.

`distribution` reads the table that spells a law (docs/model.md, section 5), `tabulated` makes its inverse fast, and
`gaussian_copula` turns rank correlations into the matrix that correlates normal scores.
"""

from simulator.inputs.atoms import Bernoulli, Constant, Discrete, Empirical
from simulator.inputs.beta import Beta, Pert
from simulator.inputs.bounded import Triangular, Uniform
from simulator.inputs.copula import Copula, InfeasibleCorrelations, gaussian_copula
from simulator.inputs.counts import NegativeBinomial, Poisson
from simulator.inputs.families import BY_QUANTILES, FAMILIES, KEYS, QUANTILES
from simulator.inputs.faults import BadSpec
from simulator.inputs.gamma import Gamma
from simulator.inputs.law import Distribution, Floats
from simulator.inputs.metalog import Metalog
from simulator.inputs.mixture import Mixture
from simulator.inputs.normal import LogNormal, Normal, StudentT
from simulator.inputs.reading import distribution
from simulator.inputs.table import Tabulated
from simulator.inputs.tabulate import tabulated
from simulator.inputs.truncated import Truncated, truncate

__all__ = [
    "BY_QUANTILES",
    "FAMILIES",
    "KEYS",
    "QUANTILES",
    "BadSpec",
    "Bernoulli",
    "Beta",
    "Constant",
    "Copula",
    "Discrete",
    "Distribution",
    "Empirical",
    "Floats",
    "Gamma",
    "InfeasibleCorrelations",
    "LogNormal",
    "Metalog",
    "Mixture",
    "NegativeBinomial",
    "Normal",
    "Pert",
    "Poisson",
    "StudentT",
    "Tabulated",
    "Triangular",
    "Truncated",
    "Uniform",
    "distribution",
    "gaussian_copula",
    "tabulated",
    "truncate",
]
