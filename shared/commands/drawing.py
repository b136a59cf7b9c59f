"""`cogsight draw`: has a text-to-image model draw what a run's last answers say, or what questions ask for, and has pictures looked at.

The dialogues of a run stay as they are, with a picture as one turn more: they become a run of the variant that asks for one. Each picture is
kept as it comes, and a run that was stopped goes on; a picture is drawn again only when the answer has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path

import typer

from ..frameworks.judges import Judges
from ..frameworks.scoring import Attempt, score_all
from ..judge.model import ModelJudge
from ..progress import tell, track
from ..results import Asked, Run, open_run, start
from ..sample import Reply
from ..summary import Summary
from ..table import show
from ..text_to_image.endpoint import Options, Stopped, Studio
from ..versions import judge_versions, versions
from .drawing_plans import Dialogue, Plan, plan_of

NOT_DRAWN = "not drawn: the answer was wrong (--right-only)"
"""The error in place of a picture; a run without that option draws it."""


def run(
    source: str,
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
    plan = plan_of(source, options, right_only=right_only)
    kept = _kept(out, plan.dialogues)
    skipped = plan.wrong - kept.keys()
    wanted = [one for one in plan.dialogues if one.picture not in kept and one.picture not in skipped][:limit]
    to_draw = [one for one in wanted if one.prompt]
    typer.echo(f"{len(to_draw):,} pictures to draw, {len(kept):,} kept{_cost(options, len(to_draw), _sent(to_draw))}")
    if dry_run:
        return 0
    judge = judges.of(plan.benchmark)
    opened = start(out, plan.info)
    silent = {one.picture: Reply("") for one in wanted if not one.prompt}
    not_drawn = {picture: Reply(None, error=NOT_DRAWN) for picture in skipped}
    opened.write_replies(_earlier(plan.dialogues) | kept | silent | not_drawn)
    problem = _draw(opened, to_draw, options, concurrency)
    drawn = opened.replies()
    failed = [error for one in to_draw if one.picture in drawn and (error := drawn[one.picture].error)]
    if failed and not problem:
        tell(
            f"{len(failed):,} of {len(to_draw):,} requests failed, the first: {failed[0]}; run this again to repeat them"
        )
    summary = _score(opened, plan, judge)
    show(summary)
    typer.echo(f"\n{plan.source} → {opened.folder}{f'; stopped: {problem}' if problem else ''}")
    return int(bool(problem) or not summary.complete)


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


def _sent(wanted: Sequence[Dialogue]) -> int:
    """Pictures that go with the prompts."""
    return sum(len(one.pictures) for one in wanted)


def _cost(options: Options, number: int, sent: int = 0) -> str:
    more = f", and more for the {sent:,} pictures that are sent" * bool(sent)
    prices = options.prices
    if prices is None:
        return f"; what a picture of {options.model} costs is not known here" if number else ""
    least, most = (f"{number * price:,.2f}" for price in prices)
    told = f"; about {least} US dollars" if least == most else f"; {least} to {most} US dollars, by its quality"
    return told + more


def _draw(opened: Run, wanted: Sequence[Dialogue], options: Options, concurrency: int) -> str:
    """Have these drawn, each kept as it comes; why it stopped before the end, "" when it did not."""
    if not wanted:
        return ""
    studio = Studio(options)

    def draw(one: Dialogue) -> None:
        opened.append(one.picture, studio.draw(one.prompt, one.pictures))

    try:
        _each(draw, wanted, concurrency, f"drawing by {options.model}")
    except Stopped as error:
        tell(f"{error}; what is drawn is kept: run this again to go on")
        return str(error)
    finally:
        studio.close()
    return ""


def _score(opened: Run, plan: Plan, judge: ModelJudge | None) -> Summary:
    """Score all that is there, and write it down."""
    benchmark, drawn = plan.benchmark, plan.variant
    replies, info = opened.replies(), opened.info
    absent = Reply(None, error="not drawn yet")
    attempts = [
        Attempt(one.sample, [*one.replies, replies.get(one.picture, absent)], one.attempt) for one in plan.dialogues
    ]
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
