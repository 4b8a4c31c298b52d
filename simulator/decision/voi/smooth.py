"""Conditional means by penalised regression: the fit to all draws and, from the same sums, to all but one group."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.decision.voi.basis import Design
from simulator.decision.voi.draws import Floats, Groups, Rows

BLOCK = 8192  # rows at a time, so that a design of many terms stays in cache and memory
PENALTIES = np.logspace(-9, 3, 49)  # penalties tried, relative to the mean square of a basis function
FREE_COST = 2  # lines, bends and products of two lines go unpenalised: shrinking them biases the value to first order
FREE_PENALTY = 1e-9  # ... but for what keeps the equations solvable
NOISE_INFLATION = 2.0  # a fit whose variance is less than so many times what noise alone would give counts as noise
GCV_INFLATION = 1.4  # a degree of freedom counts so often; Kim & Gu (2004), against undersmoothing
EPSILON, TINY = float(np.finfo(np.float64).eps), float(np.finfo(np.float64).tiny)


class Smoother:
    """E[response | x] by ridge regression on a design.

    The penalty on rough terms, cost^4, minimises generalised cross-validation. What is then no better than noise is
    drawn to the mean: the fit is scaled by 1 - min(1, c N/S)^2, S its variance, N the part of it that pure noise would
    give, c = `NOISE_INFLATION`; hardly below 1 where there is a signal.

    Parameters
    ----------
    design : Design
        Functions of x.
    groups : Groups
        Groups to leave out in turn.
    """

    def __init__(self, design: Design, groups: Groups) -> None:
        self.design, self.groups = design, groups
        self._weights = np.where(design.cost <= FREE_COST, FREE_PENALTY, design.cost**4)
        size = 1 + len(design.terms)
        self._grams = np.zeros((len(groups.rows), size, size))
        for group, rows in self._blocks():
            at = design.at(rows)
            self._grams[group] += at @ at.T

    def _blocks(self) -> Iterator[tuple[int, Rows]]:
        for group, rows in enumerate(self.groups.rows):
            for start in range(0, len(rows), BLOCK):
                yield group, rows[start : start + BLOCK]

    def fit(self, response: Floats) -> Floats:
        """Fitted values of all fits at every draw.

        Parameters
        ----------
        response : (draws, outcomes) array, or (1 + groups, draws, outcomes)
            What is averaged; in the second form one response for the fit to all draws, then one for each fit that
            leaves a group out.

        Returns
        -------
        (1 + groups, draws, outcomes) array
            By all draws, then by the draws outside each group in turn.
        """
        return self._fitted(np.broadcast_to(response, (1 + len(self.groups.rows), *response.shape[-2:])))

    def project(self, response: Floats) -> Floats:
        """Fitted values by all draws alone, (draws, outcomes)."""
        return np.asarray(self._fitted(response[None])[0])

    def _fitted(self, each: Floats) -> Floats:
        whole = self._grams.sum(axis=0)
        grams = np.concatenate([whole[None], whole - self._grams])[: len(each)]
        moments, squares = self._sums(each)
        slopes = np.empty_like(moments)
        for outcome in range(moments.shape[2]):
            sums = [
                _Sums(gram, moment, float(square))
                for gram, moment, square in zip(grams, moments[:, :, outcome], squares[:, outcome], strict=True)
            ]
            penalty, freedom = sums[0].best_penalty(self._weights)
            slopes[:, :, outcome] = [part.solve(penalty * self._weights, freedom) for part in sums]
        fitted: Floats = np.empty(each.shape)
        for _, rows in self._blocks():
            fitted[:, rows] = np.tensordot(slopes, self.design.at(rows), axes=(1, 0)).transpose(0, 2, 1)
        return fitted

    def _sums(self, each: Floats) -> tuple[Floats, Floats]:
        """Sums over the rows of each fit: terms x response, (fits, 1 + terms, outcomes), and response squared."""
        moments = np.zeros((len(each), 1 + len(self.design.terms), each.shape[2]))
        squares = np.zeros((len(each), each.shape[2]))
        distinct = each[:1] if each.strides[0] == 0 else each
        for group, rows in self._blocks():
            used = np.arange(len(each)) != 1 + group
            moments += used[:, None, None] * (self.design.at(rows) @ distinct[:, rows])
            squares += used[:, None] * (distinct[:, rows] ** 2).sum(axis=1)
        return moments, squares


class _Sums:
    """Normal equations of one fit of one outcome, centred."""

    def __init__(self, gram: Floats, moment: Floats, square: float) -> None:
        self.draws = float(gram[0, 0])
        self.means, self.mean = gram[0, 1:] / self.draws, float(moment[0]) / self.draws
        self.gram = gram[1:, 1:] / self.draws - np.outer(self.means, self.means)
        self.moment = moment[1:] / self.draws - self.means * self.mean
        self.spread = max(square / self.draws - self.mean**2, 0.0)

    def best_penalty(self, weights: Floats) -> tuple[float, float]:
        """The penalty with the least GCV score, the largest of equals, and the degrees of freedom that it leaves.

        One eigendecomposition serves all penalties.
        """
        if not len(weights):
            return 1.0, 0.0
        scale = 1 / np.sqrt(weights)
        values, vectors = np.linalg.eigh(self.gram * scale * scale[:, None])
        positive = values > values[-1] * EPSILON * len(values)
        turned, values = (vectors.T @ (scale * self.moment))[positive, None], values[positive, None]
        kept = values / (values + PENALTIES)
        residual = self.spread - (turned**2 / values * (1 - (1 - kept) ** 2)).sum(axis=0)
        left = 1 - GCV_INFLATION * (1 + kept.sum(axis=0)) / self.draws
        score = np.maximum(residual, self.spread * EPSILON) / np.maximum(left, EPSILON) ** 2
        best = len(score) - 1 - int(np.argmin(score[::-1]))
        return float(PENALTIES[best]), float((kept[:, best] ** 2).sum())

    def solve(self, penalty: Floats, freedom: float) -> Floats:
        """Intercept and slopes, (1 + terms,)."""
        slopes = np.linalg.solve(self.gram + np.diag(penalty), self.moment)
        signal = float(slopes @ self.gram @ slopes)
        residual = max(self.spread - 2 * float(slopes @ self.moment) + signal, 0.0)
        noise = freedom * residual / self.draws
        slopes *= 1 - min(1.0, NOISE_INFLATION * noise / max(signal, TINY)) ** 2
        return np.concatenate([[self.mean - self.means @ slopes], slopes])
