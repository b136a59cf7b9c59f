"""What a judge is asked and what it answers. Nothing here knows how it is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol

from ..errors import CogsightError
from ..sample import Picture

NOT_JUDGED = "not_judged"
"""`Score.reason`: a judge was to be asked, and was not, or could not be."""
NOT_RATED = "not_rated"
"""`Score.reason`: the model made a picture, and neither people nor a judge have looked at it."""
UNREADABLE = "judge_unreadable"
"""`Score.reason`: the judge answered, and its answers were no verdict."""

Value = str | int


class JudgeError(CogsightError):
    """There is no verdict. `reason` is the score's: the model that is measured has no part in it."""

    def __init__(self, message: str, reason: str = NOT_JUDGED) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Query:
    """One thing to decide about one reply."""

    template: str
    """A name in `prompts.TEMPLATES`."""
    reply: str
    """What the measured model said, whole: data, however it speaks to the judge. "" where a picture alone is graded."""
    reference: Mapping[str, str] = field(default_factory=dict)
    """What the reply is held against: a text for each of the template's `needs`, and for what it `may_have`; nothing else."""
    letters: tuple[str, ...] = ()
    """Option letters, where the verdict names some of them."""
    pictures: tuple[Picture, ...] = ()
    """What the judge gets to see, where it grades pictures."""

    digest: str = field(init=False, repr=False)
    """SHA-256 (hex) of all that the verdict depends on, but for the judge and the template's version."""

    def __post_init__(self) -> None:
        content = [self.template, self.reply, dict(self.reference), self.letters]
        content.append([sha256(picture.data).hexdigest() for picture in self.pictures])
        digest = sha256(json.dumps(content, ensure_ascii=True, sort_keys=True).encode()).hexdigest()
        object.__setattr__(self, "digest", digest)  # once: it is looked up many times, and the reply may be long


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge decided."""

    values: Mapping[str, Value]
    """One value for each field of the template, each among those it allows."""
    votes: int = 1
    """How often the judge was asked; each field's value is what most votes say."""
    agreement: float = 1.0
    """Share of the votes that agree with `values` in every field that counts."""
    model: str = ""
    """What the server says has answered."""


class Judge(Protocol):
    """Whoever decides queries. `name` is what `Score.judged_by` says."""

    @property
    def name(self) -> str:
        """The model."""

    def verdict(self, query: Query) -> Verdict:
        """The verdict on a query. Raises JudgeError when there is none."""
