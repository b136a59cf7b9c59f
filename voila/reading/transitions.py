"""How a clause gives the values of image 1 and of image 2: "from X to Y", "X becomes Y", "X in image 1 and Y in image 2", "by two"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise

from . import wording
from .claims import DOUBTFUL, Claims
from .lexicon import Kind, phrases
from .scenes import read_scene
from .tokens import Token

BECOMES = frozenset(phrases(wording.BECOMES))
"""Between the old value and the new one."""
REPLACING = frozenset({"instead of", "rather than"})
"""Between the new value and the old one."""
NO_VALUE = frozenset({"image", "next", "other", "another", "first", "second", "last", "it", "them", "that", "this"})
"""Words after "to" that name an image, not a value."""
VALUES = frozenset({Kind.NUMBER, Kind.ARTICLE, Kind.ANIMAL, Kind.PERSON, Kind.ACTION})
PATIENCE = 8
"""Transitions of a clause that are looked at."""
MORE = frozenset({"more", "fewer", "less", "additional"})


def values(tokens: Sequence[Token], *, changed: bool) -> tuple[Claims, Claims, bool]:
    """The values in image 1 and in image 2, and whether one goes over into the other.

    Of something that is constant one value is enough, and stands second; of something that is `changed` one value says nothing, as
    nobody knows which it is.
    """
    for n in islice((n for n in range(len(tokens)) if is_transition(tokens, n)), PATIENCE):
        named = any(_is_from(token) for token in tokens[:n])
        one, two = _side(_left(tokens, n), named), _side(_right(tokens, n + 1), named)
        if tokens[n].text in REPLACING:
            one, two = two, one
        if two.read and (one.read or named or tokens[n].kind is Kind.CHANGE or _announced(tokens, n)):
            return one, two, True
    places = [n for n, token in enumerate(tokens) if token.kind is Kind.IMAGE and token.value in (1, 2)]
    if [tokens[n].value for n in places] == [1, 2]:
        return (*_tagged(tokens, *places), False)
    if cells := _cells(tokens):
        return (*cells, False)
    if changed:
        return Claims(), Claims(), False
    return Claims(), read_scene([token for token in tokens if token.kind is not Kind.TOPIC], explicit=True), False


def is_transition(tokens: Sequence[Token], n: int) -> bool:
    """Whether a token stands between an old and a new value; "to image 2" does not."""
    if tokens[n].text not in BECOMES and tokens[n].text not in REPLACING:
        return False
    return not any(token.kind is Kind.IMAGE for token in tokens[n + 1 : n + 2])


def difference(tokens: Sequence[Token]) -> int | None:
    """By how much the number changes: "by two", "two more", "an increase of two"."""
    for n, token in enumerate(tokens):
        if (
            token.kind is Kind.NUMBER
            and isinstance(token.value, int)
            and (_by(tokens[:n]) or _more(tokens[n + 1 : n + 3]))
        ):
            return token.value
    return None


def _by(before: Sequence[Token]) -> bool:
    """What stands before a difference. "Multiplied by" is none."""
    two = [token.text for token in before[-2:]]
    if two[-1:] == ["by"]:
        return two != ["multiplied", "by"]
    return two[-1:] == ["of"] and len(two) == 2 and before[-2].kind in (Kind.UP, Kind.DOWN)


def _more(after: Sequence[Token]) -> bool:
    """What stands behind one: "two more", "one dog fewer"."""
    if after and after[0].text in MORE:
        return True
    return len(after) == 2 and after[0].kind in (*VALUES, Kind.THING) and after[1].text in MORE


def _is_from(token: Token) -> bool:
    return token.text == "from" or token.text.endswith(" from")


def _side(tokens: Sequence[Token], named: bool) -> Claims:
    """The values on one side of a transition; of "from … to …", words that say none are doubtful."""
    said = read_scene(tokens, explicit=True)
    if said.read or not tokens or not named:
        return said
    words = all(token.kind in (Kind.WORD, Kind.NOT) and token.text not in NO_VALUE for token in tokens)
    return Claims(*[DOUBTFUL] * len(said)) if words else said


def _tagged(tokens: Sequence[Token], first: int, second: int) -> tuple[Claims, Claims]:
    """ "A man in image 1 and a woman in image 2", "in image 1 a man and in image 2 a woman"."""
    before = any(token.kind in VALUES for token in tokens[:first])
    one, two = (tokens[:first], tokens[first:second]) if before else (tokens[first:second], tokens[second:])
    return read_scene(one, explicit=True), read_scene(two, explicit=True)


def _cells(tokens: Sequence[Token]) -> tuple[Claims, Claims] | None:
    """Two values in a row of a table: "| Number | 4 | 2 | decrease |"."""
    bars = [-1, *(n for n, token in enumerate(tokens) if token.text == "|"), len(tokens)]
    if not 3 < len(bars) <= PATIENCE:
        return None
    said = [claims for one, two in pairwise(bars) if (claims := read_scene(tokens[one + 1 : two], explicit=True)).read]
    return (said[0], said[1]) if len(said) == 2 else None


def _announced(tokens: Sequence[Token], n: int) -> bool:
    """Whether a new value alone may follow: "changes to typing"."""
    return n > 0 and tokens[n - 1].kind in (Kind.CHANGE, Kind.UP, Kind.DOWN, Kind.IMAGE)


def _left(tokens: Sequence[Token], n: int) -> Sequence[Token]:
    """What stands before "to", back to "from", a colon or a parenthesis."""
    start = next(
        (at + 1 for at in range(n - 1, -1, -1) if _is_from(tokens[at]) or tokens[at].text in ("(", ":", "=")), 0
    )
    return [token for token in tokens[start:n] if token.kind is not Kind.TOPIC]


def _right(tokens: Sequence[Token], n: int) -> Sequence[Token]:
    """What stands behind it, up to a remark; the remark where nothing else does: "to animal (bear)"."""
    end = next((at for at in range(n, len(tokens)) if tokens[at].text in (":", "(", ")", ",")), len(tokens))
    if end < len(tokens) and tokens[end].text == "(" and not read_scene(tokens[n:end]).read:
        end = next((at for at in range(end, len(tokens)) if tokens[at].text == ")"), len(tokens))
    return tokens[n:end]
