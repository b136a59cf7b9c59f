"""Errors of ours as VLMEvalKit shows them: a traceback, and in its last table the first 120 characters of the message."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ...errors import CogsightError, DataError

SHOWN = 120
"""Characters of a message that the kit's table has place for."""


@contextmanager
def brief(dataset: str) -> Iterator[None]:
    """An error whose message the table would cut is told on stderr, and raised anew as its way out; no chain of tracebacks."""
    try:
        yield
    except CogsightError as error:
        text = str(error)
        if len(text) <= SHOWN and "\n" not in text:
            raise DataError(text) from None
        print(f"cogsight: {dataset}: {text}", file=sys.stderr, flush=True)
        raise DataError(f"{way_out(text)} (why: see 'cogsight: {dataset}' above)") from None


def way_out(text: str) -> str:
    """The last line or, of a single line, what stands behind the last semicolon: there our messages say how to go on.

    >>> way_out("LEGO.tsv has changed; load it again")
    'load it again'
    """
    *before, last = text.strip().splitlines()
    return (last if before else last.rpartition("; ")[2]).rstrip(".")
