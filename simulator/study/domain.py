"""Whether a law keeps to what its input can be, and what is done where it does not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.study.findings import Findings
from simulator.study.said import Said, Series
from simulator.study.scalars import Scalar
from simulator.study.values import Note, Path

if TYPE_CHECKING:
    from simulator.inputs import Distribution

MASS_REFUSED = 1e-6  # more of a law than this outside what its input can be is a mistake in the law
MASS_IGNORED = 1e-12  # less is beyond the reach of any draw; between them the law is cut, and a note says so


SANE = "0, or a size between 1e-30 and 1e30"


def sane(value: float) -> bool:
    """Whether products of such values, and their squares, are still numbers: what is beyond is a slip anyway."""
    return value == 0 or 1e-30 <= abs(value) <= 1e30


def kept(
    law: Distribution, spec: Mapping[str, Any], scalar: Scalar, name: str, path: Path, findings: Findings
) -> Distribution | None:
    """The law, if it keeps to what the input can be; bounded or cut to it, with a note, where that is no matter.

    A judgement by quantiles alone says nothing of its ends: the law through them is ours to choose, and is taken
    bounded. A law that was spelled out is cut when next to nothing of it lies outside, and refused otherwise.
    """
    from simulator.inputs import BadSpec, distribution, truncate

    below, above = outside(law, scalar)
    if max(below, above) <= MASS_IGNORED:
        return law
    low = scalar.low if below > MASS_IGNORED else -math.inf
    high = scalar.high if above > MASS_IGNORED else math.inf
    bounds = {key: bound for key, bound in (("min", low), ("max", high)) if math.isfinite(bound)}
    if _judged(spec) and not bounds.keys() & spec.keys():
        try:
            bounded = distribution({**spec, **bounds})
        except BadSpec:
            pass  # the quantiles themselves lie outside: the message below says so better
        else:
            ends = Series(" and ", (f"{key} = {bound:g}" for key, bound in bounds.items()))
            message = Said(
                "the quantiles are fitted with {ends}, since the value is {domain}", ends=ends, domain=scalar.domain
            )
            findings.notes.append(Note("law_bounded", "info", name, message))
            return bounded
    if below + above > MASS_REFUSED:
        findings.add(path, *_astray(law, below, above, scalar))
        return None
    message = Said("cut to {domain}: {share:.1g} of the law lay outside", domain=scalar.domain, share=below + above)
    findings.notes.append(Note("law_cut", "info", name, message))
    return truncate(law, low, high)


def check_divisor(law: Distribution, name: str, path: Path, findings: Findings) -> None:
    """Whether the mean and the spread of 1 / x exist; without them no figure of the cost would ever settle."""
    power = power_at_zero(law)
    if power <= 1:
        found = "the law crowds at 0, where the cost is infinite: its mean does not exist"
        findings.add(path, found, "a law that keeps clear of 0: min, a beta with alpha above 2, or a lognormal")
    elif power <= 2:
        message = Said("the law crowds at 0: the cost has a mean but no standard deviation, and errors are understated")
        findings.notes.append(Note("wild_cost", "warning", name, message))


def _judged(spec: Mapping[str, Any]) -> bool:
    """Whether a table gives quantiles and leaves the family to us."""
    return bool(spec.get("dist", "metalog") == "metalog")


def _astray(law: Distribution, below: float, above: float, scalar: Scalar) -> tuple[str, str, str | None]:
    """Found, expected and nearest of a law that reaches beyond what its input can be."""
    if below > above:
        where, word = f"{'at or ' if scalar.low_open else ''}below {scalar.low:g}", "min"
    else:
        where, word = f"{'at or ' if scalar.high_open else ''}above {scalar.high:g}", "max"
    advice = f"add {word}, or take a law that stays inside" + (", such as a beta" if scalar.share else "")
    found = f"{max(below, above):.2g} of the probability lies {where}"
    return found, f"{in_words(scalar)}, {scalar.domain}: {advice}", as_share(law.mean, scalar)


def power_at_zero(law: Distribution) -> float:
    """k of P(X <= x) ~ x^k near 0: E[X^-j] exists for j < k alone. inf where nothing is met there."""
    near, nearer = 1e-6, 1e-12
    first, second = (float(each) for each in law.cdf(law.mean * np.array([near, nearer])))
    if first <= MASS_IGNORED or second <= 0:
        return math.inf
    return round(math.log(first / second) / math.log(near / nearer), 3)


def outside(law: Distribution, scalar: Scalar) -> tuple[float, float]:
    """Probabilities that a law lies below and above what its input can be."""
    low, high = law.support
    below = above = 0.0
    if not scalar.holds(low) and low <= scalar.low:
        edge = scalar.low if scalar.low_open else np.nextafter(scalar.low, -math.inf)
        below = float(law.cdf(np.array([edge]))[0])
    if not scalar.holds(high) and high >= scalar.high:
        edge = np.nextafter(scalar.high, -math.inf) if scalar.high_open else scalar.high
        above = float(law.sf(np.array([edge]))[0])
    return below, above


def in_words(scalar: Scalar) -> str:
    """What a value is, for messages."""
    return "a share" if scalar.share else f"a number of {scalar.unit}".replace("{currency}", "currency")


def as_share(value: float, scalar: Scalar) -> str | None:
    """What a percentage would be as a share; a value up to 1.5 is hardly a percentage."""
    meant = value / 100
    return f"{meant:.10g}" if scalar.share and abs(value) >= 1.5 and scalar.holds(meant) else None
