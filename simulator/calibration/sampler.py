"""The joint posterior of inputs that are learned together, by PyMC's NUTS.

The inputs enter through their normal scores: z is multivariate normal with the study's rank correlations, and each
input is its declared prior's quantile at its score, a smooth curve through a table of it. So any prior is the one that
the study declares, and none is refitted to a convenient family. What the table misses (the steps of a prior with
atoms, its kinks) is put right by weighting the draws with exact over tabulated likelihood and drawing from them anew.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from simulator.calibration.convergence import bulk_ess, quiet, tail_ess
from simulator.calibration.fit import CHAINS, DRAWS, Fit, Group
from simulator.calibration.quadrature import extended, normal_correlation
from simulator.study.faults import UnableError

if TYPE_CHECKING:
    from simulator.calibration.models import Model
    from simulator.calibration.observation import Observation
    from simulator.inputs import Distribution

Floats = NDArray[np.float64]

TUNE: Final = 500
TARGET_ACCEPT: Final = (0.92, 0.99)
"""Of the first attempt, and of the one after a fit with divergences."""
REACH: Final = 8.0
CELLS: Final = 512
FLOOR: Final = -7.0  # a bound on an input at a lower prior score binds nobody
QUANTILE_STEP: Final = 0.25  # of posterior scores at which quantiles of draws are taken
LEAST_TAIL: Final = 10  # draws beyond the outermost of them


NO_SAMPLER: Final = (
    "these inputs are learned together, which needs a sampler, and PyMC cannot {} here ({}): reinstall it by "
    "`pip install --force-reinstall pymc numba`. What quadrature fits is kept."
)

Progress = Callable[[int, int], None]
"""Called with the draws done and the draws planned."""


def _silent(done: int, planned: int) -> None:
    """No progress shown."""


class NoSamplerError(UnableError):
    """The sampler cannot run here; the message says what to install."""


def sample(groups: Sequence[Group], seed: int, progress: Progress = _silent) -> list[Fit]:
    """Fit groups in one run of the sampler: they are independent, and compiling costs more than sampling.

    A fit with divergences is made once more with smaller steps. `progress` is called with the draws done and planned.

    Raises
    ------
    NoSamplerError
        Where PyMC or the compiler that it brings cannot be used.
    """
    start = time.perf_counter()
    with quiet():
        for target in TARGET_ACCEPT:
            trace = _sampled(groups, seed, target, progress)
            diverging = int(np.sum(trace["sample_stats"]["diverging"].values))
            if not diverging:
                break
    seconds = (time.perf_counter() - start) / len(groups)
    rng = np.random.default_rng(seed)
    return [_fit(part, diverging, seconds, rng) for part in _parts(groups, trace["posterior"])]


class Part(NamedTuple):
    """A group's draws: prior scores of its measured inputs, (chains, draws, k), and its models' hidden parameters."""

    group: Group
    measured: Floats
    shifts: Mapping[str, Floats]
    hidden: Mapping[str, Floats]


def _parts(groups: Sequence[Group], posterior: Any) -> Iterator[Part]:
    free, at = np.asarray(posterior["free"].values), 0
    floors = np.concatenate([group_floors(group) for group in groups])
    scores = np.where(np.isfinite(floors), floors + np.exp(free), free)
    shifts = iter(np.moveaxis(posterior["shift"].values, -1, 0) if "shift" in posterior else ())
    for group in groups:
        k = len(group.measured)
        keys = tuple(f"{each.key}." for each in group.observations)
        hidden = {str(n): np.asarray(posterior[n].values) for n in posterior.data_vars if str(n).startswith(keys)}
        own = {each.key: np.asarray(next(shifts)) for each in group.observations if absorbed(each) is None}
        yield Part(group, scores[..., at : at + k].copy(), own, hidden)
        at += k


def _sampled(groups: Sequence[Group], seed: int, target: float, progress: Progress) -> Any:
    try:
        import pymc as pm
        from pytensor.configdefaults import config
    except ImportError as error:
        raise NoSamplerError(NO_SAMPLER.format("be loaded", error)) from error
    done = count(1)
    # what is positive is so by its coordinate: checks of it only take time to compile
    with pm.Model(check_bounds=False), config.change_flags(mode="NUMBA"):  # needs no C compiler, and is quicker
        add_groups(groups)
        try:
            trace = pm.sample(
                DRAWS, tune=TUNE, chains=CHAINS, cores=min(2, os.cpu_count() or 1), random_seed=seed,
                target_accept=target, nuts_sampler="pymc", progressbar=False, compute_convergence_checks=False,
                callback=lambda *_, **__: progress(next(done), CHAINS * (DRAWS + TUNE)),
            )  # fmt: skip
        except Exception as error:
            raise _unable(error) from error
    if trace["posterior"]["free"].shape[:2] != (CHAINS, DRAWS):  # PyMC takes Ctrl-C for "enough"
        raise KeyboardInterrupt
    return trace


def _unable(error: Exception) -> Exception:
    """The error, or what to install where it is the compiler that fails."""
    compilers = ("numba", "llvmlite", "pytensor.link")
    name = type(error).__name__
    return NoSamplerError(NO_SAMPLER.format("compile", name)) if type(error).__module__.startswith(compilers) else error


def add_groups(groups: Sequence[Group]) -> None:
    """Add the priors and the observations of groups to the PyMC model in whose context this is called."""
    import pymc as pm
    import pytensor.tensor as pt

    scores = _scores(groups)
    laws = [group.laws[name] for group in groups for name in group.measured]
    at = at_scores(laws, scores)
    own = sum(absorbed(each) is None for group in groups for each in group.observations)
    shifts = pm.Normal("shift", 0.0, 1.0, shape=own) if own else ()
    inputs, shift = iter(range(len(laws))), iter(range(own))
    for group in groups:
        values: dict[str, Any] = {**group.fixed, **{name: at[next(inputs)] for name in group.measured}}
        for each in group.observations:
            x = each.quantity.of(values)
            if (model := absorbed(each)) is not None:
                model.add(x, each.key)
            else:
                each.model.add(each.discrepancy.poc(x, shifts[next(shift)], pt.exp), each.key)


def absorbed(observation: Observation) -> Model | None:
    """The model of an observation without a discrepancy of its own: none is stated, or it is integrated out."""
    if observation.discrepancy.sd == 0:
        return observation.model
    return observation.model.blurred(observation.discrepancy.sd)


def _scores(groups: Sequence[Group]) -> Any:
    """Prior scores of all measured inputs, jointly normal; above a floor where a value is impossible below it."""
    import pymc as pm
    import pytensor.tensor as pt

    floors = np.concatenate([group_floors(group) for group in groups])
    bounded = np.isfinite(floors)
    start = np.where(bounded, np.log(np.maximum(0.5, -np.where(bounded, floors, 0.0))), 0.0)
    free = pm.Flat("free", shape=floors.size, initval=start)
    scores = pt.switch(bounded, np.where(bounded, floors, 0.0) + pt.exp(free), free) if bounded.any() else free
    precision = np.linalg.inv(block_diagonal([group.among for group in groups]))
    distance = pt.sum(scores[:, None] * precision * scores[None, :])
    pm.Potential("prior", -0.5 * distance + pt.sum(pt.switch(bounded, free, 0.0)))
    return scores


def block_diagonal(blocks: Sequence[Floats]) -> Floats:
    """A matrix of these on its diagonal and zeros elsewhere."""
    size = sum(len(block) for block in blocks)
    whole, at = np.zeros((size, size)), 0
    for block in blocks:
        whole[at : at + len(block), at : at + len(block)] = block
        at += len(block)
    return whole


def group_floors(group: Group) -> Floats:
    """Prior scores below which an observation makes the measured inputs impossible; -inf where there is no bound."""
    floors = []
    for name in group.measured:
        least = max((e.model.least for e in group.observations if e.quantity.inputs == (name,)), default=-np.inf)
        score = float(group.laws[name].score(np.asarray(least))) if np.isfinite(least) else -np.inf
        floors.append(score if score > FLOOR else -np.inf)
    return np.array(floors)


def table(law: Distribution) -> tuple[Floats, Floats]:
    """Values and slopes of a smooth rising curve through a law's quantiles at evenly spaced scores, (CELLS + 1,) each.

    Of a law with atoms it passes through each value at the middle of its probability. Slopes are the harmonic means of
    the neighbouring cells' (Fritsch and Butland, 1984), so that the curve never falls.
    """
    z = np.linspace(-REACH, REACH, CELLS + 1)
    x = _middles(law, z) if law.discrete else np.asarray(law.at_score(z), dtype=float)
    rise = np.diff(x)
    left, right = rise[:-1], rise[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = np.where((left > 0) & (right > 0), 2 * left * right / (left + right), 0.0)
    return x, np.concatenate([rise[:1], inner, rise[-1:]])


def _middles(law: Distribution, z: Floats) -> Floats:
    """Quantiles of a law with atoms as a continuous curve through the middles of its steps."""
    fine = np.linspace(-REACH, REACH, 16 * CELLS + 1)
    x = np.asarray(law.at_score(fine), dtype=float)
    first = np.concatenate([[True], np.diff(x) > 0])
    start = np.flatnonzero(first)
    end = np.append(start[1:], x.size) - 1
    middle = (fine[start] + fine[end]) / 2
    least = x[start].copy()
    if least.size > 1 and least[0] == 0:  # a count of 0 has no logarithm; the weights say how likely it is
        least[0] = least[1] * 1e-3
    return np.asarray(np.interp(z, middle, least))


def at_scores(laws: Sequence[Distribution], z: Any) -> Any:
    """Each law's quantile at its normal score, as a tensor with a continuous gradient: cubic Hermite cells."""
    import pytensor.tensor as pt

    cells = pt.as_tensor(np.concatenate([cubic(law) for law in laws]))  # (laws * CELLS, 4): one index is fast
    place = (z + REACH) * (CELLS / (2 * REACH))
    cell = pt.clip(pt.floor(place), 0, CELLS - 1)
    t = pt.clip(place - cell, 0, 1)
    power = cells[np.arange(len(laws)) * CELLS + pt.cast(cell, "int64")]
    return power[:, 0] + t * (power[:, 1] + t * (power[:, 2] + t * power[:, 3]))


def cubic(law: Distribution) -> Floats:
    """The curve of `table` by its cells, (CELLS, 4), by rising power of the place in the cell."""
    x, slope = table(law)
    rise, left, right = np.diff(x), slope[:-1], slope[1:]
    return np.stack([x[:-1], left, 3 * rise - 2 * left - right, left + right - 2 * rise], axis=1)


def tabulated_at_score(law: Distribution, z: Floats) -> Floats:
    """The same curve for arrays."""
    place = (np.clip(z, -REACH, REACH) + REACH) * (CELLS / (2 * REACH))
    cell = np.clip(np.floor(place), 0, CELLS - 1).astype(np.intp)
    power, t = cubic(law)[cell], place - cell
    return np.asarray(power[..., 0] + t * (power[..., 1] + t * (power[..., 2] + t * power[..., 3])))


def _fit(part: Part, diverging: int, seconds: float, rng: np.random.Generator) -> Fit:
    """The group's draws, weighted to the exact likelihood and completed with the correlated inputs."""
    group, measured, _, hidden = part
    chains, draws, _ = measured.shape
    weight = _weights(part)
    effective = effective_draws(measured) * float(np.sum(weight) ** 2 / np.sum(weight**2) / weight.size)
    if np.ptp(weight) > 1e-6 * weight.max():
        for chain in range(chains):  # within its chain, in order: what R-hat compares stays what it was
            kept = np.sort(_resampled(weight[chain], rng))
            measured[chain] = measured[chain, kept]
            hidden = {name: _with(each, chain, each[chain, kept]) for name, each in hidden.items()}
    flat = group.completed(measured.reshape(chains * draws, -1), rng)
    bends = np.stack([bend_of_draws(flat[:, i]) for i in range(flat.shape[1])])
    scores = flat.reshape(chains, draws, -1)
    return Fit(group, "sampler", scores, bends, normal_correlation(flat, bends), hidden, effective, diverging, seconds)


def _with(array: Floats, chain: int, row: Floats) -> Floats:
    array = array.copy()
    array[chain] = row
    return array


def _weights(part: Part) -> Floats:
    """Exact over tabulated likelihood of each draw, (chains, draws), up to a factor."""
    group, measured, shifts, hidden = part
    scores = {name: measured[..., i] for i, name in enumerate(group.measured)}
    exact = group.values(scores)
    smooth = {**exact, **{name: tabulated_at_score(group.laws[name], z) for name, z in scores.items()}}
    log = np.zeros(measured.shape[:-1])
    for each in group.observations:
        own = {
            name.removeprefix(f"{each.key}."): value
            for name, value in hidden.items()
            if name.startswith(each.key + ".")
        }
        for values, sign in ((exact, 1), (smooth, -1)):
            x = each.quantity.of(values)
            if (model := absorbed(each)) is None:
                model, x = each.model, each.discrepancy.poc(x, shifts[each.key])
            log = log + sign * model.log_likelihood(x, own)
    log = np.where(np.isnan(log), -np.inf, log)
    return np.asarray(np.exp(log - log.max()))


def _resampled(weight: Floats, rng: np.random.Generator) -> NDArray[np.intp]:
    """Systematic resampling: each draw as often as its weight says, to one."""
    level = (np.arange(weight.size) + rng.random()) / weight.size
    return np.minimum(np.searchsorted(np.cumsum(weight) / weight.sum(), level), weight.size - 1)


def bend_of_draws(scores: Floats) -> Floats:
    """From posterior to prior scores by the quantiles of draws, tails continued in the slope of the outer ones."""
    outermost = -float(ndtri(min(0.4, LEAST_TAIL / scores.size)))
    steps = max(2, int(outermost / QUANTILE_STEP))
    z = np.linspace(-steps, steps, 2 * steps + 1) * QUANTILE_STEP
    at = np.quantile(scores, ndtr(z))
    return extended(z, np.maximum.accumulate(at + 1e-9 * np.arange(at.size)))


def effective_draws(columns: Floats) -> float:
    """Least effective sample size of the columns of (chains, draws, k), bulk or tail."""
    return min(ess(columns[..., i]) for i in range(columns.shape[-1]) for ess in (bulk_ess, tail_ess))
