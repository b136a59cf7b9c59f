"""Cube Reconstruction (MentalFolding/CubeReconstruction): a net is folded into a cube; what can, or cannot, be seen of it?

Level 0 has coloured faces, three figures and "none of them", and asks for opposite faces too; level 1 has drawings that a turn changes,
level 2 faces full of dots. Each figure begins with another corner of the cube, so that no figure is the one in the middle of the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from . import folding, net_proof
from .folding import CAN, CANNOT, View, sides, spoilt
from .net_pictures import LOOKS, cube_picture, net_pictures, net_words
from .nets import COLORS, Cube, Net, corners, negative, plain, random_cube, random_net, stances
from .options import LETTERS, NONE, Option, arrange, figures, fitting
from .sheet import Panel, sheet

OPPOSITE = "opposite"

FORMS = (CAN, CANNOT, OPPOSITE)

INTRODUCTION = (
    "The figure on the left is the net of a cube, lying on a table with its printed side up. It is folded down along its edges into a cube"
    " that has all its print on the outside."
)
QUESTIONS = {
    CAN: "Which figure shows this cube, from outside and turned in any way?",
    CANNOT: "Which figure cannot show this cube, however it is turned? All figures show cubes from outside.",
}
OPPOSITE_QUESTION = "Which colour has the face opposite to the {color} one?"


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    cubes: folding.Config
    forms: tuple[str, ...]
    """What may be asked, out of FORMS."""
    none: bool = False
    """Is the fourth option that none of the others is right?"""

    def __post_init__(self) -> None:
        opposite = OPPOSITE in self.forms
        if not set(self.forms) <= set(FORMS) or (opposite and not (self.none and self.cubes.prints == "colours")):
            raise ValueError(f"{self}: forms are {', '.join(FORMS)}, the last only of colours and with none")


LEVELS = {
    "0": Config(folding.LEVELS["0"], FORMS, none=True),
    "1": Config(folding.LEVELS["1"], (CAN, CANNOT)),
    "2": Config(folding.LEVELS["2"], (CAN, CANNOT)),
}


@dataclass(frozen=True, slots=True)
class State:
    """What the sheet shows, and what is asked. Text: "can", the net and the options with " | " between; of opposite faces, the asked one first.

    Three options where the fourth is that none of them is right.
    """

    form: str
    net: Net
    options: tuple[View, ...] = ()
    colors: tuple[str, ...] = ()
    """Of opposite faces: the one asked about, then the options; letters of COLORS."""

    def __str__(self) -> str:
        return " | ".join(map(str, (self.form, self.net, *self.options, *self.colors)))

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        form, net, *rest = text.split(" | ")
        if form == OPPOSITE:
            return cls(form, Net.parse(net), colors=tuple(rest))
        return cls(form, Net.parse(net), tuple(map(View.parse, rest)))


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """A net of a random cube, and views of the cube and of spoilt ones; None when these do not differ as they should."""
    form, cube = rng.choice(config.forms), random_cube(rng, config.cubes.prints)
    if cube is None:
        return None
    net = random_net(rng, cube)
    if form == OPPOSITE:
        return _opposite(rng, cube, net, slot)
    count = len(LETTERS) - config.none
    same = [(option == slot) == (form == CAN) for option in range(count)]
    options = _views(rng, net, same, config.cubes)
    if options is None:
        return None
    told = [
        Option(option.thing, f"{'Right' if index == slot else 'Wrong'}: {option.why}.")
        for index, option in enumerate(options)
    ]
    right = told.pop(slot) if slot < count else None
    arranged = arrange(right, told, slot, none=config.none)
    return Puzzle(State(form, net, arranged.things), LETTERS[slot], arranged.explanation)


def _opposite(rng: Random, cube: Cube, net: Net, slot: int) -> Puzzle[State]:
    asked = rng.choice(sorted(cube))
    beside = [cube[side] for side in rng.sample(sorted(cube), 6) if side not in (asked, negative(asked))]
    wrong = [Option(face, f"Wrong: the {COLORS[face]} face meets the {COLORS[cube[asked]]} one.") for face in beside]
    right = Option(cube[negative(asked)], f"Right: it does not meet the {COLORS[cube[asked]]} face.")
    arranged = arrange(right, wrong, slot, none=True)
    state = State(OPPOSITE, net, colors=(cube[asked], *arranged.things))
    return Puzzle(state, LETTERS[slot], arranged.explanation)


def _views(rng: Random, net: Net, same: list[bool], config: folding.Config) -> list[Option[View]] | None:
    """Views, each of another three faces: true ones where it says `same`, spoilt ones elsewhere; None when this draw has no such."""
    made: list[Option[View]] = []
    for true in same:
        look, cube = rng.choice(config.looks), rng.choice(stances(net))
        option = (
            Option(View.of(cube, look), "the cube can be turned so")
            if true
            else distractor(rng, net, cube, look, config)
        )
        if option is None or any(_prints(option.thing) == _prints(other.thing) for other in made):
            return None
        made.append(option)
    return made


def distractor(rng: Random, net: Net, cube: Cube, look: int, config: folding.Config) -> Option[View] | None:
    """What is seen of the net's cube when it is changed at the corner that is looked at; None when that can be seen without a change."""
    changed = spoilt(rng, cube, sides(look), config)
    if changed is None:
        return None
    view = View.of(changed[0], look)
    return None if view.faces in corners(net, above=view.above) else Option(view, changed[1])


def _prints(view: View) -> frozenset[str]:
    return frozenset(map(plain, view.faces))


def solve(state: State) -> frozenset[str]:
    """The letters of the options that fit: views that are, or are not, one of the cube's corners; the face that shares no corner."""
    if state.form == OPPOSITE:
        asked, *colors = state.colors
        return fitting(net_proof.opposite(state.net.faces, asked) == color for color in colors)
    found = net_proof.all_corners(state.net.faces)
    seen = (net_proof.shown(view.faces, above=view.above) for view in state.options)
    return fitting((corner in found) == (state.form == CAN) for corner in seen)


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its four options."""
    if state.form == OPPOSITE:
        asked, *colors = (COLORS[letter] for letter in state.colors)
        question = OPPOSITE_QUESTION.format(color=asked)
        return f"{INTRODUCTION} {question}", dict(zip(LETTERS, (*map(str.capitalize, colors), NONE), strict=True))
    return f"{INTRODUCTION} {QUESTIONS[state.form]}", figures(len(state.options))


def draw(state: State) -> tuple[Picture, ...]:
    """The net and the cubes in a row."""
    cubes = [cube_picture(view.faces, LOOKS[view.look]) for view in state.options]
    panels = zip(("Net", *LETTERS), [*net_pictures([state.net]), *cubes], strict=False)
    return (sheet([[Panel(title, image) for title, image in panels]]),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    cubes = (f"{letter}: {view.words()}" for letter, view in zip(LETTERS, state.options, strict=False))
    return ("; ".join((f"net: {net_words(state.net)}", *cubes)),)


GENERATOR = Generator(
    name="cube_reconstruction",
    category=TASKS["cube_reconstruction"].category,
    answer_type=TASKS["cube_reconstruction"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)
