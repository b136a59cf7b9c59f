"""Random streams by name: every draw of the package comes from one, so that the same seed gives the same question everywhere.

Only `random.Random` is used: its sequence for `random`, `choice`, `sample`, `shuffle` is the same on every Python from 3.8 on,
which numpy does not promise for its own.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random


def stream(*names: object) -> Random:
    """The stream with this name, such as `stream(seed, "height", level, index, "puzzle", attempt)`.

    Names that differ anywhere give unrelated streams; `Random(seed + index)` would share its questions between seeds.
    Raises ValueError when a name contains "/", which would let two different names read the same.

    >>> stream(0, "height").randrange(1000) == stream(0, "height").randrange(1000)
    True
    """
    parts = [str(name) for name in names]
    if any("/" in part for part in parts):
        raise ValueError(f"{parts}: a part of a stream's name must not contain '/'")
    return Random(int.from_bytes(sha256("/".join(parts).encode()).digest(), "big"))
