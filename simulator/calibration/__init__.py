"""What a PoC taught: evidence into a posterior, its file, and a study that answers with it."""

from simulator.calibration.use import beside, with_posterior

__all__ = ["beside", "with_posterior"]
