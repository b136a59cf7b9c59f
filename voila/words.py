"""Scenes, answers and relations in words, and back: the texts of the release, and the canonical form of an answer.

| what | text | written by | read by |
|---|---|---|---|
| scene | two hamsters driving a car | `describe` | `parse_scene` |
| three scenes, as the release has them | Image 1: one cat reading. Image 2: … | `describe_images` | `parse_images` |
| three scenes, in one line: a question's state | one cat reading; one cat typing; … | `format_scenes` | `parse_scenes` |
| image 4, as the release has it | any foxes any | `describe_target` | `parse_target` |
| answer | number = 2, subject = fox, action = any | `format_answer` | `parse_answer` |
| relations | Number is changed from one to two. Action remains … | `format_relations` | `parse_relations` |

What is read may have any case, several blanks for one, digits for number words, and singular or plural; what is written is one text
per value. All that reads raises ValueError with the text that it cannot read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from .rules import Relations, Scene, Scenes, Target
from .taxonomy import ACTIONS, SUBJECTS

ANY = "any"
NUMBER_WORDS = {1: "one", 2: "two", 3: "three", 4: "four"}

VALUE_OF: Mapping[str, Mapping[str, Any]] = {
    "number": {form: number for number, word in NUMBER_WORDS.items() for form in (word, str(number))},
    "subject": {form: singular for singular, plural in SUBJECTS.items() for form in (singular, plural)},
    "action": {action: action for action in ACTIONS},
}
"""Property → how its values may be written → value."""


def noun(subject: str, number: int | None) -> str:
    """The subject's form at a number; plural where the number is free.

    >>> noun("female child", 1), noun("female child", 3), noun("wolf", None)
    ('female child', 'female children', 'wolves')
    """
    return subject if number == 1 else SUBJECTS[subject]


@cache
def describe(scene: Scene) -> str:
    """As the release describes an image.

    >>> describe(Scene(1, "senior woman", "eating food")), describe(Scene(4, "fox", "ice-skating"))
    ('one senior woman eating food', 'four foxes ice-skating')
    """
    return f"{NUMBER_WORDS[scene.number]} {noun(scene.subject, scene.number)} {scene.action}"


@cache
def sentence(scene: Scene) -> str:
    """A whole sentence.

    >>> sentence(Scene(1, "fox", "reading")), sentence(Scene(3, "male child", "ice-skating"))
    ('One fox is reading.', 'Three male children are ice-skating.')
    """
    who = f"{NUMBER_WORDS[scene.number]} {noun(scene.subject, scene.number)}".capitalize()
    return f"{who} {'is' if scene.number == 1 else 'are'} {scene.action}."


def describe_images(scenes: Scenes) -> str:
    """The release's column "combined_description"."""
    one, two, three = scenes
    return f"Image 1: {describe(one)}. Image 2: {describe(two)}. Image 3: {describe(three)}"


def format_scenes(scenes: Scenes) -> str:
    """The state of a question.

    >>> format_scenes((Scene(1, "cat", "reading"), Scene(1, "cat", "typing"), Scene(2, "dog", "reading")))
    'one cat reading; one cat typing; two dogs reading'
    """
    return "; ".join(map(describe, scenes))


@cache
def describe_target(target: Target) -> str:
    """As the release describes image 4.

    >>> describe_target(Target(None, "fox", "reading")), describe_target(Target(1, None, None))
    ('any foxes reading', 'one any any')
    """
    number = ANY if target.number is None else NUMBER_WORDS[target.number]
    subject = ANY if target.subject is None else noun(target.subject, target.number)
    return f"{number} {subject} {target.action or ANY}"


@cache
def format_answer(target: Target) -> str:
    """The canonical text of an answer: digit, singular, action, and "any" where a property is free.

    >>> format_answer(Target(2, "hamster", None))
    'number = 2, subject = hamster, action = any'
    """
    return ", ".join(f"{name} = {format_value(value)}" for name, value in target._asdict().items())


def format_value(value: int | str | None) -> str:
    """One property of an answer.

    >>> format_value(2), format_value(None)
    ('2', 'any')
    """
    return ANY if value is None else str(value)


def format_relations(relations: Relations) -> str:
    """The release's column "Real_relations" without the blank at its end: a subject has the form of the image it stands in.

    >>> format_relations(Relations((1, 2), ("wolf", "wolf"), ("reading", "typing")))
    'Number is changed from one to two. Action is changed from reading to typing. Subject type remains constant wolf.'
    """
    sentences = relation_sentences(relations)
    return " ".join(sentences[name] for name in ("number", "action", "subject"))


def relation_sentences(relations: Relations) -> dict[str, str]:
    """Property → its part of that column."""
    (n1, n2), (s1, s2), (a1, a2) = relations
    return {
        "number": _relation("Number", NUMBER_WORDS[n1], NUMBER_WORDS[n2]),
        "subject": _relation("Subject type", noun(s1, n1), noun(s2, n1 if s1 == s2 else n2)),
        "action": _relation("Action", a1, a2),
    }


def _relation(name: str, one: str, two: str) -> str:
    return f"{name} remains constant {one}." if one == two else f"{name} is changed from {one} to {two}."


def parse_scene(text: str) -> Scene:
    """The scene of a description.

    >>> parse_scene("Two hamsters driving a car")
    Scene(number=2, subject='hamster', action='driving a car')
    """
    found = parse_target(text)
    if found.number is None or found.subject is None or found.action is None:
        raise ValueError(f"{text!r}: an image shows a number, a subject and an action, not any")
    return Scene(found.number, found.subject, found.action)


def parse_target(text: str) -> Target:
    """The target of a description, where each property may be "any", or left out to the same effect.

    >>> parse_target("any foxes any"), parse_target("two reading")
    (Target(number=None, subject='fox', action=None), Target(number=2, subject=None, action='reading'))
    """
    return _target(_match(_DESCRIPTION, text, "two hamsters driving a car"))


def parse_answer(text: str) -> Target:
    """The target of an answer: the canonical text, or the same with number words and plurals.

    >>> parse_answer("number = two, subject = foxes, action = any")
    Target(number=2, subject='fox', action=None)
    """
    return _target(_match(_ANSWER, text, "number = 2, subject = hamster, action = driving a car"))


def parse_images(text: str) -> Scenes:
    """The scenes of the release's column "combined_description"."""
    found = _match(_IMAGES, text, "Image 1: one cat reading. Image 2: … Image 3: …")
    return parse_scene(found["one"]), parse_scene(found["two"]), parse_scene(found["three"])


def parse_scenes(text: str) -> Scenes:
    """The scenes of a question's state."""
    parts = text.split(";")
    if len(parts) != 3:
        raise ValueError(f"{text!r}: {len(parts)} scenes, expected 3")
    return parse_scene(parts[0]), parse_scene(parts[1]), parse_scene(parts[2])


def parse_relations(text: str) -> Relations:
    """The relations of the release's column "Real_relations"."""
    found = _match(_RELATIONS, text, "Number remains constant two. Action is changed from … to … Subject type …")
    same = {name: found[f"{name}_same"] for name in VALUE_OF}
    ends = {name: (same[name] or found[f"{name}_1"], same[name] or found[f"{name}_2"]) for name in VALUE_OF}
    return Relations(*((VALUE_OF[name][one], VALUE_OF[name][two]) for name, (one, two) in ends.items()))


def _target(found: dict[str, Any]) -> Target:
    return Target(*(VALUE_OF[name].get(found[name]) for name in VALUE_OF))


def _match(pattern: re.Pattern[str], text: str, example: str) -> dict[str, Any]:
    found = pattern.fullmatch(" ".join(text.lower().split()))
    if not found:
        raise ValueError(f"{text!r}: expected such as {example!r}")
    return found.groupdict()


def _one_of(name: str, group: str, *more: str) -> str:
    """A group that matches the words of a property, longest first."""
    words = sorted((*VALUE_OF[name], *more), key=len, reverse=True)
    return f"(?P<{group}>{'|'.join(map(re.escape, words))})"


def _either(name: str) -> str:
    changed = f"is changed from {_one_of(name, f'{name}_1')} to {_one_of(name, f'{name}_2')}"
    return rf"(?:remains constant {_one_of(name, f'{name}_same')}|{changed})\."


_DESCRIPTION = re.compile("(?=.)" + "".join(rf"(?:{_one_of(name, name, ANY)}(?: |$))?" for name in VALUE_OF))
_ANSWER = re.compile(r",\s*".join(rf"{name}\s*=\s*{_one_of(name, name, ANY)}" for name in VALUE_OF) + r"\.?")
_IMAGES = re.compile(r"image 1:(?P<one>[^.:]*)\. image 2:(?P<two>[^.:]*)\. image 3:(?P<three>[^.:]*)\.?")
_RELATIONS = re.compile(f"number {_either('number')} action {_either('action')} subject type {_either('subject')}")
