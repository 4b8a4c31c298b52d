"""Workers that are processes on this machine, each alone with its queue: one that dies takes no other's work along."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from types import TracebackType
from typing import Any, Self

from simulator.engine.workers import Answer, Shared, Task, WorkersLostError

AHEAD = 2
"""Tasks that wait at each process, the one at work included: the next is there before it is asked for."""
MOST_DEATHS = 3
"""Processes that a task may take with it before the run is given up."""

_common: Any = None


class Processes:
    """Processes started anew (spawn), which hold what is shared and end with the process that started them."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._lanes: list[ProcessPoolExecutor | None] = [None] * count

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for lane in self._lanes:
            if lane is not None:
                lane.shutdown(wait=error is None, cancel_futures=True)
        self._lanes = [None] * self.count

    def answers(
        self, work: Callable[[Shared, Task], Answer], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Answer]]:
        self.__exit__(None, None, None)  # what the processes hold is of another call
        waiting = iter(tasks)
        again: list[Task] = []
        deaths: Counter[Task] = Counter()
        at_work: dict[Future[Answer], tuple[int, Task]] = {}

        def send(lane: int) -> None:
            """Give a process its next task, if there is one."""
            for task in [again.pop()] if again else itertools.islice(waiting, 1):
                at_work[self._submit(lane, shared, _answer, work, task)] = lane, task

        for lane in range(self.count * AHEAD):
            send(lane % self.count)
        while at_work:
            for done in wait(at_work, return_when=FIRST_COMPLETED).done:
                if done not in at_work:  # dealt with beside another one of its process
                    continue
                lane, task = at_work[done]
                try:
                    answer = done.result()
                except BrokenProcessPool:
                    own = [future for future, (its, _) in at_work.items() if its == lane]
                    task, *beside = (at_work.pop(future)[1] for future in own)  # the first was at work, others waited
                    again += [task, *beside]
                    deaths[task] += 1
                    if deaths[task] > MOST_DEATHS:
                        raise WorkersLostError(
                            f"{deaths[task]} processes died one after another at the same task (out of memory?)"
                        ) from None
                    self._lanes[lane] = None
                    for _ in range(AHEAD):
                        send(lane)
                else:
                    del at_work[done]
                    send(lane)
                    yield task, answer

    def _submit(self, lane: int, shared: object, function: Callable[..., Answer], *arguments: object) -> Future[Answer]:
        """A task for a process, which is started where there is none, or it has died."""
        found = self._lanes[lane]
        if found is not None:
            with contextlib.suppress(BrokenProcessPool):
                return found.submit(function, *arguments)
        found = self._lanes[lane] = ProcessPoolExecutor(1, get_context("spawn"), _hold, (shared, os.getpid()))
        return found.submit(function, *arguments)


def _hold(shared: object, parent: int) -> None:
    """Keep what is shared, and watch over the process that started this one: without it there is nobody to work for."""
    global _common
    _common = shared
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the parent, which ends its processes

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _answer(work: Callable[[Any, Task], Answer], task: Task) -> Answer:
    return work(_common, task)
