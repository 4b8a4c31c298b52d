"""The families, how each may be spelt, and what every key means."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from simulator.inputs.atoms import Bernoulli, Discrete, Empirical
from simulator.inputs.beta import Beta, Pert
from simulator.inputs.bounded import Triangular, Uniform
from simulator.inputs.counts import NegativeBinomial, Poisson
from simulator.inputs.elicited import FITS
from simulator.inputs.gamma import Gamma
from simulator.inputs.law import Law
from simulator.inputs.metalog import Metalog
from simulator.inputs.mixture import Mixture
from simulator.inputs.normal import LogNormal, Normal, StudentT


class Key(NamedTuple):
    """What a key of a distribution's table holds: number, numbers, text or parts."""

    kind: str
    doc: str


FAMILIES: Final[Mapping[str, type[Law]]] = MappingProxyType(
    {
        "beta": Beta,
        "normal": Normal,
        "lognormal": LogNormal,
        "gamma": Gamma,
        "pert": Pert,
        "triangular": Triangular,
        "uniform": Uniform,
        "student_t": StudentT,
        "poisson": Poisson,
        "negative_binomial": NegativeBinomial,
        "bernoulli": Bernoulli,
        "discrete": Discrete,
        "empirical": Empirical,
        "mixture": Mixture,
        "metalog": Metalog,
    }
)
BY_QUANTILES: Final = ("metalog", *FITS)  # the families that a judgement by quantiles may name
QUANTILES: Final = tuple(f"p{percent:02d}" for percent in range(1, 100))
KEYS: Final[Mapping[str, Key]] = MappingProxyType(
    {
        "mean": Key("number", "mean value"),
        "sd": Key("number", "standard deviation, above 0"),
        "median": Key("number", "value that is exceeded with probability 1/2"),
        "sigma": Key("number", "standard deviation of the logarithm"),
        "alpha": Key("number", "first shape, above 0"),
        "beta": Key("number", "second shape, above 0"),
        "shape": Key("number", "shape, above 0 (gamma: (mean / sd)^2; pert: 4 unless given)"),
        "scale": Key("number", "scale, above 0 (gamma: mean / shape; student_t: sd sqrt((df - 2) / df))"),
        "low": Key("number", "lowest possible value"),
        "mode": Key("number", "likeliest value"),
        "high": Key("number", "highest possible value"),
        "df": Key("number", "degrees of freedom, above 2"),
        "loc": Key("number", "centre, which is the mean"),
        "dispersion": Key("number", "k of the variance mean + mean^2 / k, above 0"),
        "p": Key("number", "probability of 1"),
        "values": Key("numbers", "the values"),
        "weights": Key("numbers", "a weight for each value or part; they need not add up to 1"),
        "file": Key("text", "CSV file, relative to the study"),
        "column": Key("text", "column of the file"),
        "parts": Key("parts", "numbers and tables of distributions"),
        "min": Key("number", "lower bound: the law given a value of at least this"),
        "max": Key("number", "upper bound: the law given a value of at most this"),
    }
)
