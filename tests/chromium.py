"""A real browser for tests of our pages: headless Chromium over its debugging pipe, so that no port and no driver is needed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SECONDS = 20

needs_chromium = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")


class Browser:
    """One page in one browser."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back, self._rest, self._number = to, back, b"", 0
        self.complaints: list[str] = []
        """What the page's console and its security policy said."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to one command of the debugging protocol."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if hasattr(self, "_session"):
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._number:
            self._note(answer)
        assert "error" not in answer, answer
        found: dict[str, Any] = answer["result"]
        return found

    def open(self, path: Path) -> None:
        self.send("Page.navigate", url=path.resolve().as_uri())
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'")

    def ask(self, expression: str) -> Any:
        """The value of some JavaScript."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait(self, expression: str) -> None:
        end = time.monotonic() + SECONDS
        while not self.ask(expression):
            assert time.monotonic() < end, f"not within {SECONDS} s: {expression}"
            time.sleep(0.02)

    def press(self, key: str) -> None:
        about = {"key": key} | ({"text": key} if len(key) == 1 else {})
        self.send("Input.dispatchKeyEvent", type="keyDown", **about)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._back, 1 << 16)
            assert piece, "the browser is gone"
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        return found

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
            self.complaints.append(json.dumps(event["params"]))


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A browser that ends with the block; `profile` is a folder of its own."""
    theirs_in, to = os.pipe()
    back, theirs_out = os.pipe()
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={profile}"]
    # The pipe's ends must be 3 and 4 in the child; 8 and 9 on the way, so that neither overwrites the other.
    moved = f'exec 8<&{theirs_in} 9>&{theirs_out} 3<&8 4>&9; exec "$@"'
    process = subprocess.Popen(
        ["bash", "-c", moved, "bash", str(PROGRAM), *flags], pass_fds=(theirs_in, theirs_out), stderr=subprocess.DEVNULL
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Browser(to, back)
    finally:
        process.terminate()
        process.wait(SECONDS)
        os.close(to)
        os.close(back)
