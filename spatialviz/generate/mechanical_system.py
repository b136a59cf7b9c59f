"""Mechanical System (MentalAnimation/MechanicalSystem): one part of a mechanism is driven; how do the others move, or can they at all?

Level 0 has gears, racks and belts, open and crossed. Level 1 has gears on one axle, worms, bevel gears, cranks with sliders and Geneva
wheels, asks for numbers of turns, and for mechanisms that are locked. The release's questions of this task were made by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from . import mechanism_proof
from .mechanism import FLAT, WAYS, Mechanism, speeds
from .mechanism_doubts import BELT_END, END, INNER, SLOTS, Doubt, doubts, driven
from .mechanism_layout import ENDS, JOINTS, belted, chain, ring
from .mechanism_pictures import picture
from .mechanism_words import sizes, words
from .options import LETTERS, Option, arrange, figures, fitting
from .sheet import Panel, sheet

WAY, COUNT, LOCKED, FREE = "ways", "turns", "locked", "free"

STARTS = ("gear", "worm", "bevel")

DRAWS = 200
"""Mechanisms that are tried for a question about ways."""

TRAINS = 6000
"""Mechanisms that are tried for a question about turns; most come to nothing at once."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    forms: tuple[str, ...]
    """What may be asked: which way parts move, how often they turn, which mechanism is locked or free. The rest is for ways: see `PLACES`."""
    bodies: tuple[int, int]
    """Fewest and most wheels that lie in the picture."""
    joints: tuple[str, ...]
    """How wheels drive each other, names in JOINTS."""
    ends: tuple[str, ...]
    """What the last wheel may drive, names in ENDS; "" for nothing."""
    starts: tuple[str, ...] = ("gear",)
    """What may be driven: a gear, a worm, or bevel gears that turn a worm."""

    def __post_init__(self) -> None:
        known = set(self.joints) <= JOINTS.keys() and set(self.ends) <= {"", *ENDS} and set(self.starts) <= set(STARTS)
        if not known or not 2 <= self.bodies[0] <= self.bodies[1] <= 6 or not set(self.forms) <= _FORMS.keys():
            raise ValueError(
                f"{self}: forms {', '.join(_FORMS)}; 2 to 6 bodies; joints {', '.join(JOINTS)}; ends {', '.join(ENDS)}"
            )


@dataclass(frozen=True, slots=True)
class State:
    """What the sheet shows and what is asked. Text: "ways | + | BD | ++ +- -+ -- | " and the mechanism; the parts have " | " between."""

    form: str
    driver: str
    """"+" or "-", as in WAYS: how A is driven."""
    asked: str
    """Of ways: letters of bodies. Of turns: a letter and how many turns A makes, "D12"."""
    options: tuple[str, ...]
    """Of ways: a sign for each asked body. Of turns: numbers. Of locked and free: none, for the mechanisms are the options."""
    mechanisms: tuple[Mechanism, ...] = field(default=())

    def __str__(self) -> str:
        return " | ".join((self.form, self.driver, self.asked, " ".join(self.options), *map(str, self.mechanisms)))

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        form, driver, asked, options, *mechanisms = text.split(" | ")
        return cls(form, driver, asked, tuple(options.split()), tuple(map(Mechanism.parse, mechanisms)))


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State] | None:
    """A question of a form at random; None when no mechanism was found for it."""
    form = rng.choice(config.forms)
    return _FORMS[form](rng, config, slot, form)


def _ways(rng: Random, config: Config, slot: int, form: str) -> Puzzle[State] | None:
    """Four options, each pair of ways once: nothing tells the right one but the mechanism. As often as not both signs are equal."""
    equal, driver = rng.random() < 0.5, rng.choice("+-")
    for _ in range(DRAWS):
        mechanism = chain(rng, rng.randint(*config.bodies), config.joints, config.ends, config.starts)
        if mechanism is None:
            continue
        signs = {body: "+" if (speed > 0) == (driver == "+") else "-" for body, speed in speeds(mechanism).items()}
        last = mechanism.parts[-1].body
        asked = "".join(sorted((last, rng.choice([body for body in signs if body not in ("A", last)]))))
        right = "".join(signs[body] for body in asked)
        if (right[0] == right[1]) == equal:
            told = [Option(two, _why(mechanism, signs, asked, two)) for two in rng.sample(("++", "+-", "-+", "--"), 4)]
            key = next(option for option in told if option.thing == right)
            arranged = arrange(key, [option for option in told if option is not key], slot)
            state = State(form, driver, asked, arranged.things, (mechanism,))
            return Puzzle(state, LETTERS[slot], arranged.explanation)
    return None


def _why(mechanism: Mechanism, signs: Mapping[str, str], asked: str, option: str) -> str:
    """`signs`: of every body, in the order in which they are driven."""
    wrong = [body for body, sign in zip(asked, option, strict=True) if sign != signs[body]]
    if not wrong:
        return f"Right: {_told(mechanism, ''.join(signs), ''.join(signs.values()))}."
    return f"Wrong: {_told(mechanism, ''.join(wrong), ''.join(signs[body] for body in wrong))}."


def _told(mechanism: Mechanism, asked: str, signs: str) -> str:
    ways = mechanism.ways()
    return ", ".join(f"{body} {WAYS[ways[body]]['+-'.index(sign)]}" for body, sign in zip(asked, signs, strict=True))


TURNS = (
    *(2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 30, 36, 40, 45, 48, 60, 72, 80, 90),
    *(100, 120, 150, 180, 200, 240, 300, 360, 400, 450, 480, 500, 600, 720),
)
"""How many turns A may make."""

MOST = 600
"""Turns that an option may have."""

PLACES: tuple[tuple[str, str, int, tuple[str, str]], ...] = (
    *(("gear", "", wheels, (INNER, END)) for wheels in (4, 4, 4, 5)),
    *(("gear", "", 5, places) for places in ((INNER, INNER), (INNER, BELT_END))),
    *(("worm", "", 4, places) for places in ((INNER, INNER), (INNER, BELT_END))),
    ("bevel", "", 4, (INNER, INNER)),
    *(("gear", "geneva", 4, places) for places in ((INNER, SLOTS), (END, SLOTS))),
    ("worm", "geneva", 3, (INNER, SLOTS)),
)
"""What is driven, what the last wheel drives, how many wheels lie in the picture, and which two places can be read two ways."""


def _turns(rng: Random, _: Config, slot: int, form: str) -> Puzzle[State] | None:
    """Four readings of one train: each of two places read rightly or wrongly.

    Which second wheels are in the train is drawn first, each as often in as out. So the sizes in the question fit all four readings,
    and none is likelier.
    """
    start, end, wheels, places = rng.choice(PLACES)
    joints = ("step", "step", "mesh", *["belt"] * places.count(BELT_END))
    wanted = _wanted(rng, start, places)
    driver = rng.choice("+-")
    for __ in range(TRAINS):
        mechanism = chain(rng, wheels, joints, (end,), (start,))
        if mechanism is None or not _has(mechanism, places):
            continue
        for train, asked in _trains(rng, mechanism):
            found = doubts(rng, train, asked)
            pairs = [pair for pair in permutations(found, 2) if [doubt.place for doubt in pair] == wanted]
            if not pairs:
                continue
            per_turn = {body: abs(speed) for body, speed in speeds(train).items()}
            readings = _readings(per_turn[asked], rng.choice(pairs))
            turns = _whole(rng, list(readings)) if len(readings) == len(LETTERS) else None
            if turns is not None:
                (key, *told) = [_told_turns(asked, turns, per_turn, *reading) for reading in readings.items()]
                arranged = arrange(key, rng.sample(told, len(told)), slot)
                state = State(form, driver, f"{asked}{turns}", arranged.things, (train,))
                return Puzzle(state, LETTERS[slot], arranged.explanation)
    return None


def _wanted(rng: Random, start: str, places: tuple[str, str]) -> list[tuple[str, bool, bool]]:
    """What `Doubt.place` of the two shall be, each as likely: drawn here, for the trains that can be had are not equally many.

    Wheels of two pairs change the speed in one direction: no two small ones mesh. A worm's train, and one from a pair at A to a Geneva
    wheel, gets slower with each pair.
    """
    faster = start == "gear" and places != (END, SLOTS) and rng.random() < 0.5
    wanted = []
    for kind in places:
        used = kind != SLOTS and rng.random() < 0.5
        wanted.append((kind, used, faster if kind in (INNER, END) else rng.random() < 0.5))
    return wanted


def _has(mechanism: Mechanism, places: tuple[str, str]) -> bool:
    """Are there just so many bodies with two gears, and belts? More of them would tell that one is beside the way."""
    gears = [part.body for part in mechanism.parts if part.kind == "gear"]
    belts = sum(link.kind in ("belt", "cross") for link in mechanism.links)
    doubled = len(gears) - len(set(gears))
    return doubled == places.count(INNER) + places.count(END) and belts == places.count(BELT_END)


def _trains(rng: Random, mechanism: Mechanism) -> Iterator[tuple[Mechanism, str]]:
    """Each of the flat wheels as the driven one, where none drives through a worm; the part asked about, the Geneva wheel if there is one."""
    kinds = {part.body: part.kind for part in mechanism.parts}
    gears = [body for body in kinds if {p.kind for p in mechanism.parts if p.body == body} <= {"gear", "pulley"}]
    drivers = gears if "A" in gears else ["A"]
    slotted = [body for body, kind in kinds.items() if kind == "geneva"]
    pairs = [(one, other) for one in drivers for other in slotted or gears if one != other]
    for one, other in rng.sample(pairs, len(pairs)):
        yield driven(mechanism, one), one if other == "A" else other


def _readings(per_turn: Fraction, pair: Sequence[Doubt]) -> dict[Fraction, str]:
    """Turns of the part asked about per turn of A → what is misread, nothing first; fewer than four where two are equal."""
    one, other = pair
    return {
        per_turn: "",
        per_turn * one.factor: one.mistake,
        per_turn * other.factor: other.mistake,
        per_turn * one.factor * other.factor: f"{one.mistake} and {other.mistake}",
    }


def _whole(rng: Random, ratios: Sequence[Fraction]) -> int | None:
    """How many turns A makes, so that all readings are whole numbers."""
    found = [n for n in TURNS if all((n * ratio).denominator == 1 and n * ratio <= MOST for ratio in ratios)]
    return rng.choice(found) if found else None


def _told_turns(asked: str, turns: int, per_turn: Mapping[str, Fraction], ratio: Fraction, mistake: str) -> Option[str]:
    whole = f"{asked} makes {_times(int(turns * per_turn[asked]))}"
    if mistake:
        return Option(str(turns * ratio), f"Wrong: {whole}; {turns * ratio} comes out {mistake}.")
    return Option(str(turns * ratio), f"Right: {whole}, for while A turns once {_once(per_turn)}.")


def _once(per_turn: Mapping[str, Fraction]) -> str:
    """ "B turns 3/2 times, C turns once"."""
    return ", ".join(
        f"{body} turns {f'{speed} times' if speed != 1 else 'once'}" for body, speed in per_turn.items() if body != "A"
    )


def _times(number: int) -> str:
    return f"{number} turn{'s' * (number != 1)}"


MOVING = (
    *(("ring", 4), ("ring", 6), ("broken", 4), ("broken", 5), ("broken", 6)),
    *(("crossed", 2), ("open", 3), ("crossed", 4)),
)
STUCK = (("ring", 3), ("ring", 5), ("open", 2), ("crossed", 3), ("open", 4))
"""Mechanisms of equal gears that can move, and that cannot: rings, rings that lack a gear, rows with an open or a crossed belt."""

SHAPES = {
    "ring": "{count} gears mesh in a ring",
    "broken": "{count} gears mesh in a ring that is not closed",
    "open": "{count} gears mesh in a row, and an open belt makes the two at its ends turn the same way",
    "crossed": "{count} gears mesh in a row, and a crossed belt makes the two at its ends turn opposite ways",
}
"""Kind of mechanism → its description. Wherever teeth mesh, neighbours turn opposite ways."""


def _described(kind: str, count: int) -> str:
    moves = "it can move" if (kind, count) in MOVING else "it is locked: some part would have to turn both ways"
    return f"{SHAPES[kind].format(count=count)}; meshing neighbours turn opposite ways, so {moves}"


def _drawn(rng: Random, kind: str, count: int) -> Mechanism:
    tilt = rng.randrange(0, 360, 15)
    if kind in ("open", "crossed"):
        return belted(count, tilt, crossed=kind == "crossed")
    return ring(count, tilt, broken=kind == "broken")


def _locked(rng: Random, _: Config, slot: int, form: str) -> Puzzle[State]:
    moving, stuck = (
        [Option(_drawn(rng, *one), _described(*one)) for one in rng.sample(kinds, 3)] for kinds in (MOVING, STUCK)
    )
    (right, *__), wrong = (stuck, moving) if form == LOCKED else (moving, stuck)
    told = [Option(option.thing, f"Wrong: {option.why}.") for option in wrong]
    arranged = arrange(Option(right.thing, f"Right: {right.why}."), told, slot)
    return Puzzle(State(form, "", "", (), arranged.things), LETTERS[slot], arranged.explanation)


_FORMS: dict[str, Callable[[Random, Config, int, str], Puzzle[State] | None]] = {
    WAY: _ways,
    COUNT: _turns,
    LOCKED: _locked,
    FREE: _locked,
}

LEVELS = {
    "0": Config((WAY,), (3, 5), ("mesh", "mesh", "belt"), ("", "rack")),
    "1": Config(
        (WAY, WAY, COUNT, COUNT, LOCKED, FREE), (2, 4), ("mesh", "belt", "step"), ("rack", "slider", "geneva"), STARTS
    ),
}
"""Level 0: flat wheels, one motion after the other. Level 1: axles in several directions, two-stage wheels, motions that stop and turn."""


def solve(state: State) -> frozenset[str]:
    """The letters of the options that fit the only motion that the contacts allow; none where a mechanism asked about is locked."""
    motions = [mechanism_proof.motion(mechanism) for mechanism in state.mechanisms]
    if state.form in (LOCKED, FREE):
        return fitting((motion is None) == (state.form == LOCKED) for motion in motions)
    motion = motions[0]
    if motion is None:
        return frozenset()
    if state.form == COUNT:
        return fitting(int(option) == int(state.asked[1:]) * abs(motion[state.asked[0]]) for option in state.options)
    forward = 1 if state.driver == "+" else -1
    true = "".join("+" if forward * motion[body] > 0 else "-" for body in state.asked)
    return fitting(option == true for option in state.options)


INTRODUCTION = (
    "The picture shows a mechanism. Axles stay where they are; parts with one letter are fixed to one axle and turn together; of wheels"
    " that lie one in front of the other, only those whose teeth meet drive each other. Part A is driven as the red arrow shows"
)
FIGURES = "The figures A, B, C and D show mechanisms of toothed wheels that mesh, with belts in some of them. "
QUESTIONS = {
    WAY: "How do {one} and {other} move at the moment that the picture shows?",
    COUNT: "{sizes} How many turns does {one} make while A makes {turns}?",
    LOCKED: FIGURES + "Which one is locked, so that no part of it can turn?",
    FREE: FIGURES + "Which one can turn, while the others are locked?",
}


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question and its four options."""
    if state.form in (LOCKED, FREE):
        return QUESTIONS[state.form], figures()
    mechanism = state.mechanisms[0]
    way = mechanism.driver().way
    start = INTRODUCTION + ("." if way == FLAT else ", with the side that is nearest to you moving as the arrow does.")
    if state.form == WAY:
        texts = [_told(mechanism, state.asked, option) for option in state.options]
        question = QUESTIONS[WAY].format(one=state.asked[0], other=state.asked[1])
    else:
        texts = [_times(int(option)) for option in state.options]
        question = QUESTIONS[COUNT].format(sizes=sizes(mechanism), one=state.asked[0], turns=state.asked[1:])
    return f"{start} {question}", dict(zip(LETTERS, texts, strict=True))


def draw(state: State) -> tuple[Picture, ...]:
    """The mechanism with its arrow, or four mechanisms."""
    if state.form in (LOCKED, FREE):
        images = [picture(mechanism, letters=False) for mechanism in state.mechanisms]
        return (sheet([[Panel(letter, image) for letter, image in zip(LETTERS, images, strict=True)]]),)
    image = picture(state.mechanisms[0], 1 if state.driver == "+" else -1)
    return (sheet([[Panel("", image)]]),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    if state.form in (LOCKED, FREE):
        return ("; ".join(f"{letter}: {words(m)}" for letter, m in zip(LETTERS, state.mechanisms, strict=True)),)
    mechanism = state.mechanisms[0]
    return (f"{words(mechanism)}; red arrow: {_told(mechanism, 'A', state.driver)}",)


GENERATOR = Generator(
    name="mechanical_system",
    category=TASKS["mechanical_system"].category,
    answer_type=TASKS["mechanical_system"].answer_type,
    levels=LEVELS,
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)
