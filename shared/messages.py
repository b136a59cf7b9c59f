"""Text with placeholders + pictures → the parts of a message, so that every picture stands where the text speaks of it.

Three views: `images` puts each picture at its `<image N>`; the others are for models that cannot interleave (bug log U21–U25,
C06), and write "Image N" there: before the text, `collage` shows one labelled picture, `listed` all of them in order.
No picture is ever dropped: those that no placeholder names come first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .sample import PLACEHOLDER, Message, Messages, Picture

Parts = tuple[str | Picture, ...]


def user_turn(text: str, images: Sequence[Picture], view: str = "images") -> Messages:
    """One user message; views that are none of VIEWS interleave. Raises ValueError when the text names a picture that is not there."""
    return (Message("user", VIEWS.get(view, interleave)(text, images)),)


def interleave(text: str, images: Sequence[Picture]) -> Parts:
    """The text cut at its placeholders, each replaced by its picture. Blanks alone are no part: some APIs reject such texts.

    >>> one, two = Picture(b"1"), Picture(b"2")
    >>> interleave("See <image 2>.", [one, two]) == (one, "See ", two, ".")
    True
    """
    named = named_images(text, len(images))
    parts: list[str | Picture] = [picture for n, picture in enumerate(images, 1) if n not in named]
    end = 0
    for match in PLACEHOLDER.finditer(text):
        parts += [text[end : match.start()], images[int(match[1]) - 1]]
        end = match.end()
    parts.append(text[end:])
    return tuple(part for part in parts if not isinstance(part, str) or part.strip())


def named_images(text: str, count: int) -> frozenset[int]:
    """Numbers, from 1, of the pictures that placeholders name. Raises ValueError for one outside 1..count."""
    named = frozenset(int(match[1]) for match in PLACEHOLDER.finditer(text))
    if missing := sorted(n for n in named if not 1 <= n <= count):
        raise ValueError(f"placeholder <image {missing[0]}>, but there are {count} images")
    return named


def quoted(text: str) -> str:
    """A model's words as a part of a prompt: what looks like a placeholder in them names no picture.

    >>> quoted("<image 4> shows two foxes")
    'Image 4 shows two foxes'
    """
    return PLACEHOLDER.sub(lambda match: f"Image {int(match[1])}", well_formed(text))


def well_formed(text: str) -> str:
    """The text with � for each half of a surrogate pair: JSON may spell one, and no request or file of UTF-8 can hold it."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _collage(text: str, images: Sequence[Picture]) -> Parts:
    """A single picture stays as it is."""
    if len(images) < 2:
        return _listed(text, images)
    from .render.collage import collage

    return collage(images), _spoken(text, len(images))


def _listed(text: str, images: Sequence[Picture]) -> Parts:
    return *images, _spoken(text, len(images))


def _spoken(text: str, count: int) -> str:
    named_images(text, count)
    return PLACEHOLDER.sub(lambda match: f"Image {int(match[1])}", text)


VIEWS: Mapping[str, Callable[[str, Sequence[Picture]], Parts]] = {
    "images": interleave,
    "collage": _collage,
    "listed": _listed,
}
