"""Whether chains agree and how many independent draws they are worth (Vehtari et al., 2021), by ArviZ."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TAILS: Final = (0.05, 0.95)


def rhat(chains: Floats) -> float:
    """Rank-normalized split R-hat of (chains, draws)."""
    with quiet():
        import arviz as az

        return float(az.rhat(chains))


def bulk_ess(chains: Floats) -> float:
    """Independent draws that the middle of (chains, draws) is worth."""
    with quiet():
        import arviz as az

        return float(az.ess(chains, method="bulk"))


def tail_ess(chains: Floats) -> float:
    """Independent draws that the 5 and 95 % points of (chains, draws) are worth, the fewer of the two."""
    with quiet():
        import arviz as az

        return min(float(az.ess(chains, method="quantile", prob=prob)) for prob in TAILS)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the libraries' notices, warnings and logs from the user; what matters is in the diagnostics."""
    disabled = logging.root.manager.disable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)  # an import sets the levels of its loggers anew
        try:
            yield
        finally:
            logging.disable(disabled)
