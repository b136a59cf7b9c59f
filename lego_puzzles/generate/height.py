"""Height (section 3.1, spatial understanding): two parts are pointed at; the upper side of which is higher, or lower, in space?

The paper asks which object is taller or shorter in 3D. Here that is one thing only: how high the upper side of the part is above the
ground, in space, whatever its height on the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .growing import Kit
from .pieces import Model, Piece, counted, describe, pieces_of, text_of
from .pointers import COLORS, Pointer, apart, candidates, draw_with_arrows, look, shuffled, stage_for
from .seams import joined
from .sources import GROWN, Source
from .stage import Sight

QUESTION = (
    "Two parts of the brick model in <image 1> are pointed at, one by a red arrow and one by a blue arrow. Compare how high the upper side "
    "of each part (without its studs) is above the ground that the model stands on. This is about height in 3D space, not about the place "
    "on the page. Which part's upper side is {ask}?"
)

CHOICES = {
    "A": "The part that the red arrow points at",
    "B": "The part that the blue arrow points at",
    "C": "Both are at the same height",
}

FAMILIES = ("brick", "plate", "round")


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    kit: Kit
    gap: tuple[int, int]
    """Smallest and largest difference between unequal upper sides, plates."""
    conflict: int
    """Percent of the unequal pairs in which the part that is higher in space is lower on the page, as far as there are such."""
    source: Source = GROWN

    def __post_init__(self) -> None:
        if not 1 <= self.gap[0] <= self.gap[1] or not 0 <= self.conflict <= 100 or self.kit.steps[0] < 5:
            raise ValueError(f"{self}: at least 5 steps, a gap of at least 1 plate, a share of 0 to 100; see LEVELS")


LEVELS = {
    "1": Config(Kit((8, 12), colors=7, seen=0.6, without=COLORS), gap=(3, 14), conflict=30),
    "2": Config(Kit((12, 20), colors=4, seen=0.5, without=COLORS), gap=(2, 6), conflict=50),
    "3": Config(Kit((18, 34), colors=2, seen=0.45, without=COLORS), gap=(1, 4), conflict=70),
}


@dataclass(frozen=True, slots=True)
class State:
    """The question's picture. Text: what is asked, red arrow, blue arrow, pieces, " | " between."""

    ask: str
    """"higher" or "lower"."""
    red: Pointer
    blue: Pointer
    pieces: tuple[Piece, ...]

    def __str__(self) -> str:
        return f"{self.ask} | {self.red} | {self.blue} | {text_of(self.pieces)}"

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        ask, red, blue, pieces = text.split(" | ")
        return cls(ask, Pointer.parse(red), Pointer.parse(blue), pieces_of(pieces))

    def visible(self) -> tuple[Sight, list[Piece | None]]:
        """What the picture tells, and which parts the arrows point at."""
        return look(self.pieces, (self.red, self.blue))


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """Slot 0: the red arrow's part is the answer, 1: the blue one's, 2: both are equal."""
    ask = rng.choice(("higher", "lower"))
    conflict = rng.randrange(100) < config.conflict
    for _ in range(MODELS):  # with the same wishes, or else rare ones would lose their share
        model = config.source.model(rng, config.kit)
        puzzle = _puzzle(rng, model, config, ask, slot, conflict) if model else None
        if puzzle:
            return puzzle
    return None


def _puzzle(rng: Random, model: Model, config: Config, ask: str, slot: int, conflict: bool) -> Puzzle[State] | None:
    """A question about two parts of this model that are as the slot and the level ask."""
    arrows = candidates(model.pieces, FAMILIES)
    frame = stage_for(model.pieces).frame
    pairs = [pair for pair in combinations(arrows, 2) if apart(arrows[pair[0]], arrows[pair[1]], frame)]
    on_page = {piece: arrow.tip(frame)[1] for piece, arrow in arrows.items()}
    fitting = [pair for pair in pairs if _fits(*pair, config, on_page, equal=slot == 2, conflict=conflict)]
    for pair in rng.sample(fitting, min(PAIRS, len(fitting))):
        state = _state(rng, ask, slot, pair, arrows, model.pieces)
        if solve(state) == {"ABC"[slot]}:
            tops = {arrows[piece]: (piece.top, on_page[piece]) for piece in pair}
            return Puzzle(state, "ABC"[slot], _explain(ask, tops[state.red], tops[state.blue], "ABC"[slot]))
    return None


def _fits(
    one: Piece, other: Piece, config: Config, on_page: dict[Piece, float], *, equal: bool, conflict: bool
) -> bool:
    """Is the pair as the slot and the level ask? `on_page`: how far down in the picture the arrows' tips are."""
    rise = one.top - other.top
    if equal:
        return rise == 0
    in_order = (rise > 0) == (on_page[one] < on_page[other])
    return config.gap[0] <= abs(rise) <= config.gap[1] and in_order != conflict


CLEARLY = 4
"""Pixels of height on the page that one sees at a glance."""

MODELS = 10
"""Models tried for one pair."""

PAIRS = 8
"""Pairs tried in one model."""


def _state(
    rng: Random, ask: str, slot: int, pair: tuple[Piece, Piece], arrows: dict[Piece, Pointer], pieces: tuple[Piece, ...]
) -> State:
    """The arrows in the colours that the slot asks for."""
    winner, other = sorted(pair, key=lambda piece: piece.top, reverse=ask == "higher")
    red, blue = (winner, other) if slot == 0 else (other, winner)
    chosen = (arrows[red], arrows[blue])
    return State(ask, *(shuffled(rng, chosen) if slot == 2 else chosen), pieces)


def _explain(ask: str, red: tuple[int, float], blue: tuple[int, float], key: str) -> dict[str, str]:
    """Why each option is right or wrong. `red`, `blue`: plates above the ground, and how far down in the picture."""
    words = f"the red arrow's part ends {red[0]} plates above the ground, the blue arrow's {blue[0]}"
    found = dict.fromkeys(CHOICES, f"Right: {words}.")
    if key != "C":
        found["C"] = f"Wrong: the two differ by {counted(abs(red[0] - blue[0]), 'plate')}; {words}."
    for letter, (top, down), (other, other_down) in (("A", red, blue), ("B", blue, red)):
        if key == "C":
            found[letter] = f"Wrong: the other part's upper side is as high, {top} plates above the ground."
        elif letter != key:
            reverse = {"higher": "lower", "lower": "higher"}[ask]
            above = other_down - down if ask == "higher" else down - other_down
            seems = f" It is {ask} on the page only." if above >= CLEARLY else ""
            found[letter] = (
                f"Wrong: its upper side is {counted(abs(top - other), 'plate')} {reverse} than the other part's.{seems}"
            )
    return found


def solve(state: State) -> frozenset[str]:
    """Compares heights that can be read: where no path of seams in sight joins the two parts, any answer fits."""
    sight, (red, blue) = state.visible()
    if red is None or blue is None or blue not in joined(sight, red):
        return frozenset(CHOICES)
    rise = blue.top - red.top if state.ask == "higher" else red.top - blue.top
    return frozenset("C" if rise == 0 else "B" if rise > 0 else "A")


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its choices."""
    return QUESTION.format(ask=state.ask), CHOICES


def draw(state: State) -> tuple[Picture, ...]:
    """The model with both arrows."""
    return (draw_with_arrows(state.pieces, (state.red, state.blue)),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    return (f"{describe(state.pieces)}; a red arrow at {state.red}; a blue arrow at {state.blue}",)


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
