"""Cross-section (Visual Penetration; figure 2 of the paper): solids in a stack, cut by a plane; what does the cut look like?

Two forms: a red line shows where the stack is cut, and one figure is the cut; or, as in the release, three figures are cuts by some
planes and one is the cut of no plane at all. Figures that are no cuts are those of a stack that is not quite the shown one. Where no red
line is drawn all figures show a piece of each solid, so that how many pieces there are gives nothing away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import TypeAlias

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .options import LETTERS, Option, arrange, figures, fitting
from .section_proof import DIFFERENT, nearest, turned
from .section_search import is_no_cut, is_steady
from .sheet import Panel, sheet
from .stack_pictures import figure, views
from .stack_sight import solids_in_sight, spread
from .stacked_solids import SHAPES, UPRIGHT, Outline, Plane, Solid, Stack, cut, floors, read_plane, read_stack, told

CUT, NO_CUT = "cut", "no_cut"
"""Forms: which figure is the cut along the red line; which one is no cut."""

INTRODUCTION = (
    "The upper row shows one stack of solids, seen from two sides: from top to bottom {names}. Their centers are on one upright line,"
    " and they are solid throughout."
)
QUESTIONS = {
    CUT: (
        "A plane cuts through the stack along the red line. Which of the figures A, B, C and D shows the cut, with the outline of each"
        " solid that the plane meets?"
    ),
    NO_CUT: (
        "Three of the figures A, B, C and D show what a {planes} plane cuts out of the stack, with the outline of each solid that the"
        " plane meets. Which one shows no cut that any such plane can make?"
    ),
}
CLOSING = "Figures are drawn at different scales, upright as the cut stands, and may be mirrored; the proportions within each are true."

LEVEL_OR_UPRIGHT, SLANTING = "level or upright", "level, upright or slanting"

TURNS = range(0, 360, 15)
"""Degrees about the axis, of solids and planes."""

RADII, HEIGHTS = range(10, 27, 2), range(12, 33, 2)
"""Units: of the corners of outlines from the axis, and of solids."""

JUMP = 4
"""Units between the outlines of two solids where they meet, at least."""

SIGHT = 600
"""Pixels of a view of 230 by 230 that each solid has to cover for its shape to be seen."""

SPREAD = 3.0
"""Units by which what is seen of the red line leaves the straight line: on a straight one many planes meet."""

UNLIKE = 0.14
"""Two figures differ when a side of a piece, or its area, does by so much of the whole figure's height."""

SMALLEST, PIECE, THINNEST = 8, 3, 8
"""Units that a cut, and each of its pieces, is wide and high at least; longer side of the whole over its shorter one, at most."""

DRAWS, PLANES = 60, 12
"""Attempts at figures for one stack, and at each of the planes that meet all its solids."""

STEEP = 45
"""Degrees from which on a plane often meets all solids."""

ASIDE = 1
"""Units by which a plane may be elsewhere and still cuts the same pieces: no solid is cut along a side or hardly met."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    solids: int
    """In the stack."""
    tilts: tuple[int, ...]
    """Degrees, of the planes: 0 level, 90 upright."""
    forms: tuple[str, ...] = (CUT, NO_CUT)

    def __post_init__(self) -> None:
        if not 2 <= self.solids <= 3 or not self.tilts or not all(0 <= tilt <= UPRIGHT for tilt in self.tilts):
            raise ValueError(f"{self}: 2 or 3 solids, and planes tilted by 0 to {UPRIGHT} degrees")
        if not self.forms or not set(self.forms) <= set(QUESTIONS):
            raise ValueError(f"{self}: forms are {', '.join(QUESTIONS)}")


LEVELS = {
    "0": Config(2, (0, UPRIGHT, UPRIGHT, UPRIGHT)),
    "1": Config(3, (0, UPRIGHT, UPRIGHT, UPRIGHT)),
    "2": Config(3, (30, 45, 60, UPRIGHT)),
}

Cut: TypeAlias = tuple[Stack, Plane]


@dataclass(frozen=True, slots=True)
class State:
    """The stack, where it is cut, and the figures, each the cut of some stack."""

    form: str
    stack: Stack
    plane: Plane | None
    """The red line's; None where there is none."""
    slanting: bool
    """Whether planes may slant."""
    options: tuple[Cut, ...]

    def __str__(self) -> str:
        options = (f"{told(stack)}@{plane}" for stack, plane in self.options)
        return " ".join(
            [self.form, told(self.stack), str(self.plane or "-"), "any" if self.slanting else "straight", *options]
        )

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        form, stack, plane, slanting, *options = text.split(" ")
        if form not in QUESTIONS or slanting not in ("any", "straight") or len(options) != len(LETTERS):
            raise ValueError(f"{text!r}: a form, a stack, a plane or -, any or straight, and four cuts")
        if (plane == "-") != (form == NO_CUT):
            raise ValueError(f"{text!r}: a red line is drawn where the form is {CUT}")
        cuts = (option.split("@") for option in options)
        return cls(
            form,
            read_stack(stack),
            None if plane == "-" else read_plane(plane),
            slanting == "any",
            tuple((read_stack(solids), read_plane(at)) for solids, at in cuts),
        )


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """A stack at random, and cuts of it and of changed ones; None when no four of these look different."""
    stack = _stack(rng, config.solids)
    form = rng.choice(config.forms)
    slanting = any(0 < tilt < UPRIGHT for tilt in config.tilts)
    plan = _plan(rng, config.tilts)
    for _ in range(DRAWS):
        change = distractor(rng, stack)
        found = change and (
            _cut(rng, stack, config.tilts, change) if form == CUT else _no_cut(rng, stack, plan, change)
        )
        if found:
            right, wrong = found
            arranged = arrange(right, rng.sample(wrong, len(wrong)), slot)
            plane = right.thing[1] if form == CUT else None
            return Puzzle(State(form, stack, plane, slanting, arranged.things), LETTERS[slot], arranged.explanation)
    return None


Change: TypeAlias = tuple[Stack, str]
"""Another stack, and how it differs."""


Figures: TypeAlias = tuple[Option[Cut], list[Option[Cut]]]
"""The right one, and the wrong ones."""


def _cut(rng: Random, stack: Stack, tilts: Sequence[int], change: Change) -> Figures | None:
    """Two stacks by two planes: no figure is nearest to all others."""
    changed, why = change
    plane, other = (_plane(rng, stack, rng.choice(tilts), rng.random() < 0.5) for _ in range(2))
    right, *rest = cuts = [(stack, plane), (stack, other), (changed, plane), (changed, other)]
    reasons = [
        f"Wrong: this is the cut by another plane, {other.name}.",
        f"Wrong: {why}.",
        f"Wrong: {why}, and the plane is another one, {other.name}.",
    ]
    wrong = [Option(thing, reason) for thing, reason in zip(rest, reasons, strict=True)]
    return (Option(right, "Right: this is the cut along the red line."), wrong) if _are_clear(cuts) else None


@dataclass(frozen=True, slots=True)
class Plan:
    """Of figures one of which is no cut; drawn before all else, so that neither planes nor proportions give that one away."""

    planes: tuple[tuple[int, bool], ...]
    """Tilt, and whether an upright one goes through the axis; the last is that of the figure that is no cut."""
    rank: int
    """How many figures are slimmer than that one."""


def _plan(rng: Random, tilts: Sequence[int]) -> Plan:
    steep = [tilt for tilt in tilts if tilt >= STEEP]
    planes = [(rng.choice(steep), rng.random() < 0.5) for _ in LETTERS]
    return Plan(tuple(planes), rng.randrange(len(LETTERS)))


def _no_cut(rng: Random, stack: Stack, plan: Plan, change: Change) -> Figures | None:
    """A cut of a changed stack among cuts of the shown one."""
    changed, why = change
    found: list[Cut] = []
    for solids, (tilt, through) in zip((stack, stack, stack, changed), plan.planes, strict=True):
        planes = (_plane(rng, solids, tilt, through) for _ in range(PLANES))
        cuts = ((solids, plane) for plane in planes if len(cut(solids, plane)) == len(solids))
        fitting_cuts = (one for one in cuts if len(found) < len(plan.planes) - 1 or _rank(one, found) == plan.rank)
        one = next((one for one in fitting_cuts if _are_clear([*found, one])), None)
        if one is None:
            return None
        found.append(one)
    *others, right = found
    wrong = [Option(one, f"Wrong: it is a cut, by {one[1].name}.") for one in others]
    return Option(right, f"Right: no plane cuts the stack like this; {why}."), wrong


def _rank(one: Cut, others: Sequence[Cut]) -> int:
    """How many others are slimmer."""
    return sum(_slimness(*other) > _slimness(*one) for other in others)


def _stack(rng: Random, count: int) -> Stack:
    """A stack that holds together as `_is_good` says."""
    stack: Stack = ()
    while len(stack) < count:
        longer = (*stack, _solid(rng, tip=len(stack) == count - 1 or rng.random() < 0.2))
        if _is_good(longer):
            stack = longer
    return stack


def _is_good(stack: Stack) -> bool:
    """Neighbours differ where they meet, so that no line between them is lost in the outline, and all differ in name; sizes are usual."""
    return (
        all(abs(below.top - above.bottom) >= JUMP for below, above in pairwise(stack))
        and len({solid.name for solid in stack}) == len(stack)
        and all(solid.bottom in RADII and (solid.top in RADII or solid.top == 0) for solid in stack)
    )


def _solid(rng: Random, tip: bool) -> Solid:
    bottom = rng.choice(RADII)
    top = rng.choice([bottom, bottom, 0 if tip else bottom, rng.choice([r for r in RADII if abs(r - bottom) >= JUMP])])
    return Solid(rng.choice((0, *SHAPES)), bottom, top, rng.choice(HEIGHTS), rng.choice(TURNS))


def _plane(rng: Random, stack: Stack, tilt: int, through: bool) -> Plane:
    """One that cuts well into the stack; an upright one goes through the axis, or beside it."""
    solid, floor = rng.choice(list(floors(stack)))
    if tilt == 0:
        return Plane(0, 0, floor + rng.randint(solid.height // 4, 3 * solid.height // 4))
    if tilt < UPRIGHT:
        height = sum(solid.height for solid in stack)
        return Plane(rng.choice(TURNS), tilt, rng.randint(height // 5, 4 * height // 5))
    reach = max(max(solid.bottom, solid.top) for solid in stack)
    return Plane(rng.randrange(0, 180, 15), UPRIGHT, 0 if through else rng.randint(reach // 5, 4 * reach // 5))


def distractor(rng: Random, stack: Stack) -> Change | None:
    """Another stack, no less likely to be one, and how it differs; None when this change does not go with the stack."""
    index = rng.randrange(len(stack))
    name, (changed, how) = stack[index].name, rng.choice(CHANGES)(rng, stack, index)
    return (changed, f"the {name} {how}") if changed != stack and _is_good(changed) else None


def _with(stack: Stack, index: int, solid: Solid) -> Stack:
    return (*stack[:index], solid, *stack[index + 1 :])


def _swapped(rng: Random, stack: Stack, index: int) -> Change:
    other = (index + rng.randrange(1, len(stack))) % len(stack)
    changed = _with(_with(stack, index, stack[other]), other, stack[index])
    return changed, f"and the {stack[other].name} have changed places"


def _overturned(rng: Random, stack: Stack, index: int) -> Change:
    solid = stack[index]
    return _with(stack, index, replace(solid, bottom=solid.top, top=solid.bottom)), "is upside down"


def _stretched(rng: Random, stack: Stack, index: int) -> Change:
    solid = stack[index]
    height = rng.choice([h for h in HEIGHTS if max(h, solid.height) >= 1.6 * min(h, solid.height)] or HEIGHTS)
    return _with(stack, index, replace(solid, height=height)), f"is too {'high' if height > solid.height else 'low'}"


def _resized(rng: Random, stack: Stack, index: int) -> Change:
    solid = stack[index]
    bottom = rng.choice([r for r in RADII if max(r, solid.bottom) >= 1.5 * min(r, solid.bottom)] or RADII)
    top = 2 * round(solid.top * bottom / solid.bottom / 2)
    changed = replace(solid, bottom=bottom, top=top)
    return _with(stack, index, changed), f"is too {'wide' if bottom > solid.bottom else 'narrow'}"


def _reshaped(rng: Random, stack: Stack, index: int) -> Change:
    changed = replace(stack[index], corners=rng.choice([n for n in SHAPES if n != stack[index].corners]))
    return _with(stack, index, changed), f"has become a {changed.name}"


CHANGES: tuple[Callable[[Random, Stack, int], Change], ...] = (
    _swapped,
    _overturned,
    _stretched,
    _resized,
    _reshaped,
)


Measures: TypeAlias = tuple[tuple[float, ...], ...]
"""Of each piece of a cut: width, distance of its middle from the whole's, lower and upper end, root of its area; of the whole's height."""


def _are_clear(cuts: Sequence[Cut]) -> bool:
    """Do all figures show enough, does every one hold, and do every two differ noticeably, a level one turned in any way?"""
    measured: list[Measures] = []
    for stack, plane in cuts:
        turns = TURNS if plane.tilt == 0 else [plane.turn]  # nobody can tell how a level figure stands
        poses = [_measures(stack, replace(plane, turn=turn)) for turn in turns]
        if not all(poses) or not all(_unlike(pose, other) for pose in poses for other in measured):
            return False
        measured += poses
    return all(_is_firm(*one) for one in cuts)


def _is_firm(stack: Stack, plane: Plane) -> bool:
    """Does the plane cut nearly the same when it lies a little elsewhere?"""
    here = _measures(stack, plane)
    beside = (_measures(stack, replace(plane, offset=plane.offset + aside)) for aside in (-ASIDE, ASIDE))
    return all(near and not _unlike(here, near) for near in beside)


def _slimness(stack: Stack, plane: Plane) -> float:
    """Height over width."""
    left, right, low, high = _bounds([point for piece in cut(stack, plane) for point in piece])
    return (high - low) / (right - left)


def _unlike(one: Measures, other: Measures) -> bool:
    if len(one) != len(other):
        return True
    return any(
        abs(a - b) > UNLIKE for piece, like in zip(one, other, strict=True) for a, b in zip(piece, like, strict=True)
    )


@lru_cache(maxsize=256)
def _measures(stack: Stack, plane: Plane) -> Measures:
    """Empty where the plane runs along the border of two solids, and for a figure that is too small or too thin, as a whole or in a piece."""
    pieces = cut(stack, plane)
    spans = [_bounds(piece)[2:] for piece in pieces]
    if any(above[0] < below[1] - PIECE for below, above in pairwise(spans)):
        return ()
    left, right, low, high = _bounds([point for piece in pieces for point in piece] or [(0, 0)])
    width, height = right - left, high - low
    if min(width, height) < SMALLEST or not 1 / THINNEST < width / height < THINNEST:
        return ()
    found = []
    for piece in pieces:
        start, end, bottom, top = _bounds(piece)
        if min(end - start, top - bottom) < PIECE:
            return ()
        aside = abs(start + end - left - right) / 2
        sizes = (end - start, aside, bottom - low, top - low, _area(piece) ** 0.5)
        found.append(tuple(size / height for size in sizes))
    return tuple(found)


def _bounds(points: Sequence[tuple[float, float]]) -> tuple[float, float, float, float]:
    """Left, right, low, high."""
    xs, ys = zip(*points, strict=True)
    return min(xs), max(xs), min(ys), max(ys)


def _area(outline: Outline) -> float:
    return abs(sum(x * v - u * y for (x, y), (u, v) in zip(outline, [*outline[1:], outline[0]], strict=True))) / 2


def solve(state: State) -> frozenset[str]:
    """The letters of the figures that fit what the pictures show; all, when they do not show enough or do not settle it."""
    if min(solids_in_sight(state.stack)) < SIGHT:
        return frozenset(LETTERS)
    if state.plane is not None:
        if spread(state.stack, state.plane) < SPREAD or not is_steady(state.stack, state.plane):
            return frozenset(LETTERS)
        return fitting(d < DIFFERENT for d in nearest(state.options, state.stack, turned(state.plane)))
    others = [one for one in state.options if not _is_cut(state, *one)]
    if not all(is_steady(*one) for one in state.options) or not all(
        is_no_cut(cut(*one), state.stack, state.slanting) for one in others
    ):
        return frozenset(LETTERS)
    return fitting(one in others for one in state.options)


def _is_cut(state: State, stack: Stack, plane: Plane) -> bool:
    """Is this one of the cuts that are asked for?"""
    return stack == state.stack and (state.slanting or plane.tilt in (0, UPRIGHT))


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its four options."""
    names = [f"a {solid.name}" for solid in reversed(state.stack)]
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    question = QUESTIONS[state.form].format(planes=SLANTING if state.slanting else LEVEL_OR_UPRIGHT)
    return f"{INTRODUCTION.format(names=listed)} {question} {CLOSING}", figures()


def draw(state: State) -> tuple[Picture, ...]:
    """Two views of the stack above, four outlines below."""
    given = [Panel(f"View {n}", image) for n, image in enumerate(views(state.stack, state.plane), 1)]
    options = [Panel(letter, figure(cut(*one))) for letter, one in zip(LETTERS, state.options, strict=True)]
    return (sheet([given, options]),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    solids = ", ".join(
        f"{s.name} {s.height} high, corners {s.bottom} (below) and {s.top} (above) from the axis, turned by {s.turn} degrees"
        for s in state.stack
    )
    line = f"cut by {state.plane.name}" if state.plane else "not cut"
    options = "; ".join(
        f"{letter}: {len(cut(*one))} outlines, the cut of {told(one[0])} by {one[1].name}"
        for letter, one in zip(LETTERS, state.options, strict=True)
    )
    return (f"two views of a stack, from bottom to top {solids}, {line}; figures: {options}",)


GENERATOR = Generator(
    name="cross_section",
    category=TASKS["cross_section"].category,
    answer_type=TASKS["cross_section"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)
