"""lmms-eval's own scorer of MME-CC and ours on the same replies to a look-alike release: where they differ, and why.

| reply | theirs | ours | why |
|---|---|---|---|
| the reference, word for word | right | right | but for Sandbagging: what an answer is *not* is no answer |
| other spacing, a full stop, bold | wrong | right | they compare strings |
| a sentence, `\\boxed{}`, "Answer: …" | wrong | right | they read no declaration |
| pairs or moves in another order | wrong | right | Jigsaw's pairs, Unblock Me's set of blocks have no order |
| one of several best moves | wrong | right | "H8 or G7" |
| four answers as Sandbagging wants them | wrong | right | they compare with the rule that the answers must keep |
| a rewording of free text | wrong | not judged, or the judge's | they have no judge, and drop the rubric |
| nothing, to a reference of nothing | right | refused when the release is read | empty against empty |
| the answer under "##The correct answer is:" | wrong | right | they know one way of spacing |
| an answer inside reasoning that never ends | wrong | truncated, 0 | both 0, theirs for another reason |
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from fake_mme_cc import write_release

from cogsight.mme_cc import scoring
from cogsight.mme_cc.benchmark import VARIANTS
from cogsight.mme_cc.official import FILES, read_release, record_to_sample
from cogsight.mme_cc.records import Record
from cogsight.shared.errors import DataError
from cogsight.shared.sample import Reply, Sample

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:.*is not the release as published")]
FULL = VARIANTS[0]


@pytest.fixture(scope="module")
def theirs() -> ModuleType:
    """Their file alone: to import the package takes ten seconds, and puts ours in the task's place."""
    package = importlib.util.find_spec("lmms_eval")
    if package is None or not package.submodule_search_locations:
        pytest.skip("lmms-eval is not installed")
    path = Path(package.submodule_search_locations[0]) / "tasks" / "mme_cc" / "utils.py"
    spec = importlib.util.spec_from_file_location("their_mme_cc", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    already = "lmms_eval" in sys.modules
    spec.loader.exec_module(module)
    assert already or "lmms_eval" not in sys.modules
    return module


class Item(NamedTuple):
    """One record, as they and as we see it."""

    doc: dict[str, Any]
    sample: Sample


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> list[Item]:
    folder = write_release(tmp_path_factory.mktemp("release"), per_subtask=2)
    docs = [doc for stem in FILES for doc in json.loads((folder / f"{stem}.json").read_text())]
    return [Item(*pair) for pair in zip(docs, read_release(folder, allow_changed=True), strict=True)]


def both(theirs: ModuleType, item: Item, reply: str) -> tuple[float, float | None]:
    """Their points and ours."""
    result = theirs.mme_cc_process_results(item.doc, [reply])["mme_cc_exact_match"]
    return result["score"], scoring.score(item.sample, FULL, [Reply(reply)]).points


def reordered(answer: str) -> str:
    return ", ".join(reversed(answer.split(", ")))


FORMS: dict[str, tuple[Callable[[str], str], frozenset[str]]] = {
    "the reference": (str, frozenset()),
    "full stop": ("{}.".format, frozenset()),
    "bold": ("**{}**".format, frozenset()),
    "sentence": ("The answer is {}.".format, frozenset()),
    "box": ("\\boxed{{{}}}".format, frozenset()),
    "after thoughts": ("First I looked at it all.\n\nAnswer: {}".format, frozenset()),
    "no blanks": (lambda answer: answer.replace(", ", ","), frozenset({"maze"})),
    "other order": (reordered, frozenset({"jigsaw_puzzle"})),
}
"""What is done to a right answer, and to which subtasks alone; none: to all."""


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_a_right_answer(name: str, theirs: ModuleType, items: list[Item]) -> None:
    form, only = FORMS[name]
    chosen = [item for item in items if not only or item.sample.task in only]
    found = {item.sample.id: both(theirs, item, form(scoring.right_answer(item.sample))) for item in chosen}
    print(f"\n{name}: theirs {sum(a for a, _ in found.values())}, ours {sum(b or 0 for _, b in found.values())}")
    assert {ours for _, ours in found.values()} == {1.0}, found
    same = {item.sample.id for item in chosen if name == "the reference" and item.sample.task != "sandbagging"}
    expected = {key: float(key in same) for key in found}
    assert {key: score for key, (score, _) in found.items()} == expected


def test_a_reference_that_is_no_answer(theirs: ModuleType, items: list[Item]) -> None:
    for item in items:
        if item.sample.task == "sandbagging":
            assert both(theirs, item, item.sample.answer) == (1.0, 0.0)


def variation(item: Item, answer: str) -> Item:
    """The same question with another reference."""
    doc = {**item.doc, "ground_truth": {"answer": answer}}
    record = Record(Path(), "X.json", 1, item.sample.task, item.sample.level, doc)
    return Item(doc, Sample(**{**fields(item.sample), "answer": record.reference.answer}))


def fields(sample: Sample) -> dict[str, Any]:
    return {name: getattr(sample, name) for name in sample.__dataclass_fields__}


def test_alternatives_headings_and_free_text(theirs: ModuleType, items: list[Item]) -> None:
    of_task = {item.sample.task: item for item in items}
    board, maze, free = (of_task[name] for name in ("gomoku_variation", "maze", "counterfactual_instruction"))
    assert both(theirs, variation(board, "## The correct answer is: H8 or G7"), "H8") == (0.0, 1.0)
    assert both(theirs, variation(maze, "##The correct answer is:3, 5, 7"), "3, 5, 7") == (0.0, 1.0)
    wordy = variation(free, "## The correct answer is: They come late.\n## Scoring criteria: the sense counts")
    assert both(theirs, wordy, "Everybody is late.") == (0.0, None)
    assert both(theirs, wordy, "They come late") == (0.0, 1.0)
    assert both(theirs, maze, "<think>The answer is " + maze.sample.answer) == (0.0, 0.0)
    assert both(theirs, maze, "") == (0.0, 0.0)


def test_empty_against_empty(theirs: ModuleType, items: list[Item], tmp_path: Path) -> None:
    doc = {**items[0].doc, "ground_truth": {"answer": "## The correct answer is:\n"}}
    assert theirs.mme_cc_process_results(doc, [""])["mme_cc_exact_match"]["score"] == 1.0
    with pytest.raises(DataError, match="answer is empty"):
        record_to_sample(Record(tmp_path, "Maze06.json", 1, "maze", "06", doc))


def test_their_mean_is_another(theirs: ModuleType, items: list[Item]) -> None:
    """Of the same verdicts: they weigh each question alike, the paper each category."""
    scores = [
        scoring.score(i.sample, FULL, [Reply("" if i.sample.task == "maze" else scoring.right_answer(i.sample))])
        for i in items
    ]
    counts = {task: sum(i.sample.task == task for i in items) for task in {i.sample.task for i in items}}
    ours = scoring.summarise(scores, FULL, {task: counts[task] for task in scoring.TASKS})
    mean = theirs.mme_cc_aggregate_exact_match([{"score": s.points, "total": 1.0, "subtask": s.task} for s in scores])
    assert mean == pytest.approx(20 / 24) == ours.averages["questions"]
    assert ours.headline == pytest.approx((1 + 4 / 5 + 1) / 3)
