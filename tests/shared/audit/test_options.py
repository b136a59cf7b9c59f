"""Options that look alike, have several sizes, or are not explained."""

from __future__ import annotations

from dataclasses import replace

import pytest
from audit_samples import LETTERS, audited, changed, clean, only, texts
from PIL import Image

from cogsight.shared.audit.explanations import explanations
from cogsight.shared.audit.finding import WORST, Verdict
from cogsight.shared.audit.options import look_alikes, option_sizes
from cogsight.shared.sample import Picture, Sample


def test_clean() -> None:
    for check in (look_alikes, option_sizes, explanations):
        finding = only(check(audited(clean())))
        assert (finding.verdict, finding.worst, finding.mend) == (Verdict.OK, (), "")


def dotted(picture: Picture, dots: int) -> Picture:
    """With some pixels of the first row turned black."""
    image = picture.open()
    for x in range(dots):
        image.putpixel((x, 0), (0, 0, 0))
    return Picture.from_image(image)


def test_a_difference_that_nobody_sees() -> None:
    def copied(sample: Sample, i: int, dots: int = 1) -> Sample:
        if i != 7:
            return sample
        reference, a, b, c, _ = sample.images
        return replace(sample, images=(reference, a, b, c, dotted(b, dots)))

    finding = only(look_alikes(audited(changed(copied))))  # 1 of 1,024 pixels
    assert not finding.ok
    assert finding.worst == (f"{clean()[7].id}: B and D differ in 0.10% of their pixels",)
    assert only(look_alikes(audited(changed(lambda sample, i: copied(sample, i, 6))))).ok


def test_a_copy_of_another_size_is_still_a_copy() -> None:
    def scaled(sample: Sample, i: int) -> Sample:
        larger = Picture.from_image(sample.images[1].open().resize((64, 64), Image.Resampling.NEAREST))
        return replace(sample, images=(*sample.images[:4], larger)) if i == 2 else sample

    (worst,) = only(look_alikes(audited(changed(scaled)))).worst
    assert worst.startswith(f"{clean()[2].id}: A and D differ in")


def test_two_options_with_one_text() -> None:
    same = texts(lambda letter, key, rng: "so" if letter in "AC" else letter)
    finding = only(look_alikes(audited(same)))
    assert len(finding.worst) == WORST
    assert finding.worst[0].endswith("A and C say the same")
    assert only(look_alikes(audited(texts(lambda letter, key, rng: letter)))).ok


def test_a_larger_option() -> None:
    def larger(sample: Sample, i: int) -> Sample:
        grown = Picture.from_image(sample.images[2].open().resize((40, 32)))
        return replace(sample, images=(*sample.images[:2], grown, *sample.images[3:])) if i == 5 else sample

    finding = only(option_sizes(audited(changed(larger))))
    assert finding.worst == (f"{clean()[5].id}: A 32x32, B 40x32, C 32x32, D 32x32",)
    reference = changed(lambda sample, i: replace(sample, images=(dotted(sample.images[2], 1), *sample.images[1:])))
    assert only(option_sizes(audited(reference))).ok


@pytest.mark.parametrize(
    ("explained", "said"),
    [
        ({}, "nothing is said of A, B, C, D"),
        ({"A": "Right.", "B": "Wrong.", "C": " ", "D": "Wrong."}, "nothing is said of C"),
        (dict.fromkeys(LETTERS, "Wrong."), "right by its explanation is none, by the key {key}"),
        (dict.fromkeys(LETTERS, "Right."), "right by its explanation is ABCD, by the key {key}"),
    ],
)
def test_explanations(explained: dict[str, str], said: str) -> None:
    samples = changed(lambda sample, i: replace(sample, explanation=explained) if i == 9 else sample)
    finding = only(explanations(audited(samples)))
    assert finding.worst == (f"{samples[9].id}: {said.format(key=samples[9].answer)}",)
    assert only(explanations(audited(samples, procedural=False))).verdict is Verdict.NONE


def test_free_answers_have_nothing_of_all_this() -> None:
    free = [replace(sample, answer_type="number", choices={}, answer="7") for sample in clean()[:3]]
    for check in (look_alikes, option_sizes, explanations):
        assert only(check(audited(free))).verdict is Verdict.NONE
