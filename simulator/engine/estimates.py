"""From pooled means to figures: each estimate is computed from all randomizations and without each in turn."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from simulator.engine.case import Case
from simulator.engine.figures import Figure, Pool
from simulator.engine.means import QUANTILES, TAIL
from simulator.engine.result import (
    CaseFigures,
    ClaimFigures,
    Decision,
    Histogram,
    OptionFigures,
    Spread,
    histogram,
)
from simulator.model import Components, Ladder

Floats = NDArray[np.float64]

_ZERO = Figure(0.0, 0.0)
_NOTHING = Spread(*(_ZERO,) * 7)


def case_figures(case: Case, pool: Pool) -> CaseFigures:
    """All figures of a study or a scenario from the means over its draws."""
    options = {name: _option(case, pool, name) for name in case.study.options}
    claims: dict[str, ClaimFigures] = {}
    for name in case.candidates:
        own = [claim for claim in case.study.claims if claim.option == name]
        for i, claim in enumerate(own):
            reached = pool[name, "claims"][:, i]
            figures = Figure.from_jackknife(reached), Figure.from_jackknife(100 * (1 - reached))
            claims[claim.name] = ClaimFigures(name, claim.saving_share, *figures)
    ordered = {claim.name: claims[claim.name] for claim in case.study.claims if claim.name in claims}
    return CaseFigures(options, _decision(case, pool), ordered, _histograms(case, pool))


def _option(case: Case, pool: Pool, name: str) -> OptionFigures:
    candidate = name != case.study.baseline
    goes = pool[name, "goes"]
    regret = pool["best"] - pool[name, "benefit"]
    tally = pool[name, "tco_bins"]
    return OptionFigures(
        tco=_spread(
            pool[name, "tco"], pool[name, "tco_square"], _figures(case.bins[name, "tco"].quantiles(tally, QUANTILES))
        ),
        saving=_saving(case, pool, name) if candidate else _NOTHING,
        saving_share=_share(case, pool, name) if candidate else _NOTHING,
        p_beats=pool.figure((name, "beats")) if candidate else None,
        p_best=pool.figure((name, "lowest")),
        cvar05=_cvar(case, pool, name) if candidate else None,
        expected_regret=Figure.from_jackknife(regret),
        p_blocked=Figure.from_jackknife(1 - goes) if candidate else None,
        p_unworkable=pool.figure((name, "unworkable")),
        components=_components(pool, name),
        waterfall=_waterfall(pool, name),
        billed_hours=_given_goes(pool[name, "hours"], goes),
        weeks=_given_goes(pool[name, "weeks"], goes),
    )


def _given_goes(weighted: Floats, goes: Floats) -> Figure:
    """A mean over the draws in which the migration goes through; nan where it never does."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return Figure.from_jackknife(weighted / goes)


def _components(pool: Pool, name: str) -> dict[str, Figure]:
    parts = pool[name, "parts"]
    found = {key: Figure.from_jackknife(parts[:, i]) for i, key in enumerate(Components._fields)}
    return found | {"blocked": pool.figure((name, "parts_blocked"))}


def _waterfall(pool: Pool, name: str) -> dict[str, Figure]:
    """Steps from the list price at peak to the TCO: each rung less the one before; the last is being blocked."""
    rungs = np.concatenate([pool[name, "ladder"], pool[name, "tco"][:, None]], axis=1)
    steps = np.diff(rungs, axis=1, prepend=0.0)
    return {key: Figure.from_jackknife(steps[:, i]) for i, key in enumerate((*Ladder._fields, "blocked"))}


def _spread(mean: Floats, square: Floats, quantiles: list[Figure]) -> Spread:
    variance = square - mean * mean
    # rounding of a mean square leaves this much of a fixed quantity's variance of nothing
    variance = np.where(variance > 1e-12 * square, variance, 0.0)
    return Spread(Figure.from_jackknife(mean), Figure.from_jackknife(np.sqrt(variance)), *quantiles)


def _figures(estimates: Floats) -> list[Figure]:
    return [Figure.from_jackknife(each) for each in estimates]


def _saving(case: Case, pool: Pool, name: str) -> Spread:
    quantiles = _figures(case.bins[name, "saving"].quantiles(pool[name, "saving_bins"], QUANTILES))
    if _in_closed_form(case, pool, name):
        smooth = _figures(case.tangents[name].quantiles(pool[name, "below"], pool[name, "density"]))
        quantiles = [_surer(a, b) for a, b in zip(smooth, quantiles, strict=True)]
    return _spread(pool[name, "saving"], pool[name, "saving_square"], quantiles)


def _surer(smooth: Figure, plain: Figure) -> Figure:
    """Of two estimates of one quantile the surer: where the carrier carries little, the slope between thresholds, and
    with it the smooth estimate, is noise."""
    return smooth if smooth.mcse <= plain.mcse else plain


def _share(case: Case, pool: Pool, name: str) -> Spread:
    quantiles = _figures(case.bins[name, "share"].quantiles(pool[name, "share_bins"], QUANTILES))
    return _spread(pool[name, "share"], pool[name, "share_square"], quantiles)


def _cvar(case: Case, pool: Pool, name: str) -> Figure:
    plain = Figure.from_jackknife(case.bins[name, "saving"].lower_tail_means(pool[name, "saving_bins"], TAIL))
    if not _in_closed_form(case, pool, name):
        return plain
    found = (pool[name, key] for key in ("below", "density", "shortfall"))
    smooth = Figure.from_jackknife(case.tangents[name].lower_tail_means(TAIL, *found))
    return _surer(smooth, plain)


def _in_closed_form(case: Case, pool: Pool, name: str) -> bool:
    return name in case.tangents and case.tangents[name].usable(pool[name, "below"], pool[name, "density"])


def _decision(case: Case, pool: Pool) -> Decision:
    names = list(case.study.options)
    benefits = np.stack([pool[name, "benefit"] for name in names], axis=1)
    best = names[int(np.argmax(benefits[0]))]
    known_best = pool[best, "known_best"]
    return Decision(
        best=best,
        evpi=Figure.from_jackknife(pool["best"] - benefits.max(axis=1)),
        p_wrong=Figure.from_jackknife(1 - known_best),
        epistemic_share=_epistemic_share(case, pool, benefits),
    )


def _epistemic_share(case: Case, pool: Pool, benefits: Floats) -> Figure | None:
    """Share of the variance of the leading candidate's saving that knowledge could remove; None if it has none."""
    if not case.candidates:
        return None
    names = list(case.study.options)
    name = max(case.candidates, key=lambda each: float(benefits[0, names.index(each)]))
    mean, known = pool[name, "known_saving"], pool[name, "known_square"]
    whole = pool[name, "saving_square"] - pool[name, "saving"] ** 2
    if whole[0] <= 1e-12 * pool[name, "saving_square"][0]:
        return None
    return Figure.from_jackknife((known - mean * mean) / whole)


def _histograms(case: Case, pool: Pool) -> Mapping[str, Histogram]:
    return {name: histogram(case.bins[name, "saving"], pool[name, "saving_bins"][0, 0]) for name in case.candidates}


def precision(figures: CaseFigures) -> float:
    """Largest MCSE of a P(beats): what a tolerance is held against."""
    errors = [each.p_beats.mcse for each in figures.options.values() if each.p_beats is not None]
    return max(errors, default=math.nan)
