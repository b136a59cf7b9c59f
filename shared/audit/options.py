"""Option pictures: can they be told apart, and are they all of one size?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..build import LOOK_ALIKE
from ..sample import Sample
from .balance import PARTS
from .finding import Audited, Finding, Verdict, faults
from .measure import Item

NAME, SIZE_NAME = "look-alikes", "option sizes"
NO_PICTURES = "no option is a picture of its own"


def look_alikes(audited: Audited) -> Iterator[Finding]:
    """Every option differs from every other: pictures in enough of their pixels, texts at all."""
    for task, items in audited.tasks().items():
        lettered = [item for item in items if item.sample.answer_type in PARTS]
        if not lettered:
            yield Finding(NAME, task, Verdict.NONE, "free answers, which have no options")
            continue
        found = {item.sample.id: why for item in sorted(lettered, key=_nearest) if (why := _alike(item))}
        what = "have options that cannot be told apart" + _smallest(lettered)
        limit = f"{LOOK_ALIKE:.2%} of the pixels"
        mend = "draw the options so that they differ more, or refuse such a question"
        yield faults(NAME, task, found, len(lettered), what, limit, mend)


def _nearest(item: Item) -> float:
    return item.nearest[0]


def _smallest(items: Sequence[Item]) -> str:
    if not any(item.options for item in items):
        return ""
    return f"; smallest difference {min(map(_nearest, items)):.2%} of the pixels"


def _alike(item: Item) -> str:
    """What is alike; "" for nothing."""
    share, letters = item.nearest
    if share < LOOK_ALIKE:
        return f"{' and '.join(letters)} differ in {share:.2%} of their pixels"
    same = _same_texts(item.sample)
    return f"{' and '.join(same)} say the same" if same else ""


def _same_texts(sample: Sample) -> list[str]:
    """Letters of the first options with one text."""
    letters: dict[str, list[str]] = {}
    for letter, text in sample.choices.items():
        letters.setdefault(" ".join(text.split()), []).append(letter)
    return next((same for same in letters.values() if len(same) > 1), [])


def option_sizes(audited: Audited) -> Iterator[Finding]:
    """All option pictures of a question have one size."""
    for task, items in audited.tasks().items():
        shown = [item for item in items if item.options]
        if not shown:
            yield Finding(SIZE_NAME, task, Verdict.NONE, NO_PICTURES)
            continue
        sizes = {item.sample.id: _sizes(item) for item in shown}
        found = {sample: _told(own) for sample, own in sizes.items() if len({*own.values()}) > 1}
        mend = "cut and scale all options alike, or else the size may tell the key"
        yield faults(SIZE_NAME, task, found, len(shown), "have options of several sizes", "one size", mend)


def _sizes(item: Item) -> dict[str, tuple[int, int]]:
    return {letter: item.looks[index].size for letter, index in item.options.items()}


def _told(sizes: Mapping[str, tuple[int, int]]) -> str:
    return ", ".join(f"{letter} {width}x{height}" for letter, (width, height) in sizes.items())
