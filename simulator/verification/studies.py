"""Whole studies, from file to figures, whose figures have closed forms."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from scipy.special import gammaln, ndtr, ndtri, pdtr, xlogy

from simulator.engine import CaseFigures, Figure, Result, Spread, run
from simulator.study import Study, load_study
from simulator.verification.check import Check, Checks
from simulator.verification.problems import put, unit_normal_loss

DRAWS: Final = 2**16
SEED: Final = 1
ERRORS: Final = 5  # Monte Carlo standard errors, of 15 degrees of freedom: right code fails at one figure in 6,000
ROUNDING: Final = 1e-11
BINS: Final = 1e-4  # of an sd: what reading a quantile off bins may add, which its Monte Carlo error does not count
LEVELS: Final = {"p05": 0.05, "p25": 0.25, "p50": 0.5, "p75": 0.75, "p95": 0.95}
FOLDER: Final = Path(__file__).parent / "studies"


@cache
def study(name: str) -> Study:
    """One of the studies made for this."""
    return load_study(FOLDER / f"{name}.toml")


@cache
def result(name: str) -> Result:
    return run(study(name), draws=DRAWS, seed=SEED)


def _sampled(name: str, expected: float, figure: Figure | None, least: float = 0.0) -> Check:
    """A figure with a Monte Carlo error: within 5 of it, and that error within 1 % of a large figure."""
    value, error = (math.nan, math.nan) if figure is None else (figure.value, figure.mcse)
    allowed = min(ERRORS * error, 0.01 * abs(expected)) if expected else ERRORS * error
    return Check(name, expected, value, max(allowed, least, ROUNDING * abs(expected)))


def arithmetic() -> Checks:
    """Every part of the model, with the Poisson sum that a commitment asks for taken term by term.

    The steps from list price to bill add up whatever they are; that nothing is left for the last of them, where no
    migration can fail, says that all that is paid is in the others.
    """
    found = result("arithmetic").options
    stay, move = found["stay"], found["move"]
    expected = expected_costs()
    for name, value in expected.items():
        option, _, figure = name.partition(" ")
        part = found[option].components.get(figure)
        got = (
            part
            or {"tco": found[option].tco.mean, "weeks": found[option].weeks, "hours": found[option].billed_hours}[
                figure
            ]
        )
        yield Check.relative(
            f"{figure.replace('_', ' ')} of {option}, fixed numbers", value, got.value, 1e-10, "arithmetic"
        )
    left = stay.waterfall["blocked"].value
    yield Check("step for being blocked of stay, fixed numbers", 0.0, left, 1e-9 * stay.tco.mean.value, "arithmetic")
    for name, each in (("stay", stay), ("move", move)):
        total = sum(part.value for part in each.components.values())
        yield Check.relative(f"components of {name}, added up", each.tco.mean.value, total, 1e-12, "TCO")
        steps = sum(part.value for part in each.waterfall.values())
        yield Check.relative(
            f"steps from list price to bill of {name}, added up", each.tco.mean.value, steps, 1e-12, "TCO"
        )


def expected_costs() -> dict[str, float]:
    """Costs of `studies/arithmetic.toml` by the equations of docs/model.md, written out with its numbers."""
    work = (6 * 7e9 + 12 * 32 * 4096 * 4096) * 4e11 / 3.6e18
    productive_stay = work / (8 * 0.4 * 0.9)
    productive_move = 4e11 / (3600 * 45e3 * 0.95)
    lost_stay, lost_move = 3 * 2 * 4 / 1000, 5 * 3 * 2 / 1000
    running_stay, running_move = productive_stay / (1 - lost_stay), productive_move / (1 - lost_move)
    compiling = 40 * 30 / 60
    hours_stay, hours_move = running_stay, running_move + 0.8 * 3 * compiling
    weeks_stay = running_stay / 2 / 168
    weeks_move = 1.5 + (running_move / 3 + compiling) / 168
    rent_stay = _committed(productive_stay, 3 * running_stay / 1000, 2 * 4, 2500, 50, 0.2, 0.3)
    rent_move = _committed(productive_move + 0.8 * 3 * compiling, 5 * running_move / 1000, 3 * 2, 900, 35, 0.1, 0.25)
    labour_stay = 140 * 10 * weeks_stay * 168 / 730
    labour_move = 140 * (160 + 0.25 * compiling + 25 * weeks_move * 168 / 730)
    other_stay, other_move = 150 * weeks_stay, 1200 + 0.4 * hours_move
    sunk = 2500 * 50 * (1 - 0.2) * (1 - 0.3)
    schedule = 900 * (weeks_move - weeks_stay)
    tco_stay = rent_stay + labour_stay + other_stay
    trial = 900 * 35 * 0.9 - 0.25 * (900 - 300) * 35 * 0.9
    back = 0.6 * 140 * 160 + trial + 0.6 * 900 * 1.5 + tco_stay
    return {
        "stay tco": tco_stay,
        "stay labour": labour_stay,
        "stay other": other_stay,
        "stay hours": hours_stay,
        "stay weeks": weeks_stay,
        "move tco": 0.8 * (rent_move + labour_move + other_move + sunk + schedule) + 0.2 * back,
        "move labour": 0.8 * labour_move,
        "move other": 0.8 * other_move,
        "move sunk": 0.8 * sunk,
        "move schedule": 0.8 * schedule,
        "move blocked": 0.2 * back,
        "move hours": hours_move,
        "move weeks": weeks_move,
    }


def _committed(
    base: float, faults: float, lost: float, hours: float, price: float, discount: float, resale: float
) -> float:
    """Expected rent under a commitment when base + lost x Poisson(faults) instance-hours are billed."""
    count = np.arange(400)
    chance = np.exp(xlogy(count, faults) - faults - gammaln(count + 1))
    billed = base + lost * count
    paid = price * (1 - discount)
    rent = hours * paid + np.maximum(billed - hours, 0) * price - resale * np.maximum(hours - billed, 0) * paid
    return float(chance @ rent)


class NormalCosts(NamedTuple):
    """Two costs that are normal together: means, sds, Pearson's correlation, and the hurdle of the decision."""

    stay: float
    move: float
    sd_stay: float
    sd_move: float
    rho: float
    hurdle: float

    def saving(self, share: float) -> tuple[float, float]:
        """Mean and sd of (1 - share) stay - move."""
        a, b = (1 - share) * self.sd_stay, self.sd_move
        return (1 - share) * self.stay - self.move, math.sqrt(a * a + b * b - 2 * self.rho * a * b)

    def saving_quantile(self, level: float) -> float:
        mean, sd = self.saving(0.0)
        return mean + sd * float(ndtri(level))

    def exceeds(self, share: float) -> float:
        """Probability that the saving share exceeds this one: that (1 - share) stay - move is above 0."""
        mean, sd = self.saving(share)
        return float(ndtr(mean / sd))

    @property
    def evpi(self) -> float:
        return unit_normal_loss(*self.saving(self.hurdle))

    @property
    def known(self) -> float:
        """Share of the saving's variance that goes when the first cost is learned and the second is luck."""
        return (self.sd_stay - self.rho * self.sd_move) ** 2 / self.saving(0.0)[1] ** 2


def law_of_normal() -> NormalCosts:
    """The costs of `studies/normal.toml`; Pearson's correlation of Spearman's 0.4 under a Gaussian copula."""
    rent = 4000 / (8 * 0.5) * 40.0
    return NormalCosts(rent + 60e3, rent + 52e3, 8e3, 12e3, 2 * math.sin(math.pi * 0.4 / 6), 0.05)


def normal() -> Checks:
    """P(beats), quantiles, tail mean, EVPI, regret, claim and scenarios of two correlated normal costs."""
    law, found = law_of_normal(), result("normal")
    stay, move = found.options["stay"], found.options["move"]
    yield from _spread("TCO of stay, normal", stay.tco, lambda u: law.stay + law.sd_stay * float(ndtri(u)))
    yield from _spread("saving, normal", move.saving, law.saving_quantile)
    mean, sd = law.saving(0.0)
    yield _sampled("sd of the saving, normal", sd, move.saving.sd)
    worst = math.exp(-(float(ndtri(0.05)) ** 2) / 2) / math.sqrt(2 * math.pi) / 0.05
    yield _sampled("mean of the worst 5 %, normal", mean - sd * worst, move.cvar05)
    yield _sampled("P(lowest TCO), normal", law.exceeds(0.0), move.p_best)
    yield _sampled("P(saving share reaches 10 %), normal", law.exceeds(0.10), found.claims["tenth"].p_reached)
    for level, probability in LEVELS.items():
        share: Figure = getattr(move.saving_share, level)
        above = Figure(law.exceeds(share.value), _slope(law, share))
        yield _sampled(f"P(saving share above its {level}), normal", 1 - probability, above, BINS)
    yield from _decided("normal", found, law)
    yield from _decided("normal, dearer", found.scenarios["dearer"], law._replace(move=law.move + 5e3))
    yield from _luck_and_blocked(found, law)


def _luck_and_blocked(found: Result, law: NormalCosts) -> Checks:
    luck, blocked = found.scenarios["luck"], found.scenarios["blocked"].options["move"]
    yield _sampled("P(beats), one cost is luck", law.exceeds(law.hurdle), luck.options["move"].p_beats)
    share = luck.decision.epistemic_share
    yield Check("share of the variance that can be learned", law.known, share.value if share else math.nan, 0.02)
    yield _sampled("P(beats), a quarter blocked", 0.75 * law.exceeds(law.hurdle), blocked.p_beats)
    mean = 0.75 * law.saving(0.0)[0] - 0.25 * 50 * 40
    yield _sampled("mean saving, a quarter blocked", mean, blocked.saving.mean, 1e-6)


def _slope(law: NormalCosts, share: Figure) -> float:
    """Error of the probability at a quantile from that of the quantile."""
    step = 1e-5
    return abs(law.exceeds(share.value + step) - law.exceeds(share.value - step)) / (2 * step) * share.mcse


def _decided(name: str, found: CaseFigures | Result, law: NormalCosts) -> Checks:
    move, decision = found.options["move"], found.decision
    mean, _ = law.saving(law.hurdle)
    beats = law.exceeds(law.hurdle)
    yield _sampled(f"P(beats), {name}", beats, move.p_beats)
    yield _sampled(f"EVPI, {name}", law.evpi, decision.evpi)
    yield _sampled(f"P(the choice is wrong), {name}", min(beats, 1 - beats), decision.p_wrong)
    yield _sampled(f"expected regret of moving, {name}", law.evpi + max(-mean, 0.0), move.expected_regret)
    yield _sampled(f"mean saving, {name}", law.saving(0.0)[0], move.saving.mean, 1e-6)


def _spread(name: str, spread: Spread, quantile: Callable[[float], float]) -> Checks:
    for level, share in LEVELS.items():
        yield _sampled(f"{level} of the {name}", quantile(share), getattr(spread, level), BINS * spread.sd.value)


def lognormal() -> Checks:
    """P(beats), quantiles of the saving share, and EVPI by the exchange option of Margrabe (1978)."""
    found = result("lognormal")
    move = found.options["move"]
    rho = 2 * math.sin(math.pi * 0.5 / 6)
    sigma = math.sqrt(0.2**2 + 0.3**2 - 2 * rho * 0.2 * 0.3)
    yield from _spread(
        "saving share, lognormal", move.saving_share, lambda u: 1 - 46 / 50 * math.exp(sigma * float(ndtri(1 - u)))
    )
    yield _sampled("P(beats), lognormal", float(ndtr(math.log(0.96 * 50 / 46) / sigma)), move.p_beats)
    stay, cost = 0.96 * 1000 * 50 * math.exp(0.2**2 / 2), 1000 * 46 * math.exp(0.3**2 / 2)
    yield _sampled("EVPI, lognormal", put(stay, cost, sigma) - max(stay - cost, 0), found.decision.evpi)
    yield _sampled("mean TCO of move, lognormal", cost, move.tco.mean)
    yield _sampled("sd of the TCO of move, lognormal", cost * math.sqrt(math.expm1(0.3**2)), move.tco.sd)


def faults() -> Checks:
    """A Poisson number of faults, and nothing else: a discrete saving."""
    found = result("faults")
    move = found.options["move"]
    productive = 16000 / (8 * 0.5)
    mean = 2 * productive / (1 - 2 * 4 * 5 / 1000) / 1000
    each = 4 * 5 * 38.0
    without = productive * (40 - 38.0)
    yield Check.relative("mean saving, faults alone", without - mean * each, move.saving.mean.value, 1e-11)
    yield _sampled("sd of the saving, faults alone", each * math.sqrt(mean), move.saving.sd)
    most = math.ceil(without / each) - 1  # faults at which moving still saves
    yield _sampled("P(beats), faults alone", float(pdtr(most, mean)), move.p_beats, 1e-4)
    fewest = int(np.searchsorted(pdtr(np.arange(100), mean), 0.95))
    yield Check.relative("p05 of the saving, faults alone", without - fewest * each, move.saving.p05.value, 1e-9)
    yield Check("EVPI, faults alone", 0.0, found.decision.evpi.value, 1e-6, "luck cannot be learned")
