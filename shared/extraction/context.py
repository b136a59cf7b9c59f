"""What the words around a mention make of it: declared, asserted, hinted at, possible, merely mentioned, or rejected.

Read outwards from the mention: backwards over linking words to the word that governs it, forwards to the judgement on it. Only a
window on either side is read, so that one judgement takes bounded time whatever the reply.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from .tokens import LEFT_WORDS, RIGHT_WORDS, tokens
from .words import Role

LEFT, RIGHT = 160, 80
"""Characters looked at before and after a mention."""
PATIENCE = 500
"""Mentions judged in full; in a reply with more, the earlier ones are judged only when `announced`."""
ANNOUNCEMENT = re.compile(
    "answer|ans|correct|choose|order|sequence|[答正选選顺順답]|ответ|respuesta|réponse|antwort|resposta|risposta"
)
"""The words that announce an answer most often."""
NEAR = 60
"""Characters before a mention in which one of them stands, if the mention is announced."""


class Standing(IntEnum):
    """How much a mention is an answer."""

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
    """A standing, and by which words."""

    standing: Standing
    rule: str = ""


REJECTED, IGNORED, MENTIONED, POSSIBLE = map(Judgement, list(Standing)[:4])
DECLARED = Judgement(Standing.DECLARED, "declared")
ASSERTED = Judgement(Standing.ASSERTED, "asserted")

CUES = (
    (Role.CHOOSE, Judgement(Standing.DECLARED, "chosen"), False),
    (Role.CONCLUDE, Judgement(Standing.DECLARED, "concluded"), True),
    (Role.CORRECT, Judgement(Standing.DECLARED, "corrected"), True),
    (Role.HINT, Judgement(Standing.HINTED, "hinted"), True),
    (Role.OR, Judgement(Standing.HINTED, "alternative"), True),
)
"""Role of the governing word, what it makes of the option, and whether the clause must end with the option."""

DECLARING = ("declared", "chosen", "concluded", "corrected", "last_line", "retracted")
"""Ways of declaring an answer, and of taking it back."""

STOPS = frozenset(".!?\n")
PAUSES = frozenset(",;:")
SOFT = frozenset(",:=>(-") | {"..", "...", "....", "\n"}
"""Punctuation that may stand between an announcement and its option."""
JOINTS = frozenset(":=>\n")
"""Punctuation that does what a copula does."""
CLAUSE_ENDS = frozenset(".,;:!?)-/|\n") | {"..", "...", "....", "✓"}
PASSABLE = Role.LINK | Role.COPULA | Role.CHOOSE | Role.CONCLUDE | Role.CORRECT | Role.HINT
ASKING = frozenset(
    ["is", "are", "was", "could", "would", "should", "can", "might", "may", "does", "do", "what", "which", "how"]
)
NAMES = frozenset(
    [
        "option",
        "choice",
        "image",
        "letter",
        "answer",
        "label",
        "result",
        "output",
        "prediction",
        "selected",
        "response",
        "chosen",
        "pick",
        "final",
        "assistant",
        "选项",
        "選項",
    ]
)
"""What may stand before a colon for the option after it to be an answer; not "Grade: A"."""

LEADS = frozenset(
    [
        "i",
        "i'd",
        "i'll",
        "would",
        "will",
        "the",
        "my",
        "our",
        "final",
        "correct",
        "so",
        "thus",
        "therefore",
        "hence",
        "best",
        "and",
        "step",
        "your",
        "then",
        "finally",
        "overall",
        "now",
        "here",
        "ist",
        "also",
        "richtige",
        "die",
        "c'est",
        "la",
        "bonne",
        "le",
        "el",
        "il",
        "a",
        "o",
        "seine",
        "最终",
        "正确",
        "故",
        "因此",
        "所以",
        "最終",
        "正",
        "我的",
        "правильный",
        "верный",
        "सही",
        "doğru",
        "prawidłowa",
        "poprawna",
        "správná",
        "oikea",
        "het",
        "juiste",
    ]
)
"""What may stand before a noun that begins its clause: "So my final answer B"."""
PLACES = frozenset(
    [
        "definitely",
        "clearly",
        "obviously",
        "certainly",
        "probably",
        "surely",
        "likely",
        "maybe",
        "perhaps",
        "just",
        "simply",
        "only",
        "yes",
        "ok",
        "okay",
        "sure",
        "option",
        "choice",
        "letter",
        "answer",
        "be",
        "then",
        "both",
        "either",
        "是",
        "选项",
    ]
)
"""What may stand between the beginning of a clause and an option that answers without a word: "Definitely B."."""
OPTION_NOUNS = frozenset(["option", "choice", "image", "letter", "answer", "选项", "選項", "项", "項", "번", "図"])


def announced(small: str, start: int) -> bool:
    """A cheap look whether a mention may be a declared answer, for replies that name options thousands of times."""
    return bool(ANNOUNCEMENT.search(small, max(0, start - NEAR), start))


@lru_cache(maxsize=4096)
def judge(left: str, right: str, nouns: int = Role.ANSWER) -> Judgement:
    """What the text before and after a mention makes of it; `nouns` says which nouns announce an answer.

    >>> judge("The correct answer is therefore ", ".").rule
    'declared'
    >>> judge("It is not ", "; it is B").standing.name
    'REJECTED'
    """
    before, after = tokens(left), tokens(right)
    verdict = judgement_after(after, only="only" in before[-3:])
    if verdict is REJECTED:
        return REJECTED
    found = judgement_before(before, after, nouns)
    if verdict is ASSERTED and Standing.IGNORED < found.standing < Standing.DECLARED:
        return IGNORED if _guarded(before, after) else ASSERTED
    return found


def judgement_before(before: list[str], after: list[str], nouns: int) -> Judgement:
    """Walk back from the mention to the word that governs it."""
    best, position, ended = MENTIONED, len(before), ends(after)
    linked = paused = copula = False
    while position:
        role, size = LEFT_WORDS.before(before, position)
        token = before[position - 1]
        if role & Role.NEGATE or token.endswith("n't"):
            if paused:
                break
            return REJECTED
        if role & Role.EXAMPLE:
            return IGNORED
        if role & nouns and (linked or (ended and _begins_clause(before, position - size))):
            best = DECLARED
            break
        for cue, judgement, needs_end in CUES:
            if role & cue and judgement > best and (not needs_end or (ended and after[:1] != ["?"])):
                best = judgement
        if not (role & PASSABLE or token in SOFT):
            break
        copula |= bool(role & Role.COPULA)
        linked |= copula or token in JOINTS
        paused |= token in PAUSES
        position -= size
    if best.standing < Standing.DECLARED and linked and _announced_from_afar(before, position, nouns):
        best = DECLARED
    if best is not MENTIONED:
        return IGNORED if _guarded(before, after) else best
    if ended and (copula or _in_answer_place(before)):
        return IGNORED if _guarded(before, after) else POSSIBLE
    return MENTIONED


def judgement_after(after: list[str], *, only: bool) -> Judgement:
    """Walk forward from the mention over verb and adverbs to the judgement on it, if there is one."""
    position = 1 if after[:1] == [")"] else 0
    position += after[position : position + 1] != [] and after[position] in OPTION_NOUNS
    verb = marked = praised = False
    while position < len(after):
        role, size = RIGHT_WORDS.after(after, position)
        token = after[position]
        spaceless = not token[0].isascii()
        if (
            token.endswith("n't")
            or (role & Role.DENY and (verb or spaceless or token != "not"))
            or (role & Role.WRONG and (verb or marked or spaceless))
        ):
            return REJECTED
        titled = (verb or marked) and (role & Role.TITLE or (praised and role & Role.THING))
        if titled or (
            role & Role.FITS and (only or ("also" not in after[:position] and ends(after[position + size :])))
        ):
            return MENTIONED if "if" in after[position + size : position + size + 4] else ASSERTED
        if role & Role.RIGHT and (verb or marked or spaceless) and ends(after[position + size :]):
            return (
                MENTIONED
                if after[position + size : position + size + 1] in (["?"], ["if"], ["only"], ["unless"])
                else ASSERTED
            )
        praised |= bool(role & Role.RIGHT)
        if token in (":", "=", "-", "("):
            marked = True
        elif role & Role.VERB:
            verb = True
        elif not role & (Role.FILL | Role.RIGHT):
            break
        position += size
    return MENTIONED


def ends(after: list[str]) -> bool:
    """Whether a clause ends before these tokens."""
    return not after or after[0] in CLAUSE_ENDS or bool(RIGHT_WORDS.after(after, 0).role & Role.END)


def _begins_clause(before: list[str], position: int) -> bool:
    while position and before[position - 1] in LEADS:
        position -= 1
    return not position or before[position - 1] in STOPS | SOFT | {";"}


def _announced_from_afar(before: list[str], position: int, nouns: int) -> bool:
    """ "The answer to this puzzle is B": other words between, but one sentence and nothing that breaks the bond."""
    while position:
        role, size = LEFT_WORDS.before(before, position)
        token = before[position - 1]
        if (
            token in STOPS
            or role & (Role.BLOCK | Role.NEGATE | Role.GUARD)
            or token.endswith("n't")
            or (len(token) == 1 and token.isupper())
        ):
            return False
        if role & nouns:
            return not before[position : position + 1][0].isdigit()
        position -= size
    return False


def _guarded(before: list[str], after: list[str]) -> bool:
    """Whether the clause is a hypothesis or a question."""
    position = len(before)
    while position and before[position - 1] not in STOPS | PAUSES:
        role, size = LEFT_WORDS.before(before, position)
        if role & Role.GUARD:
            return True
        position -= size
    if before[position - 2 : position] in (["example", ","], ["instance", ","]):
        return True
    if after[:1] in (["if"], ["unless"], ["吗"], ["嗎"], ["か"]) or "example" in after[1:4] or "instance" in after[1:4]:
        return True
    while position and before[position - 1] not in STOPS:
        position -= 1
    sentence = before[position:]
    if sentence[:1] in (["were"], ["had"]) or (
        sentence[:1] == ["if"] and "would" in sentence[-5:] and sentence[1:3] != ["i", "had"]
    ):
        return True
    return after[:1] == ["?"] and position < len(before) and before[position] in ASKING


def _in_answer_place(before: list[str]) -> bool:
    position = len(before)
    while position and (before[position - 1] in PLACES or before[position - 1] == "("):
        position -= 1
    if position and before[position - 1] == ":":
        return position == 1 or before[position - 2] in NAMES
    return not position or before[position - 1] in STOPS | SOFT | {";"}
