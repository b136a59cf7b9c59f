"""How ratings add up, and how a page's pictures and texts are made ready."""

from __future__ import annotations

import io

import pytest
from drawn_toy import bars
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from cogsight.shared.rating.collecting import Made, what_came_of
from cogsight.shared.rating.reading import Rating
from cogsight.shared.rating.results import OVERALL, PEOPLE, Mean, agreements, means
from cogsight.shared.rating.sheet import SIDE, Entry, Key, instruction, plain
from cogsight.shared.sample import Message, Picture, Reply

JUDGE = "judge: j"


def entry(task: str, sample: str, attempt: int = 0, made: Made = Made.PICTURE, model: str = "m") -> Entry:
    return Entry(model, "v", sample, attempt, task, sample, made, picture="")


def rating(item: str, app: int, rater: str = "Ada") -> Rating:
    return Rating(item, rater, {"App": app}, saw_truth=False)


def app_of(key: Key, ratings: list[Rating], raters: str = PEOPLE) -> dict[str, Mean]:
    return {cell.task: cell for cell in means(key, ratings) if (cell.scale, cell.raters) == ("App", raters)}


def test_overall_is_the_mean_of_tasks_and_no_picture_is_zero() -> None:
    """Table 3, v1, Gemini-2.0-Flash: 2.30, 1.80, 3.00, 1.85, 1.80 → 2.15; here two tasks of unequal size."""
    key = Key(
        {"a": entry("T", "1"), "b": entry("T", "2"), "c": entry("T", "3", made=Made.NOTHING), "d": entry("U", "4")}
    )
    found = app_of(key, [rating("a", 3), rating("b", 3), rating("d", 1)])
    assert found["T"].mean == pytest.approx(2)
    assert found["U"].mean == pytest.approx(1)
    assert found[OVERALL].mean == pytest.approx(1.5)
    assert (found["T"].rated, found["T"].without_picture, found["T"].missing) == (3, 1, 0)


def test_raters_count_alike_on_a_picture_and_pictures_alike_in_a_task() -> None:
    key = Key({"a": entry("T", "1"), "b": entry("T", "2")})
    found = app_of(key, [rating("a", 0), rating("a", 1, "Bob"), rating("a", 2, "Eve"), rating("b", 3)])
    assert found["T"].mean == pytest.approx(2)


def test_lost_and_unrated_pictures_are_missing() -> None:
    key = Key({"a": entry("T", "1"), "b": entry("T", "2", made=Made.LOST), "c": entry("T", "3"), "d": entry("U", "4")})
    found = app_of(key, [rating("a", 2)])
    assert (found["T"].mean, found["T"].rated, found["T"].missing) == (pytest.approx(2), 1, 2)
    assert found["U"].mean is found[OVERALL].mean is None


def test_a_run_without_one_of_the_tasks_has_no_overall() -> None:
    """Its mean would be over other tasks than that of the run in the next column."""
    key = Key({"a": entry("T", "1"), "b": entry("U", "2"), "c": entry("T", "1", model="n")})
    found = {
        (cell.column, cell.task): cell.mean
        for cell in means(key, [rating(item, 2) for item in "abc"])
        if cell.scale == "App"
    }
    assert found["m", OVERALL] == found["n", "T"] == pytest.approx(2)
    assert found["n", OVERALL] is None
    assert ("n", "U") not in found


def test_the_interval_draws_questions_not_attempts() -> None:
    once = Key({str(n): entry("T", str(n)) for n in range(12)})
    thrice = Key({f"{n} {k}": entry("T", str(n), k) for n in range(12) for k in range(3)})
    marks = [0, 3, 1, 2, 3, 3, 0, 1, 2, 2, 1, 3]
    alone = app_of(once, [rating(str(n), mark) for n, mark in enumerate(marks)])["T"].interval
    three_times = [rating(f"{n} {k}", mark) for n, mark in enumerate(marks) for k in range(3)]
    repeated = app_of(thrice, three_times)["T"].interval
    assert alone is not None
    assert repeated is not None
    assert (alone.low, alone.high) == pytest.approx((repeated.low, repeated.high)), "repeating makes nothing surer"
    assert 0 <= alone.low < sum(marks) / 12 < alone.high <= 3


def test_a_judge_is_added_up_apart() -> None:
    key = Key({"a": entry("T", "1")})
    ratings = [rating("a", 3), rating("a", 0, JUDGE)]
    assert app_of(key, ratings)["T"].mean == 3
    assert app_of(key, ratings, JUDGE)["T"].mean == 0


def test_agreement_of_people_of_all_with_each_judge_and_of_pairs() -> None:
    ratings = [rating(str(n), n % 4, who) for n in range(8) for who in ("Ada", "Bob", JUDGE)]
    found = {row.raters: row for row in agreements(ratings) if row.scale == "App"}
    assert list(found) == [("Ada", "Bob"), ("Ada", "Bob", JUDGE), ("Ada", JUDGE), ("Bob", JUDGE)]
    assert all((row.alpha, row.pictures, row.interval) == (1, 8, None) for row in found.values())
    assert agreements([rating("a", 1)]) == []


def test_models_with_several_variants_have_a_column_for_each() -> None:
    key = Key(
        {
            "a": entry("T", "1"),
            "b": Entry("m", "w", "1", 0, "T", "1", Made.PICTURE, ""),
            "c": entry("T", "1", model="n"),
        }
    )
    columns = {cell.column for cell in means(key, [rating("a", 1)])}
    assert columns == {"m v", "m w", "n"}


def test_nothing_of_a_picture_s_file_gets_onto_the_page() -> None:
    info, buffer = PngInfo(), io.BytesIO()
    info.add_text("Software", "some image model")
    Image.new("RGBA", (2000, 1000), (255, 0, 0, 0)).save(buffer, "PNG", pnginfo=info)
    shown = plain(Picture(buffer.getvalue()))
    assert b"some image model" in buffer.getvalue()
    assert b"some image model" not in shown.data
    with Image.open(io.BytesIO(shown.data)) as image:
        assert (image.format, image.size, image.getpixel((5, 5))) == ("JPEG", (SIDE, SIDE // 2), (255, 255, 255))


def test_an_instruction_names_its_pictures_where_they_stood() -> None:
    one, two = bars("red"), bars("blue")
    text, pictures = instruction([Message("user", (one, "From this to ", two, ": draw it."))])
    assert text == "[picture 1]From this to [picture 2]: draw it."
    assert pictures == (one, two)


@pytest.mark.parametrize(
    ("reply", "made"),
    [
        (Reply("", images=(bars("red"),)), Made.PICTURE),
        (Reply("I cannot draw."), Made.NOTHING),
        (Reply("", images=(bars("red"), Picture(b"GIF89a"))), Made.NOTHING),
        (Reply(None, error="timeout"), Made.LOST),
        (Reply("", error="half of it", images=(bars("red"),)), Made.LOST),
    ],
)
def test_what_comes_of_a_reply(reply: Reply, made: Made) -> None:
    assert what_came_of(reply) is made
