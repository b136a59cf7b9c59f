"""How commands print rows: a drawn table on a terminal, else tabs between the columns, for other programs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """To stdout, with a header."""
    if sys.stdout.isatty():
        _draw(columns, rows)
    else:
        print(*("\t".join(row) for row in (columns, *rows)), sep="\n")


def _draw(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for column in columns[:-1]:
        table.add_column(column, no_wrap=True)
    table.add_column(columns[-1], overflow="fold")  # the last one has the long texts
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)
