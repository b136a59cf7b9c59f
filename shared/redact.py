"""Keys and tokens are taken out of whatever is recorded: results, logs, reports."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

REMOVED = "[removed]"

_NAMES = frozenset(
    {
        "key",
        "apikey",
        "token",
        "secret",
        "password",
        "passwd",
        "pwd",
        "auth",
        "authorization",
        "credential",
        "credentials",
        "cookie",
    }
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ASSIGNED = re.compile(r"""([\w.-]+)(["']?\s*[=:]\s*["']?)([^\s,;&"']+)""")
_SHAPED = re.compile(
    r"\bsk-[\w-]{8,}|\bhf_\w{8,}|\bAIza[\w-]{20,}|(?<=Bearer )\S+|(?<=://)[^/\s@]+(?=@)"  # by maker; user:password@host
)
_SHORTEST = 8
"""Characters from which on the value of a secret environment variable is looked for in texts."""


def redact(value: Any) -> Any:
    """The same JSON value without secrets: those that a name gives away, those of a known shape, and those of the environment.

    >>> redact({"model": "m", "api_key": "abc", "args": "base_url=http://h/v1,api_key=abc,max_tokens=5"})
    {'model': 'm', 'api_key': '[removed]', 'args': 'base_url=http://h/v1,api_key=[removed],max_tokens=5'}
    """
    if isinstance(value, Mapping):
        return {name: REMOVED if _is_secret(str(name)) and inner else redact(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [redact(inner) for inner in value]
    return _redact_text(value) if isinstance(value, str) else value


def _redact_text(text: str) -> str:
    for name, secret in os.environ.items():
        if len(secret) >= _SHORTEST and _is_secret(name):
            text = text.replace(secret, REMOVED)
    text = _SHAPED.sub(REMOVED, text)
    return _ASSIGNED.sub(lambda match: match[1] + match[2] + REMOVED if _is_secret(match[1]) else match[0], text)


def _is_secret(name: str) -> bool:
    return not _NAMES.isdisjoint(word.lower() for word in _WORD.findall(name))
