"""The generated questions: each has exactly one answer, by a method that shares nothing with the generator, and shows what it must."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from hashlib import sha256

import pytest
from golden import golden_pixels

from cogsight.mme_cc.generate import (
    GENERATORS,
    VERSIONS,
    chart_modification,
    counterfactual_instruction,
    finding_wrong_answer,
    gomoku_variation,
    indoor_deduplication_counting,
    indoor_directional_reasoning,
    jigsaw_puzzle,
    maze,
    sandbagging,
    satellite_image_matching,
    unblock_me,
)
from cogsight.mme_cc.prompts import RUBRICS
from cogsight.mme_cc.taxonomy import TASKS
from cogsight.shared.build import Generator, generate_samples
from cogsight.shared.sample import Sample

by_task = pytest.mark.parametrize("generator", GENERATORS.values(), ids=GENERATORS)


@cache
def made(name: str) -> list[Sample]:
    """Eight questions of a subtask: no test changes them."""
    return list(generate_samples([GENERATORS[name]], benchmark="mme_cc", versions=VERSIONS, seed=0, num_samples=8))


def test_every_subtask_has_its_generator_and_its_rubric() -> None:
    assert list(GENERATORS) == list(TASKS) == list(RUBRICS)
    for name, generator in GENERATORS.items():
        assert (generator.name, generator.category) == (name, TASKS[name].category)
        assert generator.answer_type == TASKS[name].answer_type


@by_task
def test_the_text_of_a_state_is_the_state(generator: Generator) -> None:
    for sample in made(generator.name)[:4]:
        text = json.loads(sample.metadata)["state"]
        state = generator.parse(text)
        assert str(state) == text
        assert generator.solve(state) == {sample.answer}
        assert tuple(generator.draw(state)) == sample.images
        assert len(generator.alt(state)) == len(sample.images)
        assert generator.ask(state) == (sample.question, {})


@by_task
def test_levels_take_turns_and_nothing_repeats(generator: Generator) -> None:
    samples = made(generator.name)
    assert Counter(sample.level for sample in samples) == dict.fromkeys(generator.levels, 4)
    assert len({json.loads(sample.metadata)["state"] for sample in samples}) == 8


def test_plurals() -> None:
    asked = " ".join(sample.question for sample in made("sandbagging"))
    assert "How many crosses are there?" in asked
    assert "sss" not in asked


@by_task
def test_the_key_is_no_text_of_the_question(generator: Generator) -> None:
    """Nobody may find the answer without looking: other than in an example of the form, it is not written there."""
    for sample in made(generator.name):
        if len(sample.answer) > 8:
            assert sample.answer not in sample.question


@pytest.mark.parametrize(("name", "digest"), golden_pixels("mme_cc"))
def test_pixels(name: str, digest: str) -> None:
    """The same seed gives the same pictures everywhere."""
    _, task, level, index = name.split()
    sample = next(s for s in made(task) if s.id == f"mme_cc/procedural/{task}/{level}/{index}")
    pixels = b"".join(picture.open().tobytes() for picture in sample.images)
    assert sha256(pixels).hexdigest() == digest


# --- boards made by hand, answers by eye


def test_a_maze_by_hand() -> None:
    """Down the left side, then along the bottom; the 9 lies behind walls."""
    state = maze.State(size=4, doors="2000" * 3 + "1110", digits="1...29......3..4", start=0, goal=15)
    assert maze.solve(state) == {"1, 2, 3, 4"}
    walled_up = maze.State(size=4, doors="2000" * 3 + "1100", digits="1...29......3..4", start=0, goal=15)
    assert maze.solve(walled_up) == frozenset()


def test_every_shortest_way_of_a_maze_is_found() -> None:
    """Without walls, some of the ways across pass the cell with the digit, and some do not."""
    state = maze.State(size=4, doors="3332" * 3 + "1110", digits="." * 5 + "5" + "." * 10, start=0, goal=15)
    assert maze.solve(state) == {"", "5"}


def test_an_unblock_board_by_hand() -> None:
    """A stands in the way and can go up or down; both clear it, by one block each time."""
    one_way = unblock_me.State("....../....../XX..A./....A./....../......")
    assert unblock_me.solve(one_way) == {"Minimum number of moves: 2\nMoves: A down 1, X right 4"}
    free = unblock_me.State("....../....../XX..../....../....../......")
    assert unblock_me.solve(free) == {"Minimum number of moves: 1\nMoves: X right 4"}
    stuck = unblock_me.State("....A./....A./XX..A./....B./....B./....B.")
    assert unblock_me.solve(stuck) == frozenset()


def test_other_blocks_for_the_same_number_of_moves_are_another_answer() -> None:
    """A can go up when B has made way, or down when C has."""
    state = unblock_me.State("....../....BB/XX..A./....A./....CC/......")
    assert unblock_me.solve(state) == {
        "Minimum number of moves: 3\nMoves: B left 2, A up 2, X right 4",
        "Minimum number of moves: 3\nMoves: C left 2, A down 1, X right 4",
    }


@pytest.mark.parametrize("sample", made("unblock_me"), ids=lambda sample: sample.id)
def test_moves_of_a_solution_lead_out(sample: Sample) -> None:
    """Each key is played on the board."""
    rows = [list(row) for row in unblock_me.State.parse(json.loads(sample.metadata)["state"]).board.split("/")]
    moves = [move.split() for move in sample.answer.split("Moves: ")[1].split(", ")]
    for name, way, cells in moves:
        for _ in range(int(cells)):
            push(rows, name, {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[way])
    assert rows[2][5] == "X"
    assert sample.answer.startswith(f"Minimum number of moves: {len(moves)}\n")


def push(rows: list[list[str]], name: str, way: tuple[int, int]) -> None:
    """One cell on, if that is free."""
    at = [(r, c) for r in range(6) for c in range(6) if rows[r][c] == name]
    for r, c in at:
        rows[r][c] = "."
    for r, c in at:
        assert rows[r + way[0]][c + way[1]] == "."
        rows[r + way[0]][c + way[1]] = name


@pytest.mark.parametrize(
    ("row", "points"),
    [
        ("BBBB.....", {"E5"}),
        (".BBBB....", {"A5", "F5"}),
        ("BB.BB....", {"C5"}),
        ("WBBBBW...", set()),
        ("BBB......", set()),
        ("BBB.BBB..", {"D5"}),
    ],
)
def test_a_gomoku_row_by_hand(row: str, points: set[str]) -> None:
    rows = ["." * 9] * 4 + [row] + ["." * 9] * 4
    assert gomoku_variation.solve(gomoku_variation.State(tuple(rows))) == points


def test_gomoku_columns_and_diagonals_by_hand() -> None:
    board = [["."] * 9 for _ in range(9)]
    for i in range(4):
        board[i][i] = "B"  # A9, B8, C7, D6
        board[5 + i][8] = "B"  # I4 to I1
    assert gomoku_variation.solve(gomoku_variation.State(tuple(map("".join, board)))) == {"E5", "I5"}


def test_a_tower_by_hand() -> None:
    """Seen from the upper right corner, the right wall is on the left and the upper wall on the right."""
    walls = ("red", "green", "blue", "brown")
    state = satellite_image_matching.State(walls, (0, 1, 2, 3, 4, 5, 6), (("green", "red"), ("blue",)))
    assert satellite_image_matching.solve(state) == {"Picture 1: B, Picture 2: E"}
    unseen = satellite_image_matching.State(walls, (0, 1, 2, 3, 4, 5, 6), (("red", "green"), ("blue",)))
    assert satellite_image_matching.solve(unseen) == frozenset()


def test_a_room_by_hand() -> None:
    """What was at the left is ahead: one has turned left, from north to west."""
    a, b, c, d = (("red", "star"), ("blue", "circle"), ("green", "cross"), ("tan", "square"))
    state = indoor_directional_reasoning.State("North", (a, b, c), (d, a, b))
    assert indoor_directional_reasoning.solve(state) == {"West"}
    back = indoor_directional_reasoning.State("North", (a, b, c), (c, d, a))
    assert indoor_directional_reasoning.solve(back) == {"South"}


def test_a_long_room_by_hand() -> None:
    views = ((("chair", "red"), ("pot", "red")), (("pot", "red"), ("pot", "blue")))
    state = indoor_deduplication_counting.State(views, ("pot", "chair"))
    assert indoor_deduplication_counting.solve(state) == {"pots: 2, chairs: 1"}


def test_a_table_by_hand() -> None:
    rows = (("Maths", "Sets", (1, 2, 3)), ("Coding", "Tests", (4, 5, 6)))
    state = chart_modification.State(("Oak", "Elm", "Fir"), rows, "Maths", ("Fir", "Oak"))
    assert chart_modification.solve(state) == {"Test | Oak | Elm | Fir\nSets | 3 | 2 | 1"}


SCENE = (("star", "red"), ("circle", "blue"), ("", ""), ("circle", "red"), *[("", "")] * 8)


def test_a_sheet_by_hand() -> None:
    questions = (("kind", "circle"), ("which", "star"), ("shapes", ""), ("color", "red"))
    state = sandbagging.State(SCENE, questions, 2)
    assert sandbagging.solve(state) == {"1: not 2\n2: red\n3: not 3\n4: not 2"}
    assert sandbagging.solve(sandbagging.State(SCENE, (("which", "circle"),), 1)) == frozenset()


@pytest.mark.parametrize(
    ("rule", "what", "words", "answer"),
    [
        ("double", "circle", (), {"5"}),
        ("colors", "star", ("red", "green"), {"green"}),
        ("colors", "star", ("blue", "green"), {"red"}),
        ("sides", "star", ("left",), {"circle"}),
        ("sides", "star", ("right",), set()),
    ],
)
def test_another_world_by_hand(rule: str, what: str, words: tuple[str, ...], answer: set[str]) -> None:
    state = counterfactual_instruction.State(SCENE, rule, what, words)
    assert counterfactual_instruction.solve(state) == answer


def test_a_calculation_by_hand() -> None:
    state = finding_wrong_answer.State(((2, "+", 3, 5), (5, "x", 4, 21), (21, "-", 1, 20)))
    assert finding_wrong_answer.solve(state) == {"Step 2"}


def test_pieces_that_are_alike_fit_each_other_s_holes() -> None:
    plain = jigsaw_puzzle.State("red", (), ((8, 8), (200, 200)), (0, 1))
    assert jigsaw_puzzle.solve(plain) == {"A-1, B-2", "A-2, B-1"}
    apart = jigsaw_puzzle.State("red", (("square", 240, 240, 100, "blue"),), ((8, 8), (200, 200)), (1, 0))
    assert jigsaw_puzzle.solve(apart) == {"A-2, B-1"}


@pytest.mark.parametrize(
    "bad",
    [
        lambda: maze.Config(3, 0, 1, 1),
        lambda: unblock_me.Config((0, 3), (1, 2)),
        lambda: jigsaw_puzzle.Config(1, 9),
        lambda: chart_modification.Config(2, 2, 1),
        lambda: gomoku_variation.Config(8, 3),
        lambda: indoor_directional_reasoning.Config((0,), 4),
        lambda: indoor_deduplication_counting.Config(7, 2, 2),
    ],
)
def test_a_config_that_cannot_be_is_refused(bad: object) -> None:
    assert callable(bad)
    with pytest.raises(ValueError, match="see LEVELS"):
        bad()
