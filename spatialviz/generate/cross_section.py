"""Cross-section (Visual Penetration; figure 2 of the paper): solids in a stack, cut by a plane; what does the cut look like?

Two forms: a red line shows where the stack is cut, and one figure is the cut; or, as in the release, three figures are cuts by some
planes and one is the cut of no plane at all. Wrong figures are cuts of a stack that is not quite the shown one, or by another plane.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from random import Random
from typing import TypeAlias

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from .options import LETTERS, Option, arrange, figures, fitting
from .section_proof import DIFFERENT, SAME, all_planes, nearest
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

DRAWS = 40
"""Attempts at figures for one stack."""


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
    for _ in range(DRAWS):
        plane, change = _plane(rng, stack, rng.choice(config.tilts)), distractor(rng, stack)
        if change is None:
            continue
        right, wrong = FORMS[form](rng, stack, plane, config.tilts, change)
        if _all_unlike([right.thing, *(option.thing for option in wrong)]):
            arranged = arrange(right, rng.sample(wrong, len(wrong)), slot)
            state = State(form, stack, plane if form == CUT else None, slanting, arranged.things)
            return Puzzle(state, LETTERS[slot], arranged.explanation)
    return None


Change: TypeAlias = tuple[Stack, str]
"""Another stack, and how it differs."""


def _cut(
    rng: Random, stack: Stack, plane: Plane, tilts: Sequence[int], change: Change
) -> tuple[Option[Cut], list[Option[Cut]]]:
    """Two stacks by two planes: no figure is nearest to all others."""
    other, (changed, why) = _plane(rng, stack, rng.choice(tilts)), change
    wrong = [
        Option((stack, other), f"Wrong: this is the cut by another plane, {other.name}."),
        Option((changed, plane), f"Wrong: {why}."),
        Option((changed, other), f"Wrong: {why}, and the plane is another one, {other.name}."),
    ]
    return Option((stack, plane), "Right: this is the cut along the red line."), wrong


def _no_cut(
    rng: Random, stack: Stack, plane: Plane, tilts: Sequence[int], change: Change
) -> tuple[Option[Cut], list[Option[Cut]]]:
    """A cut of a changed stack among cuts of the shown one."""
    changed, why = change
    planes = [_plane(rng, stack, tilt) for tilt in rng.choices(tilts, k=len(LETTERS) - 1)]
    wrong = [Option((stack, one), f"Wrong: it is a cut, by {one.name}.") for one in planes]
    return Option((changed, plane), f"Right: no plane cuts the stack like this; {why}."), wrong


FORMS = {CUT: _cut, NO_CUT: _no_cut}


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
    return Solid(rng.choice((0, *SHAPES)), bottom, top, rng.choice(HEIGHTS), rng.randrange(0, 360, 15))


def _plane(rng: Random, stack: Stack, tilt: int) -> Plane:
    """One that cuts well into the stack."""
    solid, floor = rng.choice(list(floors(stack)))
    if tilt == 0:
        return Plane(0, 0, floor + rng.randint(solid.height // 4, 3 * solid.height // 4))
    if tilt < UPRIGHT:
        height = sum(solid.height for solid in stack)
        return Plane(rng.randrange(0, 360, 15), tilt, rng.randint(height // 5, 4 * height // 5))
    reach = max(max(solid.bottom, solid.top) for solid in stack)
    return Plane(rng.randrange(0, 180, 15), UPRIGHT, rng.choice((0, 0, rng.randint(reach // 5, reach // 2))))


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


Measures: TypeAlias = list[tuple[float, ...]]
"""Of each piece of a cut: width, distance of its middle from the whole's, lower and upper end, root of its area; of the whole's height."""


def _all_unlike(cuts: Sequence[Cut]) -> bool:
    """Do all figures show enough, and do every two differ noticeably?"""
    measured = [_measures(pieces) for pieces in (cut(*one) for one in cuts) if not _overlap(pieces)]
    return (
        len(measured) == len(cuts)
        and all(measured)
        and all(_unlike(one, other) for one, other in combinations(measured, 2))
    )


def _overlap(pieces: Sequence[Outline]) -> bool:
    """Does the plane run along the border of two solids?"""
    spans = [_bounds(piece)[2:] for piece in pieces]
    return any(above[0] < below[1] - PIECE for below, above in pairwise(spans))


def _unlike(one: Measures, other: Measures) -> bool:
    if len(one) != len(other):
        return True
    return any(
        abs(a - b) > UNLIKE for piece, like in zip(one, other, strict=True) for a, b in zip(piece, like, strict=True)
    )


def _measures(pieces: Sequence[Outline]) -> Measures:
    """Empty for a figure that is too small or too thin to compare, as a whole or in a piece."""
    left, right, low, high = _bounds([point for piece in pieces for point in piece] or [(0, 0)])
    width, height = right - left, high - low
    if min(width, height) < SMALLEST or not 1 / THINNEST < width / height < THINNEST:
        return []
    found = []
    for piece in pieces:
        start, end, bottom, top = _bounds(piece)
        if min(end - start, top - bottom) < PIECE:
            return []
        aside = abs(start + end - left - right) / 2
        sizes = (end - start, aside, bottom - low, top - low, _area(piece) ** 0.5)
        found.append(tuple(size / height for size in sizes))
    return found


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
        if spread(state.stack, state.plane) < SPREAD:
            return frozenset(LETTERS)
        return fitting(d < DIFFERENT for d in nearest(state.options, state.stack, [state.plane]))
    known = [plane for _, plane in state.options if state.slanting or plane.tilt in (0, UPRIGHT)]
    away = nearest(state.options, state.stack, [*all_planes(state.stack, state.slanting), *known])
    unsettled = any(SAME < d < DIFFERENT for d in away) or max(away) <= SAME
    return frozenset(LETTERS) if unsettled else fitting(d > SAME for d in away)


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
