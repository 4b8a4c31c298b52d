"""Memory that is used again and again, kept: a leaf's arrays are freed and asked for anew 200 times a second."""

from __future__ import annotations

import ctypes
from functools import cache

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of mallopt in glibc's malloc.h
_KEPT = 32 << 20


@cache
def keep_freed_memory() -> None:
    """Do not give freed memory back to the system below 32 MB: it takes a tenth of a run. Nothing without glibc."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_TRIM_THRESHOLD, _KEPT)
    mallopt(_MMAP_THRESHOLD, _KEPT)
