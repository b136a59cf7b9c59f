"""Adjacency (section 3.1, spatial understanding): are the two parts that the arrows point at in contact, or separated?

Two parts are adjacent when a side of one lies against a side of the other, or studs hold them together. Pairs that meet at an edge or a
corner only are not asked about. On the page, separated parts may well look as if they met.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from operator import sub
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .growing import Kit
from .pieces import Model, Piece, counted, describe, links, pieces_of, text_of, touch
from .pointers import COLORS, Pointer, apart, candidates, draw_with_arrows, look, shuffled, stage_for
from .seams import joined, seams
from .sources import GROWN, Source
from .stage import Sight, Stage

QUESTION = (
    "Two parts of the brick model in <image 1> are pointed at, one by a red arrow and one by a blue arrow. In 3D space, are these two parts "
    "adjacent or separated? They are adjacent when a side of one lies against a side of the other, or when studs hold one to the other; "
    "else they are separated, even if they seem to meet on the page."
)

CHOICES = {"A": "Adjacent", "B": "Separated"}

FAMILIES = ("brick", "plate")
"""What is pointed at: parts whose sides are flat all over."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    gap: tuple[int, int]
    """Between separated parts, cells: fewest and most, along the axis on which they are furthest apart."""
    near: int
    """Percent of the separated pairs that meet on the page, as far as there are such."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if not 1 <= self.gap[0] <= self.gap[1] or not 0 <= self.near <= 100 or self.kit.steps[0] < 5:
            raise ValueError(f"{self}: at least 5 steps, a gap of at least 1 cell, a share of 0 to 100; see LEVELS")


LEVELS = {
    "1": Config(Kit((8, 12), colors=7, seen=0.6, without=COLORS), gap=(2, 12), near=20),
    "2": Config(Kit((12, 20), colors=4, seen=0.5, without=COLORS), gap=(1, 6), near=60),
    "3": Config(Kit((18, 34), colors=2, seen=0.45, without=COLORS), gap=(1, 4), near=100),
}


@dataclass(frozen=True, slots=True)
class State:
    """The question's picture. Text: red arrow, blue arrow, pieces, " | " between."""

    red: Pointer
    blue: Pointer
    pieces: tuple[Piece, ...]

    def __str__(self) -> str:
        return f"{self.red} | {self.blue} | {text_of(self.pieces)}"

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        red, blue, pieces = text.split(" | ")
        return cls(Pointer.parse(red), Pointer.parse(blue), pieces_of(pieces))

    def visible(self) -> tuple[Sight, list[Piece | None]]:
        """What the picture tells, and which parts the arrows point at."""
        return look(self.pieces, (self.red, self.blue))


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """Slot 0: adjacent, 1: separated."""
    near = rng.randrange(100) < config.near
    for _ in range(MODELS):  # with the same wish, or else the rarer one would lose its share
        model = config.source.model(rng, config.kit)
        puzzle = _puzzle(rng, model, config, slot, near) if model else None
        if puzzle:
            return puzzle
    return None


def _puzzle(rng: Random, model: Model, config: Config, slot: int, near: bool) -> Puzzle[State] | None:
    """A question about two parts of this model that are as the slot and the level ask. `near`: should separated ones meet on the page?"""
    arrows = candidates(model.pieces, FAMILIES)
    stage = stage_for(model.pieces)
    pairs = [pair for pair in combinations(arrows, 2) if apart(arrows[pair[0]], arrows[pair[1]], stage.frame)]
    fitting = [pair for pair in pairs if (touch(*pair) if slot == 0 else _is_separated(*pair, config.gap))]
    if slot == 1:
        fitting = [pair for pair in fitting if _meet_on_page(stage, model.pieces, *pair) == near] or fitting
    for one, other in rng.sample(fitting, min(PAIRS, len(fitting))):
        state = State(*shuffled(rng, (arrows[one], arrows[other])), model.pieces)
        if solve(state) == {"AB"[slot]}:
            return Puzzle(
                state, "AB"[slot], _explain(one, other, "AB"[slot], _meet_on_page(stage, model.pieces, one, other))
            )
    return None


MODELS = 10
"""Models tried for one pair."""

PAIRS = 8
"""Pairs tried in one model."""


def _is_separated(one: Piece, other: Piece, gap: tuple[int, int]) -> bool:
    return gap[0] <= distance(one, other) <= gap[1]


def distance(one: Piece, other: Piece) -> int:
    """Empty cells between the boxes of two parts, along the axis on which they are furthest apart; 0 when they meet even at a corner."""
    gaps = [0]
    for axis in range(3):
        a, b = ([cell[axis] for cell in piece.cells()] for piece in (one, other))
        gaps += [min(b) - max(a) - 1, min(a) - max(b) - 1]
    return max(gaps)


def _meet_on_page(stage: Stage, pieces: tuple[Piece, ...], one: Piece, other: Piece) -> bool:
    """Are there neighbouring pixels of which one shows this part, one the other?"""
    index, _ = stage.compose(pieces)
    a, b = (index == pieces.index(piece) for piece in (one, other))
    beside = ((a[1:] & b[:-1]) | (a[:-1] & b[1:])).any() or ((a[:, 1:] & b[:, :-1]) | (a[:, :-1] & b[:, 1:])).any()
    return bool(beside)


def _explain(one: Piece, other: Piece, key: str, meet_on_page: bool) -> dict[str, str]:
    """Why each option is right or wrong."""
    names = f"the {one.name} and the {other.name}"
    if key == "A":
        how = "are held together by studs" if links(one, other) else "have a side in common"
        return {"A": f"Right: {names} {how}.", "B": f"Wrong: no room is left between them; {names} {how}."}
    between = _between(one, other)
    seems = "they meet on the page only" if meet_on_page else "they do not even meet on the page"
    return {
        "A": f"Wrong: {seems}; in space {between} is between {names}.",
        "B": f"Right: {between} is between {names}.",
    }


def _between(one: Piece, other: Piece) -> str:
    """What `distance` measures, in words."""
    gap = distance(one, other)
    upright = gap in (one.z - other.top, other.z - one.top)
    return f"a gap {counted(gap, 'plate')} high" if upright else f"a gap {counted(gap, 'stud')} wide"


def solve(state: State) -> frozenset[str]:
    """Adjacent where a seam between the two is in sight; separated where a path of seams tells their places, and these do not even meet at a
    corner. Undecided otherwise.
    """
    sight, (red, blue) = state.visible()
    if red is None or blue is None or red == blue:
        return frozenset(CHOICES)
    if blue in seams(sight).get(red, ()):
        return frozenset("A")
    apart_in_space = all(max(map(abs, map(sub, *cells))) > 1 for cells in product(red.cells(), blue.cells()))
    return frozenset("B" if apart_in_space and blue in joined(sight, red) else CHOICES)


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION, CHOICES


def draw(state: State) -> tuple[Picture, ...]:
    """The model with both arrows."""
    return (draw_with_arrows(state.pieces, (state.red, state.blue)),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    return (f"{describe(state.pieces)}; a red arrow at {state.red}; a blue arrow at {state.blue}",)


GENERATOR = Generator(
    name="adjacency",
    category=TASKS["adjacency"].category,
    answer_type=TASKS["adjacency"].answer_type,
    levels=LEVELS,
    slots=len(CHOICES),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)
