"""Our VLMEvalKit dataset class, models and scores inside the real kit, called as the kit calls them, on a stand-in benchmark."""

from __future__ import annotations

import copy
import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import pytest
import stand_in
from PIL import Image

from cogsight.shared.errors import CogsightError, DataError

pytest.importorskip("vlmeval", reason="VLMEvalKit (pip install ms-vlmeval) is not installed")
pytestmark = [
    pytest.mark.slow,  # importing VLMEvalKit takes 7 s
    pytest.mark.filterwarnings("ignore:Cell contents too long", "ignore:Model Single does not support interleaved"),
]

ODD = ("None", "nan", "NA", "007", "", "Answer: A\r\n")
"""Replies to the six questions that tables like to spoil; "NA" is the text of the right option C."""


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """`vlmeval.dataset` with the stand-in registered; nothing of the user's home is touched."""
    monkeypatch.setenv("LMUData", str(tmp_path))
    monkeypatch.delenv("COGSIGHT_VIEW", raising=False)
    monkeypatch.delenv("PRED_FORMAT", raising=False)
    import vlmeval.dataset

    from cogsight.shared.frameworks.vlmevalkit import plugin

    monkeypatch.setattr(plugin, "benchmarks", lambda: {"stand_in": stand_in.BENCHMARK})
    plugin.register(vlmeval.dataset)
    return vlmeval.dataset


@pytest.fixture
def dataset(kit: Any) -> Any:
    return kit.build_dataset("Stand_In")


def table(dataset: Any, path: Path, replies: list[str]) -> Path:
    """The result table of a run, written by the kit from the dataset's own data."""
    from vlmeval.smp import dump

    dump(dataset.data.assign(prediction=replies), str(path))
    return path


def texts(prompt: list[dict[str, str]]) -> list[str]:
    return [part["value"] if part["type"] == "text" else "IMAGE" for part in prompt]


def test_registering_is_in_place_and_once_and_reads_nothing(kit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import vlmeval.tools

    from cogsight.shared.frameworks.vlmevalkit import plugin

    monkeypatch.setattr(stand_in, "sample", None)
    before = list(kit.DATASET_CLASSES), list(kit.SUPPORTED_DATASETS), list(kit.__all__)
    plugin.register(kit)
    assert before == (kit.DATASET_CLASSES, kit.SUPPORTED_DATASETS, kit.__all__)
    assert {"Stand_In", "Stand_In_Collage"} <= set(kit.SUPPORTED_DATASETS) and "StandIn" in kit.__all__
    assert vlmeval.tools.SUPPORTED_DATASETS is kit.SUPPORTED_DATASETS  # vlmutil dlist
    assert kit.DATASET_TYPE("Stand_In") == "PUZZLE" and kit.DATASET_MODALITY("Stand_In") == "IMAGE"


def test_no_name_of_ours_hides_one_of_the_kit(kit: Any) -> None:
    ours = [cls for cls in kit.DATASET_CLASSES if cls.__mro__[1].__name__ == "PuzzleDataset"]
    theirs = [cls for cls in kit.DATASET_CLASSES if cls not in ours]
    names = {name for cls in theirs for name in cls.supported_datasets()}
    assert not names & {name for cls in ours for name in cls.supported_datasets()}
    assert not {cls.__name__ for cls in theirs} & {cls.__name__ for cls in ours}


def test_data_is_a_readable_table_without_pictures(dataset: Any) -> None:
    row = dataset.data.iloc[2]
    assert (row["sample_id"], row["variant"], row["view"]) == ("stand_in/official/color/0/2", "stand_in", "images")
    assert (row["question"], row["C"], row["answer"]) == (stand_in.sample(2).question, "NA", "C")
    assert "image" not in dataset.data and len(dataset) == len(set(dataset.data["index"])) == 6


def test_pictures_stand_where_the_text_speaks_of_them(dataset: Any) -> None:
    for line in (1, dataset.data.iloc[1], dataset[1]):
        prompt = dataset.build_prompt(line)
        assert texts(prompt) == [
            *("IMAGE", "IMAGE", "color", "IMAGE"),
            ". Which of them is not white?\nA. red\nB. green\nC. NA",
        ]
    shown = [Path(part["value"]).read_bytes() for part in prompt if part["type"] == "image"]
    first, second, unnamed = (image.data for image in stand_in.sample(1).images)
    assert shown == [unnamed, first, second]
    assert [Path(path).read_bytes() for path in dataset.dump_image(dataset[1])] == [first, second, unnamed]
    assert {Path(path).suffix for path in dataset.dump_image(dataset[1])} == {".png", ".jpg"}


def test_text_is_never_taken_for_a_file(dataset: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from vlmeval.smp import parse_file

    from cogsight.shared.frameworks.vlmevalkit.dataset import plain_text

    monkeypatch.chdir(tmp_path)
    (tmp_path / "color").mkdir()
    assert texts(dataset.build_prompt(0))[2] == "\ncolor"
    for text in (
        "color",
        ".",
        "..",
        "/",
        str(tmp_path),
        "http://127.0.0.1/x.png",
        "data:image/png;base64,aa",
        "x" * 5000,
        "a\0b",
    ):
        assert parse_file(plain_text(text)) == (None, plain_text(text))
        assert plain_text(text).strip() == text
    assert plain_text("See http://127.0.0.1/x.png there") == "See http://127.0.0.1/x.png there"


def test_the_collage_is_one_labelled_picture(dataset: Any, kit: Any) -> None:
    dataset.show_as("collage")
    prompt = dataset.build_prompt(0)
    assert [part["type"] for part in prompt] == ["image", "text"]
    assert prompt[1]["value"].startswith("Image 1colorImage 2")
    assert set(dataset.data["view"]) == {"collage"}
    always = kit.build_dataset("Stand_In_Collage")
    always.show_as("images")  # as for every model that can interleave
    assert texts(always.build_prompt(0)) == texts(prompt) and set(always.data["view"]) == {"collage"}


def test_the_index_changes_with_what_is_asked(dataset: Any, kit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    index = list(dataset.data["index"])
    assert index == list(kit.build_dataset("Stand_In").data["index"])
    monkeypatch.setenv("COGSIGHT_VIEW", "collage")
    assert not set(index) & set(kit.build_dataset("Stand_In").data["index"])
    monkeypatch.delenv("COGSIGHT_VIEW")
    monkeypatch.setattr(stand_in, "COLORS", ("red", "green", "navy"))
    changed = list(kit.build_dataset("Stand_In").data["index"])
    assert [old == new for old, new in zip(index, changed, strict=True)] == [True, True, False] * 2


def dump_all(dataset: Any) -> list[str]:
    return [path for row in range(len(dataset)) for path in dataset.dump_image(dataset[row])]


def test_several_processes_may_write_the_same_pictures(dataset: Any) -> None:
    with ProcessPoolExecutor(4) as pool:
        paths = list(pool.map(dump_all, [dataset] * 8))
    assert all(found == paths[0] for found in paths)
    folder = Path(paths[0][0]).parent
    assert {path.name for path in folder.iterdir()} == {Path(path).name for path in paths[0]}
    torn = Path(paths[0][0])
    torn.write_bytes(torn.read_bytes()[:10])
    assert Path(dump_all(dataset)[0]).read_bytes() == stand_in.sample(0).images[0].data


def test_a_picture_appears_whole_or_not_at_all(dataset: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_bytes

    def full_disk(path: Path, data: bytes) -> int:
        write(path, data[:10])
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(OSError, match="No space left"):
        dump_all(dataset)
    assert list(Path(dataset.img_root).iterdir()) == []


def test_a_dataset_survives_pickle_without_its_samples(dataset: Any) -> None:
    twin = pickle.loads(pickle.dumps(dataset))
    assert type(twin) is type(dataset) and "samples" not in vars(twin)
    assert twin.build_prompt(3) == dataset.build_prompt(3)


def test_views_follow_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    from functools import partial

    from cogsight.shared.frameworks.vlmevalkit.patches import view_for

    class Single:
        INTERLEAVE = False

    class Several:
        INTERLEAVE = True

    models = (Single, Single(), partial(Single, 1), Several, partial(Several))
    monkeypatch.delenv("COGSIGHT_VIEW", raising=False)
    assert [view_for(model) for model in models] == ["collage"] * 3 + ["images"] * 2
    monkeypatch.setenv("COGSIGHT_VIEW", "images")
    assert {view_for(model) for model in models} == {"images"}


def test_every_repair_finds_what_it_repairs(dataset: Any) -> None:
    from cogsight.shared.frameworks.vlmevalkit import patches

    patches.install()
    for place in patches.REPAIRS:
        owner, name = patches._owner(place)
        repaired = getattr(owner, name)
        assert hasattr(repaired, patches.MARK) and not hasattr(repaired.__wrapped__, patches.MARK), place
    assert patches._owner("vlmeval.of_another_time:infer_data")[0] is None


@pytest.mark.parametrize("base", ["vlm.base:BaseModel", "api.base:BaseAPI"])
def test_dropping_pictures_fails_on_our_datasets_only(dataset: Any, base: str) -> None:
    module, _, name = base.partition(":")
    model = type("Single", (getattr(import_module(f"vlmeval.{module}"), name),), {"INTERLEAVE": False})()
    prompt = dataset.build_prompt(0)
    with pytest.raises(CogsightError, match="only the first of 3 pictures; run it with COGSIGHT_VIEW=collage"):
        model.message_to_promptimg(copy.deepcopy(prompt), dataset="Stand_In")
    assert model.message_to_promptimg(prompt, dataset="MMStar")[1] == prompt[0]["value"]
    dataset.show_as("collage")
    single = dataset.build_prompt(0)
    assert model.message_to_promptimg(single, dataset="Stand_In") == (single[1]["value"], single[0]["value"])


def test_a_model_for_single_pictures_gets_the_collage(
    kit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its name, as run.py gives it, and the table says so; in --api-mode too; COGSIGHT_VIEW decides when it is set."""
    import vlmeval.config
    from vlmeval.inference import infer_data_job
    from vlmeval.inference_api import APIEvalPipeline, DatasetConfig
    from vlmeval.vlm.base import BaseModel

    from cogsight.shared.frameworks.vlmevalkit import logs

    class Single(BaseModel):
        INTERLEAVE = False
        seen: ClassVar[list[tuple[str, str]]] = []

        def use_custom_prompt(self, dataset: str) -> bool:
            return True  # as many models do; they would leave our instructions out

        def generate_inner(self, message: Any, dataset: Any = None) -> str:
            self.seen.append(self.message_to_promptimg(message, dataset=dataset))
            return "A"

    monkeypatch.setitem(vlmeval.config.supported_VLM, "single", Single)
    infer_data_job("single", work_dir=str(tmp_path), model_name="single", dataset=kit.build_dataset("Stand_In"))
    tile, collage = stand_in.picture("red").open(), Image.open(Single.seen[0][1])
    assert collage.width > 3 * tile.width and Single.seen[0][0].startswith("Image 1color")
    assert {row.view for row in logs.read(tmp_path / "single_Stand_In.xlsx")} == {"collage"}

    def in_api_mode() -> set[str]:
        dataset = kit.build_dataset("Stand_In")
        config = DatasetConfig("Stand_In", dataset, "single", Single(), str(tmp_path), str(tmp_path / "x.xlsx"), {})
        APIEvalPipeline([config])
        assert not config.model_obj.use_custom_prompt("Stand_In")
        return set(dataset.data["view"])

    assert in_api_mode() == {"collage"}
    monkeypatch.setenv("COGSIGHT_VIEW", "images")
    assert in_api_mode() == {"images"}


@pytest.mark.parametrize("form", ["xlsx", "tsv", "json"])
def test_evaluate_reads_replies_as_they_were(
    dataset: Any, tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = dataset.evaluate(str(table(dataset, tmp_path / f"m_Stand_In.{form}", list(ODD))), model="exact_matching")
    assert "3 replies stay unread: no judge is named" in capsys.readouterr().out
    log = [json.loads(line) for line in (tmp_path / "m_Stand_In_samples.jsonl").read_text().splitlines()]
    assert [line["reply"] for line in log] == list(ODD)
    assert [line["reason"] for line in log] == ["unparsed", "unparsed", "right", "unparsed", "empty", "wrong"]
    assert log[5] | {"rule": None, "span": None} == log[5] | {
        "rule": None,
        "span": None,
        "value": "A",
        "view": "images",
    }
    assert log[5]["versions"]["benchmark"] == "1-A" and "vlmeval" in log[5]["versions"]["framework"]
    summary = json.loads((tmp_path / "m_Stand_In_summary.json").read_text())
    assert summary["complete"] is True and summary["rows"][0]["n"] == 6
    assert json.loads(json.dumps(found)) == found and next(iter(found)) == "Overall"
    assert (found["Overall"], found["Unparsed rate"], found["Empty rate"]) == (16.67, 50.0, 16.67)
    assert (found["Lost rate"], found["Complete"]) == (0.0, True)
    assert dataset.report_primary_metric(found) == {"Overall": 16.67}


def test_what_was_lost_is_not_the_models_fault(dataset: Any, tmp_path: Path) -> None:
    replies = ["A", "B", "C", "Failed to obtain answer via API. ", "B", "C"]
    path = table(dataset, tmp_path / "m_Stand_In.json", replies)
    rows = json.loads(path.read_text())
    path.write_text(json.dumps([*rows[:5], {**rows[0]}, {**rows[1], "prediction": "A"}]))
    found = dataset.evaluate(str(path))
    assert (found["Overall"], found["Lost rate"], found["Complete"]) == (50.0, 50.0, False)
    log = [json.loads(line) for line in (tmp_path / "m_Stand_In_samples.jsonl").read_text().splitlines()]
    assert [(line["points"], line["reason"]) for line in log] == [
        *((1.0, "right"), (None, "request_failed"), (1.0, "right")),
        *((None, "request_failed"), (1.0, "right"), (None, "request_failed")),
    ]
    assert dataset.report_judge_err(path, total_samples=6) == {"failed": 0, "total": 6}, "no judge, no failed verdicts"
    assert "2 different replies" in log[1]["detail"] and "no row" in log[5]["detail"]


def test_a_fault_in_scoring_costs_one_sample(dataset: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    def score(sample: Any, variant: Any, replies: Any, *more: Any) -> Any:
        return stand_in.BENCHMARK.score(sample, variant, replies, *more) if sample.id[-1] != "4" else 1 / 0

    monkeypatch.setattr(type(dataset), "BENCHMARK", replace(stand_in.BENCHMARK, score=score))
    found = dataset.evaluate(str(table(dataset, tmp_path / "m_Stand_In.tsv", ["A", "B", "C"] * 2)))
    assert (found["Overall"], found["Lost rate"]) == (pytest.approx(83.33), 16.67)


def test_replies_to_other_questions_are_refused(
    dataset: Any, kit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table(dataset, tmp_path / "m_Stand_In.json", ["A"] * 6)
    monkeypatch.setattr(stand_in, "COLORS", ("red", "green", "navy"))
    with pytest.raises(DataError, match="run the inference again without --reuse"):
        kit.build_dataset("Stand_In").evaluate(str(path))
    path.write_text(path.read_text().replace("stand_in/official/color/0/3", "voila/x"))
    with pytest.raises(DataError, match="is it the table of another one"):
        dataset.evaluate(str(path))
    told = capsys.readouterr().err
    assert "color/0/2, stand_in/official/color/0/5 asked in another version" in told and "voila/x not in" in told


def test_baselines_answer_by_policy_and_only_to_us(dataset: Any) -> None:
    from vlmeval.config import supported_VLM

    def replies(name: str) -> list[str]:
        model = supported_VLM[name]()
        model.set_dump_image(dataset.dump_image)
        return [model.generate(message=dataset.build_prompt(row), dataset="Stand_In") for row in range(6)]

    assert replies("cogsight_baseline_oracle") == ["A", "B", "C"] * 2
    assert replies("cogsight_baseline_first") == ["A"] * 6
    assert replies("cogsight_baseline_silent") == [""] * 6
    assert replies("cogsight_baseline") == replies("cogsight_baseline_random")
    with pytest.raises(CogsightError, match="know the answers of cogsight's datasets only"):
        supported_VLM["cogsight_baseline"]().generate("Hello", dataset="MMStar")
    with pytest.raises(CogsightError, match="policy=best: expected one of random, first"):
        supported_VLM["cogsight_baseline"](policy="best")


def test_used_again_a_table_gives_the_exact_replies(dataset: Any, tmp_path: Path) -> None:
    """The kit's own `load` makes NaN of "None"; a run that finishes an earlier one would then log the reply "nan"."""
    import vlmeval.inference
    from vlmeval.inference_api import APIEvalPipeline, DatasetConfig
    from vlmeval.smp import load

    from cogsight.shared.frameworks.vlmevalkit import logs

    long = "So. " * 10_000 + "Answer: C"
    replies = ["None", "Failed to obtain answer via API. ", long, "007", "NA", "\r\n"]
    vlmeval.inference.dump(dataset.data.assign(prediction=replies), str(tmp_path / "m_Stand_In.xlsx"))

    class Model:
        is_api = False
        INTERLEAVE = True

        def set_dump_image(self, function: Any) -> None: ...

        def generate(self, message: Any, dataset: str) -> str:
            return "B"

    again = type(dataset)(dataset="Stand_In")
    vlmeval.inference.infer_data_job(Model(), work_dir=str(tmp_path), model_name="m", dataset=again)
    assert list(logs.predictions(tmp_path / "m_Stand_In.xlsx").values()) == ["None", "B", long, "007", "NA", "\r\n"]
    assert load(str(tmp_path / "m_Stand_In.xlsx"))["prediction"].isna().sum() == 2, (
        "if the kit has mended this, so can we"
    )
    served = DatasetConfig("Stand_In", again, "m", Model(), str(tmp_path), str(tmp_path / "m_Stand_In.xlsx"), {})
    found = APIEvalPipeline([served])._load_checkpoint("Stand_In")
    assert list(found.values()) == ["None", "B", long, "007", "NA", "\r\n"]


@pytest.mark.filterwarnings("ignore:Cell contents too long")
@pytest.mark.parametrize("form", ["xlsx", "tsv", "json"])
def test_a_table_that_is_reused_keeps_the_exact_replies(dataset: Any, form: str, tmp_path: Path) -> None:
    """--reuse copies the table alone, and where PRED_FORMAT has changed, writes what `load` made of it."""
    from vlmeval.smp import file

    from cogsight.shared.frameworks.vlmevalkit import logs

    replies = ["None", "So. " * 10_000 + "Answer: C", "{=A}", "007", "NA", "mailto:B"]
    old, new = tmp_path / "old" / "m_Stand_In.xlsx", tmp_path / "new" / f"m_Stand_In.{form}"
    old.parent.mkdir()
    file.dump(dataset.data.assign(prediction=replies), str(old))
    assert file.copy_prediction_file(str(old), str(new))
    assert [row.reply.text for row in logs.read(new)] == replies
    back = tmp_path / "back" / "m_Stand_In.xlsx"
    assert file.copy_prediction_file(str(new), str(back))
    assert [row.reply.text for row in logs.read(back)] == replies
