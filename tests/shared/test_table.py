"""The table as people see it: every number there, nothing cut short, and no headline for a run that is not whole."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from strategies import CATEGORIES, TASKS, toy_score

from cogsight.shared import table
from cogsight.shared.benchmark import Task
from cogsight.shared.fetch import NOT_PINNED
from cogsight.shared.sample import Judgement, Score
from cogsight.shared.summary import Summary, summarise
from cogsight.shared.variants import Variant


class Terminal(io.StringIO):
    """A stream that says it is one."""

    def isatty(self) -> bool:
        return True


def run(right: dict[str, int], n: int = 20) -> list[Score]:
    return [toy_score(task, i, float(i < count)) for task, count in right.items() for i in range(n)]


def toy(scores: list[Score], per_task: int = 20, tasks: Mapping[str, Task] = TASKS, **versions: str) -> Summary:
    return summarise(
        scores,
        Variant("toy", ("lite",), size=3 * per_task),
        title="Toy",
        tasks=tasks,
        categories=CATEGORIES,
        expected=dict.fromkeys(TASKS, per_task),
        average="tasks",
        versions=versions,
    )


WHOLE_SCORES = run({"near": 9, "far": 14, "before": 3})
WHOLE = toy(WHOLE_SCORES, benchmark="1-A", prompt="2")
LOST = toy([toy_score("near", 0, None), *run({"near": 9, "far": 14})[1:]])


def rendered(summary: Summary, width: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a terminal of that width shows, without colours and weights: the text alone must tell everything."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    table.show(summary, stream)
    return re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())


def test_plain_is_fixed_columns() -> None:
    text = table.plain(WHOLE).splitlines()
    assert text[0] == "Toy (toy_lite): 43.3 %"
    assert text[2:11] == [
        "                                         Above",
        "                          95 %          chance  Against",
        "Task       n  Score   interval  Chance    from  chance     unparsed  ambiguous  truncated  refused  empty  lost",
        "--------  --  -----  ---------  ------  ------  ---------  --------  ---------  ---------  -------  -----  ----",
        "Overall   60   43.3  31.6-55.9    26.4    36.7  above           0.0        0.0        0.0      0.0    0.0   0.0",
        "Space     40   57.5  42.2-71.5    37.5    52.5  above           0.0        0.0        0.0      0.0    0.0   0.0",
        "  Near    20   45.0  25.8-65.8    25.0    45.0  above           0.0        0.0        0.0      0.0    0.0   0.0",
        "  Far     20   70.0  48.1-85.5    50.0    75.0  not above       0.0        0.0        0.0      0.0    0.0   0.0",
        "Time      20   15.0   5.2-36.0     4.2    15.0  above           0.0        0.0        0.0      0.0    0.0   0.0",
    ]
    assert text[-1] == "Versions: benchmark 1-A, prompt 2."
    assert "INCOMPLETE" not in table.plain(WHOLE)


def test_a_run_that_is_not_whole_says_so_twice_and_has_no_score() -> None:
    text = table.plain(LOST)
    assert text.splitlines()[0] == (
        "Toy (toy_lite): INCOMPLETE, no score. 20 of 60 answers missing; nothing of Before; "
        "1 lost, by no fault of the model"
    )
    assert (
        "INCOMPLETE. On the questions asked: 55.0 (lost counted wrong: what the frameworks print) to 57.5 (lost counted right)."
        in text
    )
    assert [line.split()[1:3] for line in text.splitlines()[3:5]] == [["of", "95"], ["n", "measured"]]
    assert "  Before   0/20         -" in text
    assert "Intervals: Wilson of each task, combined, for Overall, Space; elsewhere Wilson." in text


@pytest.mark.parametrize(
    ("framework", "way"),
    [
        ("lmms_eval 0.7.3", "with the same --use_cache DIR"),
        ("lmms-eval", "with the same --use_cache DIR"),
        ("ms-vlmeval 0.0.20", "with --reuse and without --keep-failed"),
        ("VLMEvalKit", "with --reuse and without --keep-failed"),
    ],
)
def test_how_to_get_lost_replies_depends_on_the_framework(framework: str, way: str) -> None:
    lost, whole = (table.plain(replace(summary, versions={"framework": framework})) for summary in (LOST, WHOLE))
    assert [way in line for line in lost.splitlines() if line.startswith("Lost replies: ")] == [True]
    assert "Lost replies" not in whole
    assert "Lost replies" not in table.plain(LOST)


def test_a_view_that_is_not_the_usual_one_is_told() -> None:
    assert "View: collage, all pictures of a question as one" in table.plain(replace(WHOLE, view="collage"))
    assert "View: text." in table.plain(replace(WHOLE, view="text"))
    assert all("View:" not in table.plain(replace(WHOLE, view=view)) for view in ("", "images"))


def test_data_that_are_not_the_pinned_release_are_in_the_title() -> None:
    summary = replace(WHOLE, versions=dict(WHOLE.versions) | {"release": NOT_PINNED})
    assert table.title(summary) == "Toy (toy_lite, NOT the pinned release): 43.3 %"


def test_missing_answers_without_a_loss_have_no_bounds() -> None:
    assert "INCOMPLETE. On the questions asked: 57.5." in table.plain(toy(run({"near": 9, "far": 14})))


def test_an_empty_run_is_shown() -> None:
    lines = table.plain(toy([])).splitlines()
    assert lines[0] == "Toy (toy_lite): INCOMPLETE, no score. 60 of 60 answers missing"
    assert not [line for line in lines if line.startswith("Intervals")]


def test_where_nothing_was_measured_nothing_is_said_of_chance() -> None:
    lost = toy([toy_score("near", n, None) for n in range(20)])
    (near,) = (line.split() for line in table.plain(lost).splitlines() if line.startswith("  Near"))
    assert near[1:7] == ["20", "-", "-", "25.0", "45.0", "-"]


def test_marked_pictures_have_no_chance() -> None:
    """A free answer that nobody guesses has one, of 0: one right answer is above it."""
    tasks = {name: replace(task, answer_type="picture", chance=0.0) for name, task in TASKS.items()}
    marked = [replace(score, chance=0.0) for score in WHOLE_SCORES]
    free = {name: replace(task, answer_type="text", chance=0.0) for name, task in TASKS.items()}
    shown = {name: table.plain(toy(marked, tasks=own)) for name, own in (("picture", tasks), ("text", free))}
    cells = {name: [line.split()[4:7] for line in text.splitlines()[6:11]] for name, text in shown.items()}
    assert {tuple(row) for row in cells["picture"]} == {("-", "-", "-")}
    assert cells["text"][0] == ["0.0", "1.7", "above"]
    assert ["Above chance from" in text for text in shown.values()] == [False, True]
    assert ["No chance is given of pictures" in text for text in shown.values()] == [True, False]
    assert not any("too few questions" in text for text in shown.values())


@pytest.mark.parametrize(("cut", "told"), [(0, False), (3, False), (4, True)])
def test_a_score_with_many_replies_cut_off_is_not_to_be_ranked(cut: int, told: bool) -> None:
    """Bug log U30. 3 of 60 are the 5 % that may be."""
    scores = [toy_score("near", i, 0.0, "truncated") for i in range(cut)]
    text = table.plain(toy([*scores, *WHOLE_SCORES[cut:]]))
    assert ("Not to be ranked: 6.7 % of the replies were cut off at the token limit." in text) == told
    assert ("Not to be ranked" in text) == told


def test_surplus_repeats_and_judge_are_told() -> None:
    scores = [replace(score, attempt=a) for score in run({"near": 2, "far": 2, "before": 2}, 2) for a in range(3)]
    scores[0] = replace(scores[0], judged_by="a judge")
    text = table.plain(toy([*scores, toy_score("near", 2, 0.0)], per_task=2))
    assert "more questions than expected of Near" in text.splitlines()[0]
    assert "3 attempts at each question, which counts with their mean." in text
    assert "5.3 % of the replies were decided by the judge, the others by rules." in text
    assert '"-" there: too few questions, no score would be above chance.' in text


UNJUDGED = toy(
    [toy_score("near", 0, None, "not_judged"), *WHOLE_SCORES[1:]], judge="grader", framework="lmms_eval 0.7.3"
)


def test_what_was_not_judged_is_told_apart_from_what_was_lost() -> None:
    text = table.plain(UNJUDGED)
    assert text.splitlines()[0] == "Toy (toy_lite, judge grader): INCOMPLETE, no score. not judged: 1"
    assert (
        "On the questions asked: 41.7 (not judged counted wrong: what the frameworks print) to 43.3 (not judged" in text
    )
    assert (
        "Not judged: cogsight score LOG --out DIR asks for the missing verdicts alone, and the model for nothing"
        " (LOG: what lmms-eval writes with --log_samples --output_path).\n" in text
    )
    assert "unjudged" in text and "unjudged" not in table.plain(WHOLE)
    assert "Lost replies" not in text
    both = replace(UNJUDGED, rows=tuple(replace(row, lost=1) for row in UNJUDGED.rows))
    assert "(lost and not judged counted wrong" in table.plain(both)


def test_of_a_picture_that_was_not_handed_on_no_judge_is_advised() -> None:
    """VLMEvalKit hands on text alone."""
    withheld = [toy_score("near", n, None, "no_image") for n in range(20)]
    text = table.plain(toy([*withheld, *WHOLE_SCORES[20:]], framework="ms-vlmeval 0.0.20"))
    assert text.splitlines()[0] == "Toy (toy_lite): INCOMPLETE, no score. no picture handed on: 20"
    assert "(not handed on counted wrong" in text and "Not judged" not in text and "cogsight score" not in text
    assert "cogsight draw toy_lite --model MODEL --out DIR" in text
    both = table.plain(toy([*withheld[:19], toy_score("near", 19, None, "not_judged"), *WHOLE_SCORES[20:]]))
    assert "not judged: 1; no picture handed on: 19" in both and "Not judged: cogsight score LOG" in both


def test_by_rules_alone_it_is_told_what_a_judge_could_read() -> None:
    scores = [toy_score("near", n, 0.0, reason) for n, reason in enumerate(("unparsed", "ambiguous", "empty"))]
    texts = {name: table.plain(toy(scores, framework=name)) for name in ("lmms_eval 0.7.3", "ms-vlmeval 0.0.20", "")}
    for text in texts.values():
        assert (
            "\nDecided by rules alone. 2 replies stay unread: no judge is named (OPENAI_API_KEY alone names none)."
            in text
        )
        assert "run cogsight score LOG --judge MODEL --out DIR" in text
    assert "set COGSIGHT_JUDGE_MODEL before a run, or" in texts["lmms_eval 0.7.3"]
    assert "give run.py --judge MODEL, or" in texts["ms-vlmeval 0.0.20"]
    assert "1 reply stays unread" in table.plain(toy(scores[:1]))
    for silent in (toy(scores, judge="grader"), WHOLE):
        assert "stay" not in table.plain(silent)


def test_votes_are_told_where_there_were_several() -> None:
    judgement = Judgement(("extract_option-1",), "grader", 3, 2 / 3, "")
    scores = [replace(score, judged_by="grader", judgement=judgement) for score in WHOLE_SCORES[:4]]
    scores[0] = replace(scores[0], judgement=replace(judgement, agreement=1.0))
    text = table.plain(toy([*scores, *WHOLE_SCORES[4:]], judge="grader", votes="3"))
    assert "Each reply got 3 votes of the judge, which are unanimous on 25.0 % of those that it decided." in text
    assert "votes of the judge" not in table.plain(WHOLE)


@pytest.mark.parametrize("summary", [WHOLE, LOST, UNJUDGED, toy([])], ids=["whole", "lost", "unjudged", "empty"])
@pytest.mark.parametrize("width", [30, 60, 80, 100, 120, 200])
def test_no_number_is_cut_short(summary: Summary, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = rendered(summary, width, monkeypatch)
    assert "…" not in text
    lines = text.splitlines()
    for row in summary.rows:
        line = next(line for line in lines if line.strip().startswith(f"{row.title} "))
        shown = line.split()
        expected = [cell for column in table.columns(summary, width) for cell in column.cell(row).split()]
        assert shown == expected
    assert max(map(len, lines)) <= max(width, 69)


def test_columns_by_width() -> None:
    every = ["unparsed", "ambiguous", "truncated", "refused", "empty", "lost"]
    mixed = toy([toy_score("near", n, 0.0, reason) for n, reason in enumerate(["unparsed", "truncated", "wrong"])])
    headers = {width: [column.header for column in table.columns(mixed, width)][7:] for width in (50, 85, 200, None)}
    assert headers == {50: ["no\nanswer"], 85: ["unparsed", "truncated"], 200: every, None: every}


def test_hidden_columns_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "No reply was unparsed or ambiguous or truncated or refused or empty." in rendered(
        LOST, 75, monkeypatch
    ).replace("\n", " ").replace("  ", " ")


def test_a_file_gets_plain_ascii() -> None:
    stream = io.StringIO()
    table.show(LOST, stream)
    assert stream.getvalue() == table.plain(LOST) + "\n"
    assert stream.getvalue().isascii()


def test_text_is_not_read_as_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    summary = toy(run({"near": 1}), framework="[bold]1[/bold] [/oops]")
    text = rendered(replace(summary, title="[red]Toy"), 120, monkeypatch)
    assert "framework [bold]1[/bold] [/oops]." in text
    assert "[red]Toy (toy_lite)" in text
