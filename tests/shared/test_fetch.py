"""A pinned download: resumed, checked, never loaded again without need, and when it fails, the way on is told."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from cogsight.shared import fetch as module
from cogsight.shared.errors import DataError
from cogsight.shared.fetch import Release, download_path, fetch, locate, md5_present

CONTENT = b"".join(b"%08d\n" % n for n in range(20_000))
OTHER = CONTENT[::-1]


def md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


@dataclass
class Server:
    """Files on 127.0.0.1, with the faults that real servers have."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    cuts: list[int] = field(default_factory=list)
    """After how many bytes each of the next replies breaks off."""
    status: list[int] = field(default_factory=list)
    """Codes of the next replies, before any file is given."""
    resumes: bool = True
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    """Path and Range header of every request."""


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.asked.append((self.path, self.headers["Range"]))
            data = state.files.get(self.path.partition("?")[0])
            if state.status or data is None:
                return self.send_error(state.status.pop(0) if state.status else 404)
            start = (
                int(self.headers["Range"].split("=")[1].rstrip("-")) if self.headers["Range"] and state.resumes else 0
            )
            if start >= len(data):
                return self.send_error(416)
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(data) - start))
            self.send_header("ETag", f'"{md5(data)}"')
            self.send_header("X-Repo-Commit", "0" * 40)  # what the Hub calls a revision
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(data[start : start + state.cuts.pop(0)] if state.cuts else data[start:])
            return None

        do_HEAD = do_GET

        def log_message(self, *args: Any) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{http.server_port}"
    yield state
    http.shutdown()
    http.server_close()
    thread.join()


@pytest.fixture
def release(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    """Pinned to CONTENT, not on the Hub, with a cache of its own."""
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("COGSIGHT_TOY_DATA", raising=False)
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.01)

    def not_on_the_hub(release: Release, target: Path) -> Path:
        raise module._Unavailable("no such dataset")

    monkeypatch.setattr(module, "_from_hub", not_on_the_hub)
    server.files["/TOY.tsv"] = CONTENT
    older = {md5(OTHER): "2025-04-08"}
    return Release("toy", "TOY.tsv", md5(CONTENT), "2025-06-12", older, "someone/toy", f"{server.url}/TOY.tsv")


def files(release: Release) -> list[str]:
    return sorted(p.name for p in download_path(release).parent.iterdir() if p.suffix != ".lock")


def test_downloads_once(release: Release, server: Server) -> None:
    assert fetch(release).read_bytes() == CONTENT
    assert fetch(release) == download_path(release)
    assert server.asked == [("/TOY.tsv", None)]
    assert files(release) == ["TOY.tsv"]


def test_goes_on_where_a_connection_broke_off(release: Release, server: Server) -> None:
    server.cuts = [70_000, 30_000]
    assert fetch(release).read_bytes() == CONTENT
    assert [asked for _, asked in server.asked] == [None, "bytes=70000-", "bytes=100000-"]


def test_goes_on_in_the_next_run(release: Release, server: Server) -> None:
    server.cuts = [1_000, *[0] * 20]
    with pytest.raises(DataError, match="connection lost after 1,000 of 180,000 bytes"):
        fetch(release)
    assert files(release) == ["TOY.tsv.part"]
    server.cuts = []
    server.asked.clear()
    assert fetch(release).read_bytes() == CONTENT
    assert [asked for _, asked in server.asked] == ["bytes=1000-"]


def test_goes_on_after_ctrl_c(release: Release, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(blocks: Iterator[bytes], *args: object) -> Iterator[bytes]:
        yield next(blocks)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module, "BLOCK", 50_000)
        patch.setattr(module, "track", interrupted)
        with pytest.raises(KeyboardInterrupt):
            fetch(release)
    assert files(release) == ["TOY.tsv.part"]
    assert fetch(release).read_bytes() == CONTENT
    assert server.asked[-1] == ("/TOY.tsv", "bytes=50000-")


def test_begins_again_where_a_server_does_not_resume(release: Release, server: Server) -> None:
    server.cuts = [70_000]
    server.resumes = False
    assert fetch(release).read_bytes() == CONTENT


@pytest.mark.parametrize("beginning", [b"of another file", CONTENT + b"and more"])
def test_a_beginning_that_does_not_fit_is_thrown_away(beginning: bytes, release: Release, server: Server) -> None:
    part = download_path(release).with_name("TOY.tsv.part")
    part.parent.mkdir(parents=True)
    part.write_bytes(beginning)
    assert fetch(release).read_bytes() == CONTENT
    assert [asked for _, asked in server.asked] == [f"bytes={len(beginning)}-", None]
    assert files(release) == ["TOY.tsv"]


def test_a_whole_file_that_lacks_only_its_name(release: Release, server: Server) -> None:
    part = download_path(release).with_name("TOY.tsv.part")
    part.parent.mkdir(parents=True)
    part.write_bytes(CONTENT)
    assert fetch(release).read_bytes() == CONTENT
    assert len(server.asked) == 1


def test_a_busy_server_is_asked_again_and_a_clear_no_is_not(release: Release, server: Server) -> None:
    server.status = [503, 429]
    assert fetch(release).read_bytes() == CONTENT
    assert len(server.asked) == 3
    download_path(release).unlink()
    server.status = [403]
    with pytest.raises(DataError, match="HTTP 403"):
        fetch(release)
    assert len(server.asked) == 4


def test_a_failure_tells_every_source_and_the_way_by_hand(release: Release, server: Server) -> None:
    server.files.clear()
    with pytest.raises(DataError) as caught:
        fetch(release)
    text = str(caught.value)
    assert "Hub dataset someone/toy: no such dataset" in text
    assert f"{release.url}: HTTP 404" in text
    assert f"Expected: the release of 2025-06-12, MD5 {release.md5}" in text
    assert f"curl -L -O {release.url}, then set COGSIGHT_TOY_DATA" in text
    assert "allow" not in text  # nothing is there to be allowed


def test_nobody_listens(release: Release) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(DataError, match=r"(?i)connection refused"):
        fetch(replace(release, url=f"http://127.0.0.1:{port}/TOY.tsv"))


# --- changed files


@pytest.mark.parametrize(
    ("content", "said"),
    [(OTHER, "is the release of 2025-04-08"), (b"<html>Please log in</html>", "expected the release of 2025-06-12")],
)
def test_another_hash_stops_and_is_not_loaded_again(
    content: bytes, said: str, release: Release, server: Server
) -> None:
    server.files["/TOY.tsv"] = content
    for _ in range(2):
        with pytest.raises(DataError) as caught:
            fetch(release)
        for part in (said, md5(content), release.md5, "--allow-changed", "COGSIGHT_ALLOW_CHANGED=1", "delete it"):
            assert part in str(caught.value)
    assert len(server.asked) == 1
    assert files(release) == [f"TOY.{md5(content)}.tsv"]
    assert fetch(release, allow_changed=True).read_bytes() == content


def test_the_pinned_file_is_preferred_to_a_changed_one(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "changed.tsv").write_bytes(OTHER)
    monkeypatch.setattr(module, "_from_hub", lambda release, target: tmp_path / "changed.tsv")
    assert fetch(release, allow_changed=True).read_bytes() == CONTENT


@pytest.mark.parametrize("source", ["hub", "url"])
def test_the_hash_tells_that_a_changed_file_was_taken(
    source: str, release: Release, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.files["/TOY.tsv"] = OTHER
    if source == "hub":
        (tmp_path / "hub.tsv").write_bytes(OTHER)
        monkeypatch.setattr(module, "_from_hub", lambda release, target: tmp_path / "hub.tsv")
    assert md5_present(release) == release.md5
    fetch(release, allow_changed=True)
    assert md5_present(release) == release.md5, "not allowed, it is not taken"
    monkeypatch.setenv("COGSIGHT_ALLOW_CHANGED", "1")
    assert md5_present(release) == md5(OTHER)
    download_path(release).write_bytes(CONTENT)
    assert md5_present(release) == release.md5


# --- the user's own copy


@pytest.mark.parametrize("named", ["TOY.tsv", ""])
def test_an_own_copy_needs_no_network(
    named: str, release: Release, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "TOY.tsv").write_bytes(OTHER)
    monkeypatch.setenv("COGSIGHT_TOY_DATA", str(tmp_path / named))
    assert locate(release, allow_changed=False) == tmp_path / "TOY.tsv"
    assert server.asked == []


def test_an_own_copy_that_is_not_there(release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGSIGHT_TOY_DATA", str(tmp_path / "absent.tsv"))
    with pytest.raises(DataError, match=r"COGSIGHT_TOY_DATA: no file .*absent\.tsv"):
        locate(release, allow_changed=False)


def test_without_one_it_is_fetched(release: Release) -> None:
    assert locate(release, allow_changed=False) == download_path(release)


# --- a place that cannot be written, and offline


def test_an_unwritable_cache(release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("COGSIGHT_CACHE", str(tmp_path / "file"))
    with pytest.raises(DataError, match=r"cannot write .*COGSIGHT_CACHE"):
        fetch(release)


HUB = textwrap.dedent(
    """
    import sys
    from cogsight.shared.fetch import Release, fetch
    from cogsight.shared.errors import DataError
    try:
        path = fetch(Release("toy", "TOY.tsv", *sys.argv[1:3], {}, "someone/toy", sys.argv[3]))
        print(path.read_bytes() == open(sys.argv[4], "rb").read(), path.name)
    except DataError as error:
        print(error)
    """
)


@pytest.fixture
def hub(release: Release, server: Server, tmp_path: Path) -> Callable[..., str]:
    """Runs `fetch` in a process whose Hub is the server: its address is read when huggingface_hub is imported."""
    (tmp_path / "content").write_bytes(CONTENT)

    def run(**variables: str) -> str:
        environment = (
            os.environ | {"HF_ENDPOINT": server.url, "HF_HOME": str(tmp_path / "hf"), "NO_PROXY": "*"} | variables
        )
        command = [
            sys.executable,
            "-c",
            HUB,
            release.md5,
            release.date,
            f"{server.url}/absent",
            str(tmp_path / "content"),
        ]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    return run


def test_offline(hub: Callable[..., str], server: Server) -> None:
    text = hub(HF_HUB_OFFLINE="1")
    assert "Hub dataset someone/toy: " in text
    assert f"{server.url}/absent: HF_HUB_OFFLINE=1 forbids it" in text
    assert server.asked == []


def test_from_the_hub_wherever_in_the_repository_the_file_lies(hub: Callable[..., str], server: Server) -> None:
    tree = [{"type": "file", "path": name, "size": 1, "oid": "1" * 40} for name in ("README.md", "data/TOY.tsv")]
    server.files["/api/datasets/someone/toy/tree/main"] = json.dumps(tree).encode()
    server.files["/datasets/someone/toy/resolve/main/data/TOY.tsv"] = CONTENT
    assert hub() == "True TOY.tsv"
    server.asked.clear()
    assert hub() == hub(HF_HUB_OFFLINE="1") == "True TOY.tsv"  # found again without asking
    assert server.asked == []


def test_a_hub_repository_without_the_file(hub: Callable[..., str], server: Server) -> None:
    server.files["/api/datasets/someone/toy/tree/main"] = b'[{"type": "file", "path": "a.json", "size": 1, "oid": "1"}]'
    assert "Hub dataset someone/toy: no TOY.tsv among its files: a.json" in hub()
