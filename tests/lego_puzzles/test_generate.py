"""What every generator of the embedded set must do, at every level."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

import pytest
from golden import golden_pixels
from PIL import Image, ImageChops, ImageStat

from cogsight.lego_puzzles.generate import DATA_VERSION, GENERATORS, RENDER_VERSION, VERSIONS
from cogsight.lego_puzzles.generate.height import State as HeightState
from cogsight.lego_puzzles.taxonomy import TASKS
from cogsight.shared.build import Generator, Job, generate_samples, is_proved, make
from cogsight.shared.errors import UnprovedKey
from cogsight.shared.rng import stream
from cogsight.shared.sample import PLACEHOLDER, Picture, Sample

CASES = [(generator, level) for generator in GENERATORS.values() for level in generator.levels]
every_level = pytest.mark.parametrize(("generator", "level"), CASES, ids=lambda value: getattr(value, "name", value))
AnyGenerator = Generator[Any, Any]


def sample_of(generator: AnyGenerator, level: str, index: int, seed: int = 0) -> Sample:
    return make(Job(generator, "lego_puzzles", VERSIONS, seed, level, index))[0]


def drawn(generator: AnyGenerator, level: str, count: int, seed: int) -> Iterator[tuple[Any, str]]:
    """State and key of so many generated puzzles, before any proof."""
    for index in range(count):
        rng = stream(seed, generator.name, level, index, "test")
        puzzle = generator.generate(rng, generator.levels[level], index % generator.slots)
        if puzzle is not None:
            yield puzzle.state, puzzle.key


def test_the_set() -> None:
    assert list(GENERATORS) == ["height", "next_step", "ordering"]
    assert {"data_version": DATA_VERSION, "render_version": RENDER_VERSION} == VERSIONS
    for name, generator in GENERATORS.items():
        task = TASKS[name]
        assert (generator.name, generator.category, generator.answer_type) == (
            task.name,
            task.category,
            task.answer_type,
        )
        assert generator.slots == pytest.approx(1 / task.chance)
        assert list(generator.levels) == ["1", "2", "3"]


@every_level
def test_samples_are_whole(generator: AnyGenerator, level: str) -> None:
    for index in range(2):
        sample = sample_of(generator, level, index)
        text = " ".join([sample.question, *sample.choices.values()])
        named = [int(number) for number in PLACEHOLDER.findall(text)]
        assert list(dict.fromkeys(named)) == list(range(1, len(sample.images) + 1)), "pictures are named in order"
        assert list(sample.explanation) == list(sample.choices)
        metadata = json.loads(sample.metadata)
        state = generator.parse(metadata["state"])
        assert str(state) == metadata["state"]
        assert generator.solve(state) == {sample.answer}
        assert len(generator.alt(state)) == len(sample.images)
        assert generator.draw(state) == sample.images
        assert {key: metadata[key] for key in VERSIONS} == VERSIONS
        option_sizes = {
            sample.images[int(number) - 1].open().size
            for number in PLACEHOLDER.findall(" ".join(sample.choices.values()))
        }
        assert len(option_sizes) <= 1


@every_level
def test_no_other_key_is_let_through(generator: AnyGenerator, level: str) -> None:
    sample = sample_of(generator, level, 0)
    state = generator.parse(json.loads(sample.metadata)["state"])
    wrong = (
        sample.answer[1:] + sample.answer[:1]
        if len(sample.answer) > 1
        else next(c for c in sample.choices if c != sample.answer)
    )
    with pytest.raises(UnprovedKey, match=f"the key is {wrong}, but {sample.answer} fits"):
        is_proved(generator, state, wrong)


@pytest.mark.slow
@every_level
def test_generator_and_solver_agree(generator: AnyGenerator, level: str) -> None:
    """Hundreds of states: the key always fits, and is nearly always alone."""
    fits = [(key, generator.solve(state)) for state, key in drawn(generator, level, 60, seed=2)]
    assert len(fits) > 30
    assert [(key, found) for key, found in fits if key not in found] == [], "the solver rejects a key"
    assert sum(found == {key} for key, found in fits) > 0.6 * len(fits)


@pytest.mark.parametrize(("name", "expected"), [row for task in GENERATORS for row in golden_pixels(task)])
def test_golden_pixels(name: str, expected: str) -> None:
    """The same seed gives the same pixels; a change needs a new RENDER_VERSION or DATA_VERSION."""
    task, level, index = name.split(" ")
    assert pixel_hash(sample_of(GENERATORS[task], level, int(index)).images) == expected


def pixel_hash(pictures: Sequence[Picture]) -> str:
    return sha256(b"".join(picture.open().tobytes() for picture in pictures)).hexdigest()


def test_every_level_has_a_golden_hash() -> None:
    assert {name for task in GENERATORS for name, _ in golden_pixels(task)} == {
        f"{g.name} {level} 0" for g, level in CASES
    }


# No shortcut. Ordering has none of these tests: a step only adds, so later pictures show more, in every honest set of building steps.


def test_height_cannot_be_read_off_the_page() -> None:
    """The piece that is higher on the page wins in less than 60 % of the questions, and no answer is given more often than others."""
    samples = list(generate_samples([GENERATORS["height"]], benchmark="b", versions={}, seed=4, num_samples=45))
    hits = sum(_by_page(sample) == sample.answer for sample in samples)
    assert hits < 0.6 * len(samples)
    assert Counter(sample.answer for sample in samples) == {"A": 15, "B": 15, "C": 15}


def _by_page(sample: Sample) -> str:
    state = HeightState.parse(json.loads(sample.metadata)["state"])
    red, blue = (arrow.tip[1] for arrow in state.arrows())
    return "A" if (red < blue) == (state.ask == "higher") else "B"


@pytest.mark.slow
def test_options_alone_do_not_give_the_next_step_away() -> None:
    """The key's rank among the five options is uniform by every simple measure of the pictures."""
    samples = list(
        generate_samples([GENERATORS["next_step"]], benchmark="b", versions={}, seed=4, num_samples=100, num_proc=2)
    )
    ranks: dict[str, Counter[int]] = {}
    for sample in samples:
        key = list(sample.choices).index(sample.answer)
        for name, values in _measures(sample.images[2:]).items():
            place = sorted(range(5), key=lambda option: (values[option], option)).index(key)
            ranks.setdefault(name, Counter())[place] += 1
    expected = len(samples) / 5
    chi_squared = {
        name: sum((count[place] - expected) ** 2 / expected for place in range(5)) for name, count in ranks.items()
    }
    assert max(chi_squared.values()) < 18.47, chi_squared  # 4 degrees of freedom, p = 0.001


def _measures(pictures: Sequence[Picture]) -> dict[str, list[float]]:
    """Measure → its value for each option: size of the file, colours, ink, how far from the other options."""
    images = [picture.open() for picture in pictures]
    small = [image.resize((112, 112)) for image in images]
    means = [ImageStat.Stat(image).mean for image in images]
    return {
        "bytes": [len(picture.data) for picture in pictures],
        "red": [mean[0] for mean in means],
        "green": [mean[1] for mean in means],
        "blue": [mean[2] for mean in means],
        "ink": [sum(image.convert("L").histogram()[:250]) for image in images],
        "far": [sum(_distance(one, other) for other in small) for one in small],
        "alone": [min(_distance(one, other) for other in small if other is not one) for one in small],
    }


def _distance(one: Image.Image, other: Image.Image) -> float:
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean)
