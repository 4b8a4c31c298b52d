"""Whether a fit may be used: convergence, fit to the data, contradiction of the prior, what is left of the prior."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from simulator.calibration.convergence import bulk_ess, rhat, tail_ess

if TYPE_CHECKING:
    from simulator.calibration.fit import Fit, Group
    from simulator.calibration.likelihood import Curve
    from simulator.calibration.observation import Observation

Floats = NDArray[np.float64]

MOST_RHAT: Final = 1.01  # Vehtari et al. (2021), as the two below
LEAST_ESS: Final = 400.0
CONTRADICTION: Final = 0.001
"""Probability below which the prior and the data cannot both be right, and a fit is not used."""
DOUBT: Final = 0.05
MISFIT: Final = 0.001
LEANS: Final = 0.5
"""Posterior sds by which the mean moves for a doubling of the prior's weight, beyond which it is said."""
PRIOR_DRAWS: Final = 2000
POSTERIOR_DRAWS: Final = 300


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Of one measured input.

    Attributes
    ----------
    rhat, ess_bulk, ess_tail : float or None
        None for quadrature, which has no chains.
    conflict : float
        Probability under the prior of data at least as far out, the worst of the input's observations.
    misfit : float
        The same under the posterior, of the data's form (spread, clumping) too.
    prior_share : float
        Posterior over prior variance of the normal score: 1 where nothing was learned.
    prior_sensitivity, data_sensitivity : float
        Posterior sds by which the mean moves when the prior's, the data's weight is doubled (power scaling).
    problems, warnings : tuple of str
        Why the fit is not used; what a reader should know.
    """

    rhat: float | None
    ess_bulk: float | None
    ess_tail: float | None
    conflict: float
    misfit: float
    prior_share: float
    prior_sensitivity: float
    data_sensitivity: float
    problems: tuple[str, ...]
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__ if name not in {"problems", "warnings"}}


def diagnose(fit: Fit, curves: Mapping[str, Curve], seed: int) -> dict[str, Diagnosis]:
    """Diagnoses of a fit's measured inputs by name."""
    rng = np.random.default_rng(seed)
    group = fit.group
    flat = fit.scores.reshape(-1, len(group.names))
    values = group.values(dict(zip(group.names, flat.T, strict=True)))
    conflicts = {each.key: conflict(group, each, rng) for each in group.observations}
    misfits = {each.key: misfit(each, curves[each.key], values, rng) for each in group.observations}
    found = {}
    for i, name in enumerate(group.measured):
        own = [each for each in group.observations if name == each.quantity.inputs[0]]
        about = own or [each for each in group.observations if name in each.quantity.inputs]
        z = flat[:, i]
        log_data = np.sum([curves[each.key](each.quantity.of(values)) for each in group.observations], axis=0)
        measured = flat[:, : len(group.measured)]
        log_prior = -0.5 * np.sum(measured * np.linalg.solve(group.among, measured.T).T, axis=1)
        figures: dict[str, Any] = {
            **_convergence(fit, i),
            "conflict": min(conflicts[each.key] for each in about),
            "misfit": min(misfits[each.key] for each in about),
            "prior_share": float(np.var(z)),
            "prior_sensitivity": _sensitivity(z, log_prior),
            "data_sensitivity": _sensitivity(z, log_data),
        }
        told = [(conflicts[each.key], _contradiction(group, each, conflicts[each.key])) for each in own]
        found[name] = Diagnosis(
            **figures,
            problems=tuple(_problems(fit, name, figures, [words for p, words in told if p < CONTRADICTION])),
            warnings=tuple(_warnings(name, figures, [words for p, words in told if CONTRADICTION <= p < DOUBT])),
        )
    return found


def _convergence(fit: Fit, i: int) -> dict[str, float | None]:
    if fit.method == "quadrature":
        return {"rhat": None, "ess_bulk": None, "ess_tail": None}
    z = fit.scores[..., i]
    return {"rhat": rhat(z), "ess_bulk": bulk_ess(z), "ess_tail": tail_ess(z)}


def _sensitivity(z: Floats, log: Floats) -> float:
    """d mean / d log weight, in posterior sds, for a doubling: the covariance of the score with the log density."""
    sound = np.isfinite(log)
    if not sound.any() or np.std(z[sound]) == 0:
        return 0.0
    return float(abs(np.cov(z[sound], log[sound])[0, 1]) / np.std(z[sound]) * np.log(2))


def conflict(group: Group, observation: Observation, rng: np.random.Generator) -> float:
    """Two-sided probability, under the prior, of data at least as far out as those seen; 1 where nothing is told."""
    statistics = list(observation.model.statistics.items())
    if not statistics:
        return 1.0
    name, seen = statistics[0]
    factor = np.linalg.cholesky(group.among)
    scores = rng.standard_normal((PRIOR_DRAWS, len(group.measured))) @ factor.T
    x = _quantity(group, observation, scores)
    poc = observation.discrepancy.poc(x, rng.standard_normal(PRIOR_DRAWS))
    spreads = {n: np.abs(rng.normal(0, s, PRIOR_DRAWS)) for n, s in observation.model.hidden.items()}
    made = [
        observation.model.simulate(float(each), {n: float(v[i]) for n, v in spreads.items()}, rng).statistics[name]
        for i, each in enumerate(poc)
        if _possible(observation, each)
    ]
    return _two_sided(np.array(made), seen)


def misfit(observation: Observation, curve: Curve, values: Mapping[str, Floats], rng: np.random.Generator) -> float:
    """Two-sided probability, under the posterior, of data at least as far out in any of their statistics."""
    statistics = observation.model.statistics
    if not statistics:
        return 1.0
    x = np.broadcast_to(observation.quantity.of(values), next(v.shape for v in values.values() if v.ndim))
    x = x[rng.choice(x.size, POSTERIOR_DRAWS)]
    discrepancy = observation.discrepancy
    poc = discrepancy.poc(x, curve.shift_given(x, rng)) if discrepancy.sd else x
    hidden = curve.hidden_given(np.asarray(poc), rng)
    made = [observation.model.simulate(float(p), h, rng).statistics for p, h in zip(poc, hidden, strict=True)]
    return min(_two_sided(np.array([each[name] for each in made]), seen) for name, seen in statistics.items())


def _possible(observation: Observation, x: float) -> bool:
    """Whether a prior draw can make data at all: a rate or a price of 0 cannot where it is taken to logs."""
    return x > 0 or observation.discrepancy.scale != "log"


def _quantity(group: Group, observation: Observation, scores: Floats) -> Floats:
    values = group.values(dict(zip(group.measured, scores.T, strict=True)))
    return np.asarray(np.broadcast_to(observation.quantity.of(values), scores.shape[:1]))


def _two_sided(made: Floats, seen: float) -> float:
    """2 min(P(below), P(above)), ties halved, never below what so many draws can tell."""
    below = (np.sum(made < seen) + np.sum(made == seen) / 2) / made.size
    return float(min(1.0, 2 * max(min(below, 1 - below), 0.25 / made.size)))


def _contradiction(group: Group, observation: Observation, probability: float) -> str:
    """What prior and PoC say of the quantity, where they do not agree."""
    rng = np.random.default_rng(1)
    scores = rng.standard_normal((PRIOR_DRAWS, len(group.measured))) @ np.linalg.cholesky(group.among).T
    low, high = np.quantile(_quantity(group, observation, scores), [0.05, 0.95])
    quantity, told = observation.quantity, observation.model.estimate
    return (
        f"your prior said {low:.3g}-{high:.3g} {quantity.unit} of {quantity.name}, the PoC says {told:.3g} "
        f"(probability {probability:.2g}): one of them is wrong"
    )


def _problems(fit: Fit, name: str, figures: Mapping[str, Any], contradictions: list[str]) -> list[str]:
    found = list(contradictions)
    if figures["rhat"] is not None and not figures["rhat"] <= MOST_RHAT:
        found.append(f"{name}: the chains disagree, R-hat {figures['rhat']:.3f} above {MOST_RHAT}")
    for key, words in (("ess_bulk", "in the middle"), ("ess_tail", "in the tails")):
        if figures[key] is not None and not figures[key] >= LEAST_ESS:
            found.append(f"{name}: {figures[key]:.0f} independent draws {words}, below {LEAST_ESS:.0f}")
    if fit.divergences:
        found.append(f"{name}: {fit.divergences} divergent transitions: the sampler missed a part of the posterior")
    if figures["misfit"] < MISFIT:
        found.append(f"{name}: the model does not make data like these (probability {figures['misfit']:.2g})")
    return found


def _warnings(name: str, figures: Mapping[str, Any], doubts: list[str]) -> list[str]:
    found = list(doubts)
    if figures["prior_sensitivity"] > LEANS:
        moved = figures["prior_sensitivity"]
        found.append(f"{name}: the answer leans on the prior; twice its weight would move the mean by {moved:.1f} sd")
    return found
