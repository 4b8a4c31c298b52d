"""Telling how far a long work has come."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with the steps done and the steps planned."""


def silent(_done: int, _planned: int) -> None:
    """No progress shown."""


class Steps:
    """Counts steps for whoever shows progress."""

    def __init__(self, progress: Progress, planned: int) -> None:
        self._progress, self._planned, self._done = progress, planned, 0

    def __call__(self) -> None:
        self._done += 1
        self._progress(self._done, self._planned)
