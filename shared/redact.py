"""Keys and tokens are taken out of whatever is recorded: results, logs, reports."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
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

_FOLDERS = frozenset({"PWD", "OLDPWD"})
"""Variables in which a shell keeps folders, not passwords."""

_told: set[str] = set()


def keep_secret(key: str) -> None:
    """Take this out of texts from now on, too: a key that came by an option is in no variable."""
    if len(key.strip()) >= _SHORTEST:
        _told.add(key.strip())


def redact(value: Any) -> Any:
    """The same JSON value without secrets: those that a name gives away, those of a known shape or of the environment, those told.

    >>> redact({"model": "m", "api_key": "abc", "args": "base_url=http://h/v1,api_key=abc,max_tokens=5"})
    {'model': 'm', 'api_key': '[removed]', 'args': 'base_url=http://h/v1,api_key=[removed],max_tokens=5'}
    """
    if isinstance(value, Mapping):
        return {name: REMOVED if _is_secret(str(name)) and inner else redact(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [redact(inner) for inner in value]
    return _redact_text(value) if isinstance(value, str) else value


def redact_arguments(arguments: Sequence[str]) -> list[str]:
    """A command line without secrets, those included that are an option's next word.

    >>> redact_arguments(["run.py", "--judge-key", "abc", "--model", "m", "--key=x"])
    ['run.py', '--judge-key', '[removed]', '--model', 'm', '--key=[removed]']
    """
    before = ["", *arguments]
    return [
        REMOVED if option.startswith("-") and _is_secret(option) else redact(argument)
        for option, argument in zip(before, arguments, strict=False)
    ]


def conceal(text: str, secret: str) -> str:
    """The text without one secret, however often it was escaped on the way: by JSON in JSON, by Python, in a URL.

    A short one, such as the "x" that a local server may be content with, is taken out only where it stands alone.

    >>> conceal('{"message": "bad key abc/\\\\\\"defgh, or abc%2F%22defgh"}', 'abc/"defgh')
    '{"message": "bad key [removed], or [removed]"}'
    """
    pattern = "".join(map(_spelt, secret))
    return re.sub(pattern if len(secret) >= _SHORTEST else rf"(?<!\w){pattern}(?!\w)", REMOVED, text)


def _spelt(char: str) -> str:
    """A pattern for a character in any escaped form, after eight backslashes at most."""
    if char.isalnum():
        return re.escape(char)
    plain = r"\\{1,8}" if char == "\\" else rf"\\{{0,8}}{re.escape(char)}"
    return rf"(?:{plain}|(?i:\\{{1,8}}u{ord(char):04x})|(?i:%{ord(char):02x}))"


def _redact_text(text: str) -> str:
    named = (secret for name, secret in os.environ.items() if _is_secret(name) and name not in _FOLDERS)
    stripped = {secret.strip() for secret in named}  # as it is sent
    known = {secret for secret in stripped if len(secret) >= _SHORTEST}
    for secret in sorted(known | _told, key=len, reverse=True):  # one may hold another
        text = conceal(text, secret)
    text = _SHAPED.sub(REMOVED, text)
    return _ASSIGNED.sub(lambda match: match[1] + match[2] + REMOVED if _is_secret(match[1]) else match[0], text)


def _is_secret(name: str) -> bool:
    return not _NAMES.isdisjoint(word.lower() for word in _WORD.findall(name))
