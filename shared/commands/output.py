"""Where commands write sheets, and how they print rows: on a terminal columns with the long texts below them, else tabs between all."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap

import typer

from ..errors import CogsightError

INDENT = "    "
NARROWEST = 40
"""Characters to which texts are wrapped even where a terminal has fewer."""


def check_free(out: Path) -> None:
    """Raise CogsightError for a folder that is there: what people have labelled in it must not be replaced."""
    if out.exists():
        raise CogsightError(f"{out} is there already; choose another folder with --out, so that no labels are lost")


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[str]], side_by_side: int) -> None:
    """To stdout, with a header. On a terminal only the first `side_by_side` cells of a row stand in columns."""
    if sys.stdout.isatty():
        lines = drawn(columns, list(rows), side_by_side, get_terminal_size().columns)
    else:
        lines = ("\t".join(row) for row in (columns, *rows))
    for line in lines:
        typer.echo(line)


def drawn(columns: Sequence[str], rows: Sequence[Sequence[str]], side_by_side: int, width: int) -> Iterator[str]:
    """Lines for a terminal `width` characters wide."""
    short = [row[:side_by_side] for row in (columns, *rows)]
    widths = [max(map(len, cells)) for cells in zip(*short, strict=True)]
    header, *lines = ["  ".join(map(str.ljust, cells, widths)).rstrip() for cells in short]
    yield typer.style(header, bold=True)
    for line, row in zip(lines, rows, strict=True):
        yield line
        for name, text in zip(columns[side_by_side:], row[side_by_side:], strict=True):
            yield from _wrapped(f"{name}: {text}", max(width, NARROWEST))


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(
        text, width, initial_indent=INDENT, subsequent_indent=INDENT * 2, break_on_hyphens=False, break_long_words=False
    )
