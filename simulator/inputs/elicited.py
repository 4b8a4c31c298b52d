"""A judgement by quantiles when it names a family: the member of it that comes closest to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import numpy as np
from scipy.special import ndtri

from simulator.inputs.beta import Beta, Pert
from simulator.inputs.bounded import Triangular, Uniform
from simulator.inputs.faults import BadSpec
from simulator.inputs.gamma import Gamma
from simulator.inputs.law import Distribution, Floats
from simulator.inputs.metalog import Stated, quantile_key
from simulator.inputs.normal import LogNormal, Normal


def fitted(name: str, stated: Stated) -> Distribution:
    """Member of a family by least squares on the stated quantiles; through them when they are as many as parameters.

    Least squares of the quantiles themselves, of their logarithms for the lognormal and the gamma law. The law keeps
    what was stated, and so its residuals.
    """
    p, x = np.array(stated).T
    if name in POSITIVE and x[0] <= 0:
        raise BadSpec((quantile_key(stated[0][0]),), f"{x[0]:.6g}", f"a value above 0, as every value of a {name} is")
    if name == "beta" and not (x[0] > 0 and x[-1] < 1):
        worst = stated[0] if x[0] <= 0 else stated[-1]
        raise BadSpec((quantile_key(worst[0]),), f"{worst[1]:.6g}", "a value between 0 and 1, as a beta is a share")
    if len(stated) < (least := 3 if name in ("pert", "triangular") else 2):
        raise BadSpec((), f"{len(stated)} quantiles", f"at least {least} for a {name}")
    return replace(FITS[name](p, x), stated=stated)


def _normal(p: Floats, x: Floats) -> Normal:
    mean, sd = _line(ndtri(p), x)
    return Normal(mean, sd)


def _lognormal(p: Floats, x: Floats) -> LogNormal:
    log_median, sigma = _line(ndtri(p), np.log(x))
    return LogNormal(float(np.exp(log_median)), sigma)


def _uniform(p: Floats, x: Floats) -> Uniform:
    low, width = _line(p, x)
    return Uniform(low, low + width)


def _gamma(p: Floats, x: Floats) -> Gamma:
    start = _lognormal(p, x)
    shape = max((start.mean / start.sd) ** 2, 0.05)

    def law(t: Floats) -> Gamma:
        return Gamma(float(np.exp(t[0])), float(np.exp(t[1] - t[0])))

    return law(_least_squares(lambda t: np.log(law(t).ppf(p)) - np.log(x), [np.log(shape), np.log(start.mean)]))


def _beta(p: Floats, x: Floats) -> Beta:
    start = _normal(p, x)
    mean = float(np.clip(start.mean, x[0], x[-1]))
    total = max(mean * (1 - mean) / start.sd**2 - 1, 0.5)

    def law(t: Floats) -> Beta:
        return Beta(float(np.exp(t[0])), float(np.exp(t[1])))

    scale = x[-1] - x[0]
    return law(_least_squares(lambda t: (law(t).ppf(p) - x) / scale, np.log([mean * total, (1 - mean) * total])))


def _three_points(family: type[Pert] | type[Triangular]) -> Callable[[Floats, Floats], Pert | Triangular]:
    def fit(p: Floats, x: Floats) -> Pert | Triangular:
        scale = x[-1] - x[0]

        def law(t: Floats) -> Pert | Triangular:
            mode = float(t[0] * scale)
            return family(mode - float(np.exp(t[1])) * scale, mode, mode + float(np.exp(t[2])) * scale)

        start = [np.interp(0.5, p, x) / scale, 0.0, 0.0]
        return law(_least_squares(lambda t: (law(t).ppf(p) - x) / scale, start))

    return fit


def _line(z: Floats, x: Floats) -> tuple[float, float]:
    """Intercept and slope of the least-squares line."""
    slope = (z - z.mean()) @ (x - x.mean()) / ((z - z.mean()) @ (z - z.mean()))
    return float(x.mean() - slope * z.mean()), float(slope)


def _least_squares(residual: Callable[[Floats], Floats], start: list[float] | Floats) -> Floats:
    from scipy.optimize import least_squares  # 0.1 s to import, for the few studies that need it

    return np.asarray(least_squares(residual, start, xtol=1e-15, ftol=1e-15, gtol=1e-15, x_scale="jac").x)


POSITIVE: Final = ("lognormal", "gamma")
FITS: Final[
    Mapping[str, Callable[[Floats, Floats], Normal | LogNormal | Uniform | Gamma | Beta | Pert | Triangular]]
] = MappingProxyType(
    {
        "normal": _normal,
        "lognormal": _lognormal,
        "uniform": _uniform,
        "gamma": _gamma,
        "beta": _beta,
        "pert": _three_points(Pert),
        "triangular": _three_points(Triangular),
    }
)
