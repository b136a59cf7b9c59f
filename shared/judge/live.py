"""Many votes at a time over one event loop, in a thread of its own: the caller may have a loop running, and can be interrupted."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from queue import Queue
from typing import NamedTuple

from .client import Client
from .endpoint import Endpoint
from .query import JudgeError, Query
from .store import Vote
from .trouble import Unavailable


class Unit(NamedTuple):
    """One vote to be had: the answer to a query, for the `number`th time."""

    query: Query
    number: int


Keep = Callable[[Unit, "Vote | JudgeError"], None]
"""What is done with an answer as soon as it is there."""


class Live:
    """A transport that asks at once. It remembers from one call to the next what the server takes, and that it can judge."""

    def __init__(self) -> None:
        self._client: Client | None = None

    def __call__(self, endpoint: Endpoint, units: Sequence[Unit], keep: Keep) -> Generator[None, None, None]:
        """Ask for all units, as many at a time as the endpoint's options say; yields once for each that is settled and kept.

        Raises Unavailable when nothing more can be had. A consumer that stops early ends the requests under way.
        """
        if not units:
            return
        self._client = self._client or Client(endpoint)
        settled: Queue[BaseException | bool] = Queue()
        loop = asyncio.new_event_loop()
        crowd = _ask_all(self._client, endpoint.options.concurrency, units, keep, lambda: settled.put(True))
        task = loop.create_task(crowd)
        thread = threading.Thread(target=_run, args=(loop, task, settled), daemon=True)
        thread.start()
        try:
            while (event := settled.get()) is True:
                yield
            if isinstance(event, BaseException):
                raise event
        finally:
            with suppress(RuntimeError):  # the loop is closed: all has ended
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


async def _ask_all(
    client: Client, concurrency: int, units: Sequence[Unit], keep: Keep, tick: Callable[[], None]
) -> None:
    """So many workers, however many units: each takes the next one when it has kept an answer. The first error ends them all."""
    waiting = iter(units)

    async def worker() -> None:
        for unit in waiting:
            keep(unit, await _answer(client, unit))
            tick()

    async with client:
        await client.probe()
        workers = [asyncio.create_task(worker()) for _ in range(min(concurrency, len(units)))]
        try:
            await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            ended = [task for task in workers if task.done()]
            for task in workers:
                task.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
        for task in ended:
            task.result()


async def _answer(client: Client, unit: Unit) -> Vote | JudgeError:
    try:
        return await client.vote(unit.query, unit.number)
    except Unavailable:
        raise
    except JudgeError as error:
        return error
