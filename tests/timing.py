"""How long something takes by itself: the CPU time of this thread, without a pass of the garbage collector over all that other tests left."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What it returns, and seconds."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        start = time.thread_time()
        result = work()
        return result, time.thread_time() - start
    finally:
        if was_on:
            gc.enable()
