"""What `cogsight draw` is to draw: after the dialogues of a run, or straight away what the questions of a variant ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cogsight import __version__

from ..benchmark import Benchmark
from ..errors import CogsightError
from ..registry import variants
from ..results import Asked, Run, RunInfo, open_run
from ..sample import Picture, Reply, Sample
from ..text_to_image.endpoint import Options
from ..variants import Variant
from ..versions import EXTRACTION_VERSION, check_asked, versions
from .names import find_variant
from .scoring import questions

VIEW = "listed"
"""How the images interface is asked: all pictures in order, then the text, which calls them Image 1 and so on."""

Key = tuple[str, int]
"""Sample's id, attempt."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """What was said, and what to draw after it."""

    sample: Sample
    attempt: int
    replies: tuple[Reply, ...]
    prompt: str
    """"": there is nothing to draw."""
    pictures: tuple[Picture, ...] = ()
    """To be sent with it."""

    @property
    def picture(self) -> Asked:
        """The turn more."""
        return Asked(self.sample.id, self.attempt, len(self.replies))


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is to be drawn."""

    source: str
    benchmark: Benchmark
    variant: Variant
    """The one that ends with a picture."""
    dialogues: Sequence[Dialogue]
    wrong: frozenset[Asked]
    """Pictures of answers that are known to be wrong."""
    info: RunInfo
    """Of the run with the pictures."""


def plan_of(source: str, options: Options, *, right_only: bool) -> Plan:
    """`source`: the folder of a run, or a variant's name. Raises CogsightError for what ends with no picture."""
    if Path(source).exists():
        return _after(open_run(source), options, right_only)
    try:
        benchmark, variant = find_variant(source, "run folder or variant")
    except CogsightError as error:
        if Path(source).parent != Path():
            raise CogsightError(f"{source}: no such folder; expected one that `cogsight score` made") from error
        raise
    if right_only:
        raise CogsightError(
            f"--right-only: {variant.name} asks for pictures alone, so no answer is right before; leave it out"
        )
    return _asked(benchmark, variant, options)


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


def _after(before: Run, options: Options, right_only: bool) -> Plan:
    """One picture more for each dialogue of a run."""
    benchmark, variant = find_variant(before.info.variant)
    drawn = drawn_variant(benchmark, variant)
    asked = {"data": before.info.data, "prompt": before.info.prompt}
    check_asked(asked, versions(benchmark, variant, ""), before.folder, benchmark.name)
    dialogues = list(_dialogues(before, benchmark, variant, drawn))
    wrong = _wrong(before, dialogues) if right_only else set()
    info = replace(
        before.info,
        variant=drawn.name,
        model=f"{before.info.model} + {options.model}",
        settings={**before.info.settings, "drawn by": _drawing(options)},
        extraction=EXTRACTION_VERSION,
        judge={},
        cogsight=__version__,
    )
    return Plan(str(before.folder), benchmark, drawn, dialogues, frozenset(wrong), info)


def _asked(benchmark: Benchmark, variant: Variant, options: Options) -> Plan:
    """A picture for each question of a variant that asks for nothing else."""
    if not variant.produces:
        possible = ", ".join(other.name for _, other in variants() if other.produces)
        raise CogsightError(
            f"{variant.name} asks for no pictures: name the folder of a run, or one of {possible or 'no variant at all'}"
        )
    shown = replace(variant, view=VIEW)
    now = versions(benchmark, variant, f"cogsight draw {__version__}")
    info = RunInfo(
        benchmark.name,
        now["benchmark"],
        variant.name,
        now["data"],
        now["prompt"],
        "cogsight draw",
        options.model,
        settings={"view": VIEW, "drawn by": _drawing(options)},
        extraction=EXTRACTION_VERSION,
        cogsight=__version__,
    )
    dialogues = [_question(benchmark, shown, sample) for sample in benchmark.samples(variant)]
    return Plan(variant.name, benchmark, shown, dialogues, frozenset(), info)


def _question(benchmark: Benchmark, variant: Variant, sample: Sample) -> Dialogue:
    parts = [part for message in benchmark.turn(sample, variant, ()) or () for part in message.parts]
    text = "\n".join(part for part in parts if isinstance(part, str))
    return Dialogue(sample, 0, (), text.strip(), tuple(part for part in parts if isinstance(part, Picture)))


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


def _wrong(before: Run, dialogues: Sequence[Dialogue]) -> set[Asked]:
    """The pictures of answers that the run's scores call wrong. Raises DataError when it has no scores."""
    points = {(score.sample_id, score.attempt): score.points for score in before.scores()}
    return {one.picture for one in dialogues if points.get((one.sample.id, one.attempt)) == 0}


def _drawing(options: Options) -> dict[str, str]:
    return {"model": options.model, "address": options.address, "size": options.size, "quality": options.quality}
