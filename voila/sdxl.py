"""What the paper's pipeline has SDXL paint (section 3.1): 30 pictures of each of the 728 scenes, of which people kept 10 (A.3)."""

from __future__ import annotations

from functools import partial

from cogsight.shared.text_to_image.motifs import Motif

from .drawing import query
from .images import ALL_SCENES, stem
from .rules import Scene, Target
from .words import NUMBER_WORDS, noun

IN_PROMPTS = {"bear": ("brown bear", "brown bears")}
"""Subjects that a prompt calls otherwise: "Four brown bears driving a car" (Figure 8). The other three published prompts have none."""


def prompt(scene: Scene) -> str:
    """As the paper's Figures 8 to 11: number, subject, action, and no more, since long prompts go wrong (section 3.1).

    >>> prompt(Scene(4, "bear", "driving a car")), prompt(Scene(3, "senior woman", "writing")), prompt(Scene(1, "dog", "swimming"))
    ('Four brown bears driving a car', 'Three senior women writing', 'One dog swimming')
    """
    singular, plural = IN_PROMPTS.get(scene.subject, (scene.subject, noun(scene.subject, None)))
    return f"{NUMBER_WORDS[scene.number].capitalize()} {singular if scene.number == 1 else plural} {scene.action}"


def motifs() -> tuple[Motif, ...]:
    """All scenes, subject by subject: whoever looks through them sees one kind of figure at a time."""
    ordered = sorted(ALL_SCENES, key=lambda scene: _SUBJECTS.index(scene.subject))
    return tuple(Motif(stem(scene), prompt(scene), scene.subject, partial(query, Target(*scene))) for scene in ordered)


_SUBJECTS = tuple(dict.fromkeys(scene.subject for scene in ALL_SCENES))
