"""How answers speak of properties, of change and constancy, and of anything that will do. Tables, no logic."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

ALL, REST = "all", "rest"
"""Topics that are no property: all of them, and all that are not spoken of."""

TOPICS: Mapping[str, str] = {
    "number": "number of subjects, number of subject, number of the subjects, number of animals, number of people, number of individuals, "
    "number of characters, number of figures, count of subjects, subject count, subjects count, number, numbers, count, quantity, amount, "
    "how many, number of",
    "subject": "subject type, subject types, type of subject, type of subjects, types of subjects, kind of subject, kind of subjects, "
    "type of animal, kind of animal, species, subject, subjects, subject kind, animal type, kind, type of the subject, type of the subjects, "
    "subject's type, identity, type",
    "action": "action, actions, activity, activities, what they do, what they are doing, what the subjects are doing, action performed, "
    "action being performed",
    ALL: "everything, nothing, all properties, all three properties, all the properties, all three, each property, properties, property, any of the "
    "properties, all of them, all of the properties",
    REST: "everything else, all else, the rest, the others, all others, other properties, the other properties, the other two, other changes, "
    "anything else, nothing else, the other two properties, all other properties",
}

SAME = """
constant, same, the same, unchanged, unchanging, identical, stable, consistent, remain, remains, remained, remaining, stay, stays, stayed,
staying, still, keep, keeps, kept, maintained, maintains, fixed, equal, in both, in both images,
in each image, both images, both pictures, in either image
"""

CHANGE = """
change, changes, changed, changing, differ, differs, different, shift, shifts, shifted, switch, switches, switched, vary, varies, varied, altered,
transforms, transformed, modified, difference, becomes, become, became, turn into, turns into, turned into, goes from, go from, went from,
replaced by, is replaced by, are replaced by, replaced with, going from
"""

UP = """
increase, increases, increased, increasing, rise, rises, rose, risen, grow, grows, grew, grown, more, gain, gains, goes up, went up, go up,
additional, added, larger, greater, higher
"""

DOWN = """
decrease, decreases, decreased, decreasing, drop, drops, dropped, fall, falls, fell, fewer, less, reduced, reduces, reduction, declines, declined,
shrinks, goes down, went down, go down, smaller, lower, removed
"""

FACTORS: Mapping[Fraction, str] = {
    Fraction(2): "doubles, doubled, double, twice, factor of two, factor of 2",
    Fraction(3): "triples, tripled, triple, factor of three, factor of 3",
    Fraction(4): "quadruples, quadrupled, factor of four, factor of 4",
    Fraction(1, 2): "halves, halved, half, is halved, are halved",
}

NEGATIONS = """
not, no, never, neither, nor, none of, without, instead of, rather than, no longer, isn't, aren't, doesn't, don't, didn't, hasn't,
haven't, won't, wasn't, weren't, cannot, can't, unlike
"""

BECOMES = "to, into, becomes, become, became, turn into, turns into, turned into, replaced by, is replaced by, are replaced by, replaced with, >"
"""Between the old value and the new one."""

EXCEPT = "except, except for, apart from, aside from, other than, besides, with the exception of, but for"
"""Before the properties of which the opposite of the rest is said."""

ONLY = "only"
SO = "so do, so does, so did, as do, as does, as is, as are, likewise, so is, so are"
"""Says of another property what was just said."""

ANYTHING: Mapping[str, str] = {
    "number": "any number of, any number, any amount of, any amount, any quantity of, any quantity, any count",
    "subject": "any subject, any subjects, any animal, any animals, any subject type, any type of subject, any kind of subject, any species, "
    "any creature, any creatures, any character, any characters, any person, anyone, of any type, of any kind, any being, any beings, "
    "of any subject, of any subject type, any type of animal, any kind of animal, any type of subjects, any figure, any figures",
    "action": "doing anything, do anything, any action, any actions, any activity, performing any action, performing any activity, "
    "doing any action, doing any activity, doing any actions, doing any activities, any kind of action, any type of action",
    "": "any, anything, arbitrary, whatever, any value, any kind, any type",
}
"""Property of which anything will do → how that is said; under "" as the words around decide."""
