"""`cogsight draw`: has a text-to-image model draw what a run's last answers say, and a vision judge look at the pictures.

The dialogues stay as they are, with a picture as one turn more: they become a run of the variant that asks for one. Each picture is kept
as it comes, and a run that was stopped goes on; a picture is drawn again only when the answer has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

import typer

from cogsight import __version__

from ..benchmark import Benchmark
from ..errors import CogsightError
from ..frameworks.judges import Judges
from ..frameworks.scoring import Attempt, score_all
from ..judge.model import ModelJudge
from ..progress import tell, track
from ..results import Asked, Run, RunInfo, open_run, start
from ..sample import Reply, Sample
from ..summary import Summary
from ..table import show
from ..text_to_image.endpoint import Options, Stopped, Studio
from ..variants import Variant
from ..versions import EXTRACTION_VERSION, check_asked, judge_versions, versions
from .names import find_variant
from .scoring import questions

NOT_DRAWN = "not drawn: the answer was wrong (--right-only)"
"""The error in place of a picture; a run without that option draws it."""

Key = tuple[str, int]
"""Sample's id, attempt."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One of the run's, and what to draw after it."""

    sample: Sample
    attempt: int
    replies: tuple[Reply, ...]
    prompt: str
    """"": there is nothing to draw."""

    @property
    def picture(self) -> Asked:
        """The turn more."""
        return Asked(self.sample.id, self.attempt, len(self.replies))


def run(
    source: Path,
    out: Path,
    options: Options,
    judges: Judges,
    *,
    right_only: bool,
    limit: int | None,
    concurrency: int,
    dry_run: bool,
) -> int:
    """Draw, then score; 1 while a picture or a verdict is missing."""
    before = open_run(source)
    benchmark, variant = find_variant(before.info.variant)
    drawn = drawn_variant(benchmark, variant)
    asked = {"data": before.info.data, "prompt": before.info.prompt}
    check_asked(asked, versions(benchmark, variant, ""), before.folder, benchmark.name)
    dialogues = list(_dialogues(before, benchmark, variant, drawn))
    kept = _kept(out, dialogues)
    skipped = _wrong(before, dialogues) - kept.keys() if right_only else set()
    wanted = [one for one in dialogues if one.picture not in kept and one.picture not in skipped][:limit]
    to_draw = [one for one in wanted if one.prompt]
    typer.echo(f"{len(to_draw):,} pictures to draw, {len(kept):,} kept{_cost(options, len(to_draw))}")
    if dry_run:
        return 0
    judge, info = judges.of(benchmark), _info(before.info, drawn, options)
    opened = start(out, info)
    silent = {one.picture: Reply("") for one in wanted if not one.prompt}
    not_drawn = {picture: Reply(None, error=NOT_DRAWN) for picture in skipped}
    opened.write_replies(_earlier(dialogues) | kept | silent | not_drawn)
    problem = _draw(opened, to_draw, options, concurrency)
    summary = _score(opened, benchmark, drawn, dialogues, judge)
    show(summary)
    typer.echo(f"\n{source} → {opened.folder}{f'; stopped: {problem}' if problem else ''}")
    return int(bool(problem) or not summary.complete)


def drawn_variant(benchmark: Benchmark, variant: Variant) -> Variant:
    """The variant that asks for one picture more than this one. Raises CogsightError where there is none."""
    alike = (variant.subset, variant.view, variant.source)
    for other in benchmark.variants:
        if set(other.words) == {*variant.words, "draw"} and (other.subset, other.view, other.source) == alike:
            return other
    possible = [other.name for other in benchmark.variants if "draw" in other.words] if benchmark.draw else []
    raise CogsightError(
        f"{variant.name} has no twin that ends with a picture; {benchmark.name} has {', '.join(possible) or 'none at all'}"
    )


def _dialogues(before: Run, benchmark: Benchmark, variant: Variant, drawn: Variant) -> Iterator[Dialogue]:
    """Those of the run, in its order. A lost reply leaves nothing to draw."""
    prompt = benchmark.draw
    if prompt is None:
        raise CogsightError(
            f"{benchmark.name} asks for no pictures, so there is nothing to draw; name a run of another benchmark"
        )
    samples = questions(benchmark, drawn)
    turns: dict[Key, dict[int, Reply]] = {}
    for asked, reply in before.replies().items():
        turns.setdefault((asked.sample_id, asked.attempt), {})[asked.turn] = reply
    for (sample_id, attempt), said in turns.items():
        sample = samples[sample_id]
        replies = tuple(said[turn] for turn in sorted(said))
        lost = any(reply.error is not None for reply in replies)
        yield Dialogue(sample, attempt, replies, "" if lost else prompt(sample, variant, replies))


def _kept(out: Path, dialogues: Sequence[Dialogue]) -> dict[Asked, Reply]:
    """The pictures that are there already, of dialogues that are what they were."""
    if not out.exists():
        return {}
    there = open_run(out).replies()
    return {
        one.picture: there[one.picture]
        for one in dialogues
        if one.picture in there
        and there[one.picture].error is None
        and all(there.get(asked) == reply for asked, reply in _earlier([one]).items())
    }


def _earlier(dialogues: Sequence[Dialogue]) -> dict[Asked, Reply]:
    return {
        Asked(one.sample.id, one.attempt, turn): reply for one in dialogues for turn, reply in enumerate(one.replies)
    }


def _wrong(before: Run, dialogues: Sequence[Dialogue]) -> set[Asked]:
    """The pictures of answers that the run's scores call wrong. Raises DataError when it has no scores."""
    points = {(score.sample_id, score.attempt): score.points for score in before.scores()}
    return {one.picture for one in dialogues if points.get((one.sample.id, one.attempt)) == 0}


def _cost(options: Options, number: int) -> str:
    prices = options.prices
    if prices is None:
        return f"; what a picture of {options.model} costs is not known here" if number else ""
    least, most = (f"{number * price:,.2f}" for price in prices)
    return f"; about {least} US dollars" if least == most else f"; {least} to {most} US dollars, by its quality"


def _draw(opened: Run, wanted: Sequence[Dialogue], options: Options, concurrency: int) -> str:
    """Have these drawn, each kept as it comes; why it stopped before the end, "" when it did not."""
    if not wanted:
        return ""
    studio = Studio(options)

    def draw(one: Dialogue) -> None:
        opened.append(one.picture, studio.draw(one.prompt))

    try:
        _each(draw, wanted, concurrency, f"drawing by {options.model}")
    except Stopped as error:
        tell(f"{error}; what is drawn is kept: run this again to go on")
        return str(error)
    finally:
        studio.close()
    return ""


def _score(
    opened: Run, benchmark: Benchmark, drawn: Variant, dialogues: Sequence[Dialogue], judge: ModelJudge | None
) -> Summary:
    """Score all that is there, and write it down."""
    replies, info = opened.replies(), opened.info
    absent = Reply(None, error="not drawn yet")
    attempts = [Attempt(one.sample, [*one.replies, replies.get(one.picture, absent)], one.attempt) for one in dialogues]
    scores = score_all(benchmark, drawn, attempts, judge)
    judged = judge_versions(judge.endpoint if judge else None, scores)
    host = {"host": judge.endpoint.host} if judge else {}
    start(opened.folder, replace(info, judge=judged | host)).write_scores(scores)
    now = versions(benchmark, drawn, info.framework) | judged
    return replace(benchmark.summarise(scores, drawn), versions=now, view=drawn.view)


def _each(work: Callable[[Dialogue], None], items: Sequence[Dialogue], concurrency: int, label: str) -> None:
    """In threads; the first error, or Ctrl-C, ends it, after what is under way."""
    with ThreadPoolExecutor(concurrency) as pool:
        running = [pool.submit(work, item) for item in items]
        try:
            for done in track(as_completed(running), label, len(items)):
                done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _info(before: RunInfo, drawn: Variant, options: Options) -> RunInfo:
    drawing = {"model": options.model, "address": options.address, "size": options.size, "quality": options.quality}
    return replace(
        before,
        variant=drawn.name,
        model=f"{before.model} + {options.model}",
        settings={**before.settings, "drawn by": drawing},
        extraction=EXTRACTION_VERSION,
        judge={},
        cogsight=__version__,
    )
