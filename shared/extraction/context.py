"""What the words around a mention make of it: declared, asserted, hinted at, possible, merely mentioned, or rejected.

Read outwards from the mention: backwards over linking words to the word that governs it, forwards to the judgement on it. Only a
window on either side is read, so that one judgement takes bounded time whatever the reply.
"""

from __future__ import annotations

from functools import lru_cache

from . import words
from .standing import (
    ALTERNATIVE,
    ASSERTED,
    CHOSEN,
    CONCLUDED,
    CORRECTED,
    DECLARED,
    HINTED,
    IGNORED,
    MENTIONED,
    POSSIBLE,
    REJECTED,
    Judgement,
    Standing,
)
from .tokens import LEFT_WORDS, RIGHT_WORDS, tokens
from .words import Role, entries
from .words_before import BEFORE
from .words_before import CHOOSE as CHOOSE_VERBS

LEFT, RIGHT = 160, 80
"""Characters looked at before and after a mention; half as many before it in scripts whose words are short."""
CUES = (
    (Role.CHOOSE, CHOSEN, True),
    (Role.CONCLUDE, CONCLUDED, True),
    (Role.CORRECT, CORRECTED, True),
    (Role.OR, ALTERNATIVE, True),
    (Role.HINT, HINTED, True),
)
"""Role of the governing word, what it makes of the option, and whether the clause must end with the option."""
CUE = Role.CHOOSE | Role.CONCLUDE | Role.CORRECT | Role.HINT | Role.OR
PASSABLE = Role.LINK | Role.COPULA | Role.CHOOSE | Role.CONCLUDE | Role.CORRECT | Role.HINT

STOPS = frozenset(".!?\n")
PAUSES = frozenset(",;:")
SOFT = frozenset(",:=>(-\n") | {"..", "...", "...."}
"""Punctuation that may stand between an announcement and its option."""
JOINTS = frozenset(":=>\n")
"""Punctuation that does what a copula does."""
CLAUSE_ENDS = STOPS | PAUSES | frozenset("()-/|✓") | {"..", "...", "...."}
CLAUSE_STARTS = STOPS | SOFT | {";"}
SIGNS = frozenset(":=-(|")
"""What may stand between an option and the judgement on it."""
MARKS = frozenset("✓✗")
MARK_PLACES: tuple[list[str], ...] = ([], ["\n"], [","], ["-"], [";"], ["("])
"""What stands before a tick or a cross that belongs to the option after it."""
CONDITIONS = frozenset(["if", "unless", "吗", "嗎", "か"])
"""Right after an option they make a condition or a question of it."""
ILLUSTRATIONS = frozenset(["example", "instance"])
CAVEATS = frozenset(["?", "if", "only", "unless"])
"""After "B is correct" they take it back."""

SUPPOSING = (
    ILLUSTRATIONS | {"if", "were", "had"} | {max(entry.split(), key=len) for entry in entries(BEFORE[Role.GUARD])}
)
"""Without one of these words there is no supposition."""
CHOOSE = frozenset(entry.split()[0] for entry in entries(CHOOSE_VERBS))
LEADS, PLACES, NAMES, KINDS, ASKING, TURNS, SAID, MODALS, MAKERS, ASIDES, PLACING, SUBJECTS, HELPERS = (
    frozenset(entries(table))
    for table in (
        words.LEADS,
        words.PLACES,
        words.NAMES,
        words.KINDS,
        words.ASKING,
        words.TURNS,
        words.SAID,
        words.MODALS,
        words.MAKERS,
        words.ASIDES,
        words.PLACING,
        words.SUBJECTS,
        words.HELPERS,
    )
)


@lru_cache(maxsize=4096)
def judge(left: str, right: str, nouns: int = Role.ANSWER) -> Judgement:
    """What the text before and after a mention makes of it; `nouns` says which nouns announce an answer.

    >>> judge("The correct answer is therefore ", ".").rule
    'declared'
    >>> judge("It is not ", "; it is B").standing.name
    'REJECTED'
    """
    before, after = tokens(left if left.isascii() else left[-LEFT // 2 :]), tokens(right)
    nearest = before[-1] if before else ""
    if nearest in MARKS and after[:1] != ["✓"] and after[:1] != ["✗"] and before[-2:-1] in MARK_PLACES:
        return REJECTED if nearest == "✗" else ASSERTED
    if after[:1] == ["✓"] and _is_letter(after[1:2]) and (nearest not in MARKS or _is_letter(before[-2:-1])):
        return ASSERTED  # "A ✓ B ✓": each tick belongs to the letter before it
    verdict = judgement_after(after, only="only" in before[-3:], verb=nearest in MAKERS)
    if verdict is REJECTED:
        return REJECTED
    if not ILLUSTRATIONS.isdisjoint(after[1:4]):
        return IGNORED
    found = judgement_before(before, after, nouns)
    if verdict is ASSERTED and Standing.IGNORED < found.standing < Standing.DECLARED:
        found = ASSERTED
    if found.standing > Standing.MENTIONED and is_supposed(before, after):
        return IGNORED
    return found


def judgement_before(before: list[str], after: list[str], nouns: int) -> Judgement:
    """Walk back from the mention to the word that governs it."""
    best, position, ended = MENTIONED, len(before), closes(after)
    linked = paused = placed = False
    asked = after[:1] == ["?"]
    copula = -1  # where the one begins that was passed last
    while position:
        role, size = LEFT_WORDS.before(before, position)
        token = before[position - 1]
        if token == "no" and position == len(before):
            break  # "no B" is not "no, B"
        if role & Role.EXAMPLE:
            return IGNORED
        if role & Role.NEGATE:
            if paused or position < copula:  # it belongs to another clause, or to the subject: "the one not shown is B"
                break
            return REJECTED
        if role & nouns and (linked or (ended and _begins_clause(before, position - size))):
            return DECLARED
        if role & Role.CHOOSE and before[position - size] in CHOOSE and not _chosen_by_model(before, position - size):
            break
        if role & CUE and not placed:
            best = max(best, _cue(role, ended, asked), key=lambda judgement: judgement.standing)
        if not (role & PASSABLE or token in SOFT):
            break
        position -= size
        if role & Role.COPULA:
            copula = position
        linked |= bool(role & Role.COPULA) or token in JOINTS
        paused |= token in PAUSES
        placed |= token in PLACING and size == 1
    if best.standing < Standing.DECLARED and linked and _announced_from_afar(before, position, nouns):
        return DECLARED
    named = copula >= 0 and not _is_letter(before[position - 1 : position])
    if best is MENTIONED and ended and (named or _in_answer_place(before)):
        reasoned = "because" in after[:2] or "since" in after[:2] or (named and _concludes(before, position))
        return HINTED if reasoned else POSSIBLE
    return best


def _cue(role: int, ended: bool, asked: bool) -> Judgement:
    """What a governing word makes of the option."""
    for cue, judgement, needs_end in CUES:
        if role & cue and (not needs_end or (ended and (not asked or cue == Role.OR))):
            return judgement
    return MENTIONED


def judgement_after(after: list[str], *, only: bool, verb: bool) -> Judgement:
    """Walk forward from the mention over verb and adverbs to the judgement on it, if there is one.

    `only` says that "only" stands before the mention, `verb` that a verb does which needs no other: "makes B the answer".
    """
    position, marked = _label(after)
    praised = False
    while position < len(after):
        role, size = RIGHT_WORDS.after(after, position)
        token, rest = after[position], after[position + size :]
        unspaced = not token[0].isascii()
        linked = verb or marked
        if role & Role.DENY and (verb or unspaced or token != "not"):
            return REJECTED
        if role & Role.WRONG and (linked or unspaced):
            return REJECTED
        titled = linked and (role & Role.TITLE or (praised and role & Role.THING))
        fitting = role & Role.FITS and (only or (token != "is" and "also" not in after[:position] and ends(rest)))
        if titled or fitting:
            return MENTIONED if "if" in rest[:4] else ASSERTED
        if token == "yes" and rest[:1] == [","]:
            return MENTIONED  # it confirms what follows: "(A): yes, A is used"
        if role & Role.RIGHT and (linked or unspaced) and ends(rest):
            return MENTIONED if rest and rest[0] in CAVEATS else ASSERTED
        if token in MODALS or not (role & (Role.VERB | Role.FILL | Role.RIGHT) or token in SIGNS):
            break
        praised |= bool(role & Role.RIGHT)
        verb |= bool(role & Role.VERB)
        marked |= token in SIGNS
        position += size
    return MENTIONED


def _label(after: list[str]) -> tuple[int, bool]:
    """Where the judgement may begin, behind what belongs to the letter; and whether a sign stands before it, as in "B. Correct."."""
    if after[:1] == ["."] and len(after) > 1 and after[1] in SAID and ends(after[2:]):
        return 1, True
    if after[:2] == [",", "which"]:
        return 2, False
    position = int(after[:1] == [")"])
    return position + (after[position] in KINDS if position < len(after) else 0), False


def closes(after: list[str]) -> bool:
    """Whether an answer that stands before these tokens is complete: "So B.", "So B, because …", but not "So B, which …"."""
    if after[:1] == [","]:
        return len(after) == 1 or after[1] not in ASIDES
    return not after or after[0] in CLAUSE_ENDS or bool(RIGHT_WORDS.after(after, 0)[0] & Role.END)


def ends(after: list[str]) -> bool:
    """Whether a judgement that stands before these tokens is complete: "correct and …", but not "correct shape"."""
    return not after or after[0] in CLAUSE_ENDS or bool(RIGHT_WORDS.after(after, 0)[0] & (Role.END | Role.ON))


def _is_letter(token: list[str]) -> bool:
    return bool(token) and len(token[0]) == 1 and token[0].isupper()


def _begins_clause(before: list[str], position: int) -> bool:
    while position and before[position - 1] in LEADS:
        position -= 1
    return not position or before[position - 1] in CLAUSE_STARTS


def _chosen_by_model(before: list[str], position: int) -> bool:
    """Whether the subject of "choose" is the model; not in "most would choose A", "to choose A is wrong"."""
    end = position
    while position and before[position - 1] in HELPERS:
        position -= 1
    if position and before[position - 1] not in CLAUSE_STARTS:
        return before[position - 1] in SUBJECTS
    return position == end or before[position] != "to"


def _announced_from_afar(before: list[str], position: int, nouns: int) -> bool:
    """ "The answer to this puzzle is B": other words between, but one sentence and nothing that breaks the bond."""
    while position:
        role, size = LEFT_WORDS.before(before, position)
        token = before[position - 1]
        if token in STOPS or role & (Role.BLOCK | Role.NEGATE | Role.GUARD) or _is_letter([token]):
            return False
        if role & nouns:
            return not before[position].isdigit()  # not "Answer 2: B"
        position -= size
    return False


def _concludes(before: list[str], position: int) -> bool:
    """Whether the sentence begins as a conclusion and names no other option: "So the piece that is missing is B"."""
    while position and before[position - 1] not in STOPS:
        if _is_letter(before[position - 1 : position]):
            return False
        position -= 1
    return position < len(before) and bool(LEFT_WORDS.before(before, position + 1)[0] & Role.CONCLUDE)


def is_supposed(before: list[str], after: list[str]) -> bool:
    """Whether the clause is a hypothesis, a thought given up, an example or a question."""
    if SUPPOSING.isdisjoint(before) and (not after or after[0] not in CONDITIONS | {"?"}):
        return False
    position = len(before)
    while position and before[position - 1] not in STOPS | PAUSES | {"but"}:
        role, size = LEFT_WORDS.before(before, position)
        if role & Role.GUARD:
            return True
        position -= size
    clause = before[position:]
    while position and before[position - 1] not in STOPS:
        position -= 1
    sentence = before[position:]
    counterfactual = sentence[:1] == ["if"] and "would" in sentence[-5:] and sentence[1:3] != ["i", "had"]
    illustrated = bool(ILLUSTRATIONS & set(sentence[1:2]))
    asked = after[:1] == ["?"] and clause[:1] != [] and clause[0] in ASKING
    conditional = after[:1] != [] and after[0] in CONDITIONS and after[1:3] != ["i", "am"] and after[1:2] != ["i'm"]
    return counterfactual or illustrated or asked or conditional or sentence[:1] in (["were"], ["had"])


def _in_answer_place(before: list[str]) -> bool:
    position = len(before)
    while position and (before[position - 1] in PLACES or before[position - 1] == "("):
        position -= 1
    if position > 1 and before[position - 1] == ":":
        return before[position - 2] in NAMES or position < len(before)
    if position > 1 and before[position - 1] == "," and before[position - 2] in TURNS:
        return False
    return not position or before[position - 1] in CLAUSE_STARTS
