"""Progress of a long run on standard error: on a terminal alone, and not for what is done at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE = 0.7  # seconds before a bar appears


@contextmanager
def progress(quiet: bool, what: str = "drawing") -> Iterator[Callable[[int, int], None]]:
    """A function to call with (done, planned), which shows a bar once the work takes long.

    Parameters
    ----------
    quiet : bool
        Show nothing.
    what : str
        Name of the work.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda *_: None
        return
    bar = _Bar(what)
    try:
        yield bar.show
    finally:
        bar.close()


class _Bar:
    def __init__(self, what: str) -> None:
        self._what = what
        self._start = time.monotonic()
        self._close: Callable[[], None] = lambda: None
        self._update: Callable[[int, int], None] | None = None

    def show(self, done: int, planned: int) -> None:
        if self._update is None:
            if time.monotonic() - self._start < _PATIENCE or done >= planned:
                return
            self._update = self._open()
        self._update(done, planned)

    def _open(self) -> Callable[[int, int], None]:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f} %"))
        bar = Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
        bar.start()
        self._close = bar.stop
        task = bar.add_task(self._what)
        return lambda done, planned: bar.update(task, completed=done, total=planned)

    def close(self) -> None:
        self._close()
