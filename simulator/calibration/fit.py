"""Which inputs are learned together, and what a fit of them gives."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from simulator.calibration.observation import Observation
    from simulator.inputs import Copula, Distribution
    from simulator.study import Study

Floats = NDArray[np.float64]

CHAINS = 4
DRAWS = 1000
"""Draws of a chain."""


@dataclass(frozen=True)
class Group:
    """Inputs that are learned together, because a correlation or an observation ties them.

    Attributes
    ----------
    measured : tuple of str
        Inputs on which an observation bears.
    others : tuple of str
        Inputs that are correlated with these: they are learned from indirectly.
    laws : mapping
        Priors of all of them.
    pearson : (k, k) array
        Prior correlation of the normal scores, measured inputs first.
    """

    measured: tuple[str, ...]
    others: tuple[str, ...]
    laws: Mapping[str, Distribution]
    pearson: Floats
    observations: tuple[Observation, ...]
    fixed: Mapping[str, float] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.measured, *self.others)

    @property
    def title(self) -> str:
        """A name by what was measured."""
        return " + ".join(self.measured)

    @property
    def among(self) -> Floats:
        """Prior correlation of the measured inputs' scores."""
        k = len(self.measured)
        return self.pearson[:k, :k]

    @cached_property
    def tables(self) -> dict[str, Distribution]:
        """Tables of the laws: a posterior asks for millions of their values."""
        from simulator.inputs.tabulate import tabulated

        return {name: tabulated(law) for name, law in self.laws.items()}

    def values(self, scores: Mapping[str, Floats]) -> dict[str, Floats]:
        """Values of inputs at normal scores of their priors, numbers of the study beside them."""
        fixed = {name: np.asarray(value) for name, value in self.fixed.items()}
        return {**fixed, **{name: self.tables[name].at_score(z) for name, z in scores.items()}}

    def completed(self, measured: Floats, rng: np.random.Generator) -> Floats:
        """Scores of all inputs, (draws, k), from those of the measured: the others follow as the prior ties them."""
        k = len(self.measured)
        if not self.others:
            return measured
        slopes = np.linalg.solve(self.among, self.pearson[:k, k:])  # (measured, others)
        rest = self.pearson[k:, k:] - self.pearson[k:, :k] @ slopes
        noise = rng.standard_normal((len(measured), len(self.others))) @ np.linalg.cholesky(rest).T
        return np.concatenate([measured, measured @ slopes + noise], axis=1)


@dataclass(frozen=True)
class Fit:
    """A posterior of a group.

    Attributes
    ----------
    method : "quadrature" or "sampler"
    scores : (chains, draws, k) array
        Prior normal scores of the group's inputs.
    bends : (k, nodes) array
        From posterior to prior scores, at the nodes of `simulator.inputs.warped`.
    pearson : (k, k) array
        Correlation of the posterior's normal scores.
    hidden : mapping of name to (chains, draws) array
        Parameters of the models that are no input.
    effective : float
        Independent draws that the fit is worth; infinite for quadrature.
    """

    group: Group
    method: str
    scores: Floats
    bends: Floats
    pearson: Floats
    hidden: Mapping[str, Floats] = field(default_factory=dict)
    effective: float = math.inf
    divergences: int = 0
    seconds: float = 0.0

    def values(self) -> dict[str, Floats]:
        """Draws of the inputs, (chains, draws) each."""
        return {name: self.group.tables[name].at_score(self.scores[..., i]) for i, name in enumerate(self.group.names)}


def groups(study: Study, observations: Sequence[Observation]) -> list[Group]:
    """The observations by the inputs that they learn about, in the order of the study's inputs."""
    laws = {name: each.value for name, each in study.inputs.items() if not isinstance(each.value, float)}
    fixed = {name: each.value for name, each in study.inputs.items() if isinstance(each.value, float)}
    measured = {name for each in observations for name in each.quantity.inputs if name in laws}
    ties = [{name for name in each.quantity.inputs if name in laws} for each in observations]
    ties += [{*pair} for pair in _correlated(study.copula)]
    found = []
    for names in _components(measured, ties):
        own = tuple(each for each in observations if names & {*each.quantity.inputs})
        order = [name for name in laws if name in names & measured], [name for name in laws if name in names - measured]
        every = (*order[0], *order[1])
        found.append(
            Group(
                tuple(order[0]), tuple(order[1]), {n: laws[n] for n in every}, _pearson(study.copula, every), own, fixed
            )
        )
    return found


def _correlated(copula: Copula | None) -> Iterable[tuple[str, str]]:
    if copula is None:
        return []
    i, j = np.nonzero(np.triu(copula.pearson, 1))
    return [(copula.names[a], copula.names[b]) for a, b in zip(i, j, strict=True)]


def _components(seeds: set[str], ties: Iterable[set[str]]) -> list[set[str]]:
    """Connected sets of names that hold a seed."""
    sets: list[set[str]] = []
    for tie in (*ties, *({seed} for seed in sorted(seeds))):
        touching = [each for each in sets if each & tie]
        sets = [each for each in sets if not each & tie]
        sets.append(tie.union(*touching))
    return [each for each in sets if each & seeds]


def _pearson(copula: Copula | None, names: Sequence[str]) -> Floats:
    pearson = np.eye(len(names))
    if copula is None:
        return pearson
    known = [name for name in names if name in copula.names]
    here = [names.index(name) for name in known]
    there = [copula.names.index(name) for name in known]
    pearson[np.ix_(here, here)] = copula.pearson[np.ix_(there, there)]
    return pearson
