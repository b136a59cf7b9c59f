"""Sample → row → parquet → Sample is the identity, and a dataset folder appears whole or not at all."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

import pytest
import strategies
from hypothesis import given, settings

from cogsight.shared import dataset
from cogsight.shared.card import About
from cogsight.shared.dataset import Samples, from_row, manifest, read, to_row, verify, write
from cogsight.shared.errors import CogsightError, DataError
from cogsight.shared.sample import Picture, Sample

ABOUT = About("lego_puzzles", "LEGO-Puzzles", "arXiv 2503.19990", "1-A", "lego_puzzles_procedural", seed=3)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.getbasetemp() / "hf")


def picture(number: int, kind: str = "PNG") -> Picture:
    import io

    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (9, 7), (number % 256, number // 256, 77)).save(buffer, kind)
    return Picture(buffer.getvalue())


def sample(number: int) -> Sample:
    return Sample(
        id=f"toy/procedural/near/0/{number}",
        task="near" if number % 3 else "before",
        category="space",
        level="0",
        images=(picture(number), picture(number, "JPEG")),
        question='Which "brick" in <image 1>\tis\n<image 2>, 哪一块?',
        choices={"B": "None", "A": "NA", "C": ""},
        answer="A",
        answer_type="option",
        explanation={"B": "too high", "A": "fits"},
        group=f"g{number // 2}",
        metadata='{"seed":3}',
    )


def toys(count: int) -> list[Sample]:
    return [sample(number) for number in range(count)]


# --- rows


@given(strategies.samples())
def test_row_and_back_is_the_identity(one: Sample) -> None:
    row = to_row(one)
    assert list(row) == [field.name for field in fields(Sample)]
    back = from_row(json.loads(json.dumps({**row, "images": []})) | {"images": row["images"]})
    assert back == one
    assert list(back.choices) == list(one.choices)
    assert list(back.explanation) == list(one.explanation)


def test_a_row_whose_pictures_a_framework_took_away() -> None:
    row = to_row(sample(1))
    del row["images"]
    assert from_row(row) == replace(sample(1), images=())


def test_a_row_with_decoded_pictures_keeps_the_pixels() -> None:
    one = sample(1)
    row = to_row(one) | {"images": [p.open() for p in one.images]}
    assert [p.open().tobytes() for p in from_row(row).images] == [p.open().tobytes() for p in one.images]


def test_a_row_of_something_else_names_the_missing_columns() -> None:
    with pytest.raises(DataError, match="row q7: no column task, category"):
        from_row({"id": "q7", "question": "?"})


def test_a_path_in_a_row_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(picture(1).data)
    row = to_row(sample(1)) | {"images": [{"bytes": None, "path": str(tmp_path / "secret")}]}
    with pytest.raises(DataError, match="toy/procedural/near/0/1: a picture without bytes"):
        from_row(row)


# --- folders


def test_write_and_read(tmp_path: Path) -> None:
    assert write(iter(toys(40)), tmp_path / "set", ABOUT) == tmp_path / "set"
    found = read(tmp_path / "set")
    assert len(found) == 40
    assert list(found) == toys(40)
    assert found[7] == found[-33] == sample(7)
    assert list(found.select([5, 2])) == [sample(5), sample(2)]
    assert list(found[3:9:2]) == [sample(3), sample(5), sample(7)]
    with pytest.raises(IndexError):
        found[40]


@settings(max_examples=5, deadline=None)
@given(one=strategies.samples())
def test_any_sample_survives_parquet(one: Sample, tmp_path_factory: pytest.TempPathFactory) -> None:
    (back,) = read(write([one], tmp_path_factory.mktemp("any") / "set"))
    assert back == one
    assert list(back.choices) == list(one.choices)


def test_the_frameworks_get_encoded_pictures_and_everyone_else_decoded_ones(tmp_path: Path) -> None:
    from datasets import load_dataset

    folder = write(toys(3), tmp_path / "set", ABOUT)
    assert read(folder).dataset[2]["images"][1]["bytes"] == sample(2).images[1].data
    decoded = load_dataset(str(folder), "default", split="test")
    assert decoded.features == dataset.features()
    assert decoded[2]["images"][0].getpixel((0, 0)) == (2, 0, 77)
    assert list(Samples(decoded)) == toys(3)  # still byte for byte


def test_the_card_says_what_is_in_it(tmp_path: Path) -> None:
    from huggingface_hub import DatasetCard

    folder = write(toys(4), tmp_path / "set", ABOUT)
    data = DatasetCard.load(folder / "README.md").data.to_dict()
    (config,) = data["configs"]
    assert config["config_name"] == "default"
    assert config["data_files"] == [{"split": "test", "path": "data/test-*.parquet"}]
    assert [column["name"] for column in data["dataset_info"]["features"]] == [field.name for field in fields(Sample)]
    (split,) = data["dataset_info"]["splits"]
    assert (split["name"], split["num_examples"]) == ("test", 4)
    assert data["dataset_info"]["download_size"] == sum(p.stat().st_size for p in (folder / "data").iterdir())
    assert data["license"] == "apache-2.0"
    text = (folder / "README.md").read_text()
    assert "| near | 2 |" in text
    assert "Fresh questions" in text
    assert "seed 3" in text


@pytest.mark.parametrize(
    ("about", "license_says", "card_says"),
    [
        (ABOUT, "Apache License", "Fresh questions"),
        (replace(ABOUT, source="official"), "Ask the authors", "as its authors released them"),
        (replace(ABOUT, benchmark="other", source="official"), "belong to their authors", "# LEGO-Puzzles"),
        (About(), "Apache License", "# Custom questions"),
    ],
)
def test_licence_and_card_of_each_source(about: About, license_says: str, card_says: str, tmp_path: Path) -> None:
    folder = write(toys(1), tmp_path / "set", about)
    assert license_says in (folder / "LICENSE").read_text()
    assert card_says in (folder / "README.md").read_text()
    assert ("license: other" in (folder / "README.md").read_text()) == (about.source == "official")


def test_equal_samples_give_equal_bytes(tmp_path: Path) -> None:
    folders = [write(toys(5), tmp_path / name, ABOUT) for name in ("one", "two")]
    contents = [{p.relative_to(f): p.read_bytes() for p in f.rglob("*") if p.is_file()} for f in folders]
    assert contents[0] == contents[1]
    noted = manifest(folders[0])
    assert (noted["samples"], noted["tasks"]) == (5, {"before": 2, "near": 3})
    assert (noted["version"], noted["seed"], noted["source"]) == ("1-A", 3, "procedural")


def test_shards_and_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "SHARD_BYTES", 60_000)
    monkeypatch.setattr(dataset, "ROW_GROUP_BYTES", 20_000)
    folder = write(toys(300), tmp_path / "set", ABOUT)
    names = sorted(p.name for p in (folder / "data").iterdir())
    assert len(names) > 2
    assert names == [f"test-{n:05d}-of-{len(names):05d}.parquet" for n in range(len(names))]
    assert all(p.stat().st_size < 80_000 for p in (folder / "data").iterdir())  # content and parquet's own overhead
    assert list(read(folder)) == toys(300)


def test_only_one_row_group_is_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer asks for the next samples only when it has written the ones before."""
    monkeypatch.setattr(dataset, "ROW_GROUP_ROWS", 4)
    held, most = [], 0
    convert = dataset._row_groups

    def watched(samples: Iterator[Sample]) -> Iterator[list[dict[str, object]]]:
        nonlocal most
        for rows in convert(samples):
            held.append(len(rows))
            most = max(most, len(taken) - sum(held[:-1]))
            yield rows

    taken: list[int] = []
    monkeypatch.setattr(dataset, "_row_groups", watched)
    write((taken.append(n) or sample(n) for n in range(30)), tmp_path / "set")
    assert most == 4
    assert sum(held) == 30


# --- what is in the way


def test_a_dataset_is_replaced_only_when_asked(tmp_path: Path) -> None:
    write(toys(2), tmp_path / "set")
    with pytest.raises(DataError, match=r"holds a dataset already.*--overwrite"):
        write(toys(3), tmp_path / "set")
    assert len(read(tmp_path / "set")) == 2
    write(toys(3), tmp_path / "set", overwrite=True)
    assert len(read(tmp_path / "set")) == 3
    assert [p.name for p in tmp_path.iterdir()] == ["set"]


@pytest.mark.parametrize("content", ["thesis.tex", "MANIFEST.json"])
def test_a_folder_of_something_else_is_never_replaced(content: str, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / content).write_text("{}")
    with pytest.raises(DataError, match=r"no cogsight dataset.*; choose another folder"):
        write(toys(2), tmp_path / "set", overwrite=True)
    assert (tmp_path / "set" / content).read_text() == "{}"


def test_an_empty_folder_is_taken_and_a_file_is_not(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    assert len(read(write(toys(2), tmp_path / "set"))) == 2
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="is a file"):
        write(toys(2), tmp_path / "file", overwrite=True)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"cannot write .*file/set.*choose another folder"):
        write(toys(2), tmp_path / "file" / "set")


# --- what goes wrong on the way


@pytest.mark.parametrize("failure", [KeyboardInterrupt, RuntimeError])
def test_a_failure_leaves_nothing_behind(failure: type[BaseException], tmp_path: Path) -> None:
    def failing() -> Iterator[Sample]:
        yield from toys(3)
        raise failure

    with pytest.raises(failure):
        write(failing(), tmp_path / "new")
    write(toys(2), tmp_path / "old")
    with pytest.raises(failure):
        write(failing(), tmp_path / "old", overwrite=True)
    assert [p.name for p in tmp_path.iterdir()] == ["old"]
    assert list(read(tmp_path / "old")) == toys(2)
    verify(tmp_path / "old")


KILLED = """
import sys, time
from cogsight.shared.dataset import write

def samples():
    print("writing", flush=True)
    time.sleep(60)
    yield

write(samples(), sys.argv[1])
"""


def test_what_a_killed_process_left_goes_with_the_next_write_and_what_a_live_one_writes_stays(tmp_path: Path) -> None:
    processes = []
    for _ in range(2):
        command = [sys.executable, "-c", KILLED, str(tmp_path / "set")]
        processes.append(process := subprocess.Popen(command, stdout=subprocess.PIPE))
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
    processes[0].kill()
    processes[0].wait()
    write(toys(2), tmp_path / "set")
    assert len(list(tmp_path.iterdir())) == 3
    processes[1].kill()
    processes[1].wait()
    write(toys(2), tmp_path / "set", overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def test_double_ids_and_no_samples(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="two samples have the id toy/procedural/near/0/1"):
        write([sample(1), sample(1)], tmp_path / "set")
    with pytest.raises(DataError, match="no samples"):
        write([], tmp_path / "set")
    assert list(tmp_path.iterdir()) == []


# --- reading what is not as it was written


def test_verify_names_the_files(tmp_path: Path) -> None:
    folder = write(toys(2), tmp_path / "set")
    verify(folder)
    (folder / "README.md").write_text("a card of one's own")
    verify(folder)
    (data,) = (folder / "data").iterdir()
    (folder / "data" / "test-more.parquet").touch()
    with data.open("ab") as file:
        file.write(b"more")
    with pytest.raises(DataError) as caught:
        verify(folder)
    for said in (f"data/{data.name} has SHA-256", "data/test-more.parquet is not in the manifest"):
        assert said in str(caught.value)
    data.unlink()
    with pytest.raises(DataError, match=f"data/{data.name} is missing"):
        verify(folder)


def test_reading_nothing_of_ours(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no such folder.*cogsight build"):
        read(tmp_path / "absent")
    with pytest.raises(DataError, match=r"no readable MANIFEST.json"):
        read(tmp_path)
    folder = write([sample(999)], tmp_path / "set")  # what was read before would come from the cache of `datasets`
    (shard,) = (folder / "data").iterdir()
    shard.write_bytes(shard.read_bytes()[:500])
    with pytest.raises(DataError, match="cannot be read as a cogsight dataset"):
        read(folder)


def test_a_cache_of_the_datasets_library_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "file" / "datasets")
    with pytest.raises(DataError, match=r"cannot write .*/file/datasets: .*; set HF_HOME"):
        read(write([sample(998)], tmp_path / "set"))


def test_a_home_folder_that_nobody_knows() -> None:
    for use in (read, partial(write, toys(1))):
        with pytest.raises(CogsightError, match="~nobody-here/set: this home folder is not known"):
            use("~nobody-here/set")


def test_a_path_that_the_locale_cannot_spell(tmp_path: Path) -> None:
    folder = tmp_path / "\udcc3\udcbc"  # ü under LC_ALL=C without UTF-8 mode
    for use in (read, partial(write, toys(1))):
        with pytest.raises(CogsightError, match=r"udcbc': not readable in this locale; set PYTHONUTF8=1"):
            use(folder)


def test_a_dataset_of_another_schema(tmp_path: Path) -> None:
    folder = write(toys(1), tmp_path / "set")
    noted = manifest(folder)
    (folder / "MANIFEST.json").write_text(json.dumps(noted | {"schema": 0, "cogsight": "0.0.1"}))
    with pytest.raises(DataError, match=r"written by cogsight 0\.0\.1; build it again"):
        read(folder)


def test_a_folder_built_again_is_read_afresh(tmp_path: Path) -> None:
    """`datasets` keeps a copy of what it has read; it must not serve the old one (bug log U11)."""
    folder = write(toys(2), tmp_path / "set")
    assert [s.answer for s in read(folder)] == ["A", "A"]
    write([replace(one, answer="B") for one in toys(2)], folder, overwrite=True)
    assert [s.answer for s in read(folder)] == ["B", "B"]


def test_importing_the_module_costs_the_standard_library_only() -> None:
    code = "import sys, cogsight.shared.dataset; print(*{'datasets', 'pyarrow', 'PIL', 'numpy', 'jinja2'} & sys.modules.keys())"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""
