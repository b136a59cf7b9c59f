"""The diagnosis of a run: the paper's intervals, drops between levels, the rules side by side, two runs question by question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import fake_spatialviz as fake
import pytest

from cogsight.shared.diagnosis import Answered, Section, gradient, groups, paired, steps
from cogsight.shared.sample import Reply, Sample
from cogsight.shared.scoring import score_single_turn
from cogsight.shared.stats import drop, holm, mcnemar, paired_difference, wilson
from cogsight.spatialviz.benchmark import BENCHMARK
from cogsight.spatialviz.diagnosis import diagnose, notes, people, rules
from cogsight.spatialviz.official import record_to_sample
from cogsight.spatialviz.taxonomy import CATEGORIES, KINDS, LEVELS, TASKS

COT, DIRECT, *_ = BENCHMARK.variants
SAMPLES = {
    sample.id: replace(sample, images=())
    for sample in (record_to_sample(row, lambda name: fake.picture(1)) for row in fake.rows(None))
}
PAPER = {"mental_rotation": 115, "mental_folding": 126, "visual_penetration": 135, "mental_animation": 151}
"""Right answers of Gemini-2.5-pro."""


def run(reply: Callable[[Sample, int], str | None], name: str = "run", variant: object = COT) -> Answered:
    """`reply` gets the question and its number within its level; None: lost."""
    place: dict[tuple[str, str], int] = {}
    replies = {}
    for key, sample in SAMPLES.items():
        number = place[sample.task, sample.level] = place.get((sample.task, sample.level), -1) + 1
        text = reply(sample, number)
        replies[key] = Reply(text, error=None if text is not None else "timeout")
    scores = {key: score_single_turn(SAMPLES[key], COT, [own]) for key, own in replies.items()}
    return Answered(name, variant, SAMPLES, replies, scores)  # type: ignore[arg-type]


def by_count(right: Mapping[str, tuple[int, ...]]) -> Callable[[Sample, int], str]:
    """So many right answers at each level of a task; 10 where nothing is said."""

    def reply(sample: Sample, number: int) -> str:
        wanted = right.get(sample.task, (10, 10, 10))[int(sample.level)]
        return sample.answer if number < wanted else "ABCD"[("ABCD".index(sample.answer) + 1) % 4]

    return reply


def like_the_paper() -> Callable[[Sample, int], str]:
    left = dict(PAPER)

    def reply(sample: Sample, number: int) -> str:
        left[sample.category] -= 1
        return sample.answer if left[sample.category] >= 0 else "none of them"

    return reply


def cells(section: Section) -> dict[str, tuple[str, ...]]:
    return {row[0]: row[1:] for row in section.rows if not row[0].startswith("    ")}


def test_accuracy_is_the_papers() -> None:
    """Bug log C16, U37: Wilson's intervals, where the released script prints Wald's."""
    found = cells(diagnose(run(like_the_paper()))[0])
    n, right, score, interval, chance, _, never, human = found["Overall"]
    assert (n, right, score, interval, chance, never, human) == (
        "1180",
        "527",
        "44.7",
        "41.8-47.5",
        "25.0",
        "-",
        "82.5",
    )
    assert wilson(527, 1180).low == pytest.approx(0.4185, abs=5e-5)
    abilities = [found[title][2:3] + found[title][-1:] for title in CATEGORIES.values()]
    assert abilities == [("44.2", "85.6"), ("35.0", "80.6"), ("42.2", "75.4"), ("62.9", "88.3")]
    assert [row[:2] for row in diagnose(run(like_the_paper()))[0].rows if row[0] == "    level 0"][2] == (
        "    level 0",
        "50",
    )


def test_every_task_and_level_has_its_row() -> None:
    titles = [row[0] for row in diagnose(run(by_count({})))[0].rows]
    assert titles[:4] == ["Overall", "Mental Rotation", "  2D Rotation", "    level 0"]
    assert [title.strip() for title in titles if title.startswith("  ") and title[2] != " "] == [
        t.title for t in TASKS.values()
    ]
    assert sum(title.startswith("    level") for title in titles) == 29


def test_what_needs_no_seeing_is_told() -> None:
    """Bug log C17. In 2D Rotation of this run's data D is never the key, and C most often."""
    keys = {
        key: replace(s, answer="ABCC"["ABCD".index(s.answer)]) for key, s in SAMPLES.items() if s.task == "rotation_2d"
    }
    full = run(by_count({}))
    made = Answered("run", COT, keys, full.replies, {key: full.scores[key] for key in keys})
    *_, one_letter, never, human = cells(diagnose(made)[0])["  2D Rotation"]
    assert (one_letter, never, human) == ("C 50.0", "D", "")


def test_what_cannot_be_read_is_wrong_whatever_the_key() -> None:
    """Bug log C18: another scorer compares "not read" with "no letter", and finds them equal."""
    unread = run(lambda sample, number: "I see some cubes.")
    assert set(unread.measured.values()) == {0.0}
    assert {score.reason for score in unread.scores.values()} == {"unparsed"}


def test_lost_replies_are_left_out_and_told() -> None:
    """Bug log C16: the released script drops them without a word."""
    lost = run(lambda sample, number: None if number == 0 else sample.answer)
    accuracy, *_ = diagnose(lost)
    assert cells(accuracy)["Overall"][:3] == ("1151", "1151", "100.0")
    assert "1180 of 1180 questions, 29 of them lost" in accuracy.notes[0]


def test_drops_between_levels() -> None:
    made = run(by_count({"paper_folding": (30, 20, 10), "rotation_2d": (40, 10), "three_view_projection": (50, 0)}))
    graded = {name: task for name, task in TASKS.items() if name not in KINDS}
    found = steps(made, graded)
    pairs = sum(len(sizes) * (len(sizes) - 1) // 2 for task, sizes in LEVELS.items() if task not in KINDS)
    assert len(found) == pairs == 21
    folding = [(step.levels, step.right, step.n) for step in found if step.task == "paper_folding"]
    assert folding == [
        (("0", "1"), (30, 20), (40, 40)),
        (("0", "2"), (30, 10), (40, 40)),
        (("1", "2"), (20, 10), (40, 40)),
    ]
    ps = [drop(*step.right[:1], step.n[0], step.right[1], step.n[1]) for step in found]
    assert [step.p for step in found] == ps
    assert [step.adjusted for step in found] == holm(ps)
    _, section, _ = diagnose(made)
    assert section == gradient(made, graded, notes(made))
    assert not any(row[0].startswith("Three-View") for row in section.rows)
    marks = {row[0]: row[-1] for row in section.rows if row[-1]}
    assert marks == {
        "2D Rotation, level 0 to 1": "**",
        "Paper Folding, level 0 to 1": "*",
        "Paper Folding, level 0 to 2": "**",
        "Paper Folding, level 1 to 2": "*",
    }
    assert section.notes[0] == "* drops taken alone, p < 0.05: 4 in 2 tasks (of 21 steps in 11 tasks)."
    assert section.notes[1] == "** drops by Holm's method over all steps: 2 in 2 tasks."


def test_data_without_levels_have_no_gradient() -> None:
    flat = {key: replace(sample, level="all") for key, sample in SAMPLES.items()}
    made = replace(run(by_count({})), samples=flat)
    assert [section.title for section in diagnose(made)] == [diagnose(made)[0].title, rules(made).title]


def test_a_run_under_all_rules() -> None:
    """A third of the replies is read by A only, a third by B only, a third by ours only."""
    forms = ("Final answer\n\n**{}**", "Option {}", "**{}**")
    section = rules(run(lambda sample, number: forms[number % 3].format(sample.answer)))
    found = cells(section)
    of_form = [sum(n % 3 == k for sizes in LEVELS.values() for size in sizes for n in range(size)) for k in range(3)]
    assert [found[name][0] for name in ("A", "B", "A, then B", "ours")] == [
        *map(str, of_form[:2]),
        str(of_form[0] + of_form[1]),
        "1180",
    ]
    assert found["ours"][1:] == ("1180", "100.00", "+0.00", "0")
    assert found["A"][3] == f"{100 * of_form[0] / 1180 - 100:+.2f}"
    assert section.notes[0].startswith(f"A and B differ by {100 * (of_form[0] - of_form[1]) / 1180:.2f} points here")


def test_two_runs_question_by_question() -> None:
    """Bug log U37: is the drop under reasoning one of ability, or of parsing?"""
    one = run(by_count({"rotation_2d": (30, 20)}), "cot")
    other = run(lambda s, n: s.answer if n % 2 else "no idea at all", "direct", DIRECT)
    section = paired(one, other, groups(SAMPLES.values(), TASKS, CATEGORIES, levels=False))
    found = cells(section)
    right_one = {key for key, points in one.measured.items() if points}
    right_other = {key for key, points in other.measured.items() if points}
    only = (len(right_one - right_other), len(right_other - right_one))
    n, first, second, points, _, *counts, p = found["Overall"]
    assert (n, first, second) == ("1180", f"{len(right_one) / 11.8:.1f}", f"{len(right_other) / 11.8:.1f}")
    assert counts == [str(count) for count in only]
    assert p == f"{mcnemar(*only):.4f}"
    differences = [other.measured[key] - one.measured[key] for key in SAMPLES]
    interval = paired_difference(differences)
    assert found["Overall"][4] == f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}"
    assert points == f"{(len(right_other) - len(right_one)) / 11.8:+.1f}"
    assert "read from 0 of the first and 590 of the second" in section.notes[-1]


def test_only_what_both_have_measured_is_compared() -> None:
    one = run(lambda s, n: None if n == 0 else s.answer)
    other = run(lambda s, n: None if n == 1 else s.answer)
    section = paired(one, other, [("Overall", lambda sample: True)])
    assert section.rows[0][:5] == ("Overall", str(1180 - 2 * 29), "100.0", "100.0", "+0.0")


def test_people_stand_beside_the_release_alone() -> None:
    """They were asked its questions, not generated ones."""
    official = run(lambda sample, number: sample.answer)
    generated = replace(official, variant=BENCHMARK.variant("spatialviz_procedural"))
    for answered, said in ((official, "82.5"), (generated, "")):
        assert cells(diagnose(answered)[0])["Overall"][-1] == said


def test_people_are_the_papers() -> None:
    assert people() == {
        "Overall": 82.46,
        "Mental Rotation": 85.56,
        "Mental Folding": 80.56,
        "Visual Penetration": 75.42,
        "Mental Animation": 88.33,
    }


def test_sections_are_plain_text_in_columns() -> None:
    text = Section("T", ("", "n"), (("one", "1"), ("three", "333")), ("note",)).plain()
    assert text == "T\n\n         n\n-----  ---\none      1\nthree  333\n\nnote"
