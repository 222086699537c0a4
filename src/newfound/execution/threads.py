"""Threads of our own: kernels release the GIL, BLAS is held to one thread while they run.

numba's threading layers and BLAS pools would otherwise fight over the cores, at many times the cost.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

from joblib import effective_n_jobs
from threadpoolctl import ThreadpoolController

SHARES = 4
"""Tasks per thread, so that a slow one does not hold up the rest."""


class Pool:
    """Runs tasks on ``n_jobs`` threads, or in place when there is one."""

    def __init__(self, n_jobs: int | None) -> None:
        self.n_jobs = effective_n_jobs(n_jobs)
        self._threads = ThreadPoolExecutor(self.n_jobs) if self.n_jobs > 1 else None

    def each(self, task: Callable[..., Any], arguments: list[tuple[Any, ...]]) -> list[Any]:
        """Run the task on every tuple of arguments, and return what it gives; the first error is raised.

        A task that wants threads of its own takes a pool of one: it must not wait for the thread that it is on.
        """
        if self._threads is None or len(arguments) < 2:
            return [task(*arg) for arg in arguments]
        return [done.result() for done in [self._threads.submit(task, *arg) for arg in arguments]]

    def ranges(self, task: Callable[[int, int], Any], n: int, unit: int = 1) -> None:
        """Run the task on consecutive ranges that cover 0 to n, in multiples of ``unit``.

        So a block of ``unit`` rows is the same block, and BLAS gives the same bits, on any number of threads.
        """
        step = max(n // (self.n_jobs * SHARES * unit), 1) * unit if self.n_jobs > 1 else max(n, 1)
        self.each(task, [(i, min(i + step, n)) for i in range(0, n, step)])

    def close(self) -> None:
        """Let the threads go."""
        if self._threads is not None:
            self._threads.shutdown()


@contextmanager
def threads(n_jobs: int | None) -> Iterator[Pool]:
    """A pool for the length of a fit, with BLAS on one thread."""
    pool = Pool(n_jobs)
    try:
        with BLAS:
            yield pool
    finally:
        pool.close()


class OneThread:
    """Holds BLAS to one thread while anybody is inside; the last to leave gives the threads back.

    The limit is one for the whole process, so fits that run side by side must share it.
    """

    def __init__(self) -> None:
        self._lock, self._inside = Lock(), 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._limit = _controller().limit(limits=1, user_api="blas")
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0 and self._limit is not None:
                self._limit.restore_original_limits()


BLAS = OneThread()


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
