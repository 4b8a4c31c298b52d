"""Conditional means by penalised regression: the fit to all draws and, from the same sums, to all but one group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from simulator.decision.voi.basis import Design
from simulator.decision.voi.draws import Floats, Groups, Rows

BLOCK = 8192  # rows at a time, so that a design of many terms stays in cache and memory
PENALTIES = np.logspace(-9, 3, 49)  # penalties tried, relative to the mean square of a basis function
FREE_COST = 2  # lines, bends and products of two lines go unpenalised: shrinking them biases the value to first order
FREE_PENALTY = 1e-9  # ... but for what keeps the equations solvable
NOISE_INFLATION = 2.0  # a fit whose variance is less than so many times what noise alone would give counts as noise
NOISE_COUNT = 1.4  # what noise adds counts so often; Kim & Gu (2004), against undersmoothing
EPSILON, TINY = float(np.finfo(np.float64).eps), float(np.finfo(np.float64).tiny)


class Smoother:
    """E[response | x] by ridge regression on a design.

    The penalty on rough terms, cost^4, minimises an estimate of the error (Mallows, 1973). What is then no better than
    noise is drawn to the mean: the fit is scaled by 1 - min(1, c N/S)^2, S its variance, N the part of it that pure
    noise would give, c = `NOISE_INFLATION`; hardly below 1 where there is a signal.

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
        grams = self._grams.sum(axis=0) - np.concatenate([np.zeros_like(self._grams[:1]), self._grams])[: len(each)]
        moments, own = self._moments(each)
        slopes = np.empty_like(moments)
        for outcome in range(moments.shape[2]):
            fits = [_Equations(gram, moment) for gram, moment in zip(grams, moments[:, :, outcome], strict=True)]
            by_group = zip(self._grams, own[:, :, outcome], strict=True) if self.groups.randomized else None
            penalty, noise = fits[0].best_penalty(self._weights, float((each[0, :, outcome] ** 2).mean()), by_group)
            slopes[:, :, outcome] = [fit.solve(penalty * self._weights, noise) for fit in fits]
        fitted: Floats = np.empty(each.shape)
        for _, rows in self._blocks():
            fitted[:, rows] = np.tensordot(slopes, self.design.at(rows), axes=(1, 0)).transpose(0, 2, 1)
        return fitted

    def _moments(self, each: Floats) -> tuple[Floats, Floats]:
        """Sums of terms x response over the rows of each fit, (fits, 1 + terms, outcomes); for the first, by group."""
        moments = np.zeros((len(each), 1 + len(self.design.terms), each.shape[2]))
        own = np.zeros((len(self.groups.rows), *moments.shape[1:]))
        distinct = each[:1] if each.strides[0] == 0 else each
        for group, rows in self._blocks():
            sums = self.design.at(rows) @ distinct[:, rows]
            moments += (np.arange(len(each)) != 1 + group)[:, None, None] * sums
            own[group] += sums[0]
        return moments, own


class _Equations:
    """Normal equations of one fit of one outcome, centred."""

    def __init__(self, gram: Floats, moment: Floats) -> None:
        self.draws = float(gram[0, 0])
        self.means, self.mean = gram[0, 1:] / self.draws, float(moment[0]) / self.draws
        self.gram = gram[1:, 1:] / self.draws - np.outer(self.means, self.means)
        self.moment = moment[1:] / self.draws - self.means * self.mean

    def best_penalty(
        self, weights: Floats, square: float, by_group: Iterable[tuple[Floats, Floats]] | None
    ) -> tuple[float, float]:
        """The penalty with the least Mallows score, the largest of equals, and the noise in the variance of its fit.

        One eigendecomposition serves all penalties. The noise of each direction is that of independent draws, or for
        randomizations what their spread shows, which for smooth directions is much less.
        """
        if not len(weights):
            return 1.0, 0.0
        scale = 1 / np.sqrt(weights)
        values, vectors = np.linalg.eigh(self.gram * scale * scale[:, None])
        turn = (scale[:, None] * vectors)[:, values > values[-1] * EPSILON * len(values)]
        values = values[values > values[-1] * EPSILON * len(values)]
        turned = turn.T @ self.moment
        if by_group is None:
            residual = max(square - self.mean**2 - float((turned**2 / values).sum()), 0.0)
            noise = np.full_like(values, residual / self.draws)
        else:
            errors = [self._error(gram, moment, turn @ (turned / values)) @ turn for gram, moment in by_group]
            noise = np.var(errors, axis=0, ddof=1) / len(errors) / values
        signal, share = turned[:, None] ** 2 / values[:, None], values[:, None] / (values[:, None] + PENALTIES)
        score = ((1 - share) ** 2 * signal + 2 * NOISE_COUNT * share * noise[:, None]).sum(axis=0)
        best = len(score) - 1 - int(np.argmin(score[::-1]))
        return float(PENALTIES[best]), float((share[:, best] ** 2 * noise).sum())

    def _error(self, gram: Floats, moment: Floats, slopes: Floats) -> Floats:
        """Mean product of terms and residual in a group, (terms,), the residual being that of all draws' slopes."""
        full = np.concatenate([[self.mean - self.means @ slopes], slopes])
        error = (moment - gram @ full) / gram[0, 0]
        return np.asarray(error[1:] - self.means * error[0])

    def solve(self, penalty: Floats, noise: float) -> Floats:
        """Intercept and slopes, (1 + terms,)."""
        slopes = np.linalg.solve(self.gram + np.diag(penalty), self.moment)
        signal = max(float(slopes @ self.gram @ slopes), TINY)
        slopes *= 1 - min(1.0, NOISE_INFLATION * noise / signal) ** 2
        return np.concatenate([[self.mean - self.means @ slopes], slopes])
