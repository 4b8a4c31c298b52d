"""What holds for every test."""

import os

# Small matrix products start BLAS threads, which cost more than they save, above all where others use the cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
