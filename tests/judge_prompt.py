"""Takes a judge's prompt apart again by its marker lines alone: what a judge goes by that keeps to the protocol."""

from __future__ import annotations

import re
from typing import NamedTuple

from cogsight.shared.judge.prompts import TEMPLATES
from cogsight.shared.judge.query import Query
from cogsight.shared.sample import Picture

OPENING = re.compile(r"<<<([A-Z_]+) ([0-9a-f]{12})>>>")
PNG = Picture(b"\x89PNG\r\n\x1a\nnot really")


class Prompt(NamedTuple):
    """A user text in its parts."""

    blocks: tuple[tuple[str, str], ...]
    """Name and text of each, in order."""
    rest: str
    """All that stands outside of blocks, with "[NAME]" in their places."""


def take_apart(user: str) -> Prompt:
    """Raises ValueError when a block does not end."""
    blocks, rest = [], []
    lines = iter(user.split("\n"))
    for line in lines:
        opening = OPENING.fullmatch(line)
        if not opening:
            rest.append(line)
            continue
        end, content = line.replace("<<<", "<<<END OF "), []
        for inner in lines:
            if inner == end:
                break
            content.append(inner)
        else:
            raise ValueError(f"{line} does not end")
        blocks.append((opening[1], "\n".join(content)))
        rest.append(f"[{opening[1]}]")
    return Prompt(tuple(blocks), "\n".join(rest))


def example(template: str, reply: str = "I think it is the second one.", **reference: str) -> Query:
    """A query that has all that its template can show."""
    wanted = TEMPLATES[template]
    names = (*wanted.needs, *wanted.may_have)
    return Query(
        template,
        reply if wanted.shows_reply else "",
        {name: f"This is the {name}." for name in names} | reference,
        letters=("A", "B", "C", "D") if any(field.letters for field in wanted.fields) else (),
        pictures=(PNG,) if wanted.pictures else (),
    )
