"""Value of information in closed form: conjugate models whose options' net benefits are straight lines in one unknown.

Net benefit of option d is intercepts[d] + slopes[d] theta. Data move the posterior mean of theta; the law of the
posterior mean before the data are seen (preposterior law) gives E max_d over the lines (Raiffa & Schlaifer, 1961, ch. 5
and 10-11). Theta's other companions enter at their means, as long as they are independent of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import betaln, gammaln

from simulator.decision.voi import laws
from simulator.decision.voi.draws import Floats


class Conjugate(Protocol):
    """A prior of theta with the law of one observation."""

    @property
    def prior(self) -> laws.Law:
        """Law of theta."""

    def posterior_mean(self, size: float) -> laws.Law:
        """Law of the posterior mean of theta before `size` observations are seen."""


def evpi(model: Conjugate, intercepts: Sequence[float], slopes: Sequence[float]) -> float:
    """Value of knowing theta; the unit is that of the lines."""
    return laws.expected_max(model.prior, intercepts, slopes) - _now(model, intercepts, slopes)


def evsi(model: Conjugate, intercepts: Sequence[float], slopes: Sequence[float], size: float) -> float:
    """Value of `size` observations; the unit is that of the lines."""
    if size == 0:
        return 0.0
    return laws.expected_max(model.posterior_mean(size), intercepts, slopes) - _now(model, intercepts, slopes)


def _now(model: Conjugate, intercepts: Sequence[float], slopes: Sequence[float]) -> float:
    return float(np.max(np.asarray(intercepts) + np.asarray(slopes) * model.prior.mean))


@dataclass(frozen=True, slots=True)
class Normal:
    """theta ~ N(mean, sd); observations N(theta, obs_sd), obs_sd known.

    `discrepancy` is the sd of an error that all observations share. `size` may be infinite.
    """

    mean: float
    sd: float
    obs_sd: float
    discrepancy: float = 0.0

    @property
    def prior(self) -> laws.Normal:
        return laws.Normal(self.mean, self.sd)

    def error_variance(self, size: float) -> float:
        """Of the mean of the observations about theta."""
        return self.obs_sd**2 / size + self.discrepancy**2 if size > 0 else math.inf

    def learnt_sd(self, size: float) -> float:
        """Standard deviation of the posterior mean: sd sqrt(sd^2 / (sd^2 + error variance))."""
        return self.sd**2 / math.sqrt(self.sd**2 + self.error_variance(size))

    def posterior_mean(self, size: float) -> laws.Normal:
        return laws.Normal(self.mean, self.learnt_sd(size))

    def data_mean(self, posterior_mean: float, size: float) -> float:
        """The mean of the observations that leads to a posterior mean: what the data would have to show."""
        return posterior_mean + (posterior_mean - self.mean) * self.error_variance(size) / self.sd**2


@dataclass(frozen=True, slots=True)
class LogNormal:
    """theta lognormal with E theta = mean and sd of the logarithm sigma; observations theta exp(N(0, obs_sigma))."""

    mean: float
    sigma: float
    obs_sigma: float
    discrepancy: float = 0.0

    @property
    def log(self) -> Normal:
        """The model of log theta, whose posterior mean moves as the logarithm of theta's."""
        return Normal(math.log(self.mean) - self.sigma**2 / 2, self.sigma, self.obs_sigma, self.discrepancy)

    @property
    def prior(self) -> laws.LogNormal:
        return laws.LogNormal(self.mean, self.sigma)

    def posterior_mean(self, size: float) -> laws.LogNormal:
        return laws.LogNormal(self.mean, self.log.learnt_sd(size))

    def data_mean(self, posterior_mean: float, size: float) -> float:
        """The geometric mean of the observations that leads to a posterior mean."""
        left = self.sigma**2 - self.log.learnt_sd(size) ** 2
        return math.exp(self.log.data_mean(math.log(posterior_mean) - left / 2, size))


@dataclass(frozen=True, slots=True)
class NormalUnknownSd:
    """Normal-gamma: precision tau ~ Gamma(alpha, rate beta), theta given tau ~ N(mean, var 1 / (kappa tau)).

    Observations are N(theta, var 1 / tau).
    The posterior mean is Student-t with 2 alpha degrees of freedom about the prior mean, squared scale
    beta / alpha (1 / kappa - 1 / (kappa + n)) (Raiffa & Schlaifer, 1961, 11.8).
    """

    mean: float
    kappa: float
    alpha: float
    beta: float

    @property
    def prior(self) -> laws.StudentT:
        return self.posterior_mean(math.inf)

    def posterior_mean(self, size: float) -> laws.StudentT:
        scale = math.sqrt(self.beta / self.alpha * (1 / self.kappa - 1 / (self.kappa + size)))
        return laws.StudentT(self.mean, scale, 2 * self.alpha)


@dataclass(frozen=True, slots=True)
class GammaPoisson:
    """theta ~ Gamma(shape, rate), a rate of events; an observation is the count over `exposure`."""

    shape: float
    rate: float
    exposure: float = 1.0

    @property
    def prior(self) -> laws.Gamma:
        return laws.Gamma(self.shape, self.rate)

    def means(self, counts: Floats, size: float) -> Floats:
        """Posterior mean of theta after `size` observations with so many events together."""
        return (self.shape + counts) / (self.rate + size * self.exposure)

    def next_counts(self, counts: Floats, size: float, more: float) -> Floats:
        """Chances of 0, 1, 2 ... events in `more` observations, (counts, events); negative binomial, tail cut."""
        shape, rate = self.shape + counts[:, None], self.rate + size * self.exposure
        missed = rate / (rate + more * self.exposure)
        top = float(shape.max())
        most = math.ceil((top * (1 - missed) + 40 * (1 + math.sqrt(top))) / missed)
        events = np.arange(most + 1)
        logs = gammaln(shape + events) - gammaln(shape) - gammaln(events + 1)
        return np.asarray(np.exp(logs + shape * math.log(missed) + events * math.log1p(-missed)))

    def posterior_mean(self, size: float) -> laws.Atoms:
        chances = self.next_counts(np.zeros(1), 0, size)[0]
        return laws.Atoms(self.means(np.arange(len(chances), dtype=np.float64), size), chances)


@dataclass(frozen=True, slots=True)
class BetaBinomial:
    """theta ~ Beta(alpha, beta), a probability; an observation is a success or a failure."""

    alpha: float
    beta: float

    @property
    def prior(self) -> laws.Beta:
        return laws.Beta(self.alpha, self.beta)

    def means(self, counts: Floats, size: float) -> Floats:
        """Posterior mean of theta after `size` trials with so many successes."""
        return (self.alpha + counts) / (self.alpha + self.beta + size)

    def next_counts(self, counts: Floats, size: float, more: float) -> Floats:
        """Chances of 0 ... `more` successes in `more` trials, (counts, 1 + more)."""
        wins = np.arange(int(more) + 1)
        alpha, beta = self.alpha + counts[:, None], self.beta + size - counts[:, None]
        choose = gammaln(more + 1) - gammaln(wins + 1) - gammaln(more - wins + 1)
        return np.asarray(np.exp(choose + betaln(alpha + wins, beta + more - wins) - betaln(alpha, beta)))

    def posterior_mean(self, size: float) -> laws.Atoms:
        if not float(size).is_integer():
            raise ValueError(f"size is {size}; expected a whole number of trials")
        chances = self.next_counts(np.zeros(1), 0, size)[0]
        return laws.Atoms(self.means(np.arange(len(chances), dtype=np.float64), size), chances)
