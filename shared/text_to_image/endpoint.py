"""OpenAI's images interface, or a server that is compatible with it: one picture for one prompt, or for a prompt and pictures.

What the model will not draw is a reply without a picture. What went wrong on the way is a lost request, and what will go wrong with every
other one, too, stops the work.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, NoReturn

from ..errors import CogsightError
from ..pictures import is_picture
from ..redact import conceal, keep_secret, redact
from ..sample import Picture, Reply

OPENAI = "https://api.openai.com/v1"
NO_KEY = "no-key-set"
"""Sent where no key is set: local servers want none, the client library wants one."""
TRIES = 4
"""Of a request again after a failure that may pass, with growing waits between, or as long as the server says."""
IN_A_ROW = 5
"""After so many failures one after another it is the server, or the options."""
REFUSALS = frozenset({"moderation_blocked", "content_policy_violation", "content_filter"})
"""Codes of errors that say that the model will not draw this."""
SPENT = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
KINDS = {".png": "image/png", ".jpg": "image/jpeg"}
"""A picture's ending → what it is sent as."""
CAPPED = 500
"""Characters of a message that are kept."""

PRICES: Mapping[str, Mapping[str, float]] = {
    "gpt-image-1": {"low": 0.011, "medium": 0.042, "high": 0.167},
    "gpt-image-1-mini": {"low": 0.005, "medium": 0.011, "high": 0.036},
    "dall-e-3": {"standard": 0.04, "hd": 0.08},
    "dall-e-2": {"standard": 0.02},
}
"""US dollars for a picture of 1024 x 1024 by quality, at OpenAI (openai.com/api/pricing, 2025-10); prices change."""


class Stopped(CogsightError):
    """There is no use in asking for more pictures."""


@dataclass(frozen=True, slots=True)
class Options:
    """Which model draws, and how."""

    model: str
    base_url: str = ""
    """OPENAI_BASE_URL, else OpenAI, when not given."""
    api_key: str = field(default="", repr=False)
    """OPENAI_API_KEY, which goes only to where OPENAI_BASE_URL or else OpenAI is, when not given."""
    size: str = "1024x1024"
    quality: str = ""
    """The model's own when not given."""
    timeout: float = 300.0
    """Seconds."""

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise CogsightError(
                f"--model {self.model!r}: no model is named; expected one that draws, such as gpt-image-1"
            )

    @property
    def address(self) -> str:
        """The base URL."""
        return (self.base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI).rstrip("/")

    @property
    def key(self) -> str:
        """What is sent. Raises CogsightError when OpenAI is asked and there is none."""
        found = self.api_key or ("" if self.base_url else os.environ.get("OPENAI_API_KEY", ""))
        if not found and self.address == OPENAI:
            raise CogsightError("no key for OpenAI; set OPENAI_API_KEY, or name another server with --base-url")
        return found or NO_KEY

    @property
    def prices(self) -> tuple[float, float] | None:
        """Least and most that a picture costs; None where that is not known."""
        known = PRICES.get(self.model, {}) if self.address == OPENAI and self.size == "1024x1024" else {}
        fitting = [known[self.quality]] if self.quality in known else [] if self.quality else list(known.values())
        return (min(fitting), max(fitting)) if fitting else None


class Studio:
    """Draws what it is told to, in any number of threads."""

    def __init__(self, options: Options) -> None:
        import openai

        self._options = options
        self._key = options.key
        keep_secret(self._key)
        self._client = openai.OpenAI(
            base_url=options.address, api_key=self._key, max_retries=TRIES, timeout=options.timeout
        )
        self._failed, self._lock = 0, Lock()
        self._problem = ""

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def draw(self, prompt: str, pictures: Sequence[Picture] = ()) -> Reply:
        """The picture of a prompt, and what the model says beside it. With `pictures`, which it may change, it is asked for an edit.

        Raises Stopped.
        """
        import openai

        if self._problem:
            raise Stopped(self._problem)
        try:
            found = self._ask(prompt, pictures)
        except openai.APIStatusError as error:
            return self._refused(error)
        except (openai.APIError, ValueError) as error:  # no connection, no answer in time, no JSON
            return self._lost(f"{type(error).__name__}: {error}")
        return self._read(found)

    def _ask(self, prompt: str, pictures: Sequence[Picture]) -> Any:
        images = self._client.images
        if not pictures:
            return images.generate(prompt=prompt, **self._fields())
        files = [(f"{n}{one.suffix}", one.data, KINDS[one.suffix]) for n, one in enumerate(pictures, 1)]
        return images.edit(image=files, prompt=prompt, **self._fields())

    def _fields(self) -> dict[str, Any]:
        options = self._options
        quality = {"quality": options.quality} if options.quality else {}
        # The others send an address unless they are told not to; these do not know the field.
        encoded = {} if options.model.startswith(("gpt-image", "chatgpt-image")) else {"response_format": "b64_json"}
        return {"model": options.model, "n": 1, "size": options.size, **quality, **encoded}

    def _read(self, found: Any) -> Reply:
        listed = getattr(found, "data", None)
        first = listed[0] if isinstance(listed, list) and listed else None
        encoded = getattr(first, "b64_json", None)
        try:
            data = base64.b64decode(encoded, validate=True) if isinstance(encoded, str) else b""
        except binascii.Error:
            data = b""
        if not is_picture(data):
            return self._lost("the answer holds no picture (b64_json)")
        with self._lock:
            self._failed = 0
        return Reply(str(getattr(first, "revised_prompt", None) or ""), images=(Picture(data),))

    def _refused(self, error: Any) -> Reply:
        text = f"status {error.status_code}: {error.message}"
        if error.code in REFUSALS:
            return Reply(self._told(text))
        if error.code in SPENT or error.status_code in (401, 403, 404):
            self._stop(text)
        return self._lost(text)

    def _lost(self, text: str) -> Reply:
        with self._lock:
            self._failed += 1
            failed = self._failed
        if failed >= IN_A_ROW:
            self._stop(f"{failed} failures in a row, the last: {text}")
        return Reply(None, error=self._told(text))

    def _stop(self, text: str) -> NoReturn:
        self._problem = self._told(f"{self._options.model} at {self._options.address}: {text}")
        raise Stopped(self._problem)

    def _told(self, text: str) -> str:
        """One line without a key, which servers like to quote."""
        return " ".join(conceal(str(redact(text)), self._key).split())[:CAPPED]
