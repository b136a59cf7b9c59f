"""From what a model said to the answer it gave, or to the reason why there is none.

A reply goes through `squeeze` (loops are shortened), `reasoning` (blocks that are not meant for the reader are hidden) and
`normalise` (one way of writing); then the rules of the answer type (`option.RULES`, `sequence.RULES`) are tried in order. They look
at every place where an option is named (`mentions`, `orders`, `lists`) and judge it by the words around it (`context`, with the
tables of `words`). Nothing here guesses: an answer that is not declared is read only when nothing in the reply speaks against it, and
none is read that is named by two names that differ (`glosses`), or that runs `backwards`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..sample import Extraction, Reply
from . import option, sequence
from .lexicon import Lexicon, lexicon
from .page import Rule, Verdict
from .reply import read_reply
from .standing import RETRACTED

RULES: Mapping[str, tuple[Rule[Any], ...]] = {"option": option.RULES, "sequence": sequence.RULES}
"""Answer type → its rules, in the order in which they are tried."""

READERS: Mapping[str, Callable[[str, Lexicon], Verdict]] = {"option": option.read, "sequence": sequence.read}

_FIRM = frozenset(
    way for rules in RULES.values() for rule in rules if rule.firm for way in rule.ways or (rule.name,)
) - {RETRACTED}


def extract(reply: str | Reply, answer_type: str, choices: Mapping[str, str]) -> Extraction:
    """The answer in a reply: a letter for "option", all letters in order for "sequence".

    `choices` maps each option's letter (A to J) to its text or placeholder. The span counts characters of the reply as given.
    Raises KeyError for an unknown answer type.

    >>> extract("<think>A or B?</think>It is not A; the answer is **B**.", "option", {"A": "red", "B": "blue"}).value
    'B'
    >>> extract("B → A, I think.", "sequence", {"A": "red", "B": "blue"}).value
    'BA'
    """
    if answer_type not in RULES:
        raise KeyError(f"no extraction for {answer_type!r}; there is one for {', '.join(RULES)}")
    known = lexicon(choices)
    return read_reply(reply, lambda text: READERS[answer_type](text, known), _FIRM)
