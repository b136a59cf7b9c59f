"""What a template is made of, and the words that many of them share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from ..query import Value

NONE = "none"
"""The answer of an extraction that finds none."""
SPELT_OUT = 4
"""Letters whose orders are listed as the allowed values: 24. More would make a schema that servers refuse."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a verdict."""

    name: str
    meaning: str
    """Shown to the judge."""
    values: tuple[Value, ...] = ()
    """What is allowed; empty: any text, or for `letters` what the query's letters allow."""
    letters: str = ""
    """"one": one of the query's letters or "none"; "all": all of them in some order, or "none"; "": not about letters."""
    counts: bool = True
    """Whether it decides anything; a field that explains does not."""

    def allowed(self, letters: Sequence[str]) -> tuple[Value, ...]:
        """All that it may hold; empty where that is too much to list."""
        if self.letters == "one":
            return (*letters, NONE)
        if self.letters == "all" and len(letters) <= SPELT_OUT:
            return (*("".join(order) for order in permutations(letters)), NONE)
        return self.values

    def line(self, letters: Sequence[str]) -> str:
        """How the judge is told of it: name, allowed values, meaning. It must do without a schema, which not all servers take.

        >>> Field("score", "how well", values=(0, 1, 2)).line(())
        '"score" (0, 1 or 2): how well'
        """
        if self.letters == "all":
            kind = f'text: the letters {", ".join(letters)} in some order, each once, nothing between them; or "{NONE}"'
        elif allowed := self.allowed(letters):
            *first, last = (str(value) if isinstance(value, int) else f'"{value}"' for value in allowed)
            kind = f"{', '.join(first)} or {last}"
        else:
            kind = "text"
        return f'"{self.name}" ({kind}): {self.meaning}'


@dataclass(frozen=True, slots=True)
class Template:
    """How one kind of thing is decided."""

    version: str
    task: str
    """What is to be decided and by which rules. It calls the texts by their names in capitals."""
    fields: tuple[Field, ...]
    needs: tuple[str, ...] = ()
    """Names in `Query.reference` that must be there and not blank, in the order in which they are shown."""
    may_have: tuple[str, ...] = ()
    """Names that are shown after those, where they are given and not blank."""
    pictures: str = ""
    """What the pictures are, where the judge must see some."""
    shows_reply: bool = True
    """Whether there is a text to be graded; else it is a picture alone."""
    caveat: str = ""
    """What has to stand beside every number that comes from it."""


REASON = Field("reason", "one short sentence: what in the answer decides it", counts=False)
"""Comes first: a judge that has said why decides better. It is kept for people to read."""


def yes_or_no(name: str, what: str) -> Field:
    """A field for whether something holds."""
    return Field(name, f"1 if {what}, else 0", values=(0, 1))
