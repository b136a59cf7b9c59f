"""Mechanisms in words: for alternative texts, and the sizes that questions about numbers of turns state."""

from __future__ import annotations

from collections.abc import Mapping

from .mechanism import Mechanism

LINKS: Mapping[str, str] = {
    "mesh": "meshes with",
    "belt": "drives by a belt",
    "cross": "drives by a crossed belt",
    "rack": "meshes with the rack",
    "worm": "meshes as a worm with",
    "bevel": "meshes as a bevel gear with",
    "crank": "moves by a crank the slider",
    "geneva": "drives by a pin the Geneva wheel",
}

STATED = {
    "gear": "Numbers of teeth: {}.",
    "pulley": "Diameters of pulleys in centimetres: {}.",
    "bevel": "Teeth of the bevel gears: {}.",
    "worm": "The worm of {} has one thread.",
}
"""Kind of part → the sentence that states its sizes."""


def sizes(mechanism: Mechanism) -> str:
    """All sizes that matter but for the slots of a Geneva wheel, which are to be counted; by letter, for how parts follow is how they join."""
    told = []
    for kind, sentence in STATED.items():
        bodies: dict[str, list[str]] = {}
        for part in mechanism.parts:
            if part.kind == kind:
                bodies.setdefault(part.body, []).append(str(part.size))
        if bodies:
            each = (
                body if kind == "worm" else f"{body} {' and '.join(numbers)}"
                for body, numbers in sorted(bodies.items())
            )
            told.append(sentence.format(", ".join(each)))
    return " ".join(told)


def words(mechanism: Mechanism) -> str:
    """What drives what."""
    names = [f"{part.body} ({part.kind}{f' of {part.size}' * (part.size > 0)})" for part in mechanism.parts]
    told = (
        f"{names[link.one]} {LINKS[link.kind]} {names[link.other]}" + f" ({link.detail})" * bool(link.detail)
        for link in mechanism.links
    )
    return ", ".join(told)
