"""Generated questions: all different, spread evenly, the same whoever makes them, and each key proved."""

from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from itertools import islice

import fake_voila
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogsight.shared.dataset import from_row, to_row
from cogsight.shared.errors import UnprovedKey
from cogsight.voila import questions as module
from cogsight.voila import samples as samples_module
from cogsight.voila.images import ALL_SCENES, FolderImages
from cogsight.voila.questions import LAP, questions
from cogsight.voila.rules import apply, flags, number_patterns, size, structure_of
from cogsight.voila.samples import content_number, procedural_sample, procedural_samples, scenes_of, to_sample
from cogsight.voila.solve import solve
from cogsight.voila.taxonomy import ACTIONS, PER_STRUCTURE, STRUCTURES, SUBJECTS, SUBSETS, Structure
from cogsight.voila.words import describe_target, format_scenes

SIZES = {"wd": 10_013, "nd": 3_689}


@pytest.fixture(scope="module", params=SIZES)
def a_set(request: pytest.FixtureRequest) -> tuple[str, list[module.Question]]:
    return request.param, list(questions(SUBSETS[request.param], range(SIZES[request.param]), seed=0))


def test_all_different_and_proved(a_set: tuple[str, list[module.Question]]) -> None:
    name, found = a_set
    assert len({question.scenes for question in found}) == SIZES[name]
    for structure, _, scenes in found:
        assert structure_of(scenes) is structure
        assert solve(scenes) == {apply(structure, scenes)}


def test_structures_subjects_and_actions_are_spread_evenly(a_set: tuple[str, list[module.Question]]) -> None:
    name, found = a_set
    assert set(Counter(question.structure for question in found).values()) == {PER_STRUCTURE}
    for image in range(3):
        shown = [question.scenes[image] for question in found]
        for values in (Counter(scene.subject for scene in shown), Counter(scene.action for scene in shown)):
            assert max(values.values()) / min(values.values()) < 1.08
    uses = Counter(scene for question in found for scene in question.scenes)
    assert len(uses) == len(ALL_SCENES)
    assert max(uses.values()) < 2.7 * sum(uses.values()) / len(ALL_SCENES), name


@pytest.mark.parametrize("structure", STRUCTURES, ids=lambda structure: structure.name)
def test_a_lap_is_balanced(structure: Structure) -> None:
    """Each pair of subject and action once in image 1, each subject and action equally often in the others, numbers within one."""
    for n in (0, 1, 7):
        lap = [question.scenes for question in questions([structure], range(n * LAP, (n + 1) * LAP), seed=3)]
        assert len({scenes[0][1:] for scenes in lap}) == LAP
        for image in (1, 2):
            assert set(Counter(scenes[image].subject for scenes in lap).values()) == {len(ACTIONS)}
            assert set(Counter(scenes[image].action for scenes in lap).values()) == {len(SUBJECTS)}
        uses = Counter(tuple(scene.number for scene in scenes) for scenes in lap)
        assert set(uses) == set(number_patterns(structure))
        assert max(uses.values()) - min(uses.values()) <= 1


def test_number_does_not_follow_from_subject_or_action() -> None:
    """In each structure, every (subject, action) pair of image 1 meets several number patterns within its first questions."""
    for structure in STRUCTURES:
        met: dict[tuple[str, str], set[tuple[int, ...]]] = {}
        for _, _, scenes in questions([structure], range(4 * LAP), seed=0):
            met.setdefault(scenes[0][1:], set()).add(tuple(scene.number for scene in scenes))
        assert {len(patterns) for patterns in met.values()} == {4}


def test_a_structure_gives_all_it_has() -> None:
    """The smallest: 170,352 questions, each once; then it takes no more turns."""
    smallest = STRUCTURES[1]
    assert size(smallest) == min(map(size, STRUCTURES)) == 170_352
    assert len({question.scenes for question in questions([smallest], range(size(smallest)), seed=5)}) == size(smallest)
    with pytest.raises(ValueError, match="there are 170352 different ones"):
        next(questions([smallest], [size(smallest)], seed=5))


def test_turns_when_a_structure_has_no_more() -> None:
    few, many = STRUCTURES[1], STRUCTURES[0]
    last_together = 2 * size(few) - 1
    found = list(questions([few, many], range(last_together, last_together + 4), seed=0))
    assert [(question.structure, question.n) for question in found] == [(many, size(few) + n - 1) for n in range(4)]
    total = sum(map(size, STRUCTURES))
    assert next(questions(STRUCTURES, [total - 1], seed=0)).structure.rule_id == 12  # the largest
    with pytest.raises(ValueError, match="157632384"):
        next(questions(STRUCTURES, [total], seed=0))


@given(first=st.integers(1, 25), second=st.integers(1, 25))
def test_pairs_come_once_each(first: int, second: int) -> None:
    pairs = [module._both(index, first, second) for index in range(first * second)]
    assert len(set(pairs)) == first * second


def test_the_first_do_not_depend_on_how_many_follow_nor_on_who_makes_them() -> None:
    alone = list(questions(STRUCTURES, range(400), seed=1))
    assert list(islice(questions(STRUCTURES, range(10**6), seed=1), 400)) == alone
    shares = [list(questions(STRUCTURES, range(worker, 400, 3), seed=1)) for worker in range(3)]
    assert [shares[n % 3][n // 3] for n in range(400)] == alone


def test_nd_is_wd_without_distraction() -> None:
    wd = [question for question in questions(SUBSETS["wd"], range(19 * 30), seed=2) if not question.structure.distracts]
    assert list(questions(SUBSETS["nd"], range(7 * 30), seed=2)) == wd


def test_another_seed_gives_other_questions() -> None:
    one, other = ({q.scenes for q in questions(STRUCTURES, range(5_000), seed=seed)} for seed in (0, 1))
    assert len(one & other) < 30


def test_the_same_questions_on_every_machine() -> None:
    found = [format_scenes(question.scenes) for question in questions(STRUCTURES, (0, 18, 10_012), seed=0)]
    assert found == [
        "one bear playing soccer; one bear ice-skating; three women playing soccer",
        "four dogs carrying something; two senior women digging a hole; three dogs carrying something",
        "one hamster swimming; two cats digging a hole; three hamsters swimming",
    ]


def test_memory_does_not_grow() -> None:
    def peak(num: int) -> int:
        tracemalloc.start()
        for _ in questions(STRUCTURES, range(num), seed=11):
            pass
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(100)  # what is kept of each structure
    assert peak(60_000) < peak(6_000) + 200_000


# --- samples


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> FolderImages:
    return FolderImages(fake_voila.write_pictures(tmp_path_factory.mktemp("scenes"), ALL_SCENES, variations=2))


def test_samples(pictures: FolderImages) -> None:
    found = list(procedural_samples(STRUCTURES, 57, 4, pictures))
    assert len({sample.id for sample in found}) == 57
    assert [from_row(to_row(sample)) for sample in found] == found
    for sample, (structure, n, scenes) in zip(found, questions(STRUCTURES, range(57), seed=4), strict=True):
        assert sample.id == f"voila/procedural/{structure.name}/all/{n}"
        assert scenes_of(sample) == scenes
        assert len({picture.data for picture in sample.images}) == 3
        facts = json.loads(sample.metadata)
        assert facts["target"] == describe_target(apply(structure, scenes))
        assert (facts["ratio_differs"], facts["copy_counts"]) == flags(scenes)
        assert (facts["seed"], facts["index"], facts["rule"]) == (4, n, structure.rule_id)
    assert list(procedural_samples(STRUCTURES, 57, 4, pictures, first=50)) == found[50:]


def test_pictures_are_chosen_by_seed_and_question_and_all_used(pictures: FolderImages) -> None:
    asked = list(questions(STRUCTURES, range(300), seed=4))
    chosen = {seed: [procedural_sample(question, seed, pictures).images for question in asked] for seed in (4, 5)}
    assert chosen[4] == [sample.images for sample in procedural_samples(STRUCTURES, 300, 4, pictures)]
    assert sum(one != other for one, other in zip(chosen[4], chosen[5], strict=True)) > 200
    first = sum(
        picture.data == fake_voila.png(scene)
        for question, images in zip(asked, chosen[4], strict=True)
        for scene, picture in zip(question.scenes, images, strict=True)
    )
    assert 380 < first < 520  # of 900, with two files for each scene


def test_a_key_that_is_not_proved_is_not_emitted(pictures: FolderImages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples_module, "solve", lambda scenes: frozenset())
    with pytest.raises(UnprovedKey, match=r"structure_01 .*the solver finds nothing"):
        next(procedural_samples(STRUCTURES, 1, 0, pictures))


def test_the_same_question_has_one_content_number() -> None:
    found = [question.scenes for question in questions(STRUCTURES, range(2_000), seed=0)]
    assert len({content_number(scenes) for scenes in found}) == len(found)
    sample = to_sample(found[0], (), "official", content_number(found[0]))
    assert sample.id == f"voila/official/structure_01/all/{content_number(found[0])}"
