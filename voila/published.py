"""The paper's numbers, read from `published.json`."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def published() -> dict[str, Any]:
    """Tables 2 to 19 and the numbers of section 6 as printed, with notes on what does not fit; the file explains itself."""
    data: dict[str, Any] = json.loads(files(__package__).joinpath("published.json").read_text(encoding="utf-8"))
    return data
