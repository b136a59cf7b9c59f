"""The same function on many things, in several processes, the results in order; memory does not grow with how many there are."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process
from threading import Thread
from types import ModuleType
from typing import TypeVar

from .errors import GenerationError

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 8
"""Results for each process that may wait for one before them."""


def in_order(function: Callable[[T], R], items: Iterable[T], num_proc: int) -> Iterator[R]:
    """`function` of each item, in the items' order, as they come; with one process, in this one.

    Function and items travel to the workers by pickle. Raises GenerationError when a worker is killed, ValueError for no process.
    """
    if num_proc < 1:
        raise ValueError(f"num_proc={num_proc}: expected at least 1")
    if num_proc == 1:
        yield from map(function, items)
        return
    waiting = iter(items)
    with ProcessPoolExecutor(num_proc, get_context("spawn"), _live_and_die_with_the_parent) as pool:
        with _no_main_module():  # the workers start with the first jobs
            running = deque(pool.submit(function, item) for item in islice(waiting, AHEAD * num_proc))
        try:
            while running:
                yield running.popleft().result()
                running.extend(pool.submit(function, item) for item in islice(waiting, 1))
        except BrokenProcessPool as error:
            raise GenerationError(
                f"a worker process was killed, maybe for want of memory; take fewer than {num_proc} of them"
            ) from error
        finally:  # left early, by an error or Ctrl-C: what has not begun is not begun
            _cancel(running)


def _cancel(running: Iterable[Future[R]]) -> None:
    for future in running:
        future.cancel()


def _live_and_die_with_the_parent() -> None:
    """In a worker: Ctrl-C is the parent's to handle; and when the parent is killed, nobody else would ever end the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


@contextmanager
def _no_main_module() -> Iterator[None]:
    """Workers that start in here do not import the caller's script, which may be a framework that loads for ten seconds."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
