"""Conditional means by penalised regression: the fit to all draws and, from the same sums, to all but one group."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from simulator.decision.voi.basis import Design
from simulator.decision.voi.draws import Floats, Groups, Rows

BLOCK = 8192  # rows at a time, so that a design of many terms stays in cache and memory
PENALTIES = np.logspace(-9, 3, 49)  # penalties tried, relative to the mean square of a basis function
COARSE, SWEEPS = 4, 2  # of these every fourth is tried for a kind of term, and all kinds so often
FREE_COST = 2  # lines, bends and products of two lines go unpenalised: shrinking them biases the value to first order
FREE_PENALTY = 1e-9  # ... but for what keeps the equations solvable
NOISE_INFLATION = 2.0  # a fit whose variance is less than so many times what noise alone would give counts as noise
NOISE_COUNT = 1.4  # what noise adds counts so often; Kim & Gu (2004), against undersmoothing
KIND_NOISE_COUNT = 3.0  # the same where many penalties are tried side by side, so that nothing is found in null inputs
EPSILON, TINY = float(np.finfo(np.float64).eps), float(np.finfo(np.float64).tiny)


class Smoother:
    """E[response | x] by ridge regression on a design.

    The penalty on rough terms, cost^4 times a factor for each column and one for products, minimises an estimate of the
    error (Mallows, 1973). What is then no better than
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
            square = float((each[0, :, outcome] ** 2).mean())
            penalty, noise = fits[0].best_penalty(self._weights, self.design.kinds, square, by_group)
            slopes[:, :, outcome] = [fit.solve(penalty, noise) for fit in fits]
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
        self, weights: Floats, kinds: Rows, square: float, by_group: Iterable[tuple[Floats, Floats]] | None
    ) -> tuple[Floats, float]:
        """The penalty of each term with the least Mallows score, and the noise in the variance of its fit.

        First the best of one penalty for all terms, the largest of equals: one eigendecomposition serves all that are
        tried. Then each kind of term in turn is given the one that is best beside the others': what is rough in one
        column, or in products, is no reason to smooth the next column more.
        """
        if not len(weights):
            return weights, 0.0
        scale = 1 / np.sqrt(weights)
        values, vectors = np.linalg.eigh(self.gram * scale * scale[:, None])
        kept = values > values[-1] * EPSILON * len(values)
        values, turn = values[kept], scale[:, None] * vectors[:, kept]
        turned = turn.T @ self.moment
        if by_group is None:
            residual = max(square - self.mean**2 - float((turned**2 / values).sum()), 0.0)
            noise = math.sqrt(residual / self.draws) * np.sqrt(values) * (vectors[:, kept] / scale[:, None])
        else:
            errors = np.array([self._error(gram, moment, turn @ (turned / values)) for gram, moment in by_group])
            noise = (errors - errors.mean(axis=0)).T / math.sqrt(len(errors) * (len(errors) - 1))
        signal, share = turned[:, None] ** 2 / values[:, None], values[:, None] / (values[:, None] + PENALTIES)
        spread = ((turn.T @ noise) ** 2).sum(axis=1) / values
        score = ((1 - share) ** 2 * signal + 2 * NOISE_COUNT * share * spread[:, None]).sum(axis=0)
        common = PENALTIES[len(score) - 1 - int(np.argmin(score[::-1]))]
        penalty = self._by_kind(common * weights, weights, kinds, noise)
        return penalty, self._risk(penalty, noise)[1]

    def _by_kind(self, penalty: Floats, weights: Floats, kinds: Rows, noise: Floats) -> Floats:
        """A penalty for each kind of term, one after the other the best of some beside those of the other kinds."""
        distinct = np.unique(kinds)
        if distinct.size < 2:
            return penalty
        least = self._risk(penalty, noise)[0]
        for _ in range(SWEEPS):
            before = least
            for kind in distinct:
                for each in PENALTIES[::COARSE]:
                    tried = np.where(kinds == kind, each * weights, penalty)
                    risk = self._risk(tried, noise)[0]
                    if risk < least:
                        penalty, least = tried, risk
            if least == before:
                break
        return penalty

    def _risk(self, penalty: Floats, noise: Floats) -> tuple[float, float]:
        """Mallows' estimate of the error of a fit, up to a constant, and the noise in the fit's variance.

        `noise` is (terms, any): a factor of the covariance of the moments.
        """
        solved = np.linalg.solve(self.gram + np.diag(penalty), np.column_stack([self.moment, noise]))
        slopes, moved = solved[:, 0], solved[:, 1:]
        fit = float(slopes @ self.gram @ slopes - 2 * slopes @ self.moment)
        return fit + 2 * KIND_NOISE_COUNT * float((noise * moved).sum()), float((moved * (self.gram @ moved)).sum())

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
