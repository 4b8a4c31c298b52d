"""Groups of one measured input, and their posterior by quadrature."""

from __future__ import annotations

import numpy as np

from simulator.calibration.discrepancy import Discrepancy
from simulator.calibration.fit import Group
from simulator.calibration.likelihood import curve
from simulator.calibration.models import Model
from simulator.calibration.observation import Observation, Quantity
from simulator.calibration.quadrature import quadrature
from simulator.inputs import Distribution
from simulator.inputs.warped import Warped


def group(law: Distribution, model: Model, discrepancy: Discrepancy) -> Group:
    observation = Observation(0, "data", Quantity.input("x", "unit"), model, discrepancy)
    return Group(("x",), (), {"x": law}, np.eye(1), (observation,))


def posterior(law: Distribution, model: Model, discrepancy: Discrepancy = Discrepancy(0.0)) -> Warped:  # noqa: B008
    found = group(law, model, discrepancy)
    (observation,) = found.observations
    low, high = law.at_score(np.array([-8.0, 8.0]))
    curves = {observation.key: curve(observation, float(low), float(high))}
    return Warped(law, quadrature(found, curves, 1).bends[0])
