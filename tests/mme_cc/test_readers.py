"""Replies to MME-CC's questions, labelled by hand by what they mean, read by rules alone; and properties that hold for any reply."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from golden import FOLDER
from hypothesis import given
from hypothesis import strategies as st
from strategies import replies
from timing import timed

from cogsight.mme_cc import scoring
from cogsight.mme_cc.benchmark import VARIANTS
from cogsight.mme_cc.taxonomy import TASKS
from cogsight.shared.extraction.forms.words import COMPASS
from cogsight.shared.sample import Finish, Reply, Sample, Score

FULL = VARIANTS[0]


class Labelled(NamedTuple):
    """A reply, and what a scorer without a judge must say of it."""

    subtask: str
    reference: str
    reason: str
    reply: str


def labelled(path: Path) -> list[Labelled]:
    with path.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file, delimiter="\t")
    return [Labelled(*row) for row in rows]


ROWS = [row for path in sorted(FOLDER.glob("mme_cc_replies*.tsv")) for row in labelled(path)]


def sample(task: str, reference: str) -> Sample:
    kind = TASKS[task]
    return Sample(f"mme_cc/official/{task}/all/1", task, kind.category, "all", (), "?", {}, reference, kind.answer_type)


def score(task: str, reference: str, reply: Reply | str) -> Score:
    return scoring.score(sample(task, reference), FULL, [Reply(reply) if isinstance(reply, str) else reply])


def test_there_are_enough_of_each_subtask() -> None:
    counts = Counter(row.subtask for row in ROWS)
    assert set(counts) == set(TASKS)
    assert min(counts.values()) >= 15
    assert len(set(ROWS)) == len(ROWS) >= 450


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.subtask}-{row.reason}-{row.reply[:24]}")
def test_replies_read_as_labelled(row: Labelled) -> None:
    found = score(row.subtask, row.reference, row.reply)
    assert found.reason == row.reason, found
    assert found.points == {"right": 1.0, "not_judged": None}.get(row.reason, 0.0)


HELD = labelled(FOLDER / "mme_cc_held.tsv")
"""Labelled by somebody who had not seen the readers: right, wrong, judge (rules cannot be sure), or none (no answer)."""


@pytest.mark.parametrize("row", HELD, ids=lambda row: f"{row.subtask}-{row.reason}-{row.reply[:24]}")
def test_held_replies_are_never_read_otherwise(row: Labelled) -> None:
    read = score(row.subtask, row.reference, row.reply).reason
    assert read == row.reason or read not in ("right", "wrong")


def test_most_held_replies_are_read() -> None:
    clear = [row for row in HELD if row.reason in ("right", "wrong")]
    unread = [row for row in clear if score(row.subtask, row.reference, row.reply).reason != row.reason]
    assert len(HELD) == 220
    assert len(unread) <= 24, unread


@pytest.mark.parametrize("task", TASKS)
def test_nothing_is_never_right(task: str) -> None:
    for reference in ("", "   ", "**", "."):
        with pytest.raises(ValueError, match="says nothing"):
            score(task, reference, "")
    reference = next(row.reference for row in ROWS if row.subtask == task)
    for text, reason in (("", "empty"), (" \n", "empty"), ("<think>…</think>\n", "empty"), ("<think>so", "truncated")):
        assert (score(task, reference, text).points, score(task, reference, text).reason) == (0.0, reason)


def test_taken_back() -> None:
    for reply in ("So it looks west. Wait, that's wrong.", "The answer is West. No, that is wrong.", "Actually, hm."):
        assert score("indoor_directional_reasoning", "West", reply).reason == "unparsed"
    assert score("indoor_directional_reasoning", "West", "It looks east. Wait, no: it looks west.").reason == "right"


def test_cut_off() -> None:
    """An answer that was declared before holds; one that only looks like one does not."""
    whole = Reply("The answer is 3, 5, 7. The way there leads from", Finish.LENGTH)
    assert score("maze", "3, 5, 7", whole).reason == "right"
    assert score("indoor_directional_reasoning", "West", Reply("Looking west, we", Finish.LENGTH)).reason == "truncated"
    assert score("chart_modification", "a | b\nc | 1", Reply("a | b\nc | 1", Finish.LENGTH)).reason == "truncated"


# --- what holds for any answer: formats are read back, other answers are never right, nothing raises

WRAPS = (
    "{}",
    "{}.",
    "**{}**",
    "Answer: {}",
    "The answer is {}.",
    "Final answer:\n\n{}",
    "<answer>{}</answer>",
    "\\boxed{{{}}}",
    "<think>1, 2? A-1? H8?</think>{}",
    "First I looked at all the pictures.\n\nAnswer: {}",
)
wraps = st.sampled_from(WRAPS)
small = st.integers(0, 30)


@given(
    st.lists(st.integers(0, 9), min_size=2, max_size=8),
    st.sampled_from([", ", ",", " ", " → ", "-", "\n", ", then "]),
    wraps,
)
def test_numbers(digits: list[int], between: str, wrap: str) -> None:
    key, said = ", ".join(map(str, digits)), between.join(map(str, digits))
    assert score("maze", key, wrap.format(said)).reason == "right"
    for other in (digits[:-1], [*digits, 5], [9 - digits[0], *digits[1:]], digits[1:] + digits[:1]):
        if other != digits and len(other) > 1:
            assert score("maze", key, wrap.format(between.join(map(str, other)))).points == 0


@given(
    st.permutations(range(1, 7)),
    st.sampled_from(["{}-{}", "{}: {}", "{} → {}", "Piece {} = slot {}", "({}, {})"]),
    st.sampled_from([", ", "; ", "\n"]),
    wraps,
)
def test_mappings(slots: list[int], pair: str, between: str, wrap: str) -> None:
    key = ", ".join(f"{letter}-{slot}" for letter, slot in zip("ABCDEF", slots, strict=True))
    told = [pair.format(*both) for both in zip("ABCDEF", slots, strict=True)]
    turned = [pair.format(slot, letter) for letter, slot in zip("ABCDEF", slots, strict=True)]
    for pairs in (told, told[::-1], turned):
        assert score("jigsaw_puzzle", key, wrap.format(between.join(pairs))).reason == "right"
    swapped = [pair.format(*both) for both in zip("BACDEF", slots, strict=True)]
    for pairs in (swapped, told[1:], [*told[1:], told[1]]):
        assert not score("jigsaw_puzzle", key, wrap.format(between.join(pairs))).points


@given(
    small,
    small,
    st.sampled_from(
        ["chairs: {}, pots: {}", "{} chairs and {} pots", "Chairs: {}\nPots: {}", "There are {} chairs and {} pots"]
    ),
    wraps,
)
def test_counts(one: int, other: int, form: str, wrap: str) -> None:
    key = f"pots: {other}, chairs: {one}"
    assert score("indoor_deduplication_counting", key, wrap.format(form.format(one, other))).reason == "right"
    for a, b in ((one + 1, other), (one, other + 1), (other, one)):
        if (a, b) != (one, other):
            assert not score("indoor_deduplication_counting", key, wrap.format(form.format(a, b))).points


@given(
    st.sampled_from("ABCDEFGHJKLMNO"),
    st.integers(1, 15),
    st.sampled_from(["{}{}", "({}, {})", "{}-{}", "column {}, row {}"]),
    wraps,
)
def test_points(column: str, row: int, form: str, wrap: str) -> None:
    assert score("gomoku_variation", f"{column}{row} or A16", wrap.format(form.format(column, row))).reason == "right"
    assert not score("gomoku_variation", f"{column}{row}", wrap.format(form.format(column, row + 1))).points
    assert not score("gomoku_variation", f"{column}{row}", wrap.format(form.format("Z", row))).points


@given(
    st.lists(st.sampled_from("ABCDEFGX"), min_size=1, max_size=6, unique=True), st.randoms(use_true_random=False), wraps
)
def test_moves(blocks: list[str], random: Random, wrap: str) -> None:
    def told(names: list[str], count: int) -> str:
        moves = ", ".join(
            f"{name} {random.choice(['up', 'down', 'left', 'right'])} {random.randint(1, 4)}" for name in names
        )
        return f"Minimum number of moves: {count}. Moves: {moves}"

    key = told(blocks, len(blocks))
    assert (
        score("unblock_me", key, wrap.format(told(random.sample(blocks, len(blocks)), len(blocks)))).reason == "right"
    )
    assert not score("unblock_me", key, wrap.format(told([*blocks[1:], "H"], len(blocks)))).points
    assert not score("unblock_me", key, wrap.format(told(blocks, len(blocks) + 1))).points


@given(
    st.sampled_from(sorted(COMPASS)),
    st.sampled_from(sorted(COMPASS)),
    st.sampled_from([str, str.title, str.upper]),
    wraps,
)
def test_directions(key: str, said: str, case: Callable[[str], str], wrap: str) -> None:
    assert bool(score("indoor_directional_reasoning", key, wrap.format(case(said))).points) == (key == said)


@pytest.mark.parametrize("task", TASKS)
@given(reply=replies() | st.text())
def test_no_reply_raises(task: str, reply: str) -> None:
    reference = REFERENCES[task]
    found = score(task, reference, reply)
    assert found.points in (0.0, 1.0, None)
    assert 0 <= found.parts.get(scoring.PARTIAL, 0) <= 1


REFERENCES = {row.subtask: row.reference for row in reversed(ROWS)}

WORDS = "piece A square 2 goes to the answer is H8 north, left 3 moves: or chairs first and\n not | 1. so x-y Picture"
HOSTILE = {
    "digits": "3, 5, 7, " * 120_000,
    "answers": "The answer is 3, 5. " * 50_000,
    "pairs": "A-1, B-2, " * 100_000,
    "nouns": "piece the square place " * 45_000,
    "points": "H8 H9 or " * 110_000,
    "pipes": "|" * 1_000_000,
    "blanks": "answer" + " " * 1_000_000,
    "brackets": "(" * 500_000 + "A" + ")" * 500_000,
    "letters": "A " * 500_000,
    "lines": "A\n" * 500_000,
    "moves": "A left 1, B down 2 " * 50_000,
    "boxes": "\\boxed{" * 140_000,
    "words": " ".join(Random(6).choices(WORDS.split(" "), k=160_000)),
    "noise": "".join(Random(5).choices("A1 -:|,.\n(north8up", k=1_000_000)),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("task", TASKS)
def test_a_megabyte_takes_no_time(task: str, text: str) -> None:
    assert timed(partial(score, task, REFERENCES[task], text))[1] < 3
