"""The types that flow through the package: Sample → Messages → Reply → Extraction → Score.

All are frozen. `shared/dataset.py` is the only place that turns a Sample into a row and back; `shared/results.py` the only
one that writes replies and scores. Nothing here knows a benchmark or a framework.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

PLACEHOLDER = re.compile(r"<\s*image[\s_]*(\d+)\s*>", re.IGNORECASE)
"""Where a picture stands in a text: `<image 1>` is the first of `Sample.images`; `<image1>` and `<image 12>` count too."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded picture (PNG or JPEG, as released), decoded only when asked for, so that no pixel changes on the way."""

    data: bytes = field(repr=False)

    @property
    def suffix(self) -> str:
        """File ending by the first bytes, not by what a file name claims."""
        return ".jpg" if self.data[:2] == b"\xff\xd8" else ".png"

    def open(self) -> Image.Image:
        """The decoded picture, RGB. Raises PIL.UnidentifiedImageError when the bytes are no picture."""
        from PIL import Image

        return Image.open(io.BytesIO(self.data)).convert("RGB")

    @classmethod
    def from_image(cls, image: Image.Image) -> Picture:
        """Encode as PNG, lossless."""
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
        return cls(buffer.getvalue())


@dataclass(frozen=True, slots=True)
class Sample:
    """One question. The same question has the same id whatever the view or the style in which it is asked."""

    id: str
    """`{benchmark}/{source}/{task}/{level}/{n}`."""
    task: str
    category: str
    level: str
    images: tuple[Picture, ...]
    question: str
    """Text with `<image 1>` … where pictures stand; pictures that no text names stand before the text."""
    choices: Mapping[str, str]
    """Letter → text or placeholder, in order; or property → its possible values, "one, two, any"; empty for free answers."""
    answer: str
    """The key as text: a letter, or letters joined ("CBAD")."""
    answer_type: str
    """A name in `answers.ANSWER_TYPES`."""
    explanation: Mapping[str, str] = field(default_factory=dict)
    """Letter → why it is right or wrong; empty when unknown."""
    group: str = ""
    """Questions on one picture share it; statistics resample whole groups. "" = independent."""
    metadata: str = "{}"
    """Canonical JSON: state, config and seed of a generated sample, or what else the release says of it."""


class Finish(str, Enum):
    """Why a model stopped."""

    STOP = "stop"
    LENGTH = "length"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said. `error` set: the request was lost, which is never the model's fault."""

    text: str | None
    finish: Finish = Finish.UNKNOWN
    error: str | None = None
    images: tuple[Picture, ...] = ()
    """Pictures that the model made, in its order."""


class Outcome(str, Enum):
    """What came of reading a reply."""

    PARSED = "parsed"
    UNPARSED = "unparsed"
    """There is text, but no answer in it that a rule can read."""
    AMBIGUOUS = "ambiguous"
    """Several answers are declared ("A or B")."""
    TRUNCATED = "truncated"
    """The reply ends inside its reasoning, or at the token limit without an answer."""
    REFUSED = "refused"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Extraction:
    """The answer read from a reply, and by which rule; `value` is None for every outcome but `parsed`."""

    value: str | None
    outcome: Outcome
    rule: str = ""
    """Name in `extraction.RULES`, "" when none fired."""
    span: tuple[int, int] | None = None
    """Where in the reply the answer stands, character offsets."""


RULES, PEOPLE = "rules", "people"
"""`Score.judged_by`, where no judge had a part; the second, where people have rated the model's picture (`cogsight rate`)."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge's part in a score rests on: all that it was asked about one attempt."""

    prompts: tuple[str, ...]
    """Template and version of each question, such as "extract_option-1"."""
    model: str
    """What the server says has answered; may name a version that nobody asked for."""
    votes: int
    agreement: float
    """The least share of votes that agreed on any of the questions; 1 when all were unanimous."""
    explanation: str
    """In the judge's own words."""


@dataclass(frozen=True, slots=True)
class Score:
    """The verdict on one attempt at one sample.

    The model's failure (unparsed, refused, cut off) is 0 points. Our failure (request lost, judge unreachable or unreadable,
    scorer error) is `points=None`: it says nothing about the model, and the summary counts it apart.
    """

    sample_id: str
    attempt: int
    points: float | None
    """In [0, 1]."""
    reason: str
    """"right", "wrong", an Outcome's value, or what we could not do: "request_failed", "not_judged", "not_rated",
    "judge_unreadable", "scorer_failed"."""
    task: str = ""
    category: str = ""
    group: str = ""
    chance: float = 0.0
    """Probability that a blind guess among this sample's answers is right."""
    parts: Mapping[str, float] = field(default_factory=dict)
    extraction: Extraction | None = None
    judged_by: str = RULES
    detail: str = ""
    """For `points=None`: the error's text."""
    judgement: Judgement | None = None
    """Set where a judge has answered."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn to send: texts and pictures in the order in which the model must see them."""

    role: str
    parts: tuple[str | Picture, ...]


Messages = tuple[Message, ...]
