"""Which judge to ask, and how: from options, else from `COGSIGHT_JUDGE_*`, else from `OPENAI_*`.

A judge costs money and gets to read the replies, so one is asked only when it is named: by a model, or by an address or a key of its
own. An `OPENAI_API_KEY` alone, which may be there for the model that is measured, asks none.
"""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from ..errors import CogsightError
from ..redact import conceal, redact
from ..settings import JudgeSettings, judge_settings

OPENAI = "https://api.openai.com/v1"
NO_KEY = "no-key-set"
"""Sent where no key is set: local servers want none, the client library wants one."""
OFF = ("", "none", "exact_matching")
"""Names of no judge; the last is VLMEvalKit's."""
LONGEST = 400
"""Characters of a sentence about a judge: some servers answer with a whole page."""
ENDING = "/chat/completions"
"""May stand at the end of a base URL, as VLMEvalKit passes it."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model behind an address."""

    model: str
    base_url: str
    """Without user, password and `/chat/completions`."""
    api_key: str = field(repr=False)
    options: JudgeSettings = field(default_factory=JudgeSettings)
    login: str = field(default="", repr=False)
    """`user:password` of an address that had them: sent instead of a key."""

    @property
    def host(self) -> str:
        """For messages: the address without scheme and path."""
        return urlsplit(self.base_url).netloc

    @property
    def connection(self) -> dict[str, Any]:
        """What `openai.OpenAI` and `openai.AsyncOpenAI` must be told to reach it."""
        basic = {"Authorization": f"Basic {self._basic}"} if self.login else {}
        return {"base_url": self.base_url, "api_key": self.api_key, "default_headers": basic}

    def says(self, what: str) -> str:
        """A sentence about this judge: one line, not too long, without key and password."""
        text = "".join(char if char.isprintable() else " " for char in self.concealed(what))
        line = " ".join(f"the judge {self.model} at {self.host} {text}".split())
        return line if len(line) <= LONGEST else f"{line[:LONGEST]} …"

    def concealed(self, text: str) -> str:
        """A text of the server's without key and password, which servers like to quote."""
        for secret in (self.api_key, self.login, self.login.partition(":")[2], self._basic):
            text = text if secret in ("", NO_KEY) else conceal(text, secret)
        return text

    @property
    def _basic(self) -> str:
        """The login as a request carries it."""
        return base64.b64encode(self.login.encode()).decode()


def endpoint(
    model: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    default_model: str = "",
    asked: bool = True,
) -> Endpoint | None:
    """The judge that options (which win) and environment name; None when they name none.

    `default_model`: for an address or a key without a model. `asked`: whether anything will be sent to it, else it needs no key.
    Raises CogsightError for settings that cannot be used.
    """
    options = judge_settings()
    named = model if model is not None else options.model
    if named is not None and named.strip().lower() in OFF:
        return None
    own_address, own_key = base_url or options.base_url, api_key or options.api_key
    if named is None and not (own_address or own_key):
        return None
    name = (named or default_model).strip()
    if not name:
        raise CogsightError(
            "a judge's address or key is set, but no model; name it with --judge MODEL or COGSIGHT_JUDGE_MODEL"
        )
    if not name.isprintable():
        raise CogsightError(
            f"the judge's model {name!a} holds a character that no name has (a line end, half a character)"
        )
    address, login = _address(own_address or os.environ.get("OPENAI_BASE_URL") or OPENAI)
    return Endpoint(name, address, _key(address, login, own_key) if asked else NO_KEY, options, login)


def _address(given: str) -> tuple[str, str]:
    """The base URL in its one form, and `user:password` if it had them. A bare host gets OpenAI's path, `/v1`."""
    try:
        parts = urlsplit(given.strip())
        problem = _problem(parts)
    except ValueError:  # an unclosed bracket, a port that is no number
        problem = "is none"
    if problem:
        raise CogsightError(
            f"the judge's address {redact(given.rpartition('@')[2])!r} {problem}; expected http://… or https://…, such as http://127.0.0.1:8000/v1"
        )
    user_and_password, _, netloc = parts.netloc.rpartition("@")
    path = parts.path.rstrip("/").removesuffix(ENDING).rstrip("/") or urlsplit(OPENAI).path
    return urlunsplit((parts.scheme, netloc.lower(), path, "", "")), unquote(user_and_password)


def _problem(parts: SplitResult) -> str:
    """What is wrong with an address; "" if nothing. Raises ValueError for a port that is none."""
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        return "is none"
    if parts.query or parts.fragment:
        return "has a query or a fragment, which no path can follow"
    return ""


def _key(address: str, login: str, own: str | None) -> str:
    """The key for an address; NO_KEY where there is none and none is needed. Raises CogsightError."""
    if login and own:
        raise CogsightError(
            "the judge's address has a user and password, and there is a key, too: only one can be sent"
        )
    key = (own or ("" if login else _openai_key(address))).strip()
    if not key and not login and _origin(address) == _origin(OPENAI):
        raise CogsightError(
            "a judge is named, but no key; set COGSIGHT_JUDGE_API_KEY or OPENAI_API_KEY,"
            " or the address of a local server with COGSIGHT_JUDGE_BASE_URL"
        )
    if not key.isascii() or not key.isprintable():
        raise CogsightError(
            "the judge's key holds a character that no request can carry (a letter of another script, a line end); copy it anew"
        )
    return key or NO_KEY


def _openai_key(address: str) -> str:
    """OPENAI_API_KEY goes only to where OPENAI_BASE_URL or else OpenAI is: another server must not get to see it."""
    home, _ = _address(os.environ.get("OPENAI_BASE_URL") or OPENAI)
    return os.environ.get("OPENAI_API_KEY", "") if _origin(address) == _origin(home) else ""


def _origin(address: str) -> tuple[str, str | None, int]:
    """Scheme, host and port: who gets to see what is sent there."""
    parts = urlsplit(address)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}[parts.scheme]
