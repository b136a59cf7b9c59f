"""Asking a judge: how near to the shortest possible time, and how much memory a long queue takes.

The judge is a scripted server in a process of its own. Shortest possible: number of requests · its delay / requests at once. The probe,
the connections and every write to the store are in the time; the first import of the client library is told apart.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from importlib import import_module
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter, process_time

os.environ.setdefault("COGSIGHT_NO_HOOK", "1")
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from scripted_judge import endpoint, judging, queries, verdict
from stub_server import Answer, Request, StubServer

from cogsight.shared.judge.model import ModelJudge

REQUESTS, DELAY, AT_ONCE = 640, 0.5, 32
MOST = 1.10
"""Times the shortest possible."""
QUEUED = 30_000
QUEUED_AT_ONCE = 64
MOST_MEGABYTES = 20.0
"""That memory may grow by while a queue of so many is worked off; the queries themselves were there before."""


def serve(delay: float, pipe: Connection) -> None:
    """Until the pipe says something."""

    def script(number: int, request: Request) -> Answer:
        if len(server.requests) > 1000:
            server.requests.clear()
        return Answer(verdict(), delay=delay)

    server: StubServer = judging(script)
    with server:
        pipe.send(server.url)
        pipe.recv()


@contextmanager
def server(delay: float) -> Iterator[str]:
    """Address of a judge that takes `delay` seconds."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=serve, args=(delay, theirs), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        ours.send("end")
        process.join(timeout=10)


def judge(url: str, count: int, at_once: int) -> tuple[float, float, float]:
    """Seconds, CPU seconds of ours, and megabytes by which the peak of our memory grew."""
    asked = queries(range(count))
    with tempfile.TemporaryDirectory() as folder, redirect_stderr(StringIO()):
        judge = ModelJudge(endpoint(url, concurrency=at_once, timeout=60), store=Path(folder) / "judgements.sqlite")
        memory, start, busy = peak(), perf_counter(), process_time()
        settled = judge.ask(asked)
        result = perf_counter() - start, process_time() - busy, peak() - memory
        missing = judge.missing(asked)
        judge.close()
    if settled != count or missing:
        raise SystemExit(f"{settled} of {count} judged: {judge.problem}")
    return result


def peak() -> float:
    """Megabytes of memory that this process has held at most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)


def main() -> None:
    start = perf_counter()
    import_module("openai")
    library = perf_counter() - start
    shortest = REQUESTS * DELAY / AT_ONCE
    with server(DELAY) as url:
        judge(url, 1, 1)  # what is done once in a process: reading templates, certificates
        seconds, busy, _ = judge(url, REQUESTS, AT_ONCE)
    late = "  LATE" if seconds > MOST * shortest else ""
    print(f"{REQUESTS} requests of {DELAY} s, {AT_ONCE} at once: {seconds:.2f} s, shortest possible {shortest:.2f} s")
    print(f"  ratio {seconds / shortest:.3f} (target {MOST:.2f}){late}; with the first import, {library:.2f} s,")
    print(f"  {(seconds + library) / shortest:.3f}; {1000 * busy / REQUESTS:.1f} ms of CPU a request")
    with server(0.0) as url:
        seconds, busy, growth = judge(url, QUEUED, QUEUED_AT_ONCE)
    large = "  LARGE" if growth > MOST_MEGABYTES else ""
    print(f"{QUEUED} queued, {QUEUED_AT_ONCE} at once, no delay: {seconds:.0f} s, {QUEUED / seconds:.0f} a second,")
    print(
        f"  {1000 * busy / QUEUED:.1f} ms of CPU a request; memory grew by {growth:.1f} MB (target {MOST_MEGABYTES:.0f}){large}"
    )


if __name__ == "__main__":
    main()
