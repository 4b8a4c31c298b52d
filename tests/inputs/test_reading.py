"""Every way to spell a law, and every fault that a user can write."""

import math
import subprocess
import sys

import numpy as np
import pytest

from simulator.inputs import FAMILIES, KEYS, BadSpec, Constant, Empirical, Metalog, distribution

SPELT = [
    ({"dist": "beta", "mean": 0.42, "sd": 0.06}, 0.42, 0.06),
    ({"dist": "beta", "alpha": 6, "beta": 9}, 0.4, math.sqrt(0.24 / 16)),
    ({"dist": "normal", "mean": -3, "sd": 2}, -3, 2),
    (
        {"dist": "lognormal", "median": 2, "sigma": 0.5},
        2 * math.exp(0.125),
        2 * math.exp(0.125) * math.sqrt(math.expm1(0.25)),
    ),
    ({"dist": "lognormal", "mean": 8.79, "sd": 3.91}, 8.79, 3.91),
    ({"dist": "gamma", "shape": 4, "scale": 3}, 12, 6),
    ({"dist": "gamma", "shape": 4, "mean": 12}, 12, 6),
    ({"dist": "gamma", "mean": 12, "sd": 6}, 12, 6),
    ({"dist": "pert", "low": 0, "mode": 3, "high": 12}, 4, math.sqrt(4 * 8 / 7)),
    ({"dist": "pert", "low": 0, "mode": 3, "high": 12, "shape": 4}, 4, math.sqrt(4 * 8 / 7)),
    ({"dist": "triangular", "low": 0, "mode": 3, "high": 12}, 5, math.sqrt((144 + 9 - 36) / 18)),
    ({"dist": "uniform", "low": 1, "high": 3}, 2, 1 / math.sqrt(3)),
    ({"dist": "student_t", "df": 4, "loc": 1, "scale": 3}, 1, 3 * math.sqrt(2)),
    ({"dist": "student_t", "df": 4, "mean": 1, "scale": 3}, 1, 3 * math.sqrt(2)),
    ({"dist": "student_t", "df": 4, "mean": 1, "sd": 3}, 1, 3),
    ({"dist": "poisson", "mean": 4}, 4, 2),
    ({"dist": "negative_binomial", "mean": 25, "dispersion": 2}, 25, math.sqrt(25 + 312.5)),
    ({"dist": "bernoulli", "p": 0.2}, 0.2, 0.4),
    ({"dist": "discrete", "values": [0, 4], "weights": [3, 1]}, 1, math.sqrt(3)),
    ({"dist": "mixture", "weights": [1, 1], "parts": [{"dist": "normal", "mean": 0, "sd": 1}, 2]}, 1, math.sqrt(1.5)),
    ({"p10": 1, "p90": 3}, 2, math.pi / math.sqrt(3) / math.log(9)),
    ({"dist": "uniform", "low": 0, "high": 4, "min": 2}, 3, 1 / math.sqrt(3)),
]


@pytest.mark.parametrize(("spec", "mean", "sd"), SPELT, ids=lambda value: str(value)[:60])
def test_spellings(spec: dict[str, object], mean: float, sd: float) -> None:
    law = distribution(spec)
    assert (law.mean, law.sd) == pytest.approx((mean, sd), rel=1e-9)


def test_empirical_reads_the_column() -> None:
    def read_column(file: str, column: str) -> np.ndarray:
        assert (file, column) == ("prices.csv", "price")
        return np.array([1.0, 2.0, 6.0])

    law = distribution({"dist": "empirical", "file": "prices.csv", "column": "price"}, read_column)
    assert isinstance(law, Empirical)
    assert law.mean == 3
    with pytest.raises(BadSpec):
        distribution({"dist": "empirical", "file": "a", "column": "b"}, lambda _file, _column: np.array([1.0, np.nan]))


def test_bounds_of_a_judgement_keep_its_quantiles() -> None:
    law = distribution({"p05": 1, "p50": 3, "p95": 10, "min": 0, "max": 20})
    assert isinstance(law, Metalog)
    np.testing.assert_allclose(law.ppf(np.array([0.05, 0.5, 0.95])), [1, 3, 10], rtol=1e-11)


def test_a_number_is_one_value() -> None:
    assert distribution(3) == Constant(3.0)


NAN = float("nan")
FAULTS = [  # specification, paths of its faults in order, part of what was found, of what was expected, nearest name
    ({"dist": "beta", "mean": 0.5, "sd": 0.6}, [("sd",)], "0.6", "below 0.5", None),
    ({"dist": "beta", "mean": 41, "sd": 0.6}, [("mean",)], "41", "between 0 and 1", None),
    ({"dist": "normal", "mean": 1, "sd": -2}, [("sd",)], "-2", "above 0", None),
    ({"dist": "normal", "mean": NAN, "sd": True}, [("mean",), ("sd",)], "nan", "finite", None),
    ({"dist": "normal", "mean": "1", "sd": math.inf}, [("mean",), ("sd",)], '"1"', "a number", None),
    ({"dist": "normal", "mean": 10**400, "sd": 1}, [("mean",)], "too large", "finite", None),
    ({"dist": "lognrmal", "median": 1, "sigma": 1}, [("dist",)], '"lognrmal"', "one of", "lognormal"),
    ({"dist": "Log-Normal", "median": 1, "sigma": 1}, [("dist",)], "Log-Normal", "one of", "lognormal"),
    ({"dist": 3}, [("dist",)], "3", "one of", None),
    ({"dist": "lognormal", "medain": 1, "sigma": 1}, [("medain",)], "no such key", "median and sigma", "median"),
    ({"dist": "beta", "mean": 0.4, "sd": 0.1, "alpha": 2, "beta": 3}, [()], "two ways", "one way", None),
    ({"dist": "gamma", "mean": 1, "shape": 2, "scale": 3}, [()], "two ways", "one way", None),
    ({"dist": "normal", "mean": 1, "sd": 1, "p05": 3, "p95": 4}, [()], "two ways", "one way", None),
    ({"dist": "beta", "mean": 0.4}, [()], "mean alone", "mean and sd", None),
    ({"dist": "beta"}, [()], "nothing", "mean and sd", None),
    ({"mean": 1, "sd": 2}, [()], "without dist", "dist", None),
    ({"dst": "beta", "alpha": 1, "beta": 2}, [()], "without dist", "dist", "dist"),
    ({}, [()], "empty", "dist", None),
    ({"p05": 3, "p50": 2, "p95": 1}, [("p50",), ("p95",)], "p50 = 2 with p05 = 3", "above", None),
    ({"p05": 3, "p50": 3}, [("p50",)], "p50 = 3", "above", None),
    ({"p50": 3}, [()], "one quantile", "two", None),
    ({"p5": 1, "p95": 3}, [("p5",)], "no such key", "p01 to p99", "p05"),
    ({"p05": 1, "p95": 3, "min": 2, "max": 2.5}, [("min",), ("max",)], "2 with p05", "below p05", None),
    ({"dist": "poisson", "p05": 1, "p95": 3}, [("p05",)], "quantiles for poisson", "mean", None),
    ({"dist": "poisson", "mean": 1e12}, [("mean",)], "1000000000000", "at most", None),
    ({"dist": "uniform", "low": 3, "high": 3}, [("high",)], "high = 3", "above low", None),
    ({"dist": "pert", "low": 3, "mode": 2, "high": 5}, [("mode",)], "mode = 2 with low = 3", "not below", None),
    ({"dist": "pert", "low": 3, "mode": 6, "high": 5}, [("high",)], "high = 5 with mode = 6", "not below", None),
    ({"dist": "triangular", "low": 3, "mode": 3, "high": 3}, [("high",)], "low = high", "high above low", None),
    ({"dist": "student_t", "df": 2, "loc": 0, "scale": 1}, [("df",)], "2", "above 2", None),
    ({"dist": "bernoulli", "p": 1.2}, [("p",)], "1.2", "between 0 and 1", None),
    ({"dist": "normal", "mean": 0, "sd": 1, "min": 3, "max": 2}, [("max",)], "max = 2", "above min", None),
    ({"dist": "normal", "mean": 0, "sd": 1, "min": 9}, [("min",)], "none of the probability", "-1.64", None),
    ({"dist": "lognormal", "median": 1, "sigma": 60}, [()], "overflows", "size", None),
    ({"dist": "lognormal", "mean": 1, "sd": 1e300}, [()], "overflows", "size", None),
    ({"dist": "discrete", "values": [1, 2], "weights": [1]}, [("weights",)], "1 weights for 2", "one weight", None),
    (
        {"dist": "discrete", "values": [1, "x"], "weights": [-1, True]},
        [("values", 1), ("weights", 1), ("weights", 0)],
        '"x"',
        "number",
        None,
    ),
    ({"dist": "discrete", "values": [], "weights": []}, [("values",)], "empty", "array", None),
    ({"dist": "discrete", "values": 3, "weights": [1]}, [("values",)], "3", "array", None),
    ({"dist": "discrete", "values": [1], "weights": [0]}, [("weights",)], "all 0", "above 0", None),
    ({"dist": "empirical", "file": 3, "column": "a"}, [("file",)], "3", "text", None),
    ({"dist": "empirical", "file": "a", "column": "b"}, [("file",)], "a", "no empirical law", None),
    (
        {
            "dist": "mixture",
            "weights": [1, 1, -1],
            "parts": [{"dist": "beta", "mean": 0.5, "sd": 0.6}, "a", {"dist": "nrmal", "mean": 1}],
        },
        [("weights", 2), ("parts", 0, "sd"), ("parts", 1), ("parts", 2, "dist")],
        "-1",
        "not below 0",
        None,
    ),
    (True, [()], "true", "number", None),
]


@pytest.mark.parametrize(("spec", "paths", "found", "expected", "nearest"), FAULTS, ids=lambda value: str(value)[:60])
def test_faults(spec: object, paths: list[tuple], found: str, expected: str, nearest: str | None) -> None:
    with pytest.raises(BadSpec) as refused:
        distribution(spec)
    fault = refused.value
    assert [every.path for every in fault] == paths
    assert found in fault.found
    assert expected in fault.expected
    assert fault.nearest == nearest
    assert found in str(fault)


def test_families_describe_themselves() -> None:
    for name, family in FAMILIES.items():
        assert family.__doc__
        assert family.spellings or name == "metalog"
        assert {key for spelling in family.spellings for key in spelling} <= KEYS.keys()


def test_start_up_imports_no_statistics() -> None:
    script = "import sys, simulator.inputs; print([m for m in sys.modules if m in ('scipy.stats', 'scipy.optimize')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
