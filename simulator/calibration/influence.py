"""What a piece of evidence moved: the posterior as it would be without it.

Where quadrature fits a group, it fits it again. Of a sampled group the draws are weighted: leaving out data about an
input leaves a posterior of the other inputs that differs from the full one by the ratio of two integrals over that
input, which are smooth in the others and cheap on a grid; the input itself is then drawn anew from what is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from simulator.calibration.posterior import Learned
from simulator.calibration.quadrature import normal_correlation, quadrature
from simulator.calibration.sampler import bend_of_draws

if TYPE_CHECKING:
    from simulator.calibration.fit import Fit, Group
    from simulator.calibration.likelihood import Curve
    from simulator.calibration.observation import Observation

Floats = NDArray[np.float64]

NODES: Final = 201
REACH: Final = 6.0  # conditional sds


def without(fit: Fit, curves: Mapping[str, Curve], place: int, seed: int) -> Learned | None:
    """A fit without the evidence at a place; None where nothing else was measured."""
    group = fit.group
    kept = tuple(each for each in group.observations if each.place != place)
    if not kept:
        return None
    rng = np.random.default_rng(seed)
    if fit.method == "quadrature":
        found = quadrature(replace(group, observations=kept), curves, seed)
        return Learned(group.names, found.bends, found.pearson, found.effective)
    k = len(group.measured)
    scores, remaining = fit.scores.reshape(-1, len(group.names))[:, :k], list(group.observations)
    for each in group.observations:
        if each.place == place:
            remaining.remove(each)
            scores = _removed(group, scores, each, remaining, curves, rng)
    flat = group.completed(scores, rng)
    bends = np.stack([bend_of_draws(flat[:, i]) for i in range(flat.shape[1])])
    return Learned(group.names, bends, normal_correlation(flat, bends), fit.effective)


def _removed(
    group: Group, scores: Floats, left_out: Observation, remaining: Sequence[Observation], curves: Mapping[str, Curve],
    rng: np.random.Generator,
) -> Floats:  # fmt: skip
    """Draws of the measured inputs' scores, (draws, k), without an observation about one of them."""
    i = group.measured.index(next(n for n in left_out.quantity.inputs if n in group.measured))
    others = [j for j in range(len(group.measured)) if j != i]
    slopes = np.linalg.solve(group.among[np.ix_(others, others)], group.among[others, i]) if others else np.zeros(0)
    sd = float(np.sqrt(group.among[i, i] - group.among[i, others] @ slopes)) if others else 1.0
    standard = np.linspace(-REACH, REACH, NODES)
    z = (scores[:, others] @ slopes)[:, None] + sd * standard  # (draws, nodes)
    columns = {group.measured[j]: scores[:, j, None] for j in others} | {group.measured[i]: z}
    values = group.values(columns)
    name = group.measured[i]
    about = [each for each in remaining if name in each.quantity.inputs]
    log = -0.5 * standard**2 + sum((curves[e.key](e.quantity.of(values)) for e in about), np.zeros(z.shape))
    log_with = log + curves[left_out.key](left_out.quantity.of(values))
    weight = logsumexp(log, axis=1) - logsumexp(log_with, axis=1)
    level = (np.arange(len(z)) + rng.random()) / len(z)
    share = np.cumsum(np.exp(weight - weight.max()))
    chosen = np.minimum(np.searchsorted(share / share[-1], level), len(z) - 1)
    density = np.exp(log[chosen] - log[chosen].max(axis=1, keepdims=True))
    below = np.cumsum(density, axis=1)
    node = np.minimum((below < rng.random((len(z), 1)) * below[:, -1:]).sum(axis=1), NODES - 1)
    step = sd * (standard[1] - standard[0])
    found = scores[chosen].copy()
    found[:, i] = z[chosen, node] + step * (rng.random(len(z)) - 0.5)
    return found
