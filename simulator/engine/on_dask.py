"""Workers of a Dask cluster; `pip install switchodds[dask]`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from simulator.engine.workers import Answer, Shared, Task, WorkersLostError

AHEAD = 2
"""Tasks that wait at each worker, the one at work included."""


class OnDask:
    """The workers of a cluster, however many there are; a task whose worker dies is given to another one."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address

    @property
    def count(self) -> int:
        """Threads of all workers."""
        return max(1, sum(int(threads) for threads in self._client.nthreads().values()))

    def answers(
        self, work: Callable[[Shared, Task], Answer], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Answer]]:
        from concurrent.futures import CancelledError

        import distributed
        from distributed.comm.core import CommClosedError

        as_completed: Any = distributed.as_completed  # the library has no types
        try:
            # a task, not scattered data: when the worker that holds it dies, another one makes it anew
            held = self._client.submit(_given, shared, pure=False)
            waiting, sent = iter(tasks), dict[Any, Task]()

            def send() -> Any:
                for task in waiting:
                    future = self._client.submit(work, held, task, pure=False, retries=0)
                    sent[future] = task
                    return future
                return None

            done = as_completed([f for _ in range(self.count * AHEAD) if (f := send()) is not None])
            for future in done:
                answer, task = future.result(), sent.pop(future)
                future.release()
                if (following := send()) is not None:
                    done.add(following)
                yield task, answer
        except distributed.KilledWorker as error:
            raise WorkersLostError(f"several Dask workers died one after another at the same task: {error}") from None
        except (CancelledError, CommClosedError, TimeoutError, OSError) as error:
            words = str(error) or type(error).__name__
            raise WorkersLostError(f"the Dask scheduler at {self._address} is gone ({words})") from None


def _given(shared: Shared) -> Shared:
    return shared


@contextmanager
def on_dask(address: str, processes: int) -> Iterator[OnDask]:
    """Workers of the cluster at an address; "local" starts one of so many processes, and ends it."""
    try:
        import dask
        import distributed
    except ImportError:
        raise WorkersLostError("Dask is not installed here: pip install 'switchodds[dask]'") from None
    start: Any = distributed.LocalCluster  # the library has no types
    connect: Any = distributed.Client
    if address == "local":
        with (
            dask.config.set({"distributed.worker.profile.enabled": False}),  # it looks at a worker 100 times a second
            start(n_workers=processes, threads_per_worker=1, dashboard_address=None) as cluster,
            connect(cluster) as client,
        ):
            yield OnDask(client, str(cluster.scheduler_address))
        return
    try:
        client = connect(address, timeout="10s")
    except (OSError, ValueError, TimeoutError) as error:
        raise WorkersLostError(f"there is no Dask scheduler at {address} ({error})") from None
    with client:
        yield OnDask(client, address)
