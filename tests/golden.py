"""Known values of tests/golden/, as parameters for tests."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def golden_pixels(kind: str) -> list[tuple[str, str]]:
    """(name, SHA-256 of the decoded RGB pixels) of the pictures whose names start with this word."""
    rows = [
        line.split("\t")
        for line in (FOLDER / "pixels.tsv").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    return [(name, digest) for name, digest in rows if name.split(" ")[0] == kind]
