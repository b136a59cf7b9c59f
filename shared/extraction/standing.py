"""How much a mention of an option is an answer."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Standing(IntEnum):
    """From rejected to declared."""

    REJECTED = 0
    """"Not B", "B is wrong"."""
    IGNORED = 1
    """An example, a hypothesis, a question."""
    MENTIONED = 2
    POSSIBLE = 3
    """Stands where an answer may stand: "Considering all faces, B."."""
    HINTED = 4
    """"It matches B", "maybe B"."""
    ASSERTED = 5
    """"B is correct"."""
    DECLARED = 6
    """"The answer is B"."""


class Judgement(NamedTuple):
    """A standing, and the kind of words that gave it."""

    standing: Standing
    rule: str = ""


REJECTED = Judgement(Standing.REJECTED)
IGNORED = Judgement(Standing.IGNORED)
MENTIONED = Judgement(Standing.MENTIONED)
POSSIBLE = Judgement(Standing.POSSIBLE)
HINTED = Judgement(Standing.HINTED, "hinted")
ALTERNATIVE = Judgement(Standing.HINTED, "alternative")
ASSERTED = Judgement(Standing.ASSERTED, "asserted")
DECLARED = Judgement(Standing.DECLARED, "declared")
CHOSEN = Judgement(Standing.DECLARED, "chosen")
CONCLUDED = Judgement(Standing.DECLARED, "concluded")
CORRECTED = Judgement(Standing.DECLARED, "corrected")
LAST_LINE = Judgement(Standing.DECLARED, "last_line")
RETRACTED = "retracted"
"""Rule of an answer that was taken back."""

DECLARING = (*(way.rule for way in (DECLARED, CHOSEN, CONCLUDED, CORRECTED, LAST_LINE)), RETRACTED)
"""Ways of declaring an answer, and of taking it back."""
