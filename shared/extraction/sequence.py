"""Reading an ordering: which permutation of all the option letters does the reply settle on?"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

from ..sample import Outcome
from .backwards import HINT, is_backwards
from .containers import CONTAINERS
from .context import LEFT, RIGHT, closes, judge
from .items import Candidate, with_letters
from .lexicon import Lexicon
from .orders import candidates
from .page import WORD, Page, Rule, Verdict, first_verdict
from .phrases import RETRACTION, refuses
from .standing import DECLARED, DECLARING, IGNORED, LAST_LINE, REJECTED, RETRACTED, Standing
from .survey import LEAD
from .tokens import tokens
from .words import Role, entries

NOUNS = Role.ANSWER | Role.ORDER
BARE = re.compile(r"[^\w✗]*([A-J]{2,10}|[a-j]{2,10}|[a-j](?:[^\w]+[a-j]){1,9})[^\w✗]*")
NOT_LETTERS = re.compile(r"[^A-Ja-j]")
BESIDE = re.compile(
    r"[\s,;/|()]*(?:(?:or|and|oder|und|ou|et|или|и|或者?|和|または|또는)(?: maybe| possibly| perhaps| else)?)?[\s()]*|[.?] *or +(?:maybe )?"
)
"""What stands between two orders that are both offered."""
ONE_LETTER = re.compile(r"\b(?:answer|order|sequence)\b[^.\n]{0,20}(?:is|:)\s*\(?[a-j]\b")
"""A single letter is declared, which is no order."""
REMARK = re.compile("[a-z]{3,}")
PLAIN_WORDS = frozenset(
    entries(
        "image, option, step, picture, figure, choice, panel, state, first, second, third, fourth, then, next, finally, lastly, last,"
        "and, followed, abcd"
    )
)
"""Words that describe nothing in an ordering."""
LONGEST_WORD = 3
"""Up to so many option letters can make an English word."""


class Judged(NamedTuple):
    """A candidate with its standing, and the words that gave it."""

    candidate: Candidate
    standing: Standing
    rule: str


class OrderPage(Page):
    """A reply to an ordering."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        super().__init__(text, lexicon)
        self._judged: dict[Candidate, Judged] = {}

    @cached_property
    def lettered(self) -> str:
        """The plain text with letters for option texts."""
        return with_letters(self.plain, self.small, self.lexicon)

    @cached_property
    def found(self) -> list[Candidate]:
        """All candidates, in order of their ends."""
        return candidates(self.lettered, len(self.lexicon.letters), self.announced)

    @cached_property
    def candidates(self) -> list[Candidate]:
        """Those behind the last container."""
        if self.last_word_end <= self.behind:
            return []
        return [candidate for candidate in self.found if candidate.end > self.behind]

    @cached_property
    def backwards(self) -> frozenset[Candidate]:
        """Orders that are told from the last step to the first."""
        orders = [candidate for candidate in self.found if self.is_order(candidate)] if HINT.search(self.small) else []
        ends = [0, *(order.end for order in orders)]
        return frozenset(
            order
            for order in orders
            if is_backwards(
                self.lettered, self.small, order, self.lexicon.letters, ends[bisect_right(ends, order.start) - 1]
            )
        )

    @cached_property
    def judged(self) -> list[Judged]:
        """Every candidate with its standing."""
        return [self.judge(candidate) for candidate in self.candidates]

    def judge(self, candidate: Candidate) -> Judged:
        """A candidate with its standing."""
        if candidate not in self._judged:
            left = self.lettered[max(0, candidate.start - LEFT) : candidate.start]
            right = self.lettered[candidate.end : candidate.end + RIGHT]
            found = judge(left, right, NOUNS)
            asked = right.startswith("?") and WORD.search(right) and found.standing < Standing.DECLARED
            if candidate in self.backwards:
                found = REJECTED
            elif asked or (not candidate.firm and found is not DECLARED):
                found = IGNORED
            elif found.standing > Standing.REJECTED and self._closes(candidate):
                found = LAST_LINE
            self._judged[candidate] = Judged(candidate, *found)
        return self._judged[candidate]

    def _closes(self, candidate: Candidate) -> bool:
        """Whether the candidate is all that stands in the last line."""
        if candidate.end < self.last_word_end:
            return False
        return not WORD.search(self.plain, self.plain.rfind("\n", 0, candidate.start) + 1, candidate.start)

    def is_order(self, candidate: Candidate) -> bool:
        """Whether it names every option once."""
        letters = self.lexicon.letters
        return len(candidate.letters) == len(letters) and set(candidate.letters) == set(letters)


def read(text: str, lexicon: Lexicon) -> Verdict:
    """The order that the reply settles on, or why there is none."""
    return first_verdict(RULES, OrderPage(text, lexicon))


def bare(page: OrderPage) -> Verdict | None:
    """Nothing but letters written together, or small letters: "BADC", "b, a, d, c"."""
    if found := BARE.fullmatch(page.plain):
        letters = NOT_LETTERS.sub("", found[1]).upper()
        return _value(page, "bare", Candidate(*found.span(1), letters))
    return None


def declared(page: OrderPage) -> Verdict | None:
    """The last order that is announced, or stands alone in the last line."""
    later: list[Judged] = []
    for candidate in reversed(page.candidates):
        judged = page.judge(candidate)
        if judged.standing is not Standing.DECLARED:
            later.append(judged)
            continue
        if _offered_with_another(page, candidate):
            return Verdict(Outcome.AMBIGUOUS, judged.rule)
        if RETRACTION.match(page.small, candidate.end):
            return _agreed(page, later, Standing.POSSIBLE, "corrected") or Verdict(Outcome.UNPARSED, RETRACTED)
        return _value(page, judged.rule, candidate)
    return None


def contained(page: OrderPage) -> Verdict | None:
    """What stands in `<answer>`, `\\boxed{}` and the like."""
    verdict = page.contents(read)
    if verdict is None or verdict.value is None:
        return verdict
    return _value(page, verdict.rule, Candidate(verdict.start, verdict.end, verdict.value))


def leading(page: OrderPage) -> Verdict | None:
    """The reply begins with the order."""
    for candidate in page.candidates:
        if not page.is_order(candidate) or not LEAD.fullmatch(page.small, 0, candidate.start):
            continue
        if page.judge(candidate).standing <= Standing.IGNORED or not closes(
            tokens(page.plain[candidate.end :][:RIGHT])
        ):
            continue
        if _offered_with_another(page, candidate):
            return Verdict(Outcome.AMBIGUOUS, "leading")
        return None if _describes(page, candidate) else _value(page, "leading", candidate)
    return None


def hinted(page: OrderPage) -> Verdict | None:
    """ "Maybe BADC", and no other order."""
    alternatives = any(rule == "alternative" for _, _, rule in page.judged)
    return _agreed(page, page.judged, Standing.MENTIONED if alternatives else Standing.HINTED, "hinted")


def refused(page: OrderPage) -> Verdict | None:
    """The model says that it cannot answer."""
    return Verdict(Outcome.REFUSED, "refused") if refuses(page.small) else None


def only(page: OrderPage) -> Verdict | None:
    """Only one order of all options is named; A, B, C, D in turn is no order unless something says so, nor is a word like CAB."""
    size = len(page.lexicon.letters)
    named = [judged for judged in page.judged if judged.standing > Standing.IGNORED and page.is_order(judged.candidate)]
    weak = [
        judged
        for judged in named
        if judged.standing <= Standing.POSSIBLE and judged.candidate.letters == page.lexicon.letters
    ]
    weak += [judged for judged in named if judged.standing <= Standing.MENTIONED and size <= LONGEST_WORD]
    meant = [judged.candidate for judged in named if judged not in weak]
    written = [judged.candidate for judged in weak if judged.candidate.end - judged.candidate.start == size]
    if len({candidate.letters for candidate in meant + written}) > 1:
        return Verdict(Outcome.AMBIGUOUS, "only")
    if not meant or ONE_LETTER.search(page.small, meant[-1].end):
        return None
    return _value(page, "only", meant[0])


RULES = (
    Rule("bare", bare),
    Rule("declared", declared, ways=DECLARING),
    Rule("contained", contained, ways=CONTAINERS),
    Rule("leading", leading),
    Rule("hinted", hinted, firm=False),
    Rule("refused", refused),
    Rule("only", only, firm=False),
)


def _value(page: OrderPage, rule: str, candidate: Candidate) -> Verdict:
    if not page.is_order(candidate):
        return Verdict(Outcome.UNPARSED, rule)
    if any(order.letters == candidate.letters for order in page.backwards):
        return Verdict(Outcome.AMBIGUOUS, rule)
    return Verdict(Outcome.PARSED, rule, candidate.letters, candidate.start, candidate.end)


def _describes(page: OrderPage, candidate: Candidate) -> bool:
    """Whether it is the list of options, each described in turn: "1. A: the wall 2. B: the base …"."""
    line_end = page.small.find("\n", candidate.end)
    said = page.small[candidate.start : line_end if line_end >= 0 else len(page.small)]
    return candidate.letters == page.lexicon.letters and not set(REMARK.findall(said)) <= PLAIN_WORDS


def _offered_with_another(page: OrderPage, one: Candidate) -> bool:
    """Whether another order stands right beside it: "ABCD or BADC"."""
    return any(
        page.is_order(other) and other.letters != one.letters and page.judge(other).standing > Standing.REJECTED
        for other in page.candidates
        if BESIDE.fullmatch(page.small, one.end, other.start) or BESIDE.fullmatch(page.small, other.end, one.start)
    )


def _agreed(page: OrderPage, judged: list[Judged], standing: Standing, rule: str) -> Verdict | None:
    """The one order that stands at least so well."""
    named = [candidate for candidate, other, _ in judged if other >= standing and page.is_order(candidate)]
    if not named:
        return None
    if len({candidate.letters for candidate in named}) > 1:
        return Verdict(Outcome.AMBIGUOUS, rule)
    return _value(page, rule, named[0])
