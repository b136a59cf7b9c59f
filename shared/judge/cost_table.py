"""An estimate as a table for people, plain text, with what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from .cost import CHARACTERS, Estimate, Line

HEADER = ("template", "calls", "cached", "prompt tokens", "completion tokens", "price", "in a batch")
UNKNOWN = "unknown"
NONE = "-"


def shown(estimate: Estimate) -> str:
    """The table, with a line for all where there are several, and notes below."""
    lines = [*estimate.lines, *([estimate.total] if len(estimate.lines) != 1 else [])]
    title = f"to ask {estimate.endpoint.model} at {estimate.endpoint.host} (an estimate; nothing has been sent)"
    return "\n".join(
        (title, "", *_aligned([HEADER, *(_cells(estimate, line) for line in lines)]), "", *_notes(estimate))
    )


def _cells(estimate: Estimate, line: Line) -> tuple[str, ...]:
    counts = (line.calls, line.cached, line.prompt_tokens, line.completion_tokens)
    no_batch = UNKNOWN if estimate.price is None else NONE
    prices = (_money(estimate.dollars(line), UNKNOWN), _money(estimate.dollars(line, batch=True), no_batch))
    return (line.template, *(f"{count:,}" for count in counts), *prices)


def _money(dollars: float | None, otherwise: str) -> str:
    """
    >>> _money(12.345, "-"), _money(0.0012, "-"), _money(0.0, "-"), _money(None, "-")
    ('$12.35', '< $0.01', '$0.00', '-')
    """
    if dollars is None:
        return otherwise
    return "< $0.01" if 0 < dollars < 0.01 else f"${dollars:,.2f}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The first column to the left, the numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            (row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)))
        )
        for row in rows
    ]


def _notes(estimate: Estimate) -> list[str]:
    measured = [
        f"{line.template} as {line.measured:,} earlier verdicts took" for line in estimate.lines if line.measured
    ]
    counted = [] if len(measured) == len(estimate.lines) else [f"one for {CHARACTERS} characters, pictures by tiles"]
    return [
        f"Tokens: {'; '.join((*measured, *counted)) or 'none'}.",
        "Not in it: what is asked again after a failure, and what depends on verdicts that are not there yet.",
        _about_price(estimate),
    ]


def _about_price(estimate: Estimate) -> str:
    price, endpoint = estimate.price, estimate.endpoint
    table = files(__package__).joinpath("prices.json")
    if price is None:
        return f"Price: unknown for {endpoint.model} at {endpoint.host}; add it to a file like {table} and set COGSIGHT_PRICES to it."
    source = f", {price.source}" if price.source else ""
    date = f" as of {price.date}, and may have changed" if price.date else ""
    return f"Price: ${price.prompt:g} and ${price.completion:g} per million prompt and completion tokens{date}{source}."
