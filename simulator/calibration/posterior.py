"""A posterior in the place of a study's priors: the same study, its measured inputs learned.

Each input's law becomes its prior with its score bent, and the Gaussian copula that of the posterior's normal scores.
So the engine keeps its low-discrepancy points, and the dependence that the data made or left is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simulator.inputs import Copula
from simulator.inputs.warped import Warped

if TYPE_CHECKING:
    from simulator.inputs import Distribution
    from simulator.study import Input, Option, Study

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Learned:
    """What the engine needs of a fit.

    Attributes
    ----------
    names : tuple of str
        The fit's inputs.
    bends : (k, nodes) array
        From posterior to prior scores.
    pearson : (k, k) array
        Correlation of the posterior's normal scores.
    effective : float
        Independent draws that it rests on; infinite where it was computed.
    """

    names: tuple[str, ...]
    bends: Floats
    pearson: Floats
    effective: float


def applied(study: Study, learned: Sequence[Learned]) -> Study:
    """The study, and each of its scenarios, with the posterior of the inputs that have the study's priors.

    An input that a scenario gives another value keeps it: what is asked there is what if, not what is known.
    """
    inputs = study.inputs
    laws: dict[str, Distribution] = {}
    for each in learned:
        for name, bend in zip(each.names, each.bends, strict=True):
            prior = inputs[name].value
            if not isinstance(prior, float):
                laws[name] = Warped(prior, bend, each.effective)
    scenarios = {
        name: _applied(scenario, _unchanged(scenario, study, laws), learned)
        for name, scenario in study.scenarios.items()
    }
    return replace(_applied(study, laws, learned), scenarios=scenarios)


def _unchanged(scenario: Study, study: Study, laws: Mapping[str, Distribution]) -> dict[str, Distribution]:
    own, base = scenario.inputs, study.inputs
    return {n: law for n, law in laws.items() if n in own and prior_digest(own[n].value) == prior_digest(base[n].value)}


def prior_digest(value: float | Distribution) -> str:
    """Digest of a value or of a law, by its quantiles: two spellings of one law have one digest."""
    if isinstance(value, float):
        return f"{value:.12g}"
    quantiles = np.asarray(value.at_score(np.linspace(-4, 4, 33)), dtype=float)
    return hashlib.sha256(" ".join(f"{each:.9g}" for each in quantiles).encode()).hexdigest()[:16]


def _applied(study: Study, laws: Mapping[str, Distribution], learned: Sequence[Learned]) -> Study:
    return replace(with_values(study, laws), copula=_copula(study, learned))


def with_values(study: Study, values: Mapping[str, float | Distribution]) -> Study:
    """The study with other values of inputs by name; its scenarios are left as they are."""

    def changed(given: Input) -> Input:
        return replace(given, value=values[given.name]) if given.name in values else given

    return replace(
        study,
        engineer_rate=changed(study.engineer_rate),
        delay_week_rate=changed(study.delay_week_rate),
        workload=replace(study.workload, inputs={k: changed(v) for k, v in study.workload.inputs.items()}),
        options={name: _option(option, values) for name, option in study.options.items()},
    )


def _option(option: Option, values: Mapping[str, float | Distribution]) -> Option:
    def changed(given: Input) -> Input:
        return replace(given, value=values[given.name]) if given.name in values else given

    commitment = option.commitment
    if commitment is not None:
        commitment = replace(
            commitment, instance_hours=changed(commitment.instance_hours), resale=changed(commitment.resale)
        )
    return replace(
        option,
        inputs={key: changed(given) for key, given in option.inputs.items()},
        commitment=commitment,
        other_costs=tuple(replace(cost, value=changed(cost.value)) for cost in option.other_costs),
    )


def _copula(study: Study, learned: Iterable[Learned]) -> Copula | None:
    """The study's copula with the blocks of the fits in their places; of uncertain inputs alone."""
    uncertain = {name for name, each in study.inputs.items() if not isinstance(each.value, float)}
    known: dict[tuple[str, str], float] = {}
    if study.copula is not None:
        known |= _pairs(study.copula.names, study.copula.pearson)
    for each in learned:
        known |= _pairs(each.names, each.pearson)
    known = {pair: r for pair, r in known.items() if r != 0 and uncertain >= {*pair}}
    names = tuple(dict.fromkeys(name for pair in known for name in pair))
    if not names:
        return None
    pearson = np.eye(len(names))
    for (a, b), r in known.items():
        pearson[names.index(a), names.index(b)] = pearson[names.index(b), names.index(a)] = r
    return Copula(names, pearson, np.asarray(np.linalg.cholesky(pearson), dtype=float))


def _pairs(names: Sequence[str], pearson: Floats) -> dict[tuple[str, str], float]:
    """Entries above the diagonal by sorted names, zeros too: a fit's zero replaces a prior's correlation."""
    return {
        (min(a, b), max(a, b)): float(pearson[i, j]) for i, a in enumerate(names) for j, b in enumerate(names) if i < j
    }
