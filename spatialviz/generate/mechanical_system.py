"""Mechanical System (MentalAnimation/MechanicalSystem): one part of a mechanism is driven; how do the others move, or can they at all?

Level 0 has gears, racks and belts, open and crossed. Level 1 has gears on one axle, worms, bevel gears, cranks with sliders and Geneva
wheels, asks for numbers of turns, and for mechanisms that are locked. The release's questions of this task were made by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

from ..taxonomy import TASKS
from . import mechanism_proof
from .mechanism import FLAT, WAYS, Mechanism, speeds
from .mechanism_layout import ENDS, JOINTS, belted, chain, ring
from .mechanism_pictures import picture
from .mechanism_words import sizes, words
from .options import LETTERS, Option, arrange, figures, fitting
from .sheet import Panel, sheet

WAY, COUNT, LOCKED, FREE = "ways", "turns", "locked", "free"

STARTS = ("gear", "worm", "bevel")

DRAWS = 200
"""Mechanisms that are tried for a question."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    forms: tuple[str, ...]
    """What may be asked: which way parts move, how often they turn, which mechanism is locked or free."""
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
    2,
    3,
    4,
    5,
    6,
    8,
    9,
    10,
    12,
    15,
    16,
    18,
    20,
    24,
    30,
    36,
    40,
    45,
    48,
    60,
    72,
    80,
    90,
    100,
    120,
    150,
    180,
    200,
    240,
)
"""How many turns A may make."""

FACTORS = ((1, 4), (1, 3), (1, 2), (2, 3), (3, 4), (4, 5), (5, 4), (4, 3), (3, 2), (2, 1), (3, 1), (4, 1))
"""Wrong numbers where mistakes give too few: this times the right one."""


def _turns(rng: Random, config: Config, slot: int, form: str) -> Puzzle[State] | None:
    """The right number is the smallest, the second, the third or the largest one as often."""
    rank, driver = rng.randrange(len(LETTERS)), rng.choice("+-")
    for _ in range(DRAWS):
        mechanism = chain(rng, rng.randint(*config.bodies), config.joints, ("", "geneva"), config.starts)
        if mechanism is None:
            continue
        per_turn = {body: abs(speed) for body, speed in speeds(mechanism).items()}
        asked = mechanism.parts[-1].body
        fitting_turns = [
            turns for turns in TURNS if (turns * per_turn[asked]).denominator == 1 and turns * per_turn[asked] <= 400
        ]
        if not fitting_turns:
            continue
        turns = rng.choice(fitting_turns)
        right = int(turns * per_turn[asked])
        others = {int(turns * p): body for body, p in per_turn.items() if (turns * p).denominator == 1}
        wrong = distractors(rng, turns, right, set(others), rank)
        if wrong is not None:
            whole = f"{asked} makes {_times(right)}"
            told = [Option(str(n), f"Wrong: {whole}{_mistake(n, turns, right, others)}.") for n in wrong]
            key = Option(str(right), f"Right: {whole}, for while A turns once {_once(per_turn)}.")
            arranged = arrange(key, told, slot)
            state = State(form, driver, f"{asked}{turns}", arranged.things, (mechanism,))
            return Puzzle(state, LETTERS[slot], arranged.explanation)
    return None


def distractors(rng: Random, turns: int, right: int, others: set[int], rank: int) -> list[int] | None:
    """Three wrong numbers, `rank` of them smaller than the right one: turns of other parts and of A, the ratio upside down, and more."""
    likely = (others | {turns, turns * turns // right}) - {0, right}
    more = {right * a // b for a, b in FACTORS if right * a % b == 0} - likely - {right}
    pool = [*rng.sample(sorted(likely), len(likely)), *rng.sample(sorted(more), len(more))]
    smaller, larger = (
        [n for n in pool if n < right][:rank],
        [n for n in pool if right < n <= 999][: len(LETTERS) - 1 - rank],
    )
    found = smaller + larger
    return rng.sample(found, len(found)) if len(found) == len(LETTERS) - 1 else None


def _once(per_turn: Mapping[str, Fraction]) -> str:
    """ "B turns 3/2 times, C turns 1/2 times"."""
    return ", ".join(f"{body} turns {speed} times" for body, speed in per_turn.items() if body != "A")


def _mistake(number: int, turns: int, right: int, others: Mapping[int, str]) -> str:
    """Whose number it is, if anybody's."""
    if number in others:
        return f"; {others[number]} makes {number}"
    return "; the ratio is upside down" if number * right == turns * turns else ""


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
    way = mechanism.parts[0].way
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
