"""Questions for the audit, made in memory: clean ones, from a generator of their own, into which a test puts one defect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

import numpy as np
from PIL import Image

from cogsight.shared.audit.finding import Audited, Finding
from cogsight.shared.audit.measure import measure
from cogsight.shared.build import Generator, Puzzle, generate_samples
from cogsight.shared.sample import Picture, Sample

LETTERS = "ABCD"
SIDE = 32
TASK = "match"
N = 40
"""Questions, if a test does not say."""


@cache
def pattern(number: int, turned: bool = False) -> Image.Image:
    """Sixteen coloured fields, from a seed, a quarter turned or not."""
    fields = np.random.RandomState(number).randint(0, 256, (4, 4, 3)).astype(np.uint8)
    image = Image.fromarray(fields).resize((SIDE, SIDE), Image.Resampling.NEAREST)
    return image.rotate(90) if turned else image


def picture(number: int, turned: bool = False) -> Picture:
    return Picture.from_image(pattern(number, turned))


@dataclass(frozen=True, slots=True)
class State:
    """Patterns by number: the one shown, turned, and those to choose from."""

    shown: int
    options: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(map(str, (self.shown, *self.options)))

    @classmethod
    def parse(cls, text: str) -> State:
        shown, *options = map(int, text.split(" "))
        return cls(shown, tuple(options))


def generate(rng: Random, config: None, slot: int) -> Puzzle[State]:
    options = rng.sample(range(1_000_000), len(LETTERS))
    why = {letter: "Right: turned." if i == slot else "Wrong: another." for i, letter in enumerate(LETTERS)}
    return Puzzle(State(options[slot], tuple(options)), LETTERS[slot], why)


def solve(state: State) -> frozenset[str]:
    return frozenset(letter for letter, option in zip(LETTERS, state.options, strict=True) if option == state.shown)


def ask(state: State) -> tuple[str, dict[str, str]]:
    return "Which is <image 1>, turned?", {letter: f"<image {n}>" for n, letter in enumerate(LETTERS, 2)}


def draw(state: State) -> tuple[Picture, ...]:
    return picture(state.shown, turned=True), *map(picture, state.options)


@dataclass(frozen=True)
class NoConfig:
    """Nothing to set."""


GENERATOR = Generator(
    name=TASK,
    category="seeing",
    answer_type="option",
    levels={"1": NoConfig(), "2": NoConfig()},
    slots=len(LETTERS),
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=lambda state: (),
    parse=State.parse,
)


@cache
def clean(n: int = N) -> tuple[Sample, ...]:
    """Without a defect."""
    return tuple(generate_samples([GENERATOR], benchmark="toy", versions={}, seed=0, num_samples=n))


def changed(change: Callable[[Sample, int], Sample], n: int = N) -> list[Sample]:
    """Each clean sample changed, given its number."""
    return [change(sample, i) for i, sample in enumerate(clean(n))]


def texts(of: Callable[[str, str, Random], str], n: int = N, task: str = TASK) -> list[Sample]:
    """Questions whose options are texts: `of(letter, key, rng)`."""

    def change(sample: Sample, i: int) -> Sample:
        rng = Random(i)
        choices = {letter: of(letter, sample.answer, rng) for letter in LETTERS}
        return replace(sample, images=sample.images[:1], choices=choices, task=task)

    return changed(change, n)


def orders(option: Callable[[int, Random], Image.Image], n: int = N) -> list[Sample]:
    """Orderings: `option(place, rng)` draws the one that is at this place of the right order."""

    def change(sample: Sample, i: int) -> Sample:
        rng = Random(i)
        answer = "".join(rng.sample(LETTERS, len(LETTERS)))
        images = [option(answer.index(letter), rng) for letter in LETTERS]
        choices = {letter: f"<image {k}>" for k, letter in enumerate(LETTERS, 1)}
        pictures = tuple(map(Picture.from_image, images))
        return replace(sample, images=pictures, choices=choices, answer=answer, answer_type="sequence")

    return changed(change, n)


def audited(samples: Sequence[Sample], **options: Any) -> Audited:
    """As `cogsight audit` sees them."""
    usual: dict[str, Any] = {"procedural": True, "generators": {TASK: GENERATOR}}
    return Audited([measure(sample) for sample in samples], **usual | options)


def only(findings: Iterable[Finding]) -> Finding:
    """The finding of a single task."""
    (finding,) = findings
    return finding
