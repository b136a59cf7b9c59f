"""Which judge to ask, and how: from options, else from `COGSIGHT_JUDGE_*`, else from `OPENAI_*`.

A judge costs money and gets to read the replies, so one is asked only when it is named: by a model, or by an address or a key of its
own. An `OPENAI_API_KEY` alone, which may be there for the model that is measured, asks none.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from ..errors import CogsightError
from ..settings import JudgeSettings, judge_settings

OPENAI = "https://api.openai.com/v1"
NO_KEY = "none"
"""Sent where no key is set: local servers want none, the client library wants one."""
OFF = ("", "none", "exact_matching")
"""Names of no judge; the last is VLMEvalKit's."""
ENDING = "/chat/completions"
"""May stand at the end of a base URL, as VLMEvalKit passes it."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model behind an address."""

    model: str
    base_url: str
    api_key: str = field(repr=False)
    options: JudgeSettings = field(default_factory=JudgeSettings)

    @property
    def host(self) -> str:
        """For messages: the address without path, user and password."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    def says(self, what: str) -> str:
        """A sentence about this judge, without its key, which servers like to quote."""
        text = f"the judge {self.model} at {self.host} {what}"
        return text if self.api_key == NO_KEY else text.replace(self.api_key, "[key]")


def endpoint(
    model: str | None = None, base_url: str | None = None, api_key: str | None = None, default_model: str = ""
) -> Endpoint | None:
    """The judge that options (which win) and environment name; None when they name none.

    `default_model`: for an address or a key without a model. Raises CogsightError for settings that cannot be used.
    """
    options = judge_settings()
    named = model if model is not None else options.model
    if named is not None and named.lower() in OFF:
        return None
    own = (base_url or options.base_url, api_key or options.api_key)
    if named is None and not any(own):
        return None
    if not (named or default_model):
        raise CogsightError(
            "a judge's address or key is set, but no model; name it with --judge MODEL or COGSIGHT_JUDGE_MODEL"
        )
    address, key = _address_and_key(*own)
    return Endpoint(named or default_model, _clean(address), key, options)


def _address_and_key(address: str | None, key: str | None) -> tuple[str, str]:
    """OPENAI_API_KEY goes only to where OPENAI_BASE_URL or OpenAI is: another server must not get to see it."""
    if address:
        return address, key or NO_KEY
    address = os.environ.get("OPENAI_BASE_URL") or OPENAI
    key = key or os.environ.get("OPENAI_API_KEY")
    if not key and address == OPENAI:
        raise CogsightError(
            "a judge is named, but no key; set COGSIGHT_JUDGE_API_KEY or OPENAI_API_KEY, or the address of a local server with COGSIGHT_JUDGE_BASE_URL"
        )
    return address, key or NO_KEY


def _clean(address: str) -> str:
    cleaned = address.strip().rstrip("/").removesuffix(ENDING)
    if urlsplit(cleaned).scheme not in ("http", "https"):
        raise CogsightError(
            f"the judge's address {address!r}: expected http://… or https://…, such as http://127.0.0.1:8000/v1"
        )
    return cleaned
