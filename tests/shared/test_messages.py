"""Every picture is shown, where the text speaks of it, in each view; and nothing that an API would reject."""

from __future__ import annotations

import pytest
from PIL import Image

from cogsight.shared.messages import VIEWS, interleave, user_turn
from cogsight.shared.sample import Picture

ONE, TWO, THREE = (Picture.from_image(Image.new("RGB", (8, 8), color)) for color in ("red", "green", "blue"))


def test_pictures_stand_at_their_placeholders_however_spelt() -> None:
    assert interleave("a<image 2>b<image1>c< Image 3 >", [ONE, TWO, THREE]) == ("a", TWO, "b", ONE, "c", THREE)


def test_pictures_without_a_placeholder_come_first() -> None:
    assert interleave("What is <image 2>?", [ONE, TWO, THREE]) == (ONE, THREE, "What is ", TWO, "?")
    assert interleave("What is it?", [ONE]) == (ONE, "What is it?")


def test_blanks_alone_are_no_part() -> None:
    assert interleave("<image 1> \n<image 2>\n", [ONE, TWO]) == (ONE, TWO)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("number", ["0", "3", "99999999999999999999"])
def test_a_placeholder_without_its_picture_is_an_error(view: str, number: str) -> None:
    with pytest.raises(ValueError, match=rf"placeholder <image {number}>, but there are 2 images"):
        user_turn(f"See <image {number}>", [ONE, TWO], view)


def test_the_other_views_say_which_picture_is_meant() -> None:
    (listed,), (collage,) = (
        user_turn("From <image 1> to <image2>", [ONE, TWO], view) for view in ("listed", "collage")
    )
    assert listed.parts == (ONE, TWO, "From Image 1 to Image 2")
    picture, text = collage.parts
    assert text == "From Image 1 to Image 2"
    assert isinstance(picture, Picture)
    assert min(picture.open().size) > 8
    assert user_turn("See <image 1>", [ONE], "collage")[0].parts == (ONE, "See Image 1")
