"""Sample ⇄ row ⇄ parquet ⇄ Hub-ready folder: one schema for all benchmarks, and the only place that knows it.

A row holds exactly the fields of a Sample, pictures as the bytes they are, so that nothing changes on the way there and back.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, fields
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from .card import CONFIG, SPLIT, About, Content, card, licence
from .errors import DataError
from .files import digest, staged, swept, user_path, writing
from .sample import Picture, Sample
from .truth import PICTURE

if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import Dataset, Features

SCHEMA_VERSION = 1
"""Changes when a column does."""
MANIFEST = "MANIFEST.json"
ROW_GROUP_ROWS = 1_000
SHARD_BYTES = 400_000_000
"""Uncompressed content at which a new parquet file begins; keeps every shard below the Hub's advice of 500 MB."""
ROW_GROUP_BYTES = 16_000_000
"""Content held in memory while writing, and the unit that readers load."""

COLUMNS = tuple(f.name for f in fields(Sample))
_LETTERED = ("choices", "explanation")
"""Columns that are letter → text in a Sample, and an ordered list of {letter, text} in a row."""


def features(*, decode: bool = True) -> Features:
    """The parquet schema. `decode=False`: pictures come as {"bytes", "path"} and stay encoded."""
    from datasets import Features, Image, Sequence, Value

    text = Value("string")
    lettered = [{"letter": text, "text": text}]
    columns = dict.fromkeys(COLUMNS, text) | dict.fromkeys(_LETTERED, lettered)
    # `Sequence`, since lmms-eval recognises picture columns by it; it is a plain list in every version of datasets.
    return Features(columns | {"images": Sequence(Image(decode=decode))})


def to_row(sample: Sample) -> dict[str, Any]:
    """The row of a sample: JSON values, and pictures as {"bytes", "path": None}."""
    row = {name: getattr(sample, name) for name in COLUMNS}
    lettered = {name: [{"letter": key, "text": text} for key, text in row[name].items()] for name in _LETTERED}
    return row | lettered | {"images": [{"bytes": picture.data, "path": None} for picture in sample.images]}


def from_row(row: Mapping[str, Any]) -> Sample:
    """The sample of a row, whether its pictures are encoded, decoded (PIL) or, without `images`, taken away by a framework.

    Raises DataError that names the columns which are missing.
    """
    if missing := [name for name in COLUMNS if name not in row and name != "images"]:
        raise DataError(f"row {row.get('id', '?')}: no column {', '.join(missing)}; is this a cogsight dataset?")
    values = {name: row[name] for name in COLUMNS if name in row}
    lettered = {name: {item["letter"]: item["text"] for item in row[name]} for name in _LETTERED}
    pictures = tuple(_picture(value, row["id"]) for value in row.get("images") or ())
    return Sample(**values | lettered | {"images": pictures})


def _picture(value: Any, sample_id: str) -> Picture:
    if not isinstance(value, Mapping):
        return Picture.from_image(value)
    if not value["bytes"]:  # a path alone is never followed: a dataset must not make us read local files
        raise DataError(f"{sample_id}: a picture without bytes; write the dataset with cogsight.write")
    return Picture(value["bytes"])


def canonical_json(value: Any) -> str:
    """One spelling per value, for `Sample.metadata` and for hashes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


class Samples(Sequence[Sample]):
    """Samples read from disk when asked for; in memory is only what is being looked at."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        """The rows for lmms-eval, pictures encoded: {"bytes", "path"}, byte for byte as released."""
        self._encoded = dataset.with_format("arrow")  # gives pictures as bytes whether or not `dataset` decodes them

    def __len__(self) -> int:
        return len(self.dataset)

    @overload
    def __getitem__(self, index: int) -> Sample: ...
    @overload
    def __getitem__(self, index: slice) -> Samples: ...
    def __getitem__(self, index: int | slice) -> Sample | Samples:
        if isinstance(index, slice):
            return self.select(range(len(self))[index])
        return from_row(self._encoded[index].to_pylist()[0])

    def __iter__(self) -> Iterator[Sample]:
        for table in self._encoded.iter(batch_size=16):
            yield from map(from_row, table.to_pylist())

    def select(self, indices: Iterable[int]) -> Samples:
        """Those at `indices`, in that order, without copying anything."""
        return Samples(self.dataset.select(indices))

    def of(self, tasks: Collection[str] | None = None, limit: int | None = None) -> Samples:
        """Those of these tasks (None: of all), and of each at most the first `limit`; in their order."""
        rows: dict[str, list[int]] = {}
        for row, task in enumerate(self.dataset["task"]):
            if tasks is None or task in tasks:
                rows.setdefault(task, []).append(row)
        return self.select(sorted(row for own in rows.values() for row in own[:limit]))


class Questions(Mapping[str, Sample]):
    """Samples by id, as scoring looks at them: without their pictures, unless a picture is the answer, which is judged beside the question's."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples
        plain = map(from_row, samples.dataset.remove_columns("images"))
        self._found = {sample.id: (row, sample) for row, sample in enumerate(plain)}

    def __getitem__(self, sample_id: str) -> Sample:
        row, plain = self._found[sample_id]
        return self._samples[row] if plain.answer_type == PICTURE else plain

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def read(source: str | Path) -> Samples:
    """The samples of a folder made by `write`, or of a Hub dataset `owner/name` with the same schema.

    Raises DataError when there is no such folder, or it holds no dataset of ours.
    """
    from datasets import config, load_dataset
    from datasets.exceptions import DatasetsError

    folder = user_path(source)
    if folder.exists():
        manifest(folder)
        source = folder.resolve()
    elif not isinstance(source, str) or source.count("/") != 1 or source[0] in "./~":
        raise DataError(f"{folder}: no such folder; make one with: cogsight build BENCHMARK --out {folder}")
    try:
        with writing(Path(config.HF_DATASETS_CACHE), "set HF_HOME to a folder you can write to"):
            return Samples(load_dataset(str(source), CONFIG, split=SPLIT, features=features(decode=False)))
    except (OSError, ValueError, DatasetsError) as error:
        raise DataError(f"{source}: cannot be read as a cogsight dataset: {error.__cause__ or error}") from error


def write(
    samples: Iterable[Sample], folder: str | Path, about: About | None = None, *, overwrite: bool = False
) -> Path:
    """Write a Hub-ready folder (parquet, card, licence, manifest) and return its path; streams, so memory stays constant.

    The folder appears whole or not at all, and its bytes depend only on the arguments. Raises DataError when the folder holds
    something already (`overwrite` replaces only a dataset of ours), when ids repeat, or when there is no sample.
    """
    about = about or About()
    target = user_path(folder).resolve()
    _check_free(target, overwrite)
    with writing(target, "choose another folder"), swept(target), staged(target) as stage:
        content = _write_shards(samples, stage / "data")
        texts = {"README.md": card(about, content, features()), "LICENSE": licence(about)}
        texts |= {"NOTICE": about.notice} if about.notice else {}
        for name, text in texts.items():
            (stage / name).write_text(text, encoding="utf-8")
        (stage / MANIFEST).write_text(_manifest_text(stage, about, content), encoding="utf-8")
    return target


def manifest(folder: Path) -> dict[str, Any]:
    """What `write` noted of a folder. Raises DataError when the folder is none of ours."""
    try:
        values = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if values["schema"] != SCHEMA_VERSION:
            raise DataError(f"{folder}: written by cogsight {values['cogsight']}; build it again with this version")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{folder}: no cogsight dataset, it has no readable {MANIFEST}") from error
    return dict(values)


def verify(folder: Path) -> None:
    """Compare the data files with the manifest; a card may be edited. Raises DataError that names those which are missing, changed or too many."""
    noted = {name: about for name, about in manifest(folder)["files"].items() if name.startswith("data/")}
    there = {path.relative_to(folder).as_posix() for path in (folder / "data").glob("*")}
    problems = [f"{name} is not in the manifest" for name in sorted(there - noted.keys())]
    for name, about in noted.items():
        if not (folder / name).is_file():
            problems.append(f"{name} is missing")
        elif (found := digest(folder / name)) != about["sha256"]:
            problems.append(f"{name} has SHA-256 {found}, not {about['sha256']}")
    if problems:
        raise DataError(f"{folder} is not as it was written: {'; '.join(problems)}. Build it again with --overwrite")


def _check_free(target: Path, overwrite: bool) -> None:
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not target.is_dir():
        raise DataError(f"{target} is a file; choose another folder")
    try:
        manifest(target)
    except DataError as error:  # whatever else is there is not ours to replace
        raise DataError(f"{error}; choose another folder") from error
    if not overwrite:
        raise DataError(f"{target} holds a dataset already; replace it with --overwrite, or choose another folder")


def _write_shards(samples: Iterable[Sample], folder: Path) -> Content:
    from pyarrow.parquet import ParquetWriter

    folder.mkdir(parents=True)
    schema, content, shards = features().arrow_schema, Content(), list[Path]()
    with ExitStack() as current:
        room = 0
        for table in _tables(samples, schema, content):
            if table.nbytes > room:
                current.close()
                shards.append(folder / f"{len(shards):05d}")
                writer = current.enter_context(ParquetWriter(shards[-1], schema))
                room = SHARD_BYTES
            writer.write_table(table)
            room -= table.nbytes
    if not shards:
        raise DataError("no samples: nothing to write")
    content.file_bytes = sum(path.stat().st_size for path in shards)
    content.digest = sha256("".join(map(digest, shards)).encode()).hexdigest()
    for number, path in enumerate(shards):
        path.rename(folder / f"{SPLIT}-{number:05d}-of-{len(shards):05d}.parquet")
    return content


def _tables(samples: Iterable[Sample], schema: pa.Schema, content: Content) -> Iterator[pa.Table]:
    """Rows in tables of about ROW_GROUP_BYTES, counted into `content`."""
    import pyarrow as pa

    seen: set[str] = set()
    for rows in _row_groups(samples):
        for row in rows:
            if row["id"] in seen:
                raise DataError(f"two samples have the id {row['id']}")
            seen.add(row["id"])
            content.tasks[row["task"]] = content.tasks.get(row["task"], 0) + 1
        table = pa.Table.from_pylist(rows, schema=schema)
        content.memory_bytes += table.nbytes
        yield table


def _row_groups(samples: Iterable[Sample]) -> Iterator[list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    size = 0
    for sample in samples:
        rows.append(to_row(sample))
        size += sum(len(picture.data) for picture in sample.images) + len(sample.question) + len(sample.metadata)
        if size >= ROW_GROUP_BYTES or len(rows) >= ROW_GROUP_ROWS:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows


def _manifest_text(folder: Path, about: About, content: Content) -> str:
    import cogsight

    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    values = {
        "cogsight": cogsight.__version__,
        "schema": SCHEMA_VERSION,
        **asdict(about),
        "samples": content.samples,
        "tasks": content.tasks,
        "files": {p.relative_to(folder).as_posix(): {"bytes": p.stat().st_size, "sha256": digest(p)} for p in paths},
    }
    return json.dumps(values, ensure_ascii=False, indent=2) + "\n"
