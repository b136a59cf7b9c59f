"""What every generator of LEGO-Puzzles must do, at every level."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import sha256

import pytest
from golden import golden_pixels
from puzzles import puzzles

from cogsight.lego_puzzles.generate import DATA_VERSION, GENERATORS, RENDER_VERSION, VERSIONS
from cogsight.lego_puzzles.generate.height import State as HeightState
from cogsight.lego_puzzles.generate.pointers import stage_for
from cogsight.lego_puzzles.taxonomy import APART, GENERATION, NEXT_K_STEP, STEPS, TASKS
from cogsight.shared.build import Job, generate_samples, is_proved, make
from cogsight.shared.errors import UnprovedKey
from cogsight.shared.sample import PLACEHOLDER, Picture, Sample

CASES = [(task, level) for task in GENERATORS for level in GENERATORS[task].levels]
every_level = pytest.mark.parametrize(
    ("task", "level"), [pytest.param(*case, marks=[] if case[1] == "1" else pytest.mark.slow) for case in CASES]
)


@cache
def sample_of(task: str, level: str, index: int = 0) -> Sample:
    return make(Job(GENERATORS[task], "lego_puzzles", VERSIONS, 0, level, index))[0]


def state_of(sample: Sample) -> str:
    text: str = json.loads(sample.metadata)["state"]
    return text


def test_the_set() -> None:
    assert tuple(GENERATORS) == (*TASKS, NEXT_K_STEP, *GENERATION), "every task is generated"
    assert {"data_version": DATA_VERSION, "render_version": RENDER_VERSION} == VERSIONS
    for name, generator in GENERATORS.items():
        task = (TASKS | APART)[name]
        assert (generator.name, generator.category, generator.answer_type) == (name, task.category, task.answer_type)
        assert generator.slots == (1 if generator.truth else pytest.approx(1 / task.chance))
        assert list(generator.levels)[:2] == ["1", "2"] and (generator.truth or len(generator.levels) >= 3)
    assert tuple(GENERATORS[NEXT_K_STEP].levels) == STEPS


@every_level
def test_samples_are_whole(task: str, level: str) -> None:
    generator, sample = GENERATORS[task], sample_of(task, level)
    text = " ".join([sample.question, *sample.choices.values()])
    named = [int(number) for number in PLACEHOLDER.findall(text)]
    assert named == list(range(1, len(sample.images) + 1 - generator.truth)), "each is named once, in order"
    assert list(sample.explanation) == list(sample.choices)
    metadata = json.loads(sample.metadata)
    state = generator.parse(metadata["state"])
    assert str(state) == metadata["state"]
    assert generator.solve(state) == {sample.answer}
    assert len(generator.alt(state)) == len(sample.images)
    assert generator.draw(state) == sample.images
    assert {key: metadata[key] for key in VERSIONS} == VERSIONS
    letters = PLACEHOLDER.findall(" ".join(sample.choices.values()))
    assert len({sample.images[int(number) - 1].open().size for number in letters}) <= 1


@every_level
def test_every_option_says_why_it_is_right_or_wrong(task: str, level: str) -> None:
    sample = sample_of(task, level)
    if sample.answer_type == "option":
        right = [letter for letter, why in sample.explanation.items() if why.startswith("Right: ")]
        assert right == [sample.answer]
        assert all(why.startswith(("Right: ", "Wrong: ")) for why in sample.explanation.values())
    assert len(set(sample.explanation.values())) >= min(2, len(sample.explanation))


@every_level
def test_no_other_key_is_let_through(task: str, level: str) -> None:
    sample = sample_of(task, level)
    if sample.answer_type == "picture":
        return
    turned = sample.answer[1:] + sample.answer[:1]
    wrong = turned if len(turned) > 1 else next(letter for letter in sample.choices if letter != sample.answer)
    with pytest.raises(UnprovedKey, match=f"the key is {wrong}, but {sample.answer} fits"):
        is_proved(GENERATORS[task], GENERATORS[task].parse(state_of(sample)), wrong)


@pytest.mark.slow
@every_level
def test_generator_and_solver_agree(task: str, level: str) -> None:
    """The key always fits, and is nearly always alone."""
    generator = GENERATORS[task]
    fits = [(puzzle.key, generator.solve(puzzle.state)) for puzzle in puzzles(generator, level, 12)]
    assert [(key, found) for key, found in fits if key not in found] == []
    assert sum(found == {key} for key, found in fits) >= 0.4 * len(fits)


@pytest.mark.slow
@every_level
def test_keys_take_turns(task: str, level: str) -> None:
    generator = GENERATORS[task]
    count = min(generator.slots, 6)
    keys = Counter(sample_of(task, level, index).answer for index in range(count))
    assert max(keys.values()) == (count if generator.truth else 1)


def test_two_workers_make_the_same() -> None:
    generators = [GENERATORS[task] for task in ("backwards", "adjacency")]
    one, two = (
        list(generate_samples(generators, benchmark="b", versions={}, seed=5, num_samples=4, num_proc=workers))
        for workers in (1, 2)
    )
    assert one == two


@pytest.mark.slow
@pytest.mark.parametrize(("name", "expected"), [row for task in GENERATORS for row in golden_pixels(task)])
def test_golden_pixels(name: str, expected: str) -> None:
    """The same seed gives the same pixels; a change needs a new RENDER_VERSION or DATA_VERSION."""
    task, level, index = name.split(" ")
    assert pixel_hash(sample_of(task, level, int(index)).images) == expected


def pixel_hash(pictures: Sequence[Picture]) -> str:
    return sha256(b"".join(picture.open().tobytes() for picture in pictures)).hexdigest()


def test_every_level_has_a_golden_hash() -> None:
    assert {name for task in GENERATORS for name, _ in golden_pixels(task)} == {f"{t} {level} 0" for t, level in CASES}


def test_height_cannot_be_read_off_the_page() -> None:
    """The part that is higher on the page wins in less than two thirds of the unequal questions."""
    states = [HeightState.parse(str(p.state)) for level in "123" for p in puzzles(GENERATORS["height"], level, 15)]
    tips = [[arrow.tip(stage_for(s.pieces).frame)[1] for arrow in (s.red, s.blue)] for s in states]
    guesses = ["A" if (red < blue) == (s.ask == "higher") else "B" for s, (red, blue) in zip(states, tips, strict=True)]
    keys = [next(iter(GENERATORS["height"].solve(state))) for state in states]
    unequal = [(guess, key) for guess, key in zip(guesses, keys, strict=True) if key != "C"]
    assert sum(guess == key for guess, key in unequal) < 2 / 3 * len(unequal)
