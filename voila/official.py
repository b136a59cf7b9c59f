"""The official release: the Hub dataset (parquet, three pictures a row) and the CSV files of the authors' repository.

A question is known by its three scenes, and has the same id from either, in VOILA-WD and in VOILA-ND (whose questions are those of WD
without distraction): tables are joined by it, never by position. Everything that a row says besides is held against the rule engine.
Of the Hub's columns only image1 to image3 are documented; its texts are known by what they say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from cogsight.shared.errors import DataError
from cogsight.shared.fetch_folder import FolderRelease
from cogsight.shared.release_rows import Findings, is_picture, tsv_rows
from cogsight.shared.sample import Picture, Sample

from .images import SUFFIXES, FolderImages, scene_of_name
from .rules import apply, relations, structure_of
from .samples import content_number, to_sample
from .taxonomy import PER_STRUCTURE, SUBSETS, Structure
from .words import parse_images, parse_relations, parse_scene, parse_target

Row = Mapping[str, Any]
"""Texts by what they say (`COLUMNS`), and pictures under `PICTURES`."""

HUB = "nlylmz/VOILA"

RELEASE = FolderRelease(
    benchmark="voila",
    name="VOILA",
    hub=HUB,
    patterns=("*.parquet", "*.csv", *(f"*{suffix}" for suffix in SUFFIXES)),
    whole=("*.csv",),
)
"""Its revision and hashes are not known here. By hand, a folder may have the CSV with the pictures instead of the parquet files."""

AGAIN = f"load the release again (hf download {HUB} --repo-type dataset --local-dir DIR)"

FILES = ("img1", "img2", "img3")
DESCRIPTIONS = ("desc_img1", "desc_img2", "desc_img3")
PICTURES = ("image1", "image2", "image3")

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "combined": ("combined_description", "combined_descriptions"),
    "target": ("desc_im4", "desc_img4"),
    "relations": ("Real_relations", "relations"),
    "rule": ("rule",),
    "collage": ("question", "image_question"),
    **{name: (name,) for name in (*DESCRIPTIONS, *FILES)},
}
"""What a column of a CSV file says → its names, as published and as the authors' `create_dataset.py` writes them."""

SAYS: Mapping[str, Callable[[str], object]] = {
    "combined": parse_images,
    "relations": parse_relations,
    "target": parse_target,
}
"""The columns that a table must have, and how each is read."""


def read_release(
    path: Path, *, subset: str = "wd", with_pictures: bool = True, allow_changed: bool = False
) -> Iterator[Sample]:
    """The questions of a subset in a release: its folder, or one of its tables. In its order, a few rows in memory at a time.

    A folder with parquet files is read from these, completed from its CSV files; one without, from its CSV files, each question once, and
    the pictures that they name are looked for in the folder. `with_pictures=False` asks for none, for whoever shows descriptions only.

    What is wrong is raised after the last row, as one DataError that lists it by row, counted from 1 in each table. Rows that cannot
    be used always stop; contradictions only without `allow_changed`, else one notice on stderr tells of them.
    """
    path = Path(path)
    findings = Findings(path, AGAIN)
    parquets, sheets = _tables(path)
    if not parquets and not sheets:
        raise DataError(
            f"{path}: no VOILA release; expected a folder with parquet files, or with a CSV file and pictures"
        )
    if parquets:
        rows = _completed(_parquet_rows(parquets, findings, with_pictures), sheets, findings)
    else:
        rows = _with_files(_once(_sheet_rows(sheets, findings)), path, with_pictures)
    counts: Counter[str] = Counter()
    for sample in _samples(rows, SUBSETS[subset], with_pictures, findings):
        counts[sample.task] += 1
        yield sample
    if wrong := [f"{s.name} {counts[s.name]}" for s in SUBSETS[subset] if counts[s.name] != PER_STRUCTURE]:
        findings.contradictions.append(f"questions per structure, {PER_STRUCTURE} each expected: {', '.join(wrong)}")
    findings.settle(allow_changed)


def record_to_sample(row: Row) -> Sample:
    """The sample of a row, with the pictures that it has. Raises ValueError that tells why it cannot be asked."""
    scenes = parse_images(row["combined"])
    about = {name: row[name] for name in ("collage", *FILES) if row.get(name)}
    pictures = [row[name] for name in PICTURES if name in row]
    return to_sample(scenes, pictures, "official", content_number(scenes), about)


def contradictions(row: Row) -> Iterator[str]:
    """What a row says that does not follow from its three scenes. Raises ValueError when these are no question."""
    scenes = parse_images(row["combined"])
    structure = structure_of(scenes)
    yield from _differs("target", row["target"], parse_target, apply(structure, scenes))
    yield from _differs("relations", row["relations"], parse_relations, relations(scenes))
    yield from _differs("rule", row.get("rule"), int, structure.rule_id)
    for scene, description, file in zip(scenes, DESCRIPTIONS, FILES, strict=True):
        yield from _differs(description, row.get(description), parse_scene, scene)
        yield from _differs(file, row.get(file), scene_of_name, scene)


def _differs(what: str, text: str | None, read: Callable[[str], object], expected: object) -> Iterator[str]:
    """Nothing where the row has no such text, or it says what is expected."""
    if text is None:
        return
    try:
        if (found := read(text)) != expected:
            yield f"{what} {text!r} says {found}, the images give {expected}"
    except ValueError as error:
        yield f"{what}: {error}"


def _samples(
    rows: Iterator[tuple[str, Row]], structures: Sequence[Structure], with_pictures: bool, findings: Findings
) -> Iterator[Sample]:
    """The rows of these structures that can be used; what is wrong with any goes into `findings`."""
    first_with: dict[str, str] = {}
    decodable: set[bytes] = set()
    names = {structure.name for structure in structures}
    for where, row in rows:
        try:
            sample = record_to_sample(row)
            findings.contradictions += [f"{where}: {text}" for text in contradictions(row)]
            if with_pictures:
                _check_pictures(sample, row, decodable)
            if (first := first_with.setdefault(sample.id, where)) != where:
                raise ValueError(f"the same question as {first}")
        except (ValueError, DataError) as error:
            findings.unusable.append(f"{where}: {error}")
            continue
        if sample.task in names:
            yield sample


def _check_pictures(sample: Sample, row: Row, decodable: set[bytes]) -> None:
    """Raises ValueError unless there are three that decode. The same 728 come again and again: each is looked at once."""
    if len(sample.images) != len(PICTURES):
        lacking = [row[file] for name, file in zip(PICTURES, FILES, strict=True) if name not in row and row.get(file)]
        raise ValueError(f"{len(sample.images)} pictures, expected {len(PICTURES)}; no {', '.join(lacking) or 'more'}")
    for n, picture in enumerate(sample.images, 1):
        key = sha256(picture.data).digest()
        if key not in decodable and not is_picture(picture):
            raise ValueError(f"picture {n} cannot be decoded")
        decodable.add(key)


def _tables(path: Path) -> tuple[list[Path], list[Path]]:
    """Parquet and CSV files."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path] if path.is_file() else []
    return [f for f in files if f.suffix == ".parquet"], [f for f in files if f.suffix == ".csv"]


def _sheet_rows(sheets: Sequence[Path], findings: Findings) -> Iterator[tuple[str, Row]]:
    for sheet in sheets:
        told = Findings(sheet, AGAIN)
        for number, cells in tsv_rows(sheet, told, _header_fits, delimiter=","):
            row = {says: cells[name] for says, names in COLUMNS.items() for name in names if name in cells}
            yield f"{sheet.name} row {number}", row
        findings.unusable += [f"{sheet.name}: {problem}" for problem in told.unusable]


def _header_fits(header: list[str], findings: Findings) -> bool:
    missing = [COLUMNS[says][0] for says in SAYS if not set(COLUMNS[says]) & set(header)]
    if missing:
        found = ", ".join(header)[:200] or "nothing"
        findings.unusable.append(f"column {', '.join(missing)} is missing, found {found}")
    return not missing


def _once(rows: Iterator[tuple[str, Row]]) -> Iterator[tuple[str, Row]]:
    """Without those that an earlier table has: the file of ND repeats rows of WD. Twice in one table is for `_samples` to tell."""
    table_of: dict[str, str] = {}
    for where, row in rows:
        table, question = where.rpartition(" row ")[0], _question(row)
        if not question or table_of.setdefault(question, table) == table:
            yield where, row


def _with_files(rows: Iterator[tuple[str, Row]], path: Path, with_pictures: bool) -> Iterator[tuple[str, Row]]:
    """Rows with the pictures that they name, as far as the folder has them."""
    if not with_pictures:
        yield from rows
        return
    folder = FolderImages(path if path.is_dir() else path.parent)
    for where, row in rows:
        found = {name: folder.named(row.get(file, "")) for name, file in zip(PICTURES, FILES, strict=True)}
        yield where, {**row, **{name: picture for name, picture in found.items() if picture}}


def _completed(
    rows: Iterator[tuple[str, Row]], sheets: Sequence[Path], findings: Findings
) -> Iterator[tuple[str, Row]]:
    """Rows with what the CSV files say of the same questions. Those of which only a CSV file tells are contradictions."""
    known: dict[str, tuple[str, Row]] = {}
    for where, row in _sheet_rows(sheets, findings):
        known[_question(row) or where] = where, row
    left = dict(known)
    for where, row in rows:
        sheet, more = known.get(_question(row), ("", {}))
        if left.pop(_question(row), None):
            told = contradictions({says: more[says] for says in SAYS})  # which the row's own are put over
            findings.contradictions += [f"{sheet}: {text}" for text in told]
        yield where, {**more, **row}
    findings.contradictions += [f"{where}: no such question in the parquet files" for where, _ in left.values()]


def _question(row: Row) -> str:
    """What identifies the question of a row; "" when it is none, of which `_samples` tells."""
    try:
        return content_number(parse_images(row["combined"]))
    except ValueError:
        return ""


def _parquet_rows(tables: Sequence[Path], findings: Findings, with_pictures: bool) -> Iterator[tuple[str, Row]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    for table in tables:
        number = 0
        try:
            file = pq.ParquetFile(table)
            texts = _texts(file)
            wanted = [*texts.values(), *PICTURES[: 3 * with_pictures]]
            if missing := [
                *(says for says in SAYS if says not in texts),
                *set(wanted).difference(file.schema_arrow.names),
            ]:
                found = ", ".join(file.schema_arrow.names)
                findings.unusable.append(f"{table.name}: no column with {', '.join(missing)}, found {found}")
                continue
            for batch in file.iter_batches(batch_size=16, columns=wanted):
                for row in batch.to_pylist():
                    number += 1
                    pictures = {name: Picture(row[name]["bytes"] or b"") for name in PICTURES if row.get(name)}
                    yield (
                        f"{table.name} row {number}",
                        {says: row[name] or "" for says, name in texts.items()} | pictures,
                    )
        except (pa.ArrowException, OSError) as error:
            findings.unusable.append(f"{table.name}, after row {number}: {error}: damaged, or not complete")


def _texts(file: Any) -> dict[str, str]:
    """What the columns of text say → their names, told by the first row."""
    import pyarrow as pa

    names = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
    first: dict[str, Any] = next((batch.to_pylist()[0] for batch in file.iter_batches(batch_size=1, columns=names)), {})
    return {says: name for says, read in SAYS.items() for name in names if _reads(read, first.get(name))}


def _reads(read: Callable[[str], object], text: str | None) -> bool:
    try:
        return bool(text and read(text))
    except ValueError:
        return False
