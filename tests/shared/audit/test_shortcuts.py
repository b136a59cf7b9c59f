"""Keys that can be guessed without understanding anything: each clue must see its own leak, and none in clean questions."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from audit_samples import LETTERS, TASK, audited, changed, clean, only, orders, pattern, picture, texts
from PIL import Image

from cogsight.shared.audit import guessing
from cogsight.shared.audit.finding import Finding, Verdict
from cogsight.shared.audit.measure import measure
from cogsight.shared.audit.shortcuts import ALPHA, CLUES, MARGIN, Guess
from cogsight.shared.errors import MissingDependency
from cogsight.shared.sample import Picture, Sample

BY_NAME = {clue.name.removeprefix("shortcut: "): clue for clue in CLUES}


def found(name: str, samples: list[Sample], **options: object) -> Finding:
    return only(BY_NAME[name].run(audited(samples, **options)))


def redrawn(key: object, other: object = pattern) -> list[Sample]:
    """The right options drawn by the one, the wrong ones by the other."""

    def change(sample: Sample, i: int) -> Sample:
        draws = [key if letter == sample.answer else other for letter in LETTERS]
        images = [draw(10 * i + n) for n, draw in enumerate(draws)]  # type: ignore[operator]
        return replace(sample, images=(sample.images[0], *map(Picture.from_image, images)))

    return changed(change)


def shaded(shift: int) -> object:
    """Patterns that are so much darker."""
    return lambda number: pattern(number).point(lambda value: max(0, value - shift))


def solid(number: int) -> Image.Image:
    return Image.new("RGB", (32, 32), tuple(Random(number).choices(range(256), k=3)))


def alike(number: int) -> Image.Image:
    """The same pattern for ten numbers, but for a corner."""
    image = pattern(number // 10)
    image.paste(pattern(number).crop((0, 0, 8, 8)), (0, 0))
    return image


def upside_down(number: int) -> Image.Image:
    """As bright, as full and as big as the others."""
    return alike(number).rotate(180)


@pytest.mark.parametrize("name", BY_NAME)
def test_clean(name: str) -> None:
    samples = list(clean())
    if name != "option pictures":
        rng = Random(3)
        samples = texts(lambda letter, key, _: "x" * rng.randrange(3, 9) + str(rng.randrange(99)))
    if name == "question text":
        samples = [
            replace(sample, question=sample.question + "!" * Random(i).randrange(9)) for i, sample in enumerate(samples)
        ]
    finding = found(name, samples)
    assert finding.verdict is Verdict.OK
    assert "40 questions, 3 points show from 564 on" in finding.measured
    assert finding.limit == "chance 25.0% + 3 points; fails from 42.5%"


@pytest.mark.parametrize(
    ("name", "key", "other", "by"),
    [
        ("darker", shaded(40), pattern, {"red", "green", "blue"}),
        ("plainer", solid, pattern, {"edges", "file size", "ink", "unusual edges", "unusual file size", "unusual ink"}),
        ("odd one out", upside_down, alike, {"odd one out", "unusual odd one out"}),
    ],
)
def test_option_pictures(name: str, key: object, other: object, by: set[str]) -> None:
    finding = found("option pictures", redrawn(key, other))
    assert finding.verdict is Verdict.FAILS
    assert set(finding.measured.split(" by ")[1].split(", ")) <= by
    assert len(finding.worst) == 5
    assert finding.mend


def test_a_larger_file() -> None:
    def change(sample: Sample, i: int) -> Sample:
        key = 1 + LETTERS.index(sample.answer)
        pictures = [Picture(one.data + b"\0" * 99 * (n == key)) for n, one in enumerate(sample.images)]
        return replace(sample, images=tuple(pictures))

    finding = found("option pictures", changed(change))
    assert finding.verdict is Verdict.FAILS
    assert "by file size" in finding.measured


def test_the_middle_one() -> None:
    """The right option is as dark as the mean of the wrong ones, which no plain ranking shows."""

    def change(sample: Sample, i: int) -> Sample:
        rng = Random(i)
        shades = iter(rng.sample((0, 40, 160, 200), 3))
        levels = [100 if letter == sample.answer else next(shades) for letter in LETTERS]
        if rng.random() < 0.5:
            levels = [200 - level for level in levels]
        images = [pattern(i).point(lambda value, level=level: value // 8 + level) for level in levels]
        return replace(sample, images=(sample.images[0], *map(Picture.from_image, images)))

    assert found("option pictures", changed(change)).verdict is Verdict.FAILS


LEAKS = {
    "length": lambda letter, key, rng: "x" * (rng.randrange(3, 9) + 4 * (letter == key)),
    "number": lambda letter, key, rng: f"{rng.randrange(10, 50) + 40 * (letter == key)}",
    "a word": lambda letter, key, rng: f"{rng.choice('pqrs')} {'or' if letter == key else 'on'} {rng.choice('pqrs')}",
}


@pytest.mark.parametrize("leak", LEAKS)
def test_option_texts(leak: str) -> None:
    finding = found("option texts", texts(LEAKS[leak]))
    assert finding.verdict is Verdict.FAILS
    telling = finding.measured.split(" by ")[1]
    assert {"length": "length", "number": "number", "a word": "'"}[leak] in telling


def test_option_order() -> None:
    finding = found("option texts", changed(lambda sample, i: replace(sample, answer="B") if i % 2 else sample))
    assert finding.verdict is Verdict.FAILS
    assert "place 2" in finding.measured


@pytest.mark.parametrize("word", ["so", "very " * 3])
def test_question_text(word: str) -> None:
    def change(sample: Sample, i: int) -> Sample:
        return replace(sample, question=f"{'Which ' * Random(i).randrange(2)}{word * 'ABCD'.index(sample.answer)}?")

    assert found("question text", changed(change)).verdict is Verdict.FAILS
    assert found("question text", list(clean())).measured == "all questions have the same words"


def test_other_pictures() -> None:
    def change(sample: Sample, i: int) -> Sample:
        shade = 60 * "ABCD".index(sample.answer) + Random(i).randrange(30)
        return replace(
            sample, images=(Picture.from_image(Image.new("RGB", (32, 32), (shade, 0, 0))), *sample.images[1:])
        )

    finding = found("other pictures", changed(change))
    assert finding.verdict is Verdict.FAILS
    assert "of picture 1" in finding.measured


def striped(place: int, rng: Random) -> Image.Image:
    """The later in the order, the more of it is drawn."""
    image = Image.new("RGB", (32, 32), "white")
    image.paste(pattern(rng.randrange(1000)).crop((0, 0, 32, 6 + 5 * place)), (0, 1))
    return image


def test_orders() -> None:
    samples = orders(striped)
    finding = found("option pictures", samples)
    assert finding.verdict is Verdict.FAILS
    assert "in place (p < 1e-06) by" in finding.measured
    fair = found("option pictures", orders(lambda place, rng: pattern(rng.randrange(1000))))
    assert (fair.verdict, fair.limit[:22]) == (Verdict.OK, "chance 25.0% + 3 points"[:22])


def test_what_is_inherent_is_told() -> None:
    finding = found("option pictures", orders(striped), inherent={TASK: "steps add parts"})
    assert (finding.verdict, finding.ok, finding.mend) == (Verdict.INHERENT, True, "")
    assert finding.measured.endswith("; inherent: steps add parts")
    assert not found("option texts", texts(LEAKS["length"]), inherent={TASK: "texts are no pictures"}).ok


def free(keys: str) -> list[Sample]:
    """Questions without options, the key seen in the picture's colour."""
    shade = {key: picture(500 + n) for n, key in enumerate(sorted(set(keys)))}
    return [
        replace(clean()[0], id=str(i), images=(shade[key],), choices={}, answer=key, answer_type="text")
        for i, key in enumerate(keys)
    ]


def test_free_answers() -> None:
    assert found("other pictures", free("abc" * 20)).verdict is Verdict.FAILS
    assert (
        "free answers: 30 different keys in 60"
        in found("other pictures", free("".join(map(chr, range(50, 80))) * 2)).measured
    )
    assert found("other pictures", free("a" * 60)).measured == "all 60 questions have the same key"
    assert found("option texts", free("abc" * 20)).verdict is Verdict.NONE


def test_a_frequent_free_answer_is_no_shortcut() -> None:
    grey = [replace(sample, images=(picture(i),)) for i, sample in enumerate(free("a" * 48 + "b" * 12))]
    finding = found("other pictures", grey)
    assert finding.verdict is Verdict.OK
    assert finding.limit.startswith("chance 80.0% + 3 points")


def test_few_questions_are_not_fitted() -> None:
    assert found("option pictures", redrawn(shaded(90))[:19]).verdict is Verdict.TOO_FEW
    assert found("option pictures", redrawn(shaded(90))[:20]).verdict is not Verdict.TOO_FEW


def guess(right: int, n: int = 200, chance: float = 0.25) -> Guess:
    points = np.repeat([1.0, 0.0], [right, n - right])
    return Guess(points, np.full(n, chance), np.zeros(n), ())


@pytest.mark.parametrize(("n", "chance"), [(200, 0.25), (100, 0.5), (1000, 0.2)])
def test_fails_from(n: int, chance: float) -> None:
    first = round(guess(0, n, chance).fails_from() * n)
    assert guess(first - 1, n, chance).p() >= ALPHA > guess(first, n, chance).p()
    assert first / n > chance + MARGIN


def test_enough_questions_tell_three_points() -> None:
    enough = guess(0).enough()
    assert 1.645 * (0.25 * 0.75 / enough) ** 0.5 == pytest.approx(MARGIN, rel=2e-3)


def test_questions_on_one_picture_share_a_fold() -> None:
    samples = [replace(sample, group=f"picture {i // 3}") for i, sample in enumerate(clean(60))]
    fold = guessing.folds([measure(sample) for sample in samples])
    assert all(len(set(fold[i : i + 3])) == 1 for i in range(0, 60, 3))
    assert sorted(set(fold)) == [0, 1, 2, 3, 4]


def test_keys_are_spread_over_the_folds() -> None:
    samples = clean(40)
    fold = guessing.folds([measure(sample) for sample in samples])
    dealt = Counter((sample.answer, number) for sample, number in zip(samples, fold.tolist(), strict=True))
    assert set(dealt.values()) == {2}


def test_the_same_twice() -> None:
    samples = redrawn(shaded(15))
    assert found("option pictures", samples) == found("option pictures", samples)


def test_without_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingDependency, match=r"pip install 'cogsight\[audit\]'"):
        list(CLUES[0].run(audited(clean(4))))
