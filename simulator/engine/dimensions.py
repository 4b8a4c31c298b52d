"""Which dimension of the point set each uncertain thing has, and the draws of a block of points."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from simulator.inputs import Distribution, tabulated
from simulator.inputs.warped import Warped
from simulator.sampling import Points
from simulator.study import Study

if TYPE_CHECKING:
    from simulator.inputs import Copula

Floats = NDArray[np.float64]
Columns = dict[str, Floats]

# Points of the inner average over luck that is declared as an input (`luck = true`); that average is part of every
# figure about knowledge, so it is randomized with the replicate and its error stands in the MCSE.
LUCK_POINTS = 32


class Block(NamedTuple):
    """Independent scores and levels of a block of draws: inputs by name, and the faults of each option."""

    scores: Mapping[str, Floats]
    faults: Mapping[str, Floats]
    size: int
    luck: tuple[Mapping[str, Floats], ...]

    def with_luck(self, point: Mapping[str, Floats]) -> Block:
        """The same knowledge under another luck: scores of the inputs declared as luck are replaced by a point's."""
        return self._replace(scores={**self.scores, **point})


@dataclass(frozen=True)
class Dimensions:
    """One dimension per uncertain input, then one per option for the luck of its faults.

    Every scenario shares them by name, so that differences between scenarios carry no sampling noise. `turn` is a
    reflection of some of the scores, (index, component of its axis): it leaves independent normal scores as they are
    in law, and lays the first of them along the direction in which the saving grows. `sampled` names the inputs whose
    law is known from a finite number of draws of a sampler, and that number: see `_unsettle`.
    """

    inputs: tuple[str, ...]
    discrete: frozenset[str]
    luck: frozenset[str]
    options: tuple[str, ...]
    turn: tuple[tuple[int, float], ...] = ()
    sampled: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of(cls, study: Study) -> Dimensions:
        """Dimensions of a study and all its scenarios: continuous inputs first, where the points are best."""
        laws: dict[str, Distribution] = {}
        luck: set[str] = set()
        for each in (study, *study.scenarios.values()):
            for name, given in each.inputs.items():
                if not isinstance(given.value, float):
                    laws.setdefault(name, given.value)
                    luck |= {name} if given.luck else set()
        discrete = {name for name, law in laws.items() if law.discrete}
        smooth = [name for name in laws if name not in discrete]
        options = [
            name
            for name in study.options
            if any(_may_fail(each, name) for each in (study, *study.scenarios.values()) if name in each.options)
        ]
        return cls(
            (*smooth, *(name for name in laws if name in discrete)),
            frozenset(discrete),
            frozenset(luck),
            tuple(options),
            sampled=tuple(
                (name, law.effective) for name, law in laws.items() if isinstance(law, Warped) and law.sampled
            ),
        )

    @property
    def count(self) -> int:
        """Dimensions in all."""
        return len(self.inputs) + len(self.options)

    @property
    def continuous(self) -> tuple[str, ...]:
        """Inputs whose scores may be turned."""
        return tuple(name for name in self.inputs if name not in self.discrete)

    def carrying(self, names: Collection[str]) -> Dimensions:
        """The same dimensions with these inputs behind the other continuous ones: they are averaged over anyway."""
        return replace(self, inputs=tuple(sorted(self.inputs, key=lambda n: (n in self.discrete, n in names))))

    def turned(self, direction: Floats) -> Dimensions:
        """The same dimensions, some of them turned so that the first of these lies along a direction.

        Parameters
        ----------
        direction : (inputs,) array
            Slopes on the scores of the inputs, in their order; 0 for those that keep their own dimension.
        """
        length = float(np.sqrt(np.sum(direction * direction)))
        moved = np.flatnonzero(direction)
        if len(moved) < 2 or not np.isfinite(length):
            return self
        axis = direction / length
        axis[moved[0]] -= 1.0
        return replace(self, turn=tuple((int(i), float(axis[i])) for i in moved))

    def points(self, replicates: int, seed: int) -> Points:
        """The point set that these dimensions need."""
        return Points(self.count, replicates, seed)

    def block(self, points: Points, replicate: int, start: int, size: int) -> Block:
        """Independent standard normal scores of the inputs, and uniform levels of the faults."""
        u = points.block(replicate, start, size)
        w = u[: len(self.inputs)]
        ndtri(w, out=w)
        self._reflect(w)
        self._unsettle(w, points, replicate)
        scores = dict(zip(self.inputs, w, strict=True))
        return Block(
            scores, dict(zip(self.options, u[len(self.inputs) :], strict=True)), size, self._luck(points, replicate)
        )

    def _luck(self, points: Points, replicate: int) -> tuple[Mapping[str, Floats], ...]:
        """Points of the inner average over the inputs that are luck: scores of those inputs alone."""
        if not self.luck:
            return ()
        names = [name for name in self.inputs if name in self.luck]
        inner = Points(len(names), points.replicates, points.seed + 1).block(replicate, 0, LUCK_POINTS)
        return tuple({name: np.asarray(z) for name, z in zip(names, point, strict=True)} for point in ndtri(inner).T)

    def _unsettle(self, w: Floats, points: Points, replicate: int) -> None:
        """Move the scores of sampled inputs, in place, as far as their sampler's error may move them.

        A law known from n independent draws is off by a score of about 1 / sqrt(n), the same for every draw of the run.
        Each of R replicates has its own shift of variance R / n, so that the spread between replicates, from which the
        MCSE is made, holds that error; the shifts add up to 0, so that figures are not moved, and the scores are
        drawn together as much as the shifts spread them, so that no law is widened.
        """
        for name, effective in self.sampled:
            place = self.inputs.index(name)
            draws = np.random.default_rng((points.seed, place)).standard_normal(points.replicates)
            shifts = (draws - draws.mean()) / draws.std(ddof=1) * np.sqrt(min(0.5, points.replicates / effective))
            w[place] *= np.sqrt(1 - np.mean(shifts**2))
            w[place] += shifts[replicate]

    def _reflect(self, w: Floats) -> None:
        """(I - 2 v v' / v'v) w in place; by rows, since a small matrix product would start threads."""
        if not self.turn:
            return
        along = np.zeros(w.shape[1])
        for i, v in self.turn:
            along += v * w[i]
        along *= -2 / sum(v * v for _, v in self.turn)
        for i, v in self.turn:
            w[i] += v * along


def _may_fail(study: Study, name: str) -> bool:
    rate = study.options[name].inputs["faults_per_1000h"].value
    return not isinstance(rate, float) or rate > 0


@dataclass(frozen=True)
class Dependence:
    """A Gaussian copula as a way to make dependent scores of independent ones.

    What is luck comes last: its independent scores can be redrawn without touching what is known. The inputs that
    are averaged over come before it: then no other input depends on their independent scores.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[tuple[float, int], ...], ...]

    @classmethod
    def of(cls, copula: Copula, carriers: Collection[str], luck: Collection[str]) -> Dependence:
        names = copula.names
        order = sorted(range(len(names)), key=lambda i: (names[i] in luck, names[i] in carriers))
        factor = np.linalg.cholesky(copula.pearson[np.ix_(order, order)])
        rows = tuple(tuple((float(w), j) for j, w in enumerate(row) if w != 0) for row in factor)
        return cls(tuple(copula.names[i] for i in order), rows)

    def mixed(self, scores: Mapping[str, Floats]) -> dict[str, Floats]:
        """Dependent scores, each a weighted sum of independent ones."""
        independent = [scores[name] for name in self.names]
        mixed = {}
        for name, row in zip(self.names, self.rows, strict=True):
            total = np.zeros(())
            for weight, column in row:
                total = total + weight * independent[column]
            mixed[name] = total
        return mixed


@dataclass(frozen=True)
class Marginals:
    """The laws of a study's inputs, ready to turn scores into values; `given` are the laws as the study gives them."""

    fixed: Mapping[str, Floats]
    laws: Mapping[str, Distribution]
    given: Mapping[str, Distribution]
    dependence: Dependence | None

    @classmethod
    def of(cls, study: Study, like: Marginals | None = None) -> Marginals:
        """Laws of a study; numbers and laws that another study has too are the same objects, tables included."""
        numbers = {name: each.value for name, each in study.inputs.items() if isinstance(each.value, float)}
        given = {name: each.value for name, each in study.inputs.items() if not isinstance(each.value, float)}
        if like is None:
            fixed = {name: np.asarray(value) for name, value in numbers.items()}
            laws = {name: tabulated(law) for name, law in given.items()}
            return cls(fixed, laws, given, _dependence(study, ()))
        fixed = {
            name: like.fixed[name] if name in like.fixed and like.fixed[name] == value else np.asarray(value)
            for name, value in numbers.items()
        }
        laws = {
            name: like.laws[name] if name in like.given and like.given[name] == law else tabulated(law)
            for name, law in given.items()
        }
        return cls(fixed, laws, given, _dependence(study, ()))

    def carrying(self, study: Study, carriers: Collection[str]) -> Marginals:
        """The same laws with the scores of these inputs made last."""
        return replace(self, dependence=_dependence(study, carriers))

    def scores(self, block: Block) -> Mapping[str, Floats]:
        """Scores with the study's dependence."""
        return {**block.scores, **self.dependence.mixed(block.scores)} if self.dependence else block.scores

    def columns(self, scores: Mapping[str, Floats], known: Mapping[str, Floats] = MappingProxyType({})) -> Columns:
        """Values of every input, but for those that are known: (draws,) arrays, and 0-d arrays of the fixed ones."""
        drawn = {name: known[name] if name in known else law.at_score(scores[name]) for name, law in self.laws.items()}
        return {**self.fixed, **drawn}


def _dependence(study: Study, carriers: Collection[str]) -> Dependence | None:
    if study.copula is None:
        return None
    return Dependence.of(study.copula, carriers, [name for name, each in study.inputs.items() if each.luck])
