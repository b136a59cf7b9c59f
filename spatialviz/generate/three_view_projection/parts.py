"""Engineering parts: given are a view at an angle and one of the views from the front, top, left or right; asked is another of these.

Views show hidden edges dashed. Wrong ones are mirrored, from another side, of a part with something moved, missing or more, or have
edges missing or drawn in the wrong way. In half of the questions what is wrong has fewer lines than the right view, in half more, and so
with dashed ones: or else the fullest view would be right more often than not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from cogsight.shared.build import Puzzle
from cogsight.shared.render.mesh import Floats
from cogsight.shared.render.palette import INK, PAPER
from cogsight.shared.sample import Picture

from ..options import LETTERS, Option, arrange, figures, fitting
from ..sheet import SMOOTH, Panel, sheet
from .edges import EYES, Stroke, View, mirrored, read_stroke, view
from .faces import in_sight, picture
from .rays import agree, found
from .shaping import Feature, is_sound, moved, shaped, together
from .solids import Box, Part, read, told

if TYPE_CHECKING:
    from PIL import Image

KIND = "parts"

QUESTION = (
    "The upper row shows a machine part, at an angle on the left and from the {given} on the right. In the view at an angle the side that"
    " faces left is the front, the side that faces right is the right side of the part. In all other views visible edges are solid lines"
    " and hidden edges dashed ones. Holes, notches and slots go straight through what they are in, and the part has no others than those"
    " that the upper row shows. Which of the figures A, B and C is the view from the {asked}?"
)

FIGURES = len(LETTERS) - 1
"""The fourth option is that none of them is right."""

SIZE, UNIT, BORDER, VISIBLE, HIDDEN, DASH, SPACE = 260, 14, 6, 2.4, 1.6, 8, 5
"""Pixels: the view at an angle, a unit of other views, paper around, widths of lines, dashes and the space between them."""

SIGHT = 90
"""Pixels of the view at an angle that show some face of each feature."""

CHORD = 1
"""Pixels between the points that make up a drawn line."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    features: tuple[int, int] = (3, 5)
    """Bosses, holes, notches … on the blank, fewest and most."""
    sides: tuple[str, ...] = tuple(EYES)
    """From where the given and the asked view may be."""

    kind: ClassVar[str] = KIND

    def __post_init__(self) -> None:
        if not 1 <= self.features[0] <= self.features[1]:
            raise ValueError(f"{self}: 1 or more features, fewest and most")
        if len(self.sides) < 2 or not set(self.sides) <= set(EYES):
            raise ValueError(f"{self}: two or more sides out of {', '.join(EYES)}")


@dataclass(frozen=True, slots=True)
class State:
    """The part and the views to choose from."""

    given: str
    """From where the view is that is shown."""
    asked: str
    part: Part
    options: tuple[View, ...]

    kind: ClassVar[str] = KIND

    def __str__(self) -> str:
        options = (";".join(map(str, option)) for option in self.options)
        return " ".join([KIND, self.given, self.asked, told(self.part), *options])

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        kind, given, asked, part, *options = text.split(" ")
        if kind != KIND or not {given, asked} <= set(EYES) or given == asked or len(options) != FIGURES:
            raise ValueError(f"{text!r}: {KIND}, two sides out of {', '.join(EYES)}, a part and three views")
        return cls(given, asked, read(part), tuple(tuple(map(read_stroke, option.split(";"))) for option in options))


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """A part at random; None when it has too few features or its view too few that are like it."""
    spares = rng.randrange(2)
    solids, named = shaped(rng, rng.randint(*config.features) + spares)
    given, asked = rng.sample(config.sides, 2)
    if len(named) < config.features[0] + spares:
        return None
    spare = named.pop(rng.randrange(len(named))) if spares else None
    part = together(solids, [feature for _, feature in named])
    if not is_sound(part):
        return None
    key = view(part, asked)
    wrong: dict[View, str] = {}
    for one, why in distractors(rng, solids, named, spare, given, asked):
        if one != key:
            wrong.setdefault(one, why)
        if len(wrong) == FIGURES:
            right = Option(key, f"Right: this is the view from the {asked}.")
            arranged = arrange(right, [Option(view, f"Wrong: {why}.") for view, why in wrong.items()], slot, none=True)
            return Puzzle(State(given, asked, part, arranged.things), LETTERS[slot], arranged.explanation)
    return None


def distractors(
    rng: Random,
    solids: list[Box],
    named: list[tuple[str, Feature]],
    spare: tuple[str, Feature] | None,
    given: str,
    asked: str,
) -> Iterator[tuple[View, str]]:
    """Other views than the right one, and what is wrong with them; each way of being wrong may come twice.

    `spare`: a feature that the part does not have; where there is one, the part with it is wrong, or else parts that lack one.
    """
    features = [feature for _, feature in named]
    part = together(solids, features)
    key = view(part, asked)
    for way in rng.sample(WAYS * 2, 2 * len(WAYS)):
        index = rng.randrange(len(named))
        name, others = named[index][0], [*features[:index], *features[index + 1 :]]
        if way == "mirrored":
            yield mirrored(key), "the view is mirrored"
        elif way == "side":
            side = rng.choice([side for side in EYES if side not in (given, asked)])
            yield view(part, side), f"this is the view from the {side}"
        elif way == "count" and spare is None:
            yield view(together(solids, others), asked), f"the {name} is missing"
        elif way == "count" and spare and is_sound(fuller := together(solids, [*features, spare[1]])):
            yield view(fuller, asked), f"the part has no {spare[0]}"
        elif way == "moved":
            changed = moved(rng, solids, features, index)
            if changed:
                yield view(changed, asked), f"the {name} has moved"
        elif way == "drawn":
            yield _with_more_hidden(key) if spare else _without_hidden(rng, key)


WAYS = ("mirrored", "side", "count", "moved", "drawn")


def _without_hidden(rng: Random, key: View) -> tuple[View, str]:
    """Hidden edges left out, or drawn as visible ones; the view as it is where there are none."""
    if rng.random() < 0.5:
        return tuple(stroke for stroke in key if not stroke.hidden), "the hidden edges are missing"
    shown = tuple(replace(stroke, hidden=False) for stroke in key)
    return tuple(sorted(shown, key=str)), "the hidden edges are drawn as visible ones"


def _with_more_hidden(key: View) -> tuple[View, str]:
    """Visible edges that do not reach the view's border drawn as hidden ones; the view as it is where there are none."""
    far = np.concatenate([stroke.points(0.1) for stroke in key]).max(0)
    drawn = (replace(stroke, hidden=stroke.hidden or _is_inside(stroke, far)) for stroke in key)
    return tuple(sorted(drawn, key=str)), "visible edges are drawn as hidden ones"


def _is_inside(stroke: Stroke, far: Floats) -> bool:
    points = stroke.points(0.1)
    return bool((points > EDGE).all() and (points < far - EDGE).all())


EDGE = 0.01
"""Units from a view's border within which a line reaches it."""


def solve(state: State) -> frozenset[str]:
    """The letters of the views that fit what the pictures show; all, when a feature is not to be seen at an angle."""
    if min(in_sight(state.part, SIZE)) < SIGHT:
        return frozenset(LETTERS)
    edges_found = found(state.part, state.asked)
    return fitting(agree(edges_found, option) for option in state.options)


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its four options."""
    return QUESTION.format(given=state.given, asked=state.asked), figures(len(state.options))


def draw(state: State) -> tuple[Picture, ...]:
    """The part at an angle and one of its views above, the options below."""
    given = Panel(state.given.capitalize(), drawing(view(state.part, state.given)))
    options = [Panel(letter, drawing(one)) for letter, one in zip(LETTERS, state.options, strict=False)]
    return (sheet([[Panel("Isometric", picture(state.part, SIZE)), given], options]),)


def drawing(one: View) -> Image.Image:
    """A view on paper, visible edges over hidden ones."""
    from PIL import Image, ImageDraw

    corners = np.concatenate([stroke.points(0.1) for stroke in one]).max(0)
    width, height = (round(UNIT * side) + 2 * BORDER for side in corners.tolist())
    fine = Image.new("RGB", (width * SMOOTH, height * SMOOTH), PAPER)
    pen = ImageDraw.Draw(fine)
    for stroke in sorted(one, key=lambda stroke: not stroke.hidden):
        points = stroke.points(CHORD / UNIT) * UNIT + BORDER
        places = [(float(x) * SMOOTH, float(height - y) * SMOOTH) for x, y in points]
        thick = round((HIDDEN if stroke.hidden else VISIBLE) * SMOOTH)
        for dash in _dashes(places) if stroke.hidden else [places]:
            pen.line(dash, fill=INK, width=thick, joint="curve")
        if not stroke.hidden and not stroke.radius:
            for x, y in (places[0], places[-1]):
                half = (thick - 1) / 2
                pen.rectangle((x - half, y - half, x + half, y + half), fill=INK)
    return fine.reduce(SMOOTH)


def _dashes(places: list[tuple[float, float]]) -> Iterator[list[tuple[float, float]]]:
    """Of a line of points about CHORD pixels apart: runs of DASH pixels with SPACE between, a dash at each end."""
    steps = len(places) - 1
    count = max(1, round((steps * CHORD + SPACE) / (DASH + SPACE)))
    period = (steps + SPACE / CHORD) / count
    for i in range(count):
        start, end = round(i * period), round(i * period + period - SPACE / CHORD)
        if end > start:
            yield places[start : end + 1]


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    options = "; ".join(
        f"{letter}: {sum(not s.hidden for s in one)} visible and {sum(s.hidden for s in one)} hidden lines and arcs"
        for letter, one in zip(LETTERS, state.options, strict=False)
    )
    return (f"a part of boxes and rods, {told(state.part)}, at an angle and from the {state.given}; views: {options}",)
