"""The rule engine: which structure three scenes follow, what the fourth must be, and how many questions there are.

A question is three scenes: they decide its structure and its answer. How many there are: under its rule a property takes so many
patterns of values over images 1, 2, 3, and a structure has the product of its properties' patterns.

| property | stable | change | arithmetic | distraction | the paper's Table 7 |
|---|---|---|---|---|---|
| action | 156 | 156 | - | 1,716 | distraction 22,308 = 1,716 x 13 values of image 4 |
| number | 12 | - | 28; in structure 19: 16 | 6 | arithmetic 16; distraction 24 = 6 x 4 values of image 4 |
| subject | 182 | 182 | - | 2,184 | distraction 30,576 = 2,184 x 14 values of image 4 |

Under Distraction image 4 may show anything, which nobody sees: it makes no other question, and Table 7 counts it all the same. In
structure 19 everything changes, so that n1 = n3 would make images 1 and 3 alike: 12 of the 28 patterns fall away, and Table 7 has
only the other 16. In all there are 157,632,384 questions, 3,861,312 of them without distraction (`size`).

The paper's "more than 6.5M" (A.5) comes out when subject and action count with 182 and 156 under Distraction too, as its text says:
182 x 156 x (5 x 12 stable + 5 x 6 distraction + 9 x 16 arithmetic) = 6,643,728. With its 24 in place of 6 that is 9,199,008. How
the "6.4M" of its introduction comes out is not said, and Table 7 does not give it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any, NamedTuple

from .taxonomy import NUMBERS, STRUCTURES, VALUES, Rule, Structure


class Scene(NamedTuple):
    """What an image shows."""

    number: int
    """1 to 4."""
    subject: str
    """A key of `SUBJECTS`: the singular."""
    action: str


class Target(NamedTuple):
    """What image 4 must show; None where anything will do."""

    number: int | None
    subject: str | None
    action: str | None


class Relations(NamedTuple):
    """What happens from image 1 to image 2: the two values of each property. Equal ones: it remains constant."""

    number: tuple[int, int]
    subject: tuple[str, str]
    action: tuple[str, str]

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the properties that change."""
        return tuple(name for name, (one, two) in zip(self._fields, self, strict=True) if one != two)

    @property
    def difference(self) -> int:
        """By how much the number increases; negative when it decreases."""
        return self.number[1] - self.number[0]


class Flags(NamedTuple):
    """What makes a question a poor measure of reasoning about numbers."""

    ratio_differs: bool
    """The prompts say "increase or decrease rate": who takes it for a ratio (1 to 2 is doubling) gets another number.

    Strict variants leave these questions out. Under Arithmetic the two readings agree just where n1 = n3, and there copying the number
    of image 2 is right (`copy_counts`): a strict set has no ambiguity, but of its arithmetic only what copying solves, and nothing of
    structure 19.
    """
    copy_counts: bool
    """The number of image 2 is the right one."""


Scenes = tuple[Scene, Scene, Scene]
"""Images 1, 2, 3."""


def _stable(one: object, two: object, three: object) -> bool:
    return one == two != three


def _change(one: object, two: object, three: object) -> bool:
    return one == three != two


def _all_differ(one: object, two: object, three: object) -> bool:
    return one != two != three != one


def _arithmetic(one: int, two: int, three: int) -> bool:
    return one != two and three + two - one in NUMBERS


def _none_left(one: int, two: int, three: int) -> bool:
    return _all_differ(one, two, three) and three + two - one < 1


_KIND: Mapping[Rule, Callable[..., bool]] = {
    Rule.STABLE: _stable,
    Rule.CHANGE: _change,
    Rule.DISTRACTION: _all_differ,
}
FOLLOWS: Mapping[str, Mapping[Rule, Callable[..., bool]]] = {
    "number": {Rule.STABLE: _stable, Rule.ARITHMETIC: _arithmetic, Rule.DISTRACTION: _none_left},
    "subject": _KIND,
    "action": _KIND,
}
"""Property → its rules → whether the values of images 1, 2, 3 follow it: at most one rule does (paper Table 1, section 3.1)."""

FOURTH: Mapping[Rule, Callable[[Any, Any, Any], Any]] = {
    Rule.STABLE: lambda one, two, three: three,
    Rule.CHANGE: lambda one, two, three: two,
    Rule.ARITHMETIC: lambda one, two, three: three + two - one,
    Rule.DISTRACTION: lambda one, two, three: None,
}
"""Rule → the value of image 4, None for any."""


def structure_of(scenes: Scenes) -> Structure:
    """The one structure that three scenes follow. Raises ValueError that tells why there is none.

    >>> structure_of((Scene(1, "cat", "reading"), Scene(1, "cat", "typing"), Scene(2, "dog", "reading"))).name
    'structure_01'
    """
    columns = dict(zip(VALUES, zip(*scenes, strict=True), strict=True))
    rules = {name: _rule_of(name, values) for name, values in columns.items()}
    if unruled := [f"{name} {', '.join(map(str, columns[name]))}" for name, rule in rules.items() if rule is None]:
        raise ValueError(f"{'; '.join(unruled)}: follows no rule of VOILA")
    structure = next((structure for structure in STRUCTURES if structure.rules == rules), None)
    if structure is None or scenes[0] == scenes[2]:
        raise ValueError(f"{', '.join(f'{n} {rule.value}' for n, rule in rules.items() if rule)}: no question of VOILA")
    return structure


@cache
def _rule_of(name: str, values: tuple[Any, Any, Any]) -> Rule | None:
    if not set(values) <= set(VALUES[name]):
        return None
    return next((rule for rule, follows in FOLLOWS[name].items() if follows(*values)), None)


def apply(structure: Structure, scenes: Scenes) -> Target:
    """The answer, where the scenes follow this structure (which `structure_of` finds out).

    >>> scenes = Scene(4, "bear", "reading"), Scene(2, "bear", "typing"), Scene(3, "fox", "reading")
    >>> apply(structure_of(scenes), scenes)
    Target(number=1, subject='fox', action='typing')
    """
    (n1, s1, a1), (n2, s2, a2), (n3, s3, a3) = scenes
    return Target(
        FOURTH[structure.number](n1, n2, n3),
        FOURTH[structure.subject](s1, s2, s3),
        FOURTH[structure.action](a1, a2, a3),
    )


def target(scenes: Scenes) -> Target:
    """The answer to a question. Raises ValueError when the scenes are none."""
    return apply(structure_of(scenes), scenes)


def relations(scenes: Scenes) -> Relations:
    """The truth of the step that compares image 1 with image 2."""
    (n1, s1, a1), (n2, s2, a2), _ = scenes
    return Relations((n1, n2), (s1, s2), (a1, a2))


def flags(scenes: Scenes) -> Flags:
    """What is doubtful about a question. Raises ValueError when the scenes are none.

    From 1 to 2 and then from 3: the difference gives 4, the ratio 6.

    >>> flags((Scene(1, "cat", "reading"), Scene(2, "cat", "reading"), Scene(3, "dog", "typing")))
    Flags(ratio_differs=True, copy_counts=False)
    """
    one, two, three = (scene.number for scene in scenes)
    by_ratio = Fraction(three * two, one)
    right = target(scenes).number
    return Flags(ratio_differs=right != (by_ratio if by_ratio >= 1 else None), copy_counts=right == two)


@cache
def patterns(name: str, rule: Rule) -> tuple[tuple[Any, Any, Any], ...]:
    """All values of images 1, 2, 3 of a property under one of its rules.

    >>> patterns("number", Rule.DISTRACTION)
    ((3, 1, 2), (3, 2, 1), (4, 1, 2), (4, 1, 3), (4, 2, 1), (4, 3, 1))
    """
    values, follows = VALUES[name], FOLLOWS[name][rule]
    return tuple(triple for triple in product(values, values, values) if follows(*triple))


def number_patterns(structure: Structure) -> tuple[tuple[int, int, int], ...]:
    """Those of the numbers in a structure: without n1 = n3 where that would make images 1 and 3 alike."""
    differs_elsewhere = {Rule.STABLE, Rule.DISTRACTION} & {structure.subject, structure.action}
    found = patterns("number", structure.number)
    return tuple(values for values in found if differs_elsewhere or values[0] != values[2])


def size(structure: Structure) -> int:
    """How many different questions a structure has."""
    kinds = (len(patterns(name, rule)) for name, rule in structure.rules.items() if name != "number")
    return len(number_patterns(structure)) * prod(kinds)
