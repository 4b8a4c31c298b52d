"""Who does the work: this process, several on this machine, or those of a Dask cluster.

All of them answer the same call, in whatever order the answers come; nothing of a result depends on who gave it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Answer = TypeVar("Answer")


class WorkersLostError(RuntimeError):
    """The workers are gone, and with them what they were working on; what they had answered is kept."""


class Workers(Protocol):
    """A number of workers that hold something in common and answer tasks with it."""

    @property
    def count(self) -> int:
        """How many tasks are worked on at a time."""

    def answers(
        self, work: Callable[[Shared, Task], Answer], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Answer]]:
        """Tasks with their answers, `work(shared, task)`, as they come.

        Parameters
        ----------
        work : callable
            A function of a module, so that other processes find it.
        shared
            What every task needs; passed to each worker once.
        tasks : iterable
            Read as workers become free, a few ahead.

        Raises
        ------
        WorkersLostError
            When no worker is left, or a task has taken several workers with it.
        """


class Here:
    """This process."""

    count = 1

    def answers(
        self, work: Callable[[Shared, Task], Answer], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Answer]]:
        for task in tasks:
            yield task, work(shared, task)


def workers(processes: int = 1, dask: str | None = None) -> AbstractContextManager[Workers]:
    """Workers to use in a `with` statement.

    Parameters
    ----------
    processes : int
        Processes on this machine; 1 is this one. With `dask="local"`, the processes of the cluster.
    dask : str, optional
        Address of a Dask scheduler, or "local" to start one on this machine.
    """
    if dask is not None:
        from simulator.engine.on_dask import on_dask

        return on_dask(dask, processes)
    if processes > 1:
        from simulator.engine.processes import Processes

        return Processes(processes)
    return nullcontext(Here())
