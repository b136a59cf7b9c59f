"""Reading an ordering: which permutation of all the option letters does the reply settle on?"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..sample import Outcome
from .containers import CONTAINERS
from .context import LEFT, PATIENCE, RIGHT, announced, ends, judge
from .items import Candidate, with_letters
from .orders import candidates
from .page import WORD, Page, Rule, Verdict, first_verdict
from .phrases import RETRACTION, refuses
from .standing import DECLARING, LAST_LINE, RETRACTED, Standing
from .tokens import tokens
from .words import Role

NOUNS = Role.ANSWER | Role.ORDER
SMALL = re.compile(r"[^\w]*([a-j]{2,10}|[a-j](?:[^\w]+[a-j]){1,9})[^\w]*")
BESIDE = re.compile(r"[\s,;/|()]*(?:or|and|oder|und|ou|et|или|и|或者?|和|または|또는)?[\s()]*")
"""What stands between two orders that are both offered."""


LONGEST_WORD = 3
"""Up to so many option letters can make an English word."""


class Judged(NamedTuple):
    """A candidate with its standing, and the words that gave it."""

    candidate: Candidate
    standing: Standing
    rule: str


def read(page: Page) -> Verdict:
    """The order that the reply settles on, or why there is none."""
    return first_verdict(RULES, page)


def declared(page: Page) -> Verdict | None:
    """The last order that is announced, or stands alone in the last line."""
    judged = survey(page)
    for place in range(len(judged) - 1, -1, -1):
        candidate, standing, rule = judged[place]
        if standing is not Standing.DECLARED:
            continue
        if _offered_with_another(page, judged, place):
            return Verdict(Outcome.AMBIGUOUS, rule)
        if RETRACTION.match(page.small, candidate.end):
            return _agreed(page, judged[place + 1 :], Standing.POSSIBLE, "corrected") or Verdict(
                Outcome.UNPARSED, RETRACTED
            )
        return _value(page, rule, candidate)
    return None


def contained(page: Page) -> Verdict | None:
    """What stands in `<answer>`, `\\boxed{}` and the like."""
    return page.contents(read)


def small_letters(page: Page) -> Verdict | None:
    """Nothing but small letters: "b, a, d, c"."""
    found = SMALL.fullmatch(page.plain)
    return (
        _value(page, "small_letters", Candidate(*found.span(1), re.sub("[^a-j]", "", found[1]).upper()))
        if found
        else None
    )


def leading(page: Page) -> Verdict | None:
    """The reply begins with the order."""
    judged = survey(page)
    for place, (candidate, standing, _) in enumerate(judged):
        if candidate.start > page.first_word or standing <= Standing.IGNORED or not _is_order(page, candidate):
            continue
        if not ends(tokens(page.plain[candidate.end : candidate.end + RIGHT])):
            continue
        if _offered_with_another(page, judged, place):
            return Verdict(Outcome.AMBIGUOUS, "leading")
        return _value(page, "leading", candidate)
    return None


def hinted(page: Page) -> Verdict | None:
    """ "Maybe BADC", and no other order."""
    judged = survey(page)
    alternatives = any(rule == "alternative" for _, _, rule in judged)
    return _agreed(page, judged, Standing.MENTIONED if alternatives else Standing.HINTED, "hinted")


def refused(page: Page) -> Verdict | None:
    """The model says that it cannot answer."""
    return Verdict(Outcome.REFUSED, "refused") if refuses(page.small) else None


def only(page: Page) -> Verdict | None:
    """Only one order of all options is named; A, B, C, D in turn is no order unless something says so, nor is a word like CAB."""
    size = len(page.lexicon.letters)
    named = [
        judged for judged in survey(page) if judged.standing > Standing.IGNORED and _is_order(page, judged.candidate)
    ]
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
    return _value(page, "only", meant[0]) if meant else None


RULES = (
    Rule("declared", declared, ways=DECLARING),
    Rule("contained", contained, ways=CONTAINERS),
    Rule("small_letters", small_letters),
    Rule("leading", leading),
    Rule("hinted", hinted, firm=False),
    Rule("refused", refused),
    Rule("only", only, firm=False),
)


def survey(page: Page) -> list[Judged]:
    """Every candidate behind the last container, with its standing."""
    if page.judged is None:
        text = with_letters(page.plain, page.small, page.lexicon)
        stop = page.container.end if page.container else 0
        found = [candidate for candidate in candidates(text, len(page.lexicon.letters)) if candidate.end > stop]
        early = [candidate for candidate in found[:-PATIENCE] if announced(page.small, candidate.start)]
        page.judged = [_judged(page, text, candidate) for candidate in early + found[-PATIENCE:]]
    return page.judged


def _judged(page: Page, text: str, candidate: Candidate) -> Judged:
    standing, rule = judge(
        text[max(0, candidate.start - LEFT) : candidate.start], text[candidate.end : candidate.end + RIGHT], NOUNS
    )
    if not candidate.firm and rule != "declared":
        return Judged(candidate, Standing.IGNORED, "")
    if standing > Standing.REJECTED and _closes(page, candidate):
        return Judged(candidate, *LAST_LINE)
    return Judged(candidate, standing, rule)


def _closes(page: Page, candidate: Candidate) -> bool:
    """Whether the candidate is all that stands in the last line."""
    if candidate.end < page.last_word_end:
        return False
    line = page.plain.rfind("\n", 0, candidate.start) + 1
    return not WORD.search(page.plain, line, candidate.start)


def _is_order(page: Page, candidate: Candidate) -> bool:
    return sorted(candidate.letters) == sorted(page.lexicon.letters)


def _value(page: Page, rule: str, candidate: Candidate) -> Verdict:
    if not _is_order(page, candidate):
        return Verdict(Outcome.UNPARSED, rule)
    return Verdict(Outcome.PARSED, rule, candidate.letters, candidate.start, candidate.end)


def _offered_with_another(page: Page, judged: list[Judged], place: int) -> bool:
    """Whether another order stands right beside it: "ABCD or BADC"."""
    one = judged[place].candidate
    others = [
        other.candidate for other in judged if other.standing > Standing.REJECTED and _is_order(page, other.candidate)
    ]
    return any(
        other.letters != one.letters
        and (BESIDE.fullmatch(page.small, one.end, other.start) or BESIDE.fullmatch(page.small, other.end, one.start))
        for other in others
        if other.start >= one.end or other.end <= one.start
    )


def _agreed(page: Page, judged: list[Judged], standing: Standing, rule: str) -> Verdict | None:
    """The one order that stands at least so well."""
    named = [candidate for candidate, other, _ in judged if other >= standing and _is_order(page, candidate)]
    if not named:
        return None
    if len({candidate.letters for candidate in named}) > 1:
        return Verdict(Outcome.AMBIGUOUS, rule)
    return _value(page, rule, named[0])
