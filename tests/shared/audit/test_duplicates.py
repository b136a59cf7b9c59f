"""Questions asked twice, and questions that look the same."""

from __future__ import annotations

from dataclasses import replace

from audit_samples import audited, clean, only, pattern, texts

from cogsight.shared.audit.duplicates import duplicates, near_duplicates
from cogsight.shared.audit.finding import Verdict
from cogsight.shared.sample import Picture, Sample


def test_clean_questions_are_all_different() -> None:
    assert only(duplicates(audited(clean()))).measured == "0 of 40 ask again what another asks"
    assert only(near_duplicates(audited(clean()))).measured == "0 pairs among 40"


def test_the_same_in_another_order_is_found() -> None:
    first = clean()[0]
    again = replace(first, id="again", images=first.images[::-1], choices=dict(reversed(first.choices.items())))
    finding = only(duplicates(audited([*clean(), again])))
    assert finding.verdict is Verdict.FAILS
    assert finding.worst == (f"again: asks the same as {first.id}",)
    assert only(near_duplicates(audited([*clean(), again]))).measured.startswith("0 pairs")


def test_other_options_for_the_same_picture_make_another_question() -> None:
    first, *_ = texts(lambda letter, key, rng: letter * 3, 2)
    other = replace(first, id="other", choices={letter: letter * 4 for letter in first.choices})
    assert only(duplicates(audited([first, other]))).ok


def noisy(sample: Sample) -> Sample:
    """One pixel of each picture changed."""
    pictures = []
    for one in sample.images:
        image = one.open()
        image.putpixel((0, 0), (0, 0, 0))
        pictures.append(Picture.from_image(image))
    return replace(sample, id="noisy", images=tuple(pictures))


def test_pictures_that_look_the_same_are_told_and_do_not_fail() -> None:
    near = noisy(clean()[3])
    assert only(duplicates(audited([*clean(), near]))).ok
    finding = only(near_duplicates(audited([*clean(), near])))
    assert (finding.verdict, finding.worst) == (Verdict.OK, (f"noisy: looks like {clean()[3].id}",))


def test_every_picture_must_have_its_like() -> None:
    near = noisy(clean()[3])
    half = replace(near, images=(*near.images[:-1], Picture.from_image(pattern(-1 % 2**32))))
    few = replace(near, images=(near.images[0],) * 5)
    for one in (half, few):
        assert only(near_duplicates(audited([*clean(), one]))).measured == "0 pairs among 41"


def test_no_picture_cannot_look_like_one() -> None:
    bare = [replace(sample, images=()) for sample in texts(lambda letter, key, rng: letter, 4)]
    assert only(near_duplicates(audited(bare))).verdict is Verdict.NONE
