"""A run on disk: `replies.jsonl` as they arrive (pictures that a model made lie in `pictures/`), `scores.parquet`, and `run.json`, which says what made them.

`cogsight score` adds `samples.jsonl`, each score with its reply, to read and grep, and `changes.jsonl`, what has changed and why.

The only reader and writer of these files. What was paid for is kept: a run that stopped goes on where it was, and only a run of
the same data, prompts, model and settings may go on (bug log U11: stale results must never be mixed in).
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import DataError
from .files import remove, staged, user_path, writing
from .pictures import PICTURES, Gallery
from .redact import redact
from .sample import Extraction, Finish, Judgement, Outcome, Reply, Score

if TYPE_CHECKING:
    import pyarrow as pa

RUN, REPLIES, SCORES = "run.json", "replies.jsonl", "scores.parquet"
SAMPLES, CHANGES = "samples.jsonl", "changes.jsonl"


@dataclass(frozen=True, slots=True)
class RunInfo:
    """All that the replies and the scores of a run depend on."""

    benchmark: str
    benchmark_version: str
    variant: str
    data: str
    """Data version, or the hash of an official release."""
    prompt: str
    """Hash or version of the prompt texts."""
    framework: str
    """Name and version."""
    model: str
    model_args: Any = None
    """As the framework got them, a text or a mapping; secrets are removed on the way in."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Sampling, token limit, view."""
    extraction: str = ""
    """Version of the rules that read replies; scores depend on it, replies do not."""
    judge: Mapping[str, str] = field(default_factory=dict)
    """The judge's part in the scores: its model, the host that was asked, versions of its prompts, votes. Never its key."""
    cogsight: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "model_args", redact(self.model_args))
        object.__setattr__(self, "settings", redact(self.settings))


SCORING_ONLY = frozenset({"extraction", "judge", "cogsight"})
"""Fields of RunInfo that may differ when a run goes on."""


class Asked(NamedTuple):
    """Which reply: to which question, in which attempt, at which turn of the dialogue."""

    sample_id: str
    attempt: int = 0
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """An opened run folder."""

    folder: Path
    info: RunInfo

    def append(self, asked: Asked, reply: Reply) -> None:
        """Write one reply down at once. A later one to the same question takes its place."""
        append_reply(self.folder / REPLIES, asked, reply)

    def write_replies(self, replies: Mapping[Asked, Reply]) -> None:
        """Put these in place of all that are there: for a run whose replies are kept elsewhere too."""
        gallery = _gallery(self.folder / REPLIES)
        with writing(self.folder, "choose another folder"), staged(self.folder / REPLIES) as stage:
            stage.write_bytes(b"".join(_reply_line(asked, reply, gallery) for asked, reply in replies.items()))

    def replies(self) -> dict[Asked, Reply]:
        """All replies so far, in order of first appearance. A last line that was cut off is left out, with a warning."""
        return read_replies(self.folder / REPLIES)

    def write_scores(self, scores: Iterable[Score]) -> None:
        """Replace the scores."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.Table.from_pylist([_score_row(score) for score in scores], schema=_score_schema())
        with writing(self.folder, "choose another folder"), staged(self.folder / SCORES) as stage:
            pq.write_table(table, stage)

    def write_records(self, name: str, records: Iterable[Mapping[str, Any]]) -> None:
        """Replace `samples.jsonl` or `changes.jsonl`."""
        lines = (json.dumps(dict(record)) + "\n" for record in records)  # ASCII: a reply may hold half a surrogate pair
        with writing(self.folder, "choose another folder"), staged(self.folder / name) as stage:
            stage.write_text("".join(lines), encoding="utf-8")

    def scores(self) -> list[Score]:
        """The scores as last written. Raises DataError when there are none."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self.folder / SCORES
        try:
            return [_score(row) for row in pq.read_table(path).to_pylist()]
        except (OSError, pa.ArrowException, KeyError) as error:
            raise DataError(f"{path}: no readable scores: {error}; score the run again") from error


def append_reply(path: Path, asked: Asked, reply: Reply) -> None:
    """Write one reply down at once, at the end of such a file."""
    line = _reply_line(asked, reply, _gallery(path))
    with writing(path.parent, "free some space, then go on"), path.open("ab", buffering=0) as file:
        file.write(line)  # one write, so that lines of several threads do not mix


def read_replies(path: Path) -> dict[Asked, Reply]:
    """All replies of such a file, in order of first appearance. A last line that was cut off is left out, with a warning."""
    lines, torn = _lines(path)
    if torn:
        warnings.warn(f"{path}: the last line was cut off; this reply is asked for again", stacklevel=3)
    return dict(_reply(path, number, line) for number, line in enumerate(lines, 1))


def mend_replies(path: Path) -> None:
    """Cut a torn last line off, so that the next one begins on a line of its own."""
    lines, torn = _lines(path)
    if torn:
        warnings.warn(f"{path}: the last line was cut off; this reply is asked for again", stacklevel=3)
    whole = b"".join(line + b"\n" for line in lines)
    if path.exists() and path.stat().st_size != len(whole):
        with staged(path) as stage:
            stage.write_bytes(whole)


def start(folder: str | Path, info: RunInfo) -> Run:
    """Begin a run in `folder`, or go on with the one that is there.

    Raises DataError when the folder holds a run that differs in anything its replies depend on.
    """
    path = user_path(folder).resolve()
    if (path / RUN).exists():
        before = asdict(open_run(path).info)
        now = json.loads(json.dumps(asdict(info), default=str))
        differing = [
            f"{name} {before[name]!r} → {now[name]!r}"
            for name in now.keys() - SCORING_ONLY
            if before[name] != now[name]
        ]
        if differing:
            raise DataError(f"{path} holds another run ({'; '.join(sorted(differing))}); choose another folder")
        mend_replies(path / REPLIES)
        if any(before[name] != now[name] for name in SCORING_ONLY):
            for made in (SCORES, SAMPLES, CHANGES):  # by other rules, or another judge, than run.json will name
                remove(path / made)
    elif (path / REPLIES).exists():
        raise DataError(f"{path} holds replies without {RUN}: nobody knows of which run; choose another folder")
    with writing(path, "choose another folder"), staged(path / RUN) as stage:
        stage.write_text(json.dumps(asdict(info), ensure_ascii=False, indent=2, default=str) + "\n", encoding="utf-8")
    return Run(path, info)


def open_run(folder: str | Path) -> Run:
    """A run that is there, to read. Raises DataError when it is none of ours."""
    path = user_path(folder).resolve()
    try:
        return Run(path, RunInfo(**json.loads((path / RUN).read_text(encoding="utf-8"))))
    except (OSError, ValueError, TypeError) as error:
        raise DataError(
            f"{path}: no cogsight run (a folder that `cogsight score` wrote), {RUN} cannot be read: {error}"
        ) from error


def _gallery(replies: Path) -> Gallery:
    """Where the pictures of a file of replies lie: beside it."""
    return Gallery(replies.with_name(PICTURES))


def _reply_line(asked: Asked, reply: Reply, gallery: Gallery) -> bytes:
    said = {"text": reply.text, "finish": reply.finish.value, "error": redact(reply.error)}
    line = {**asked._asdict(), **said, **gallery.note(reply)}
    return json.dumps(line).encode() + b"\n"


def _lines(path: Path) -> tuple[list[bytes], bool]:
    """The whole lines, and whether a broken one follows. One that lacks only its line end is whole."""
    *lines, rest = path.read_bytes().split(b"\n") if path.exists() else [b""]
    if rest and _is_json(rest):
        return [*lines, rest], False
    return lines, bool(rest)


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _reply(path: Path, number: int, line: bytes) -> tuple[Asked, Reply]:
    try:
        row = json.loads(line)
        asked = Asked(row["sample_id"], row["attempt"], row["turn"])
        return asked, _gallery(path).recall(Reply(row["text"], Finish(row["finish"]), row["error"]), row)
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"{path}, line {number}: no reply ({error}); delete the line, and it is asked for again"
        ) from error


def _score_schema() -> pa.Schema:
    import pyarrow as pa

    text, whole, number = pa.string(), pa.int64(), pa.float64()
    read = pa.struct({"value": text, "outcome": text, "rule": text, "span": pa.list_(whole)})
    judgement = {"model": text, "votes": whole, "agreement": number, "explanation": text}
    special = {
        "attempt": whole,
        "points": number,
        "chance": number,
        "parts": pa.list_(pa.struct({"name": text, "value": number})),
        "extraction": read,
        "judgement": pa.struct({"prompts": pa.list_(text), **judgement}),
    }
    return pa.schema([(f.name, special.get(f.name, text)) for f in fields(Score)])


def _score_row(score: Score) -> dict[str, Any]:
    row = {f.name: getattr(score, f.name) for f in fields(Score)}
    row["parts"] = [{"name": name, "value": value} for name, value in score.parts.items()]
    row["detail"] = redact(score.detail)
    if score.extraction is not None:
        row["extraction"] = asdict(score.extraction) | {"outcome": score.extraction.outcome.value}
    if score.judgement is not None:
        row["judgement"] = redact(asdict(score.judgement))
    return row


def _score(row: dict[str, Any]) -> Score:
    read, judgement = row["extraction"], row["judgement"]
    if read is not None:
        span = None if read["span"] is None else (read["span"][0], read["span"][1])
        read = Extraction(read["value"], Outcome(read["outcome"]), read["rule"], span)
    if judgement is not None:
        judgement = Judgement(**judgement | {"prompts": tuple(judgement["prompts"])})
    parts = {part["name"]: part["value"] for part in row["parts"]}
    return Score(**row | {"parts": parts, "extraction": read, "judgement": judgement})
