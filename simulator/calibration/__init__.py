"""What a PoC taught: evidence into a posterior, its file, and a study that answers with it."""

from simulator.calibration.use import Used, beside, resting_on, with_posterior

__all__ = ["Used", "beside", "resting_on", "with_posterior"]
