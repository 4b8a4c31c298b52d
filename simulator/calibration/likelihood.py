"""The likelihood of an observation as a curve: hidden parameters and the discrepancy integrated out by quadrature.

Whatever an observation is made of, it depends on the inputs through one number, the quantity that was measured. So its
marginal likelihood is a function of one coordinate, computed once on a grid. The grid is found by zooming: a box over
(coordinate, hidden parameters) shrinks to where the integrand is within exp(-DEPTH) of its top; there trapezoids on a
smooth, decaying integrand are exact to many digits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from simulator.calibration.discrepancy import Discrepancy
    from simulator.calibration.models import Model
    from simulator.calibration.observation import Observation

Floats = NDArray[np.float64]

DEPTH: Final = 30.0  # in log likelihood: exp(-30) is 1e-13
SCOUTS: Final = 61  # nodes of the coordinate while zooming
HIDDEN_NODES: Final = (0, 201, 49)  # of each hidden parameter, by how many there are
WIDEST_HIDDEN: Final = 6.0  # half-normal scales; 2e-9 lie beyond
NODES: Final = 801
MOST_NODES: Final = 6001
UNBOUNDED: Final = 60.0  # width of a coordinate without end: a factor of 1e26
ZOOMS: Final = 10
ENOUGH: Final = 0.9  # a zoom that keeps more of every side is the last


class Box(NamedTuple):
    """Where the likelihood is: an interval of the coordinate, and one of each hidden parameter."""

    low: float
    high: float
    hidden: Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Curve:
    """log likelihood of an observation over the coordinate of its quantity in production.

    Attributes
    ----------
    coordinates, values : (nodes,) arrays
        Where it was computed, and the log likelihood there; constant beyond the ends (which lie beyond the prior).
    at_end : float
        log likelihood where the coordinate is -inf (a rate, price or duration of 0).
    """

    observation: Observation
    coordinates: Floats
    values: Floats
    at_end: float
    box: Box = field(repr=False)

    def __call__(self, x: Floats) -> Floats:
        """log likelihood at values of the quantity; -inf where they are impossible."""
        t = np.asarray(self.observation.discrepancy.coordinate(x), dtype=float)
        inside = np.interp(t, self.coordinates, self.values)
        return np.where(np.isnan(t), -np.inf, np.where(t == -np.inf, self.at_end, inside))

    def hidden_given(self, x: Floats, rng: np.random.Generator) -> list[dict[str, float]]:
        """A draw of the hidden parameters for each value of the quantity that the PoC had, (draws,)."""
        model = self.observation.model
        grid, log_weight = _hidden_grid(model, self.box)
        if not grid:
            return [{} for _ in x]
        found = []
        for each in x:
            at = (model.log_likelihood(np.asarray(each), grid) + log_weight).ravel()
            chosen = int(np.argmax(at + rng.gumbel(size=at.size)))
            found.append(
                {name: float(np.broadcast_to(g, log_weight.shape).ravel()[chosen]) for name, g in grid.items()}
            )
        return found

    def shift_given(self, x: Floats, rng: np.random.Generator) -> Floats:
        """A draw of the discrepancy's standard normal for each value of the quantity in production, (draws,)."""
        discrepancy = self.observation.discrepancy
        e = np.linspace(-6, 6, 241)
        poc = discrepancy.poc(x[:, None], e)
        log = _poc_curve(self.observation.model, discrepancy, poc.ravel(), self.box).reshape(poc.shape) - e**2 / 2
        return np.asarray(e[np.argmax(log + rng.gumbel(size=log.shape), axis=1)])


def curve(observation: Observation, low: float, high: float) -> Curve:
    """The curve of an observation whose quantity lies between two values in all but a trillionth of the prior."""
    model, discrepancy = observation.model, observation.discrepancy
    least, most = (
        float(np.nan_to_num(discrepancy.coordinate(np.asarray(x)), nan=-math.inf, neginf=-math.inf, posinf=math.inf))
        for x in (low, high)
    )
    t, box = _coordinates(model, discrepancy, least, most)
    log = _marginal(model, discrepancy.value(t), box)
    at_end = -math.inf
    if discrepancy.scale == "log" and discrepancy.offset == 0:
        at_end = float(_marginal(model, np.array([0.0]), box)[0])
    if discrepancy.sd == 0:
        return Curve(observation, t, log, at_end, box)
    sd = discrepancy.sd
    out = (
        np.linspace(max(least, t[0] - 9 * sd), min(most, t[-1] + 9 * sd), NODES) if least < most else np.array([least])
    )
    return Curve(observation, out, _smoothed(t, log, out, sd), at_end, box)


def _smoothed(t: Floats, log: Floats, out: Floats, sd: float) -> Floats:
    """log of the likelihood averaged over a normal around each of the coordinates."""
    step = t[1] - t[0] if t.size > 1 else 1.0
    edge = np.full(t.size, step)
    edge[[0, -1]] /= 2
    with np.errstate(divide="ignore"):
        kernel = -0.5 * ((out[:, None] - t) / sd) ** 2 + np.log(edge / (sd * math.sqrt(2 * math.pi)))
        return np.asarray(logsumexp(kernel + log, axis=1))


def _coordinates(model: Model, discrepancy: Discrepancy, least: float, most: float) -> tuple[Floats, Box]:
    """Evenly spaced coordinates over all that counts, and the box of the hidden parameters."""
    reach = 9 * discrepancy.sd
    low, high = least - reach, most + reach
    if not math.isfinite(low):  # a law that reaches down to the end of the scale
        low = (high if math.isfinite(high) else UNBOUNDED / 2) - UNBOUNDED
    if not math.isfinite(high):
        high = low + UNBOUNDED
    box = Box(low, high, {name: (0.0, WIDEST_HIDDEN * scale) for name, scale in model.hidden.items()})
    for _ in range(ZOOMS):
        box, before = _zoomed(model, discrepancy, box), box
        sides = [(box.high - box.low, before.high - before.low)]
        sides += [
            (now[1] - now[0], old[1] - old[0])
            for now, old in zip(box.hidden.values(), before.hidden.values(), strict=True)
        ]
        if all(now > ENOUGH * old for now, old in sides):
            break
    width = box.high - box.low
    count = NODES if discrepancy.sd == 0 else int(np.clip(8 * width / discrepancy.sd, NODES, MOST_NODES))
    return np.linspace(box.low, box.high, count), box


def _zoomed(model: Model, discrepancy: Discrepancy, box: Box) -> Box:
    """The smallest box of nodes around what lies within DEPTH of the top."""
    t = _scouts(model, discrepancy, box)
    grid, log_weight = _hidden_grid(model, box)
    shape = (t.size,) + (1,) * log_weight.ndim
    log = model.log_likelihood(discrepancy.value(t).reshape(shape), grid) + log_weight
    log = np.broadcast_to(log, (t.size, *log_weight.shape))
    deep = log > np.max(log) - DEPTH
    if not deep.any():
        return box
    low, high = _span(t, np.asarray(deep.reshape(t.size, -1).any(axis=1)))
    hidden = {}
    for axis, (name, nodes) in enumerate(grid.items(), 1):
        others = tuple(a for a in range(deep.ndim) if a != axis)
        hidden[name] = _span(nodes.ravel(), np.asarray(deep.any(axis=others)))
    return Box(low, high, hidden)


def _scouts(model: Model, discrepancy: Discrepancy, box: Box) -> Floats:
    """Evenly spaced coordinates, and the one that the data suggest: a narrow peak is met at once."""
    t = np.linspace(box.low, box.high, SCOUTS)
    told = float(discrepancy.coordinate(np.asarray(model.estimate)))
    return np.sort(np.append(t, told)) if box.low < told < box.high else t


def _span(nodes: Floats, inside: NDArray[np.bool_]) -> tuple[float, float]:
    where = np.flatnonzero(inside)
    return float(nodes[max(0, where[0] - 1)]), float(nodes[min(nodes.size - 1, where[-1] + 1)])


def _hidden_grid(model: Model, box: Box) -> tuple[dict[str, Floats], Floats]:
    """Nodes of each hidden parameter on an axis of its own, and the log of prior times weight on their product.

    The nodes crowd at the lower ends, low + width u^2 with even u: a spread may be far below its prior's scale.
    """
    grid: dict[str, Floats] = {}
    log_weight = np.zeros((1,) * len(model.hidden))
    count = HIDDEN_NODES[len(model.hidden)]
    for axis, (name, scale) in enumerate(model.hidden.items()):
        low, high = box.hidden[name]
        u, step = np.linspace(0, 1, count, retstep=True)
        nodes, weight = low + (high - low) * u**2, 2 * (high - low) * u * step
        weight[-1] /= 2
        shape = [1] * len(model.hidden)
        shape[axis] = count
        grid[name] = nodes.reshape(shape)
        log_prior = -0.5 * (nodes / scale) ** 2 - math.log(scale * math.sqrt(math.pi / 2))
        with np.errstate(divide="ignore"):
            log_weight = log_weight + (log_prior + np.log(weight)).reshape(shape)
    return grid, log_weight


def _marginal(model: Model, x: Floats, box: Box) -> Floats:
    """log likelihood at values of the PoC's quantity, hidden parameters integrated out."""
    grid, log_weight = _hidden_grid(model, box)
    if not grid:
        return np.asarray(np.broadcast_to(model.log_likelihood(x, {}), x.shape), dtype=float)
    log = model.log_likelihood(x.reshape((x.size,) + (1,) * log_weight.ndim), grid) + log_weight
    log = np.broadcast_to(log, (x.size, *log_weight.shape)).reshape(x.size, -1)
    with np.errstate(divide="ignore"):
        return np.asarray(logsumexp(log, axis=1))


def _poc_curve(model: Model, discrepancy: Discrepancy, x: Floats, box: Box) -> Floats:
    t = np.linspace(box.low, box.high, NODES)
    log = _marginal(model, discrepancy.value(t), box)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.interp(discrepancy.coordinate(x), t, log))
