"""The reader of the official release, on look-alikes: what is right comes through unchanged, what is wrong is told by record, at once."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_mme_cc import write_release

from cogsight.mme_cc.generate import GENERATORS
from cogsight.mme_cc.official import FILES, RELEASE, read_release, record_to_sample
from cogsight.mme_cc.prompts import RUBRICS, rubric
from cogsight.mme_cc.records import LARGEST, Record
from cogsight.mme_cc.taxonomy import CATEGORY_SIZES, SIZE, TASKS
from cogsight.shared.build import generate_samples
from cogsight.shared.dataset import from_row, to_row
from cogsight.shared.errors import DataError
from cogsight.shared.sample import Sample

Records = list[dict[str, Any]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A look-alike that nobody changes."""
    return write_release(tmp_path_factory.mktemp("release"), per_subtask=2)


@pytest.fixture
def release(whole: Path, tmp_path: Path) -> Path:
    """One that a test may spoil: JSON files of its own, the same pictures."""
    folder = tmp_path / "MME-CC"
    for path in whole.rglob("*"):
        target = folder / path.relative_to(whole)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".json":
            target.write_bytes(path.read_bytes())
        elif path.is_file():
            os.link(path, target)
    return folder


def change(release: Path, stem: str, edit: Callable[[Records], object]) -> None:
    path = release / f"{stem}.json"
    records = json.loads(path.read_text())
    edit(records)
    path.write_text(json.dumps(records))


def setting(number: int, **fields: Any) -> Callable[[Records], object]:
    return lambda records: records[number - 1].update(fields)


def told(release: Path, *, allow_changed: bool = True) -> str:
    with pytest.raises(DataError) as caught:
        list(read_release(release, allow_changed=allow_changed))
    return str(caught.value)


# --- what is right


def test_the_files_are_the_twelve_of_the_release() -> None:
    assert len(FILES) == 12
    assert list(dict.fromkeys(task for task, _ in FILES.values())) == list(TASKS)
    assert [level for task, level in FILES.values() if task == "maze"] == ["06", "10"]


def test_the_published_sizes() -> None:
    """alphaxiv.org/benchmarks/nanjing-university/mme-cc; the abstract's total."""
    assert (list(CATEGORY_SIZES.values()), SIZE) == ([319, 605, 249], 1173)


def test_what_is_written_is_read_back(whole: Path) -> None:
    found = list(read_release(whole, allow_changed=True))
    assert len(found) == len({sample.id for sample in found}) == 24
    by_task: dict[str, list[Sample]] = {}
    for sample in found:
        by_task.setdefault(sample.task, []).append(sample)
    assert {task: len(own) for task, own in by_task.items()} == {task: 4 if task == "maze" else 2 for task in TASKS}
    for task, own in by_task.items():
        count = 2 * len(GENERATORS[task].levels) if task == "maze" else 2
        made = list(generate_samples([GENERATORS[task]], benchmark="mme_cc", versions={}, seed=0, num_samples=count))
        shown = {(s.question, s.answer, tuple(p.data for p in s.images)) for s in made}
        assert {(s.question, s.answer, tuple(p.data for p in s.images)) for s in own} == shown
        assert {rubric(sample) for sample in own} == {RUBRICS[task]}


def test_a_sample_says_where_it_comes_from(whole: Path) -> None:
    sample = next(s for s in read_release(whole, allow_changed=True) if s.task == "maze")
    assert sample.id == "mme_cc/official/maze/06/1"
    assert from_row(to_row(sample)) == sample
    about = json.loads(sample.metadata)
    assert (about["file"], about["record"], about["image_list"]) == ("Maze06.json", 1, ["Maze06/06_0_1.png"])
    assert about["extra"] == {"Subtask": "Maze"}
    assert about["release"] == RELEASE.fingerprint(whole)


def test_ids_do_not_depend_on_the_order_of_fields_or_of_other_files(release: Path) -> None:
    before = [sample.id for sample in read_release(release, allow_changed=True)]
    change(release, "Sandbagging", lambda records: [record.update(zzz=1) for record in records])
    (release / "Another.json").write_text("[]")
    assert [sample.id for sample in read_release(release, allow_changed=True)] == before


@pytest.mark.parametrize("text", ["lines", "bom", "one", "separators"])
def test_files_may_hold_a_record_per_line(text: str, release: Path) -> None:
    path = release / "Sandbagging.json"
    records = json.loads(path.read_text())
    path.write_text(
        {
            "lines": "\n".join(map(json.dumps, records)) + "\n",
            "bom": "\ufeff" + json.dumps(records),
            "one": json.dumps(records[0]),
            "separators": "\n".join(
                json.dumps({**record, "prompt": "a\u2028b\x85c"}, ensure_ascii=False) for record in records
            ),
        }[text]
    )
    found = [s for s in read_release(release, allow_changed=True) if s.task == "sandbagging"]
    assert len(found) == (1 if text == "one" else 2)


def test_the_same_pixels_and_words(whole: Path) -> None:
    sample = next(iter(read_release(whole, allow_changed=True)))
    record = json.loads((whole / "Satellite_Image_Matching.json").read_text())[0]
    assert sample.question == record["prompt"]
    assert [p.data for p in sample.images] == [(whole / name).read_bytes() for name in record["image_list"]]


def test_a_snapshot_of_the_hub_is_links_into_its_blobs(whole: Path, tmp_path: Path) -> None:
    snapshot, blobs = tmp_path / "snapshots" / ("a" * 40), tmp_path / "blobs"
    blobs.mkdir()
    for number, path in enumerate(sorted(whole.rglob("*.*"))):
        target = snapshot / path.relative_to(whole)
        target.parent.mkdir(parents=True, exist_ok=True)
        (blobs / str(number)).write_bytes(path.read_bytes())
        target.symlink_to(Path(os.path.relpath(blobs / str(number), target.parent)))
    found = list(read_release(snapshot, allow_changed=True))
    assert (len(found), json.loads(found[0].metadata)["revision"]) == (24, "a" * 40)


# --- what is wrong


def test_other_counts_stop_and_can_be_allowed(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = told(whole, allow_changed=False)
    assert "Spatial Reasoning: 6 records, published are 319" in text
    assert "COGSIGHT_ALLOW_CHANGED=1" in text
    list(read_release(whole, allow_changed=True))
    assert "Geometric Reasoning: 12 records, published are 605" in capsys.readouterr().err


UNUSABLE: dict[str, tuple[dict[str, Any], str]] = {
    "no prompt": ({"prompt": None}, "prompt is missing"),
    "empty prompt": ({"prompt": "  "}, "prompt is empty"),
    "prompt of another type": ({"prompt": ["x"]}, "prompt is list, not text"),
    "half a character": ({"prompt": "x\ud800"}, "prompt holds half of a character"),
    "placeholder without picture": ({"prompt": "See <image 9>"}, "placeholder <image 9>"),
    "no ground truth": ({"ground_truth": None}, "answer is missing"),
    "ground truth of another type": ({"ground_truth": "5"}, "answer is missing"),
    "a list": ({"ground_truth": {"answer": ["5"]}}, "answer is list, not text"),
    "true": ({"ground_truth": {"answer": True}}, "answer is bool, not text"),
    "not a number": ({"ground_truth": {"answer": float("nan")}}, "answer is float, not text"),
    "only a heading": (
        {"ground_truth": {"answer": "## The correct answer is:\n## Scoring criteria: x"}},
        "answer is empty",
    ),
    "no pictures": ({"image_list": []}, "image_list is missing, empty or no list"),
    "a name": ({"image_list": "Maze06/1.png"}, "image_list is missing, empty or no list"),
    "missing picture": ({"image_list": ["Maze06/none.png"]}, "picture 'Maze06/none.png' is missing"),
    "a folder": ({"image_list": ["Maze06"]}, "picture 'Maze06' is no file"),
    "a number": ({"image_list": [7]}, "image_list holds 7"),
    "no picture": ({"image_list": ["Maze06.json"]}, "picture 'Maze06.json' cannot be decoded"),
    "absolute": ({"image_list": ["/etc/passwd"]}, "'/etc/passwd' lies outside the release"),
    "above": ({"image_list": ["../secret.png"]}, "'../secret.png' lies outside the release"),
    "above, hidden": ({"image_list": ["Maze06/../../secret.png"]}, "lies outside the release"),
    "above and back": ({"image_list": ["Maze06/../Maze06/06_0_1.png"]}, "only relative paths below it are read"),
    "home": ({"image_list": ["~/secret.png"]}, "lies outside the release"),
    "Windows": ({"image_list": ["C:\\secret.png"]}, "lies outside the release"),
    "address": ({"image_list": ["https://example.org/x.png"]}, "lies outside the release"),
    "zero": ({"image_list": ["Maze06/\0.png"]}, "lies outside the release"),
    "link": ({"image_list": ["Maze06/link.png"]}, "lies outside the release: it is a link to"),
}


@pytest.fixture(scope="module")
def unusable(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What is told of each: of the record in whose place it stands, after a good one, in a release with half of them."""
    folder = tmp_path_factory.mktemp("unusable") / "MME-CC"
    shutil.copytree(whole, folder)
    (folder.parent / "secret.png").write_bytes(next((folder / "Maze06").glob("*.png")).read_bytes())
    (folder / "Maze06" / "link.png").symlink_to(folder.parent / "secret.png")
    good = json.loads((folder / "Maze06.json").read_text())[0]
    found = {}
    for names in (list(UNUSABLE)[::2], list(UNUSABLE)[1::2]):
        (folder / "Maze06.json").write_text(json.dumps([good, *(good | UNUSABLE[name][0] for name in names)]))
        lines = told(folder).split("\n")
        for number, name in enumerate(["good", *names], 1):
            found[name] = "\n".join(line for line in lines if f"Maze06.json, record {number}:" in line)
    return found


@pytest.mark.parametrize("name", UNUSABLE)
def test_an_unusable_record_always_stops(name: str, unusable: dict[str, str]) -> None:
    assert UNUSABLE[name][1] in unusable[name]
    assert not unusable["good"]


def test_a_picture_too_large_to_be_one_is_not_loaded(release: Path) -> None:
    with (release / "Maze06" / "large.png").open("wb") as file:
        file.truncate(LARGEST + 1)
    change(release, "Maze06", setting(2, image_list=["Maze06/large.png"]))
    assert "Maze06.json, record 2: picture 'Maze06/large.png' is a file of 200,000,001 bytes" in told(release)


def test_all_is_told_at_once(release: Path) -> None:
    change(release, "Maze10", setting(1, prompt="", image_list=["a.png", "/b.png"]))
    change(release, "Sandbagging", setting(2, ground_truth={}))
    change(release, "Unblock_Me", lambda records: records.append("odd"))
    (release / "Jigsaw_Puzzle.json").unlink()
    (release / "Gomoku_Variation.json").write_text("{")
    (release / "Chart_Modification.json").write_text("[]")
    (release / "Finding_Wrong_Answer.json").write_text('"text"')
    (release / "Maze06.json").write_text('{"prompt": "x"}\n{"prompt"')
    (release / "maze06 (1).json").write_text("[]")
    (release / "Counterfactual_Instruction.json").write_text("[" * 100_000)
    text = told(release)
    for said in (
        "Maze10.json, record 1: prompt is empty",
        "Maze10.json, record 1: picture 'a.png' is missing; picture '/b.png' lies outside",
        "Sandbagging.json, record 2: answer is missing",
        "Unblock_Me.json, record 3: str, not an object",
        "Jigsaw_Puzzle.json: missing",
        "Gomoku_Variation.json: cannot be read",
        "Chart_Modification.json: no records",
        "Finding_Wrong_Answer.json: cannot be read: str, not a list of records",
        "Counterfactual_Instruction.json: cannot be read",
        "Maze06.json: cannot be read: line 2: ",
        "maze06 (1).json: none of the 12 files, not read",
        "published are 319",
    ):
        assert said in text, said


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (setting(2, ground_truth={"answer": 5}), "record 2: the answer is the number 5, not a text"),
        (setting(2, ground_truth={"answer": "5\n## Scoring criteria: x"}), "record 2: no heading for the answer"),
        (
            lambda records: records.append(records[0]),
            "record 3: the same prompt and pictures as Maze06.json, record 1\n",
        ),
        (
            lambda records: records.append({**records[0], "ground_truth": {"answer": "## The correct answer is: 9"}}),
            "record 3: the same prompt and pictures as Maze06.json, record 1, with another answer",
        ),
        (
            lambda records: [record.update(id="x") for record in records],
            "record 2: the same id 'x' as Maze06.json, record 1",
        ),
    ],
    ids=["number", "no heading", "twice", "twice, differing", "same id"],
)
def test_what_is_not_as_published_stops_unless_it_is_allowed(
    edit: Callable[[Records], object], said: str, release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(release, "Maze06", edit)
    assert said in told(release, allow_changed=False) + "\n"
    count = len(json.loads((release / "Maze06.json").read_text()))
    found = [s for s in read_release(release, allow_changed=True) if s.id.startswith("mme_cc/official/maze/06")]
    assert (len(found), len({s.id for s in found})) == (count, count)  # listed, not dropped
    assert said in capsys.readouterr().err + "\n"


def test_what_makes_no_difference_is_told_only(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = {"answer": "## The correct answer is: 5"}
    change(release, "Maze06", setting(1, ground_truth=answer, extra={"subtask": "Labyrinth"}))
    found = list(read_release(release, allow_changed=True))
    said = capsys.readouterr().err
    assert "Maze06.json, record 1: no scoring criteria" in said
    assert "Maze06.json, record 1: extra calls the subtask 'Labyrinth', the file Maze" in said
    assert rubric(next(s for s in found if s.task == "maze")) == ""


def test_one_record_by_itself(whole: Path) -> None:
    fields = json.loads((whole / "Maze06.json").read_text())[0]
    sample = record_to_sample(Record(whole, "Maze06.json", 1, "maze", "06", fields))
    assert sample.answer_type == TASKS["maze"].answer_type
    with pytest.raises(DataError, match=r"Maze06\.json, record 1: prompt is missing"):
        record_to_sample(Record(whole, "Maze06.json", 1, "maze", "06", {**fields, "prompt": None}))


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder; expected the 12 JSON files"):
        list(read_release(tmp_path / "nowhere"))
