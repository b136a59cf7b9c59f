"""Many votes at a time over one event loop, in a thread of its own: the caller may have a loop running, and can be interrupted."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from queue import Queue
from typing import NamedTuple

from .client import Client, Unavailable
from .endpoint import Endpoint
from .query import JudgeError, Query
from .store import Vote


class Unit(NamedTuple):
    """One vote to be had: the answer to a query, for the `number`th time."""

    query: Query
    number: int


Keep = Callable[[Unit, "Vote | JudgeError"], None]
"""What is done with an answer as soon as it is there."""


def answers(endpoint: Endpoint, units: Sequence[Unit], keep: Keep) -> Iterator[None]:
    """Ask for all units, as many at a time as the endpoint's options say; yields once for each that is settled and kept.

    Raises Unavailable when nothing more can be had. A consumer that stops early ends the requests under way.
    """
    settled: Queue[BaseException | bool] = Queue()
    loop = asyncio.new_event_loop()
    task = loop.create_task(_ask_all(endpoint, units, keep, lambda: settled.put(True)))
    thread = threading.Thread(target=_run, args=(loop, task, settled), daemon=True)
    thread.start()
    try:
        while (event := settled.get()) is True:
            yield
        if isinstance(event, BaseException):
            raise event
    finally:
        if not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)
        thread.join()


def _run(loop: asyncio.AbstractEventLoop, task: asyncio.Task[None], settled: Queue[BaseException | bool]) -> None:
    """Puts the error that ended the task, or False, as the last thing."""
    end: BaseException | bool = False
    try:
        loop.run_until_complete(task)
    except BaseException as error:  # noqa: BLE001 - it belongs to the thread that waits
        end = error
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
        settled.put(end)


async def _ask_all(endpoint: Endpoint, units: Sequence[Unit], keep: Keep, tick: Callable[[], None]) -> None:
    client = Client(endpoint)
    waiting = iter(units)

    async def worker() -> None:
        for unit in waiting:
            try:
                answer: Vote | JudgeError = await client.vote(unit.query, unit.number)
            except Unavailable:
                raise
            except JudgeError as error:
                answer = error
            keep(unit, answer)
            tick()

    try:
        await client.probe()
        workers = [asyncio.create_task(worker()) for _ in range(min(endpoint.options.concurrency, len(units)))]
        done, open_ = await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
        for task in open_:
            task.cancel()
        await asyncio.gather(*open_, return_exceptions=True)
        for task in done:
            task.result()
    finally:
        await client.close()
