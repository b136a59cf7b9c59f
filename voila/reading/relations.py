"""Step 2: what a reply says about how each property goes from image 1 to image 2.

The text is cut into clauses, each about one property or several ("the number and the subject type remain constant"), and of each is noted
whether it says that they change or remain, with which values, and by how much. A clause that names no property is about those whose
values it names ("the man is replaced by a woman").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from cogsight.shared.extraction.squeeze import squeeze

from ..rules import Relations
from . import wording
from .claims import DOUBTFUL, UNREAD, Claim, Claims, Value, is_right
from .lexicon import Kind
from .tokens import Token, plainly, scan, sentences
from .transitions import REPLACING, VALUES, difference, is_transition, values

PROPERTIES = Claims._fields

CHANGED, CONSTANT, BOTH = "changed", "constant", "both"
"""What is said of a property; BOTH: that it changes and that it does not, or increases and decreases."""

CUTS = frozenset([",", "and", "but", "while", "whereas", "although", "though", "-", "yet", "however", "so"])
"""Between clauses."""
_OPPOSITE = {CHANGED: CONSTANT, CONSTANT: CHANGED}
PREDICATES = frozenset({Kind.SAME, Kind.CHANGE, Kind.UP, Kind.DOWN, Kind.FACTOR})
DENYING = frozenset({"nothing", "nothing else"})
"""Deny what is said of all."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What is said of one property; nothing, as long as `kind` is empty."""

    kind: str = ""
    one: Claim = UNREAD
    """In image 1."""
    two: Claim = UNREAD
    """In image 2, or in both."""
    direction: int = 0
    """1 when it increases, -1 when it decreases."""
    difference: int | None = None
    """By how much, without sign."""
    factor: Fraction | None = None

    def is_right(self, one: Value, two: Value) -> bool | None:
        """Against the two true values; None where the rules cannot tell.

        That a property changes is enough, but for the number, of which also the direction or both values must be said. All that is
        said besides must be true.
        """
        if self.kind in ("", BOTH):
            return None
        if (self.kind == CHANGED) != (one != two):
            return False
        details = [is_right(claim, value) for claim, value in ((self.one, one), (self.two, two)) if claim]
        if isinstance(one, int) and isinstance(two, int):
            details += self._agrees(one, two)
        if False in details:
            return False
        return None if None in details else True

    def _agrees(self, one: int, two: int) -> Iterator[bool]:
        """Of the number: what must be said, and is true."""
        if one != two:
            yield bool(self.direction or (self.one and self.two))
        if self.direction:
            yield self.direction * (two - one) > 0
        if self.difference is not None:
            yield self.difference == abs(two - one)
        if self.factor is not None:
            yield self.factor == Fraction(two, one)


def read_relations(text: str, about: str = "") -> dict[str, Relation]:
    """Property → what the visible text of a reply says of it. `about`: the property that was asked for, if it was one alone.

    >>> found = read_relations("The count drops from 4 to 2, the action changes, and all else stays the same.")
    >>> [found[name].kind for name in ("number", "subject", "action")], found["number"].direction
    (['changed', 'constant', 'changed'], -1)
    """
    found: dict[str, Relation] = {}
    general: dict[str, Relation] = {}
    for clause in _clauses(plainly(squeeze(text).text), about):
        for name, relation in clause.relations().items():
            target = found if name in PROPERTIES else general
            target[name] = _both(target[name], relation) if name in target else relation
    rest = general.get(wording.REST) or general.get(wording.ALL) or _nothing_else(general)
    return {name: found.get(name) or rest for name in PROPERTIES}


def _nothing_else(general: Mapping[str, Relation]) -> Relation:
    """What "only the action changes" says of the others."""
    return general.get(wording.ONLY, Relation())


def _both(one: Relation, two: Relation) -> Relation:
    """What two clauses say of one property."""
    opposite = one.direction * two.direction < 0
    if opposite or (two.kind and one.kind and two.kind != one.kind):
        return replace(one, kind=BOTH)
    return Relation(
        one.kind or two.kind,
        _merged(one.one, two.one),
        _merged(one.two, two.two),
        one.direction or two.direction,
        two.difference if one.difference is None else one.difference,
        one.factor or two.factor,
    )


def _merged(one: Claim, two: Claim) -> Claim:
    if not one or not two:
        return one or two
    return one & two or DOUBTFUL


@dataclass
class _Clause:
    """Tokens that belong together, and the properties that they name."""

    topics: list[str] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    inherited: bool = False
    """Whether the topics are those of the clause before."""

    def relations(self) -> dict[str, Relation]:
        """Property → what is said of it."""
        kind = self._kind()
        one, two, transition = values(self.tokens, changed=kind == CHANGED)
        topics = self._topics(one, two, transition)
        excepted = set(self._excepted())
        found: dict[str, Relation] = {}
        for name in topics:
            a, b = (getattr(one, name), getattr(two, name)) if name in PROPERTIES else (UNREAD, UNREAD)
            by_values = _by_values(a, b) if a and b else _OPPOSITE.get(kind, "") if name in excepted else ""
            named_here = self.topics and not self.inherited and name not in excepted
            if says := (kind or by_values) if named_here else (by_values or kind):
                found[name] = Relation(says, a, b)
        if "number" in found:
            found["number"] = self._counted(found["number"])
        if self.has(Kind.ONLY) and any(relation.kind == CHANGED for relation in found.values()):
            found[wording.ONLY] = Relation(CONSTANT)
        return found

    def _excepted(self) -> Iterator[str]:
        """The properties that stand right behind "except"."""
        places = (n for n, token in enumerate(self.tokens) if token.kind is Kind.EXCEPT)
        for token in self.tokens[next(places, len(self.tokens)) :]:
            if token.kind in PREDICATES or token.text in (",", ":"):
                return
            if token.kind is Kind.TOPIC:
                yield token.value

    def _topics(self, one: Claims, two: Claims, transition: bool) -> list[str]:
        """What it is about: what it names, else the values that go over into others, else whatever has a value."""
        if self.topics and not self.inherited:
            rising = self.has(Kind.UP, Kind.DOWN) and not self.has(Kind.SAME, Kind.CHANGE)
            return ["number"] if rising and self.topics == ["subject"] else self.topics  # "more subjects"
        both = [name for name in PROPERTIES if getattr(one, name) and getattr(two, name)]
        typed = both or [name for name in PROPERTIES if getattr(two, name)]
        if typed and (transition or not set(typed) & set(self.topics)):
            return typed
        return self.topics or (["number"] if self.has(Kind.UP, Kind.DOWN, Kind.FACTOR) else [])

    def has(self, *kinds: Kind) -> bool:
        """Whether a token is of one of these kinds."""
        return any(token.kind in kinds for token in self.tokens)

    def _kind(self) -> str:
        """Whether it says changed or constant; a negation turns one into the other."""
        same, change = self.has(Kind.SAME), self.has(Kind.CHANGE, Kind.UP, Kind.DOWN, Kind.FACTOR)
        if not same and not change:
            return ""
        denied = any(_denies(self.tokens, n) for n in range(len(self.tokens)))
        if same and change:
            return CONSTANT if denied else CHANGED
        return CHANGED if change != denied else CONSTANT

    def _counted(self, said: Relation) -> Relation:
        """What is said of the number besides: direction, difference, factor."""
        factor = next((token.value for token in self.tokens if token.kind is Kind.FACTOR), None)
        direction = self.has(Kind.UP) - self.has(Kind.DOWN)
        if factor is not None and not direction:
            direction = 1 if factor > 1 else -1
        if factor is not None and factor > 1 and direction < 0:
            factor = 1 / factor  # "decreases by a factor of two"
        by = difference(self.tokens)
        if by is not None and not (said.one and said.two):
            said = replace(said, one=UNREAD, two=UNREAD)  # the only number there is the difference
        return replace(said, direction=direction, difference=by, factor=factor)


def _denies(tokens: Sequence[Token], n: int) -> bool:
    """Whether a token turns what is said into its opposite; the "no" of "no, it remains constant" does not."""
    token = tokens[n]
    if token.text == "no":
        return n + 1 < len(tokens) and tokens[n + 1].kind is not Kind.MARK
    return token.text in DENYING or (token.kind is Kind.NOT and token.text not in REPLACING)


def _by_values(one: Claim, two: Claim) -> str:
    return CONSTANT if one & two else CHANGED


def _clauses(small: str, about: str) -> Iterator[_Clause]:
    """The clauses of a text, without what it says of other images than the first two."""
    last = _Clause([about] if about else [])
    for sentence in sentences(scan(small)):
        if any(token.kind is Kind.IMAGE and token.value > 2 for token in sentence):
            continue
        first = True
        for clause in _parts(sentence):
            if not clause.topics and (not first or len(last.topics) == 1):
                clause.topics, clause.inherited = list(last.topics), True
            if clause.topics and not clause.inherited and not clause.has(*PREDICATES) and _says_the_same(clause):
                clause.tokens += [token for token in last.tokens if token.kind in _said_again(clause)]
            yield clause
            first = False
            if clause.topics:
                last = clause


def _said_again(clause: _Clause) -> tuple[Kind, ...]:
    """What a clause takes from the one before: a denial not where it says "the subject type does"."""
    affirms = any(token.text in ("does", "do", "did") for token in clause.tokens)
    return tuple(PREDICATES) if affirms else (*PREDICATES, Kind.NOT)


def _says_the_same(clause: _Clause) -> bool:
    """ "So does the action", "the action does not", "…, action"."""
    return clause.has(Kind.SO, Kind.NOT) or not any(token.kind in VALUES for token in clause.tokens)


def _parts(sentence: Sequence[Token]) -> Iterator[_Clause]:
    """The clauses of a sentence; one that only names properties goes with the next."""
    clause = _Clause()
    for part in _cut(sentence):
        topics = [token.value for token in part if token.kind is Kind.TOPIC]
        speaks = bool(topics) or _speaks(part)
        if speaks and _speaks(clause.tokens):
            yield clause
            clause = _Clause()
        if not speaks and not clause.topics:
            continue  # "there are two dogs in image 1": says nothing of a change
        clause.topics += topics
        clause.tokens += part
    if clause.tokens:
        yield clause


def _speaks(part: Sequence[Token]) -> bool:
    """Whether it says of something that it changes or remains."""
    return any(token.kind in PREDICATES or is_transition(part, n) for n, token in enumerate(part))


def _cut(sentence: Sequence[Token]) -> Iterator[list[Token]]:
    part: list[Token] = []
    depth = 0
    for token in sentence:
        depth += (token.text == "(") - (token.text == ")")
        if depth <= 0 and (token.text in CUTS or (token.text == ":" and _is_whole(part))):
            if part:
                yield part
            part = [token] if token.kind is Kind.MARK else []  # a comma keeps what follows apart from the value before
        else:
            part.append(token)
    if part:
        yield part


def _is_whole(part: Sequence[Token]) -> bool:
    """Whether it names a property and says something of it."""
    return any(token.kind is Kind.TOPIC for token in part) and any(token.kind in PREDICATES for token in part)


def grade(said: Mapping[str, Relation], truth: Relations) -> dict[str, bool | None]:
    """Property → whether what is said of it is right; None where the rules cannot tell."""
    return {name: said[name].is_right(*ends) for name, ends in truth._asdict().items()}
