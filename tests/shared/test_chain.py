"""Dialogues: what a later prompt repeats of a reply, whatever the model has written."""

from __future__ import annotations

import pytest

from cogsight.shared.chain import FORMS, Link, next_turn, spoken
from cogsight.shared.sample import Messages, Picture, Reply

IMAGES = (Picture(b"1"), Picture(b"2"), Picture(b"3"))
LINKS = (Link("Look: <image 1><image 2><image 3>"), Link("And image 4?"))


def after(reply: str, form: str, view: str) -> Messages:
    found = next_turn(LINKS, [Reply(reply)], IMAGES, form=form, view=view)
    assert found is not None
    return found


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("view", ["images", "listed"])
@pytest.mark.parametrize("number", [0, 1, 4, 99])
def test_a_reply_that_writes_a_placeholder_moves_no_picture(form: str, view: str, number: int) -> None:
    """One of a picture that is not there would end the whole run."""
    parts = [part for message in after(f"<image {number}>: two foxes", form, view) for part in message.parts]
    assert [part for part in parts if isinstance(part, Picture)] == list(IMAGES)
    text = "".join(part for part in parts if isinstance(part, str))
    assert f"Image {number}: two foxes" in text and "<image" not in text


@pytest.mark.parametrize(
    ("reply", "repeated"),
    [
        (f"One fox.<think>{'or two? ' * 500}</think> Reading.", "One fox.\n\n Reading."),
        ("<think>hm</think>\n\nOne fox.", "One fox."),
        ("One fox.\n\nReading.", "One fox.\n\nReading."),
        ("two \ud83d\ude00 \ud83d foxes", "two \U0001f600 \ufffd foxes"),
        ("两只狐狸", "两只狐狸"),
        ("<think>One fox.", ""),
    ],
)
def test_what_is_repeated(reply: str, repeated: str) -> None:
    assert spoken(Reply(reply)) == repeated
