"""Satellite Image Matching (Appendix A.1.1): from which of seven places on the map was each of two photos taken?

A plain stand-in: one tower whose four walls have colours of their own, drawn from above and from the street.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.canvas import Canvas
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .states import read_state, told

QUESTION = (
    "Two of the three pictures show a tower as somebody in the street sees it, the third shows it from above with seven places around it,"
    " A to G. On the map the coloured strips along the roof show the colour of the wall below. At each place one looks straight at the"
    " tower. From which place was each of the first two pictures taken? Answer as in: Picture 1: A, Picture 2: B"
)

PLACES = "ABCDEFG"
AROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Where one can stand: right and down from the tower, clockwise from the top of the map."""
COLORS = ("red", "orange", "yellow", "green", "turquoise", "blue", "violet", "brown")
SIZE = 420
"""Pixels."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    corners: int
    """Photos that show two walls; the others show one."""


LEVELS = {"1": Config(corners=1), "2": Config(corners=2)}


@dataclass(frozen=True, slots=True)
class State:
    """The tower and the places."""

    walls: tuple[str, ...]
    """Colours: top, right, bottom, left of the map."""
    places: tuple[int, ...]
    """Per letter, where it is: an index in AROUND."""
    photos: tuple[tuple[str, ...], ...]
    """Per photo the walls on it, from left to right."""

    def __str__(self) -> str:
        return told(self)

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        return read_state(cls, text)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State]:
    """The places' letters do not tell where they lie."""
    walls = tuple(rng.sample(COLORS, 4))
    places = tuple(rng.sample(range(8), len(PLACES)))
    corners = [place for place in places if place % 2]
    sides = [place for place in places if not place % 2]
    taken = [*rng.sample(corners, config.corners), *rng.sample(sides, 2 - config.corners)]
    rng.shuffle(taken)
    # Going clockwise around the tower, the next wall appears on the left.
    photos = tuple((walls[(at // 2 + 1) % 4], walls[at // 2]) if at % 2 else (walls[at // 2],) for at in taken)
    answer = ", ".join(f"Picture {n}: {PLACES[places.index(at)]}" for n, at in enumerate(taken, 1))
    return Puzzle(State(walls, places, photos), answer, {})


def solve(state: State) -> frozenset[str]:
    """Every pair of places from which the walls are seen in that order: those that face the place, by angle from left to right."""
    facing = dict(zip(state.walls, ((0, -1), (1, 0), (0, 1), (-1, 0)), strict=True))
    seen = {}
    for letter, place in zip(PLACES, state.places, strict=True):
        x, y = AROUND[place]
        bare = [color for color, (u, v) in facing.items() if x * u + y * v > 0]
        # One looks along (-x, -y); on the map, whose y goes down, the left hand points to (-y, x).
        seen[letter] = tuple(sorted(bare, key=lambda color: -(facing[color][0] * -y + facing[color][1] * x)))
    first, second = state.photos
    return frozenset(
        f"Picture 1: {one}, Picture 2: {other}"
        for one in seen
        for other in seen
        if one != other and seen[one] == first and seen[other] == second
    )


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question; it has no choices."""
    return QUESTION, {}


def draw(state: State) -> tuple[Picture, ...]:
    """Two photos, then the map."""
    return (*map(_photo, state.photos), _map(state))


def _photo(walls: tuple[str, ...]) -> Picture:
    canvas = Canvas(SIZE, SIZE, (196, 222, 242))
    canvas.box(0, 330, SIZE, SIZE, (150, 152, 156), None)
    if len(walls) == 1:
        canvas.polygon([(110, 60), (310, 60), (310, 350), (110, 350)], walls[0])
        faces = [(150, 60, 0), (210, 60, 0), (270, 60, 0)]
    else:
        canvas.polygon([(70, 100), (210, 50), (210, 370), (70, 330)], walls[0])
        canvas.polygon([(210, 50), (350, 100), (350, 330), (210, 370)], walls[1])
        faces = [(110, 92, 0), (165, 78, 0), (255, 78, 0), (310, 92, 0)]
    for x, top, _ in faces:
        for floor in range(3):
            canvas.box(x - 14, top + 45 + 70 * floor, x + 14, top + 85 + 70 * floor, "white")
    return canvas.picture()


def _map(state: State) -> Picture:
    canvas = Canvas(SIZE, SIZE, (206, 222, 190))
    canvas.box(60, 60, SIZE - 60, SIZE - 60, (170, 172, 176), None)
    low, high, strip = SIZE // 2 - 70, SIZE // 2 + 70, 22
    canvas.box(low, low, high, high, (226, 226, 226))
    inner = (low + strip, high - strip)
    strips = (
        [(low, low), (high, low), (inner[1], inner[0]), (inner[0], inner[0])],
        [(high, low), (high, high), (inner[1], inner[1]), (inner[1], inner[0])],
        [(high, high), (low, high), (inner[0], inner[1]), (inner[1], inner[1])],
        [(low, high), (low, low), (inner[0], inner[0]), (inner[0], inner[1])],
    )
    for color, corners in zip(state.walls, strips, strict=True):
        canvas.polygon(corners, color)
    for letter, place in zip(PLACES, state.places, strict=True):
        x, y = AROUND[place]
        center = (SIZE // 2 + 125 * x, SIZE // 2 + 125 * y)
        canvas.disc(center, 17, "white")
        canvas.text(center, letter, 22)
    return canvas.picture()


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    photos = [f"a tower; its walls from left to right: {', '.join(walls)}" for walls in state.photos]
    return *photos, f"a map of the tower; its walls clockwise from the top: {', '.join(state.walls)}"


GENERATOR = Generator(
    name="satellite_image_matching",
    category=TASKS["satellite_image_matching"].category,
    answer_type=TASKS["satellite_image_matching"].answer_type,
    levels=LEVELS,
    slots=1,
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)
