"""Jigsaw Puzzle (Appendix A.2.4): which square piece fills which hole of a picture?

Proved on the pixels: a piece fits a hole when the colours along its edges go on around the hole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from random import Random
from typing import TYPE_CHECKING

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.render.canvas import SHAPES, Canvas
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .states import read_state, told

if TYPE_CHECKING:
    from PIL import Image

QUESTION = (
    "The first picture has {count} empty squares, numbered 1 to {count}. The second picture shows the {count} pieces that were cut out there,"
    " lettered {letters}; none is turned. Which piece belongs in which square? Give all pairs of letter and number, as in: A-1, B-2"
)

SIDE, GRID, PIECE = 480, 5, 80
"""Pixels; squares per side among which holes are chosen; side of a hole in pixels."""
LETTERS = "ABCDEF"
COLORS = ("red", "orange", "yellow", "lime", "green", "turquoise", "blue", "violet", "brown", "tan", "white")
FITS, MAY_FIT = 10, 30
"""Largest share of unlike pixels along its edges, per cent, that a piece has where it was cut, and that leaves a doubt elsewhere."""
UNLIKE = 80
"""Difference in a colour channel from which on two neighbouring pixels are unlike."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    pieces: int
    shapes: int
    """Drawn one over another."""

    def __post_init__(self) -> None:
        if not 2 <= self.pieces <= len(LETTERS):
            raise ValueError(f"{self}: 2 to {len(LETTERS)} pieces; see LEVELS")


LEVELS = {"1": Config(3, 24), "2": Config(5, 40)}


@dataclass(frozen=True, slots=True)
class State:
    """A picture as the shapes in it, what is cut out, and the order in which the pieces lie."""

    ground: str
    shapes: tuple[tuple[str, int, int, int, str], ...]
    """Kind, centre, radius, colour; later ones lie above."""
    holes: tuple[tuple[int, int], ...]
    """Upper left corners, in the order of their numbers."""
    pieces: tuple[int, ...]
    """Per letter, the hole that it was cut from, counted from 0."""

    def __str__(self) -> str:
        return told(self)

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        return read_state(cls, text)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """Shapes at random; None when the outline of one runs along the edge of a piece, which then would hardly fit where it was cut."""
    ground = rng.choice(COLORS)
    shapes = tuple(
        (rng.choice(SHAPES), rng.randrange(SIDE), rng.randrange(SIDE), rng.randrange(40, 110), rng.choice(COLORS))
        for _ in range(config.shapes)
    )
    pitch = SIDE // GRID
    squares = sorted(rng.sample(range(GRID**2), config.pieces))
    holes = tuple((n % GRID * pitch + (pitch - PIECE) // 2, n // GRID * pitch + (pitch - PIECE) // 2) for n in squares)
    order = tuple(rng.sample(range(config.pieces), config.pieces))
    state = State(ground, shapes, holes, order)
    whole = _paint(state)
    if any(_break(whole, x, y) > FITS for x, y in holes):
        return None
    pairs = (f"{LETTERS[i]}-{hole + 1}" for i, hole in enumerate(order))
    return Puzzle(state, ", ".join(pairs), {})


def _break(image: Image.Image, x: int, y: int) -> float:
    """Per cent of the pixels around a square that are unlike their neighbours in it."""
    from PIL import ImageChops

    end, count = PIECE, 0
    across = [((x, row, x + end, row + 1), (x, row + 1, x + end, row + 2)) for row in (y - 1, y + end - 1)]
    down = [((column, y, column + 1, y + end), (column + 1, y, column + 2, y + end)) for column in (x - 1, x + end - 1)]
    for outer, inner in across + down:
        bands = ImageChops.difference(image.crop(outer), image.crop(inner)).split()
        lightest = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
        count += sum(lightest.histogram()[UNLIKE + 1 :])
    return 100 * count / (4 * end)


def solve(state: State) -> frozenset[str]:
    """Every way to fill all holes in which the colours go on along the edges, as far as one may think so."""
    fits = [[share <= MAY_FIT for share in row] for row in _shares(state)]
    return frozenset(
        ", ".join(f"{LETTERS[i]}-{hole + 1}" for i, hole in enumerate(order))
        for order in permutations(range(len(fits)))
        if all(fits[i][hole] for i, hole in enumerate(order))
    )


@lru_cache(maxsize=4)
def _shares(state: State) -> tuple[tuple[float, ...], ...]:
    """Per piece and hole, the per cent of its edge pixels that are unlike those around the hole."""
    whole = _paint(state)
    rings = [_ring(whole, x, y) for x, y in state.holes]
    edges = [_edge(_piece(whole, state, i)) for i in range(len(state.pieces))]
    return tuple(tuple(_unlike(edge, ring) for ring in rings) for edge in edges)


Pixels = Sequence[tuple[int, int, int]]


def _ring(image: Image.Image, x: int, y: int) -> Pixels:
    """What lies around a hole, side after side."""
    end = PIECE
    bands = (
        (x, y - 1, x + end, y),
        (x, y + end, x + end, y + end + 1),
        (x - 1, y, x, y + end),
        (x + end, y, x + end + 1, y + end),
    )
    return [pixel for band in bands for pixel in _pixels(image.crop(band))]


def _edge(piece: Image.Image) -> Pixels:
    """The outermost pixels of a piece, in the order of `_ring`."""
    end = PIECE
    bands = ((0, 0, end, 1), (0, end - 1, end, end), (0, 0, 1, end), (end - 1, 0, end, end))
    return [pixel for band in bands for pixel in _pixels(piece.crop(band))]


def _pixels(image: Image.Image) -> Pixels:
    data = image.tobytes()
    return list(zip(data[::3], data[1::3], data[2::3], strict=True))


def _unlike(one: Pixels, other: Pixels) -> float:
    pairs = zip(one, other, strict=True)
    return 100 * sum(max(abs(a - b) for a, b in zip(p, q, strict=True)) > UNLIKE for p, q in pairs) / len(one)


def _paint(state: State) -> Image.Image:
    canvas = Canvas(SIDE, SIDE, state.ground)
    for kind, x, y, radius, color in state.shapes:
        canvas.shape(kind, (x, y), radius, color)
    return canvas.image()


def _piece(whole: Image.Image, state: State, number: int) -> Image.Image:
    x, y = state.holes[state.pieces[number]]
    return whole.crop((x, y, x + PIECE, y + PIECE))


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question; it has no choices."""
    count = len(state.pieces)
    return QUESTION.format(count=count, letters=f"A to {LETTERS[count - 1]}"), {}


def draw(state: State) -> tuple[Picture, ...]:
    """The picture with its holes, and the pieces in a row."""
    whole = _paint(state)
    holes = whole.copy()
    for number, (x, y) in enumerate(state.holes, 1):
        hole = Canvas(PIECE, PIECE)
        hole.text((PIECE // 2, PIECE // 2), str(number), 36)
        holes.paste(hole.image(), (x, y))
    gap = 30
    row = Canvas(gap + len(state.pieces) * (PIECE + gap), PIECE + 3 * gap)
    for number in range(len(state.pieces)):
        row.text((gap + number * (PIECE + gap) + PIECE // 2, gap), LETTERS[number], 28)
    sheet = row.image()
    for number in range(len(state.pieces)):
        sheet.paste(_piece(whole, state, number), (gap + number * (PIECE + gap), 2 * gap))
    return Picture.from_image(holes), Picture.from_image(sheet)


def alt(state: State) -> tuple[str, ...]:
    """The pictures in words."""
    count = len(state.pieces)
    return f"{len(state.shapes)} overlapping shapes with {count} square holes", f"{count} square pieces in a row"


GENERATOR = Generator(
    name="jigsaw_puzzle",
    category=TASKS["jigsaw_puzzle"].category,
    answer_type=TASKS["jigsaw_puzzle"].answer_type,
    levels=LEVELS,
    slots=1,
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)
