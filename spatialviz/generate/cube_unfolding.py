"""Cube Unfolding (MentalFolding/CubeUnfolding): a cube is seen from one corner; which net can, or cannot, be folded into it?

Level 0 has coloured faces, level 1 drawings that a turn changes, level 2 faces full of dots. Only what the picture shows counts: the faces
that it hides are in other places in each net, so that the nets alone do not tell which of them is the odd one.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from . import net_proof
from .folding import CAN, CANNOT, LEVELS, Config, View, sides, spoilt
from .net_pictures import LOOKS, cube_picture, net_pictures, net_words
from .nets import Cube, Net, corners, plain, random_cube, random_net, spun
from .options import LETTERS, Option, arrange, figures, fitting
from .sheet import Panel, sheet

INTRODUCTION = (
    "The figure on the left shows three faces of a cube, seen from outside. The figures A, B, C and D are nets that lie on a table with"
    " their printed side up; each is folded down along its edges into a cube that has all its print on the outside."
)
QUESTIONS = {
    CAN: "Which net can be folded into a cube that looks like the one on the left when it is turned the right way?",
    CANNOT: "Which net cannot be folded into a cube that looks like the one on the left, however it is turned?",
}


@dataclass(frozen=True, slots=True)
class State:
    """What the sheet shows. Text: "can", the cube and the four nets with " | " between."""

    form: str
    cube: View
    options: tuple[Net, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, (self.form, self.cube, *self.options)))

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        form, cube, *options = text.split(" | ")
        if form not in QUESTIONS or len(options) != len(LETTERS):
            raise ValueError(f"{text!r}: a form, {CAN} or {CANNOT}, a view and {len(LETTERS)} nets")
        return cls(form, View.parse(cube), tuple(map(Net.parse, options)))


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """A cube, and nets of it and of cubes that differ from it where it is seen; None when too few of them differ."""
    form, cube = rng.choice((CAN, CANNOT)), random_cube(rng, config.prints)
    if cube is None:
        return None
    view = View.of(cube, rng.choice(config.looks))
    others = distractors(rng, cube, view, config)
    if others is None:
        return None
    fit = [Option(_net(rng, cube, view), "its faces meet as in the picture") for _ in LETTERS]
    (right, *_), wrong = (fit, others) if form == CAN else (others, fit)
    arranged = arrange(
        Option(right.thing, f"Right: {right.why}."), [Option(net.thing, f"Wrong: {net.why}.") for net in wrong], slot
    )
    return Puzzle(State(form, view, arranged.things), LETTERS[slot], arranged.explanation)


TREES = ((0, 0, 0),) + 3 * ((0, 1, 1),) + 6 * ((0, 0, 1),) + 6 * ((0, 1, 2),)
"""The 16 trees of four things, each with its root at thing 0: what each of the others hangs on."""


def distractors(rng: Random, cube: Cube, view: View, config: Config) -> list[Option[Net]] | None:
    """Nets of three spoilt cubes, in random order, none of which can look like the view; None when there are too few.

    Each is one change away from the right cube or from another spoilt one, as a random tree says; the right cube is anywhere in it.
    Were all made from the right one, it would be the one in the middle.
    """
    made = [Option(cube, "")]
    for parent in rng.choice(TREES):
        base = made[parent]
        changed = spoilt(rng, base.thing, sides(view.look), config)
        if changed is None:
            return None
        made.append(Option(changed[0], _and(base.why, changed[1])))
    options = [Option(_net(rng, option.thing, view), option.why) for option in rng.sample(made[1:], len(made) - 1)]
    if any(view.faces in corners(option.thing, above=view.above) for option in options):
        return None
    return options


def _and(before: str, change: str) -> str:
    """What was done before, and another change.

    >>> _and("", "one is turned"), _and("one is turned", "one is turned")
    ('one is turned', 'one is turned, twice over')
    """
    if not before:
        return change
    return f"{before}, twice over" if before == change else f"{before}, and {change}"


def _net(rng: Random, cube: Cube, view: View) -> Net:
    """A net of the cube, in which the prints that the view does not show have changed places and are turned."""
    shown = set(map(plain, view.faces))
    places = [side for side, face in cube.items() if plain(face) not in shown]
    prints = [spun(cube[side], rng.randrange(4)) for side in places]
    return random_net(rng, {**cube, **dict(zip(places, rng.sample(prints, len(prints)), strict=True))})


def solve(state: State) -> frozenset[str]:
    """The letters of the nets that fit: one corner of the cube looks as the picture does, or none does."""
    seen = net_proof.shown(state.cube.faces, above=state.cube.above)
    return fitting((seen in net_proof.all_corners(net.faces)) == (state.form == CAN) for net in state.options)


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its four options."""
    return f"{INTRODUCTION} {QUESTIONS[state.form]}", figures()


def draw(state: State) -> tuple[Picture, ...]:
    """The cube and the nets in a row."""
    images = [cube_picture(state.cube.faces, LOOKS[state.cube.look]), *net_pictures(state.options)]
    return (sheet([[Panel(title, image) for title, image in zip(("Cube", *LETTERS), images, strict=True)]]),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    nets = (f"{letter}: {net_words(net)}" for letter, net in zip(LETTERS, state.options, strict=True))
    return ("; ".join((f"cube: {state.cube.words()}", *nets)),)


GENERATOR = Generator(
    name="cube_unfolding",
    category=TASKS["cube_unfolding"].category,
    answer_type=TASKS["cube_unfolding"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)
