"""OpenAI's interface for files and batches at one endpoint: what can be asked of it, and what each refusal means.

What may be asked twice is: an upload, a look, a download. Making a batch may not, since each costs money; before it is tried again,
the server's list is searched for one that was made although no answer came.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from time import sleep
from typing import IO, TYPE_CHECKING, Any, Final

from ..progress import tell
from .client import WAITS, is_here
from .endpoint import Endpoint
from .pace import PATIENCE
from .trouble import REFUSING, TOO_MANY, Unavailable, retry_after

if TYPE_CHECKING:
    import openai
    from openai.types import Batch

ENDPOINT: Final = "/v1/chat/completions"
WINDOW: Final = "24h"
"""In which a batch is worked off, else it expires; the only one that OpenAI offers."""
MARK = "cogsight"
"""The name in a batch's metadata whose value is our name for it."""
TRIES = 5
"""Of an upload and a look, by the client library, with back-off."""
CLOCKS_DIFFER = 3600.0
"""Seconds by which the server's clock may be behind ours."""
PAGES = 100
"""Of the server's list of batches, 100 each, newest first."""
ABSENT = frozenset({404, 405, 501})
"""What a server answers that has no batches at all."""


class Refused(Unavailable):
    """The server has decided: what was asked for has not happened."""


class Gone(Exception):
    """The server knows no such batch or file."""


class CutOff(Exception):
    """A download ended too early."""


class Server:
    """Raises Unavailable from each method when there is no use in going on."""

    def __init__(self, endpoint: Endpoint, waits: tuple[float, ...] = WAITS) -> None:
        import openai

        self._endpoint = endpoint
        self._waits = waits
        self._openai = openai.OpenAI(
            **endpoint.connection,
            max_retries=TRIES,
            http_client=openai.DefaultHttpxClient(trust_env=not is_here(endpoint)),
        )

    def close(self) -> None:
        """End the connections."""
        self._openai.close()

    def upload(self, file: IO[bytes]) -> str:
        """Send a file of requests, read in pieces; returns the server's name for it."""
        with self._explained("takes no file of requests"):
            return self._openai.files.create(file=("cogsight.jsonl", file), purpose="batch").id

    def make(self, file_id: str, name: str, since: float) -> str:
        """Have a batch made of an uploaded file, once; returns the server's name for it.

        `since`: when our name for it was made, seconds since 1970. Raises Refused when there is no batch, and plain Unavailable
        when that is not known.
        """
        import openai

        patient_once = self._openai.with_options(max_retries=0)
        problem: openai.APIError
        for wait in (*self._waits, None):
            try:
                return patient_once.batches.create(
                    input_file_id=file_id, endpoint=ENDPOINT, completion_window=WINDOW, metadata={MARK: name}
                ).id
            except openai.APIStatusError as error:
                if error.status_code < 500 and error.status_code not in (408, 409, TOO_MANY):
                    raise self._refusal("makes no batch", error) from error
                problem, asked = error, retry_after(error.response.headers)
            except openai.APIError as error:
                problem, asked = error, None
            if wait is None or (asked or 0.0) > PATIENCE:
                break
            sleep(wait if asked is None else asked)
            if found := self.find({name}, since).get(name):
                return found
        raise Unavailable(self._endpoint.says(f"makes no batch now ({problem})")) from problem

    def find(self, names: Collection[str], since: float) -> Mapping[str, str]:
        """Our name → the server's, for those batches that it lists. `since`: seconds since 1970; older ones are not looked at.

        A server that makes batches and does not list them cannot tell; that is said.
        """
        import openai

        found: dict[str, str] = {}
        try:
            for number, batch in enumerate(self._openai.batches.list(limit=100), 1):
                name = str((batch.metadata or {}).get(MARK))
                if name in names:
                    found[name] = batch.id
                too_old = (batch.created_at or since) < since - CLOCKS_DIFFER
                if len(found) == len(names) or too_old or number >= 100 * PAGES:
                    break
        except openai.APIError as error:
            if getattr(error, "status_code", None) not in ABSENT:
                raise Unavailable(self._endpoint.says(f"does not list its batches ({error})")) from error
            tell(
                self._endpoint.says(
                    "does not list its batches: one that was made without our knowing may be made again"
                )
            )
        return found

    def look(self, batch: str) -> Batch | None:
        """A batch as it is now; None when the server does not say at the moment. Raises Gone."""
        import openai

        try:
            return self._openai.batches.retrieve(batch)
        except openai.NotFoundError as error:
            raise Gone(batch) from error
        except openai.APIStatusError as error:
            if error.status_code in REFUSING:
                raise self._refusal(f"does not show batch {batch}", error) from error
        except openai.APIError:
            pass
        return None

    def lines(self, file_id: str) -> Iterator[bytes]:
        """The lines of a file at the server, as they arrive. Raises Gone, CutOff."""
        import openai

        broken = _transport_error()
        try:
            with self._openai.files.with_streaming_response.content(file_id) as response:
                rest = b""
                for chunk in response.iter_bytes():
                    *whole, rest = (rest + chunk).split(b"\n")
                    yield from whole
                if rest:
                    yield rest
        except openai.NotFoundError as error:
            raise Gone(file_id) from error
        except openai.APIStatusError as error:
            if error.status_code in REFUSING:
                raise self._refusal(f"does not give file {file_id}", error) from error
            raise CutOff(str(error)) from error
        except (openai.APIError, broken) as error:
            raise CutOff(f"{type(error).__name__}: {error}") from error

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        import openai

        try:
            yield
        except openai.APIStatusError as error:
            raise self._refusal(what, error) from error
        except openai.APIError as error:
            raise Unavailable(self._endpoint.says(f"{what} ({type(error).__name__}: {error})")) from error

    def _refusal(self, what: str, error: openai.APIStatusError) -> Refused:
        status: Any = error.status_code
        way_out = "; it has no batch interface: run without --batch" if status in ABSENT else ""
        return Refused(self._endpoint.says(f"{what} (status {status}: {error.message}){way_out}"))


def _transport_error() -> type[Exception]:
    """What ends a download: the client library hands on the errors of its HTTP library, whose name depends on its version."""
    import openai

    names = (base.__module__.partition(".")[0] for base in openai.DefaultHttpxClient.__mro__)
    library = importlib.import_module(next(name for name in names if name.startswith("httpx")))
    error: type[Exception] = library.HTTPError
    return error
