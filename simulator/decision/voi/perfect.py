"""Value of perfect information: about everything (EVPI), about some inputs (EVPPI)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.decision.voi.basis import design
from simulator.decision.voi.draws import Floats, Groups, grouped, inputs, net_benefit
from simulator.decision.voi.estimate import Estimate, bracketed
from simulator.decision.voi.smooth import Smoother


def evpi(nb: ArrayLike, *, replicates: int | None = None) -> Estimate:
    """Expected value of perfect information, E max_d NB_d - max_d E NB_d.

    Parameters
    ----------
    nb : (draws, options) array
        Net benefit, higher is better, any unit.
    replicates : int, optional
        The draws are so many equal consecutive independent randomizations (scrambled nets, or chains): the error
        comes from the spread between them. Without it the draws count as independent.

    Returns
    -------
    Estimate
        In the unit of `nb`. Near a tie the best of the sampled means is too high and the value too low by up to 0.4
        standard errors of the difference; `high` allows for it.

    Raises
    ------
    ValueError
        Shapes that do not fit, or a value that is not finite, with its row.
    """
    benefit = net_benefit(nb)
    groups = grouped(len(benefit), replicates)
    difference = against_best(benefit)
    if not difference.shape[1]:
        return NOTHING
    gain = np.maximum(difference.max(axis=1), 0)
    gains = np.concatenate([[gain.mean()], groups.without(gain)])
    return bracketed(gains, gain, gain, difference, groups, None)


def evppi(nb: ArrayLike, x: ArrayLike, *, replicates: int | None = None) -> Estimate:
    """Expected value of knowing inputs x, E max_d E[NB_d | x] - max_d E NB_d.

    The conditional mean is a penalised spline regression of net benefit on x (Strong, Oakley & Brennan, 2014) with
    products for interactions; discrete inputs keep a level a value. Correlation between inputs needs no further care.

    Parameters
    ----------
    nb : (draws, options) array
        Net benefit, higher is better, any unit.
    x : (draws,) or (draws, k) array
        The inputs learnt together.
    replicates : int, optional
        As for `evpi`.

    Returns
    -------
    Estimate
        In the unit of `nb`.

    Raises
    ------
    ValueError
        Shapes that do not fit, or a value that is not finite, with its row.
    """
    benefit = net_benefit(nb)
    known = inputs(x, len(benefit))
    groups = grouped(len(benefit), replicates)
    difference = against_best(benefit)
    if not difference.shape[1]:
        return NOTHING
    smoother = Smoother(design(known, difference), groups)
    fitted = smoother.fit(difference)
    everything = float(np.maximum(difference.max(axis=1), 0).mean())
    return bracketed(
        gains(fitted, groups),
        payoff(difference, groups.own(fitted)),
        None if groups.randomized else chance_payoff(difference, fitted[0], smoother),
        difference,
        groups,
        everything,
    )


NOTHING = Estimate(0.0, 0.0, 0.0, 0.0, 0.0)  # one option: there is nothing to decide


def against_best(benefit: Floats) -> Floats:
    """(draws, options - 1): net benefit of the other options less that of the best on the average."""
    best = int(benefit.mean(axis=0).argmax())
    return np.delete(benefit, best, axis=1) - benefit[:, [best]]


def gains(fitted: Floats, groups: Groups) -> Floats:
    """E max(0, max_d g_d) of (1 + groups, draws, outcomes) fits, each over the draws that it was fitted to."""
    each = np.maximum(fitted.max(axis=2), 0)
    return np.array([each[0].mean(), *(groups.without(each[1 + g])[g] for g in range(len(groups.rows)))])


def payoff(difference: Floats, fitted: Floats) -> Floats:
    """Difference of the option that the fitted means choose, 0 for the best on the average; (draws,)."""
    return np.asarray((choice(fitted) * difference).sum(axis=1))


def chance_payoff(difference: Floats, fitted: Floats, from_x: Smoother) -> Floats:
    """E[payoff | x] for given differences: a draw's own part, the chance of each choice being regressed on x."""
    chance = from_x.project(choice(fitted).astype(np.float64))
    return np.asarray((chance * difference).sum(axis=1))


def choice(fitted: Floats) -> NDArray[np.bool_]:
    """Whether the fitted means choose each of the options; none for the best on the average."""
    best = fitted.argmax(axis=-1)[..., None] == np.arange(fitted.shape[-1])
    return np.asarray(best & (fitted > 0))
