"""Chart Modification: write a section of a table out in a given layout, with two columns' numbers swapped, and nothing else.

After the one example that is public (lmms-eval's pull request 1185).
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
    "Write out the section {section} of the table in the picture, with the scores of {one} and {other} swapped. One line per test, first a"
    " line with the models, in the layout below. Do not write anything else.\n\nTest | {models}\nname | score | score …"
)

SECTIONS = {
    "Language": ("Grammar", "Spelling", "Reading", "Summary", "Rhymes"),
    "Maths": ("Algebra", "Geometry", "Fractions", "Sets", "Proofs"),
    "Science": ("Physics", "Biology", "Chemistry", "Geology", "Optics"),
    "Coding": ("Sorting", "Parsing", "Graphs", "Tests", "Queries"),
}
MODELS = ("Alder", "Birch", "Cedar", "Hazel", "Maple", "Rowan", "Willow")
ROW, COLUMN, FIRST = 44, 130, 280
"""Pixels."""


@dataclass(frozen=True, slots=True)
class Config:
    """How hard a question is."""

    sections: int
    tests: int
    """In each section."""
    models: int

    def __post_init__(self) -> None:
        if self.models < 2 or self.sections > len(SECTIONS) or self.tests > 5:
            raise ValueError(f"{self}: at least 2 models, at most 4 sections of 5 tests; see LEVELS")


LEVELS = {"1": Config(2, 2, 3), "2": Config(4, 3, 5)}


@dataclass(frozen=True, slots=True)
class State:
    """The table, and what is to be done with it."""

    models: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[int, ...]], ...]
    """Section, test, scores."""
    section: str
    """The one to write out."""
    swapped: tuple[str, str]

    def __str__(self) -> str:
        return told(self)

    @classmethod
    def parse(cls, text: str) -> State:
        """Reads what `str` writes."""
        return read_state(cls, text)


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State]:
    """Every number of a row is another one, so that the swap shows in each."""
    models = tuple(rng.sample(MODELS, config.models))
    rows = tuple(
        (section, test, tuple(rng.sample(range(20, 100), config.models)))
        for section in rng.sample(list(SECTIONS), config.sections)
        for test in rng.sample(SECTIONS[section], config.tests)
    )
    i, j = sorted(rng.sample(range(config.models), 2))
    state = State(models, rows, rng.choice(rows)[0], (models[i], models[j]))
    lines = [("Test", *models)]
    for section, test, scores in rows:
        if section == state.section:
            moved = list(scores)
            moved[i], moved[j] = moved[j], moved[i]
            lines.append((test, *map(str, moved)))
    return Puzzle(state, "\n".join(" | ".join(line) for line in lines), {})


def solve(state: State) -> frozenset[str]:
    """By looking each cell up under the model whose score belongs there; the layout leaves one answer only."""
    one, other = state.swapped
    source = {model: {one: other, other: one}.get(model, model) for model in state.models}
    table = {
        test: dict(zip(state.models, scores, strict=True))
        for section, test, scores in state.rows
        if section == state.section
    }
    body = [[test, *(str(scores[source[model]]) for model in state.models)] for test, scores in table.items()]
    return frozenset({"\n".join(" | ".join(cells) for cells in [["Test", *state.models], *body])})


def ask(state: State) -> tuple[str, dict[str, str]]:
    """The question; it has no choices."""
    one, other = state.swapped
    return QUESTION.format(section=state.section, one=one, other=other, models=" | ".join(state.models)), {}


def draw(state: State) -> tuple[Picture, ...]:
    """The table, its sections one below the other."""
    width, height = FIRST + COLUMN * len(state.models) + 20, ROW * (len(state.rows) + 1) + 20
    canvas = Canvas(width, height)
    canvas.box(10, 10, width - 10, 10 + ROW, (225, 230, 240))
    for number, model in enumerate(state.models):
        canvas.text((FIRST + COLUMN * number + COLUMN // 2, 10 + ROW // 2), model, 22)
    shown = ""
    for number, (section, test, scores) in enumerate(state.rows, 1):
        top = 10 + ROW * number
        middle = top + ROW // 2
        if section != shown:
            canvas.line((10, top), (width - 10, top))
            canvas.text((24, middle), section, 22, "blue", "lm")
        shown = section
        canvas.text((150, middle), test, 22, anchor="lm")
        for column, score in enumerate(scores):
            canvas.text((FIRST + COLUMN * column + COLUMN // 2, middle), str(score), 22)
    canvas.box(10, 10, width - 10, height - 10)
    return (canvas.picture(),)


def alt(state: State) -> tuple[str, ...]:
    """The picture in words."""
    rows = "; ".join(f"{section}, {test}: {' '.join(map(str, scores))}" for section, test, scores in state.rows)
    return (f"a table of the scores of {', '.join(state.models)}: {rows}",)


GENERATOR = Generator(
    name="chart_modification",
    category=TASKS["chart_modification"].category,
    answer_type=TASKS["chart_modification"].answer_type,
    levels=LEVELS,
    slots=1,
    generate=generate,
    solve=solve,
    ask=ask,
    draw=draw,
    alt=alt,
    parse=State.parse,
)
