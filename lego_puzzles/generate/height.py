"""Height (section 3.1, spatial understanding): two pieces are pointed at; the top of which is higher, or lower, in space?

The paper asks which object is taller or shorter in 3D. Here that is one thing only: how high the upper side of the piece is above the
ground, in space, whatever its height on the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.painter import (
    ARROW_LENGTH,
    ARROW_WIDTH,
    HALO,
    STUD_HEIGHT,
    SUPERSAMPLING,
    Arrow,
    Face,
    Frame,
    Point,
    corners,
    face_at,
    face_image,
    fit,
    paint,
    project,
    survey,
)
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .bricks import BRICK, PLATE, Brick, Kit, Model, grow, shown
from .sight import seen_faces

SIZE, MARGIN = 448, 52
"""Pixels; the margin leaves room for arrows."""

QUESTION = (
    "Two pieces of the brick model in <image 1> are pointed at, one by a red arrow and one by a blue arrow. Compare how high the upper side "
    "of each piece (without its studs) is above the ground that the model stands on. This is about height in 3D space, not about the place "
    "on the page. Which piece's upper side is {ask}?"
)

CHOICES = {
    "A": "The piece that the red arrow points at",
    "B": "The piece that the blue arrow points at",
    "C": "Both are at the same height",
}

CLEAR = 60
"""Percent of a unit face that must be visible to count: heights are read off small seams."""

DIRECTIONS: dict[str, Point] = {
    "above": (0, -1000),
    "left-above": (-707, -707),
    "right-above": (707, -707),
    "left": (-1000, 0),
    "right": (1000, 0),
}
"""Where an arrow comes from."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    pieces: int
    """Besides the base."""
    base: tuple[int, int]
    """Studs."""
    heights: tuple[int, ...]
    """Of the pieces, in plates; repeats weigh."""
    colors: int
    """How many, besides the base's; with one, only edges tell pieces apart."""
    support: int
    """How much of a piece rests on studs, percent; overhangs make heights hard to read."""
    gap: tuple[int, int]
    """Smallest and largest difference between unequal tops, plates."""
    conflict: int
    """Percent of the unequal pairs in which the piece that is higher in space is lower on the page."""

    def __post_init__(self) -> None:
        if not (self.pieces >= 2 and 1 <= self.colors <= len(COLORS) and 1 <= self.gap[0] <= self.gap[1]):
            raise ValueError(
                f"{self}: at least 2 pieces, 1 to {len(COLORS)} colours and a gap of at least one plate; see LEVELS"
            )


COLORS = ("orange", "yellow", "lime", "green", "turquoise", "brown", "tan", "white")
"""No red and no blue: these are the arrows."""

SIZES = ((1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 2), (2, 3), (2, 4))

LEVELS = {
    "1": Config(
        pieces=6, base=(6, 6), heights=(BRICK, BRICK, BRICK, PLATE), colors=6, support=100, gap=(3, 12), conflict=30
    ),
    "2": Config(pieces=9, base=(7, 7), heights=(BRICK, BRICK, PLATE), colors=3, support=75, gap=(2, 6), conflict=50),
    "3": Config(pieces=13, base=(8, 8), heights=(BRICK, PLATE), colors=1, support=75, gap=(1, 4), conflict=70),
}


@dataclass(frozen=True, slots=True)
class Pointer:
    """An arrow onto the stud on top of cell (x, y, z). Text: "3,4,2 above"."""

    x: int
    y: int
    z: int
    source: str
    """A name in `DIRECTIONS`."""

    def __str__(self) -> str:
        return f"{self.x},{self.y},{self.z} {self.source}"

    @classmethod
    def parse(cls, text: str) -> Pointer:
        """Reads what `str` writes."""
        cell, source = text.split(" ")
        x, y, z = map(int, cell.split(","))
        return cls(x, y, z, source)

    def arrow(self, color: str) -> Arrow:
        """Its tip is in the middle of the stud's upper side."""
        (u0, v0), (_, v1) = project(self.x, self.y, self.z + 1), project(self.x + 1, self.y + 1, self.z + 1)
        return Arrow((u0, (v0 + v1) // 2 - STUD_HEIGHT), DIRECTIONS[self.source], color)


@dataclass(frozen=True, slots=True)
class State:
    """The question's picture. Text: "higher | 3,4,2 above | 0,1,5 left | grey 6x6x1 0,0,0; …"."""

    ask: str
    """"higher" or "lower"."""
    red: Pointer
    blue: Pointer
    model: Model

    def __str__(self) -> str:
        return f"{self.ask} | {self.red} | {self.blue} | {self.model}"

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        ask, red, blue, model = text.split(" | ")
        return cls(ask, Pointer.parse(red), Pointer.parse(blue), Model.parse(model))

    def arrows(self) -> tuple[Arrow, Arrow]:
        """Red, blue."""
        return self.red.arrow("red"), self.blue.arrow("blue")

    def frame(self) -> Frame:
        """How the picture is cut."""
        return fit([self.model.bricks], size=SIZE, margin=MARGIN)

    def visible(self) -> list[Face]:
        """The unit faces that can be seen, arrows in place."""
        return list(seen_faces(self.model, self.frame(), arrows=self.arrows(), clear=CLEAR))

    def pointed_at(self) -> tuple[Face | None, Face | None]:
        """The unit faces under the tips of the red and of the blue arrow."""
        frame = self.frame()
        image, faces = face_image(self.model.bricks, frame=frame)
        red, blue = (face_at(image, faces, frame.at(arrow.tip)) for arrow in self.arrows())
        return red, blue


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """Slot 0: the red arrow's piece is the answer, 1: the blue one's, 2: both are equal."""
    ask = rng.choice(("higher", "lower"))
    conflict = rng.randrange(100) < config.conflict
    colors = tuple(rng.sample(COLORS, config.colors))
    kit = Kit(SIZES, config.heights, colors, tallest=13, support=config.support, seen=60, kept=30)
    base = Model((Brick(0, 0, 0, *config.base, PLATE, "grey"),))
    for _ in range(MODELS):  # with the same wishes, or else rare ones would lose their share
        model = grow(rng, base, kit, config.pieces)
        pair = _pair(rng, model, config, equal=slot == 2, conflict=conflict) if model else None
        if model and pair:
            winner, other = sorted(pair, key=lambda pointer: pointer.z, reverse=ask == "higher")
            swap = slot == 1 or (slot == 2 and rng.random() < 0.5)
            state = State(ask, *((other, winner) if swap else (winner, other)), model)
            return Puzzle(state, "ABC"[slot], _explain(state, "ABC"[slot]))
    return None


MODELS = 20
"""Models tried for one pair."""


def _pair(rng: Random, model: Model, config: Config, *, equal: bool, conflict: bool) -> tuple[Pointer, Pointer] | None:
    """Two pieces that are as the slot and the level ask, and whose arrows keep apart."""
    frame = fit([model.bricks], size=SIZE, margin=MARGIN)
    pairs = list(combinations(_pointers(model, frame), 2))
    rng.shuffle(pairs)
    fitting = ((a, b) for a, b in pairs if _fits(a, b, config, equal=equal, conflict=conflict) and _apart(a, b, frame))
    return next(fitting, None)


def _pointers(model: Model, frame: Frame) -> list[Pointer]:
    """One for each piece that shows enough of itself: onto its most central bare stud, from where the arrow hides least."""
    visible = survey(model.bricks, frame=frame)
    middles = [_middle([frame.at(point) for point in corners(face)]) for face in visible]
    pointers = []
    for brick, share in list(zip(model.bricks, shown(model), strict=True))[1:]:
        studs = [column for column in brick.columns() if visible.get(Face(*column, brick.top - 1, "top"), 0) >= BARE]
        if share < RECOGNISABLE or not studs:
            continue
        x, y = min(studs, key=lambda stud: (_off_centre(stud, brick), stud))
        inside = [
            pointer for source in DIRECTIONS if _is_inside(pointer := Pointer(x, y, brick.top - 1, source), frame)
        ]
        if inside:
            pointers.append(min(inside, key=lambda pointer: _hides(pointer, middles, frame)))
    return pointers


BARE, RECOGNISABLE = 85, 60
"""Percent visible: of the stud pointed at, and of its piece."""


def _off_centre(stud: tuple[int, int], brick: Brick) -> int:
    return abs(2 * (stud[0] - brick.x) + 1 - brick.w) + abs(2 * (stud[1] - brick.y) + 1 - brick.d)


def _middle(points: list[Point]) -> Point:
    return sum(x for x, _ in points) // len(points), sum(y for _, y in points) // len(points)


def _ends(pointer: Pointer, frame: Frame) -> tuple[Point, Point]:
    """Tip and tail, subpixels."""
    (x, y), (dx, dy) = frame.at(pointer.arrow("red").tip), DIRECTIONS[pointer.source]
    reach = SUPERSAMPLING * (ARROW_LENGTH + 2 * HALO)
    return (x, y), (x + dx * reach // 1000, y + dy * reach // 1000)


def _is_inside(pointer: Pointer, frame: Frame) -> bool:
    """Does the whole arrow lie in the picture?"""
    edge = SUPERSAMPLING * ARROW_WIDTH
    return all(edge <= value <= SUPERSAMPLING * frame.size - edge for value in _ends(pointer, frame)[1])


def _hides(pointer: Pointer, middles: list[Point], frame: Frame) -> int:
    """How many seen unit faces have their middle under the arrow, or very near to it."""
    (x, y), (dx, dy) = frame.at(pointer.arrow("red").tip), DIRECTIONS[pointer.source]
    reach, half = SUPERSAMPLING * ARROW_LENGTH, SUPERSAMPLING * ARROW_WIDTH // 2
    return sum(
        0 < ((u - x) * dx + (v - y) * dy) // 1000 < reach and abs((u - x) * dy - (v - y) * dx) // 1000 < half
        for u, v in middles
    )


def _fits(one: Pointer, other: Pointer, config: Config, *, equal: bool, conflict: bool) -> bool:
    """Is the pair as the slot and the level ask?"""
    rise = one.z - other.z
    if equal:
        return rise == 0
    page_rise = other.arrow("red").tip[1] - one.arrow("red").tip[1]
    return config.gap[0] <= abs(rise) <= config.gap[1] and (rise * page_rise < 0) == conflict


def _apart(one: Pointer, other: Pointer, frame: Frame) -> bool:
    """No end of one arrow is near an end of the other."""
    near = (SUPERSAMPLING * MIN_DISTANCE) ** 2
    return all((x - u) ** 2 + (y - v) ** 2 >= near for x, y in _ends(one, frame) for u, v in _ends(other, frame))


MIN_DISTANCE = 56
"""Pixels between the arrows' ends."""


def _explain(state: State, key: str) -> dict[str, str]:
    tops = f"the red arrow's piece ends {state.red.z + 1} plates above the ground, the blue arrow's {state.blue.z + 1}"
    return {letter: f"{'Right' if letter == key else 'Wrong'}: {tops}." for letter in CHOICES}


Tile = tuple[str, tuple[Point, ...]]
"""A unit face as it lies in the picture: its side and its four corners."""


def solve(state: State) -> frozenset[str]:
    """Reads heights off the picture; where the faces are in space is left out.

    The picture is a mosaic of unit faces. Two that share a whole edge in it touch in space; along a side's edge height grows by one plate,
    along a top it stays. So heights spread from face to face. Where no path of seen faces joins the two pieces, any answer fits.
    """
    tiles = [_tile(face) for face in state.visible()]
    red, blue = (_tile(face) if face else None for face in state.pointed_at())
    rises = _rises(tiles, red) if red in tiles else {}
    if blue not in rises:
        return frozenset(CHOICES)
    rise = rises[blue] if state.ask == "higher" else -rises[blue]
    return frozenset("C" if rise == 0 else "B" if rise > 0 else "A")


def _tile(face: Face) -> Tile:
    return face.side, tuple(corners(face))


def _edges(tile: Tile) -> Iterator[tuple[frozenset[Point], int]]:
    """Each edge with its height above the tile's first corner: the sum over its ends, plates."""
    side, points = tile
    lift = (0, 0, 0, 0) if side == "top" else (0, 0, 1, 1)
    for i in range(4):
        yield frozenset((points[i], points[i - 1])), lift[i] + lift[i - 1]


def _rises(tiles: list[Tile], start: Tile) -> dict[Tile, int]:
    """Every tile that a path of shared edges joins to the start → how much higher its first corner is, plates."""
    meeting: dict[frozenset[Point], list[tuple[Tile, int]]] = defaultdict(list)
    for tile in tiles:
        for edge, lift in _edges(tile):
            meeting[edge].append((tile, lift))
    rises = {start: 0}
    queue = [start]
    for tile in queue:  # grows while it is walked
        for edge, lift in _edges(tile):
            for other, other_lift in meeting[edge]:
                if other not in rises:
                    rises[other] = rises[tile] + (lift - other_lift) // 2
                    queue.append(other)
    return rises


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION.format(ask=state.ask), CHOICES


def draw(state: State) -> tuple[Picture, ...]:
    """The model with both arrows."""
    return (Picture.from_image(paint(state.model.bricks, frame=state.frame(), arrows=state.arrows())),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    pointers = (("red", state.red), ("blue", state.blue))
    arrows = (f"a {color} arrow from {p.source} onto {p.x},{p.y},{p.z}" for color, p in pointers)
    return ("; ".join([state.model.describe(), *arrows]),)


GENERATOR = Generator(
    name="height",
    category=TASKS["height"].category,
    answer_type=TASKS["height"].answer_type,
    levels=LEVELS,
    slots=len(CHOICES),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)
