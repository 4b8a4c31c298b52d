"""What holds for every test."""

import os

from hypothesis import settings

# Small matrix products start BLAS threads, which cost more than they save, above all where others use the cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A test tells the same each time it is run, on a slow machine too; `HYPOTHESIS_PROFILE=search` looks for new examples.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
