"""Step 3: the number, the subject and the action that a reply settles on for image 4.

Four ways of giving them, tried in order: in a container (`\\\\boxed{}`, `<answer>`), as the form asks ("number = 2, subject = fox, action =
any"), as a scene where the answer is announced ("image 4 shows two foxes doing anything"), and as a scene that is all there is. The last
declared answer holds; what is taken back afterwards ("wait, actually number = 3") is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cogsight.shared.extraction.containers import last_container
from cogsight.shared.extraction.phrases import refuses
from cogsight.shared.extraction.reasoning import visible
from cogsight.shared.extraction.squeeze import squeeze
from cogsight.shared.sample import Extraction, Finish, Outcome, Reply

from .assignments import Assignment, assignments
from .claims import DOUBT, DOUBTFUL, Claim, Claims
from .lexicon import Kind
from .scenes import with_anything
from .tokens import Token, plainly, scan, sentences
from .transitions import VALUES

ANNOUNCES = re.compile(r"\b(?:answer|conclusion|result|prediction)\b")
CONCLUDES = frozenset(["therefore", "thus", "hence", "so", "consequently", "finally"])
CORRECTION = re.compile(r"\b(?:wait|actually|correction|scratch that|sorry|oops|no, |let me (?:re|double))")
"""After the answer: what follows may take its place."""
WRONG = re.compile(r"\b(?:wrong|incorrect|not right|not correct|a mistake|an error)\b")
"""After a correction that puts nothing in the answer's place."""
GAP = 12
"""Tokens between two properties of one answer."""
DENIAL = 4
"""Tokens before an answer in which "not" rejects it."""
NEAR = 60
"""Characters before an answer in which it is announced."""
SHORT = 40
"""Tokens of a reply that may be an answer without saying so."""
FEW = 5
"""Tokens that may be an answer though they tell of one property only."""
THE_FOURTH = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """What was read, and how."""

    claims: Claims
    extraction: Extraction


@dataclass(frozen=True, slots=True)
class _Found:
    """Claims, the rule that found them, where, and whether they were declared."""

    claims: Claims
    rule: str
    start: int
    end: int
    firm: bool


def read_answer(reply: Reply) -> Answer:
    """The answer in a reply, or why there is none.

    >>> read_answer(Reply("So there must be a pair of vixens doing anything.")).extraction.value
    'number = 2, subject = fox, action = any'
    """
    if not (reply.text or "").strip():
        return _nothing(Outcome.EMPTY)
    squeezed = squeeze(reply.text or "")
    shown = visible(squeezed.text)
    if shown is None:
        return _nothing(Outcome.TRUNCATED)
    if not shown.strip():
        return _nothing(Outcome.EMPTY)
    small = plainly(shown)
    found = _read(shown, small)
    if reply.finish is Finish.LENGTH and not (found and found.firm):
        return _nothing(Outcome.TRUNCATED)
    if found is None:
        return _nothing(Outcome.REFUSED if refuses(small) else Outcome.UNPARSED)
    span = (squeezed.original(found.start), squeezed.original(found.end - 1) + 1)
    return Answer(found.claims, _extraction(found, span))


def _nothing(outcome: Outcome) -> Answer:
    return Answer(Claims(), Extraction(None, outcome))


def _extraction(found: _Found, span: tuple[int, int]) -> Extraction:
    if any(DOUBT in claim for claim in found.claims):
        return Extraction(None, Outcome.AMBIGUOUS, found.rule)
    if found.claims.read < len(found.claims):
        return Extraction(None, Outcome.UNPARSED, found.rule)
    values = (next(iter(claim)) for claim in found.claims)
    text = ", ".join(f"{name} = {value}" for name, value in zip(Claims._fields, values, strict=True))
    return Extraction(text, Outcome.PARSED, found.rule, span)


def _read(shown: str, small: str) -> _Found | None:
    """The answer, corrections made."""
    found = _contained(shown, small) or _uncontained(small, 0)
    if found is None:
        return None
    return _corrected(found, small)


def _contained(shown: str, small: str) -> _Found | None:
    """What stands in the last container, if it is an answer."""
    container = last_container(shown)
    if container is None:
        return None
    found = _uncontained(small[container.start : container.end], container.start)
    if found is None or found.claims.read < 2:
        return None
    return _Found(found.claims, container.rule, found.start, found.end, firm=True)


def _uncontained(small: str, offset: int) -> _Found | None:
    tokens = scan(small, offset)
    return _form(tokens, small, offset) or _announced(tokens) or _alone(tokens) or _parts(tokens)


def _form(tokens: Sequence[Token], small: str, offset: int) -> _Found | None:
    """The last whole answer property by property, an announced one before others, and not one that tells of images 1 to 3."""
    groups = [
        group for group in _groups(list(assignments(tokens))) if {part.name for part in group} == set(Claims._fields)
    ]
    own = [group for group in groups if group[0].image in (0, THE_FOURTH) and not _rejected(tokens, group[0].start)]
    told = [group for group in own if _is_announced(tokens[group[0].start], small, offset)]
    chosen = next((groups[-1] for groups in (told, own) if groups), None)
    if chosen is None or not any(part.claim for part in chosen):
        return None
    claims = Claims(**{part.name: part.claim for part in chosen})
    start, end = tokens[chosen[0].start].start, tokens[max(part.end for part in chosen) - 1].end
    return _Found(claims, "form", start, end, firm=True)


def _groups(parts: Sequence[Assignment]) -> Iterator[list[Assignment]]:
    """Assignments that follow each other closely, each property once."""
    group: list[Assignment] = []
    for part in parts:
        if group and part.strong and part.name == group[0].name and not group[0].strong:
            group = group[1:]  # "the action is not known: number = 2, subject = fox, action = any"
        if group and (
            part.name in {own.name for own in group} or part.start - group[-1].end > GAP or part.image != group[0].image
        ):
            yield group
            group = []
        group.append(part)
    if group:
        yield group


def _rejected(tokens: Sequence[Token], start: int) -> bool:
    """Whether "not" stands right before an answer."""
    for token in reversed(tokens[max(0, start - DENIAL) : start]):
        if token.kind is Kind.NOT:
            return True
        if token.kind is Kind.MARK and token.text not in (":", "="):
            return False
    return False


def _is_announced(token: Token, small: str, offset: int) -> bool:
    at = token.start - offset
    return bool(ANNOUNCES.search(small, max(0, at - NEAR), at))


def _announced(tokens: Sequence[Token]) -> _Found | None:
    """The last sentence that says "the answer is …", "image 4 shows …" or "therefore, …", from there on; what it lacks, the next may say."""
    following: list[Token] = []
    for sentence in reversed(list(sentences(tokens))):
        start = _announcement(sentence)
        found = None if start is None else _scene(sentence[start:], "announced", firm=True) or _told_of_it(sentence)
        if found:
            more = (
                with_anything(following) if found.claims.read < len(found.claims) and _goes_on(following) else Claims()
            )
            return replace(found, claims=found.claims.over(Claims(*map(_single, more))))
        following = sentence
    return None


def _told_of_it(sentence: Sequence[Token]) -> _Found | None:
    """ "Two foxes are reading in image 4"."""
    images = {token.value for token in sentence if token.kind is Kind.IMAGE}
    return _scene(sentence, "announced", firm=True) if images == {THE_FOURTH} else None


def _goes_on(sentence: Sequence[Token]) -> bool:
    """ "They are reading." """
    return bool(sentence) and sentence[0].text in ("he", "she", "it", "they", "this", "these", "there")


def _announcement(sentence: Sequence[Token]) -> int | None:
    """Where what is announced begins."""
    for n in range(len(sentence) - 1, -1, -1):
        token = sentence[n]
        if (
            ANNOUNCES.fullmatch(token.text)
            or (token.kind is Kind.IMAGE and token.value == THE_FOURTH)
            or token.text in CONCLUDES
        ):
            return n + 1
    return None


def _alone(tokens: Sequence[Token]) -> _Found | None:
    """A short reply that is a scene, or the last sentence that is a whole one."""
    short = len(tokens) <= SHORT and not any(token.kind is Kind.IMAGE for token in tokens)
    if short and (found := _scene(tokens, "alone", firm=False)):
        return found
    for sentence in reversed(list(sentences(tokens))):
        if any(token.kind is Kind.IMAGE for token in sentence):
            continue
        found = _scene(sentence, "sentence", firm=False)
        if found and found.claims.read == len(found.claims):
            return found
    return None


def _scene(tokens: Sequence[Token], rule: str, *, firm: bool) -> _Found | None:
    claims = Claims(*map(_single, with_anything(tokens)))
    first = next((n for n, token in enumerate(tokens) if token.kind in VALUES), 0)
    if _rejected(tokens, first):
        return None
    if not claims.read or (claims.read == 1 and len(tokens) > FEW):
        return None
    return _Found(claims, rule, tokens[0].start, tokens[-1].end, firm)


def _single(claim: Claim) -> Claim:
    """An answer names one value."""
    return claim if len(claim) < 2 else DOUBTFUL


def _parts(tokens: Sequence[Token]) -> _Found | None:
    """What is said of single properties, the last of each."""
    said = [part for part in assignments(tokens) if part.claim and part.image in (0, THE_FOURTH)]
    if not said or any(_rejected(tokens, part.start) for part in said):
        return None
    claims = Claims(**{part.name: part.claim for part in said})
    return _Found(claims, "parts", tokens[said[0].start].start, tokens[said[-1].end - 1].end, firm=False)


def _corrected(found: _Found, small: str) -> _Found | None:
    """What is left of an answer after corrections that follow it."""
    *_, correction = (None, *CORRECTION.finditer(small, found.end))
    if correction is None:
        return found
    tokens = scan(small[correction.end() :], correction.end())
    later = {part.name: part.claim for part in assignments(tokens) if part.claim and part.image in (0, THE_FOURTH)}
    claims = Claims(**later) if later else _opening(tokens)
    if claims.read:
        return _Found(claims.over(found.claims), "corrected", found.start, found.end, found.firm)
    if WRONG.search(small, found.end):
        return _Found(Claims(*[DOUBTFUL] * len(found.claims)), "retracted", found.start, found.end, found.firm)
    return found


def _opening(tokens: Sequence[Token]) -> Claims:
    """What a correction begins with: "wait, actually 3"."""
    first = next(iter(sentences(tokens)), [])
    return with_anything(first) if len(first) <= GAP else Claims()
