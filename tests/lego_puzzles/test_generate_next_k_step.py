"""Next-k-Step: what its explanations say of the steps."""

from __future__ import annotations

import re

import pytest
from puzzles import puzzles

from cogsight.lego_puzzles.generate.changes import Change, Option
from cogsight.lego_puzzles.generate.next_k_step import GENERATOR, LETTERS, _explain
from cogsight.lego_puzzles.generate.pieces import Piece, pieces_of

OLD = Piece.parse("white brick_2x4 0,0,0 r0")
FIRST, SECOND = pieces_of("red plate_2x2 0,0,3 r0; blue plate_1x2 2,0,3 r0")
ALL = (OLD, FIRST, SECOND)


def why(*changes: Change) -> str:
    return _explain([FIRST, SECOND], Option(ALL, changes))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ((), "Right: step 1 adds the red 2x2 plate, step 2 adds the blue 1x2 plate, and nothing else has changed."),
        ((Change(SECOND, None),), "Wrong: in step 2 the blue 1x2 plate is missing."),
        (
            (Change(FIRST, FIRST.moved(x=1)), Change(OLD, None)),
            "Wrong: in step 1 the red 2x2 plate stands 1 stud to the right; of the first picture's parts the white 2x4 brick is missing.",
        ),
        ((Change(None, SECOND.moved(z=1)),), "Wrong: a blue 1x2 plate is too many, beside that of step 2."),
        ((Change(None, OLD.moved(z=4)),), "Wrong: a white 2x4 brick is too many, which no step adds."),
    ],
)
def test_an_explanation_names_the_step(changes: tuple[Change, ...], said: str) -> None:
    assert why(*changes) == said


def test_each_wrong_option_says_which_step_is_wrong_or_that_it_is_none() -> None:
    for puzzle in puzzles(GENERATOR, "3", 4):
        right = puzzle.explanation[puzzle.key]
        names = [f"step {number} adds the {part.name}" for number, part in enumerate(puzzle.state.parts, 1)]
        assert right == f"Right: {', '.join(names)}, and nothing else has changed."
        for letter in set(LETTERS) - {puzzle.key}:
            assert re.match(
                r"Wrong: .*(in step [123] the|of the first picture's parts|beside that of step [123]|which no step adds)",
                puzzle.explanation[letter],
            )
