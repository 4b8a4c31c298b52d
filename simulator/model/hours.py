"""From the work to the hours that are billed for it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

HOURS_PER_WEEK = 168.0
HOURS_PER_MONTH = 730.0
_FLOP_PER_PFLOP_HOUR = 3.6e18


def pflop_hours(
    parameters: Floats, tokens: Floats, layers: float = 0, hidden: float = 0, sequence: float = 0
) -> Floats:
    """Work W of training a transformer: (6 N + 12 layers hidden sequence) tokens / 3.6e18, in PFLOP/s-hours.

    Parameters
    ----------
    parameters, tokens : (draws,) array
        Size N of the model and number of training tokens.
    layers, hidden, sequence : float
        Shape of the model for the attention term; 0 leaves it out.

    Notes
    -----
    6 N is the dense forward and backward pass of Kaplan et al. (2020), "Scaling laws for neural language models";
    the attention term that of Narayanan et al. (2021), "Efficient large-scale language model training".
    """
    return (6 * parameters + 12 * layers * hidden * sequence) * tokens / _FLOP_PER_PFLOP_HOUR


def hours_at_utilization(work: Floats, peak_pflops: Floats, utilization: Floats, scaling: Floats) -> Floats:
    """Productive instance-hours H = W / (F u s) of `work` PFLOP/s-hours."""
    return work / (peak_pflops * utilization * scaling)


def hours_at_rate(tokens: Floats, tokens_per_second: Floats, scaling: Floats) -> Floats:
    """Productive instance-hours H = tokens / (3600 q s) at a measured rate per instance."""
    return tokens / (3600 * tokens_per_second * scaling)


class Running(NamedTuple):
    """How faults lengthen a run; see `running`."""

    productive: Floats
    lost_share: Floats
    workable: NDArray[np.bool_]
    hours_lost_per_fault: Floats
    expected_faults: Floats


def running(
    productive: Floats, instances: int, faults_per_1000h: Floats, hours_lost_per_fault: Floats, unworkable: Floats
) -> Running:
    """What faults do to a run of `productive` instance-hours.

    Parameters
    ----------
    productive : (draws,) array
        Productive instance-hours H.
    instances : int
        Instances n that work, and wait, together.
    faults_per_1000h : (draws,) array
        Rate lambda of faults per 1,000 running instance-hours.
    hours_lost_per_fault : (draws,) array
        Wall-clock hours l from a fault to the same step again.
    unworkable : (draws,) array
        Lost share phi_max at which a team gives up, 0 < phi_max < 1.

    Returns
    -------
    Running
        `lost_share` is phi = lambda n l / 1000; `workable` is phi < phi_max; where it is not, the hours lost per
        fault are held at the value that gives phi_max; `expected_faults` is lambda H / (1 - phi) / 1000.
    """
    stopped = faults_per_1000h * (instances / 1000)
    share = stopped * hours_lost_per_fault
    workable = share < unworkable
    held = np.minimum(share, unworkable)
    with np.errstate(divide="ignore", invalid="ignore"):
        most = np.where(stopped > 0, unworkable / stopped, hours_lost_per_fault)
    lost = np.where(workable, hours_lost_per_fault, most)
    return Running(productive, share, workable, lost, faults_per_1000h * productive / (1 - held) / 1000)


class Hours(NamedTuple):
    """Billed instance-hours of an option by cause, and the wall-clock hours of compiling."""

    productive: Floats
    faults: Floats
    compiling: Floats
    wall_compiling: Floats

    @property
    def billed(self) -> Floats:
        """T = H + N n l + g n C."""
        return self.productive + self.faults + self.compiling

    def weeks(self, instances: int, delay_weeks: Floats) -> Floats:
        """Schedule D + ((H + N n l) / n + C) / 168, in weeks."""
        return delay_weeks + ((self.productive + self.faults) / instances + self.wall_compiling) / HOURS_PER_WEEK


def billed(
    run: Running, faults: Floats, instances: int, recompiles: Floats, compile_minutes: Floats, compile_idle: Floats
) -> Hours:
    """Hours of a run that meets `faults` faults: a drawn count, or their expectation for the expected hours."""
    compiling = recompiles * compile_minutes / 60
    return Hours(
        run.productive,
        faults * (instances * run.hours_lost_per_fault),
        compile_idle * instances * compiling,
        compiling,
    )
