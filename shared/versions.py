"""What a score depends on, as one table: every score that is printed or written carries it (DESIGN rule 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cogsight import __version__

from .benchmark import Benchmark
from .errors import DataError
from .judge.endpoint import Endpoint
from .sample import Score
from .settings import official_data_variable
from .table import NO_JUDGE
from .variants import Variant

EXTRACTION_VERSION = "2"
"""Changes when a reply may be read differently."""

ASKED = {
    "data": "the data of that run: {variable} names the file or folder of a release (COGSIGHT_ALLOW_CHANGED=1 for one that is not the"
    " pinned one), COGSIGHT_SEED the seed of generated questions, COGSIGHT_CACHE the folder that keeps both",
    "prompt": "the cogsight version of that run",
}
"""Those that decide what the model was asked, and what to score its replies with; the others decide how they are scored."""


def versions(
    benchmark: Benchmark,
    variant: Variant,
    framework: str,
    judge: Endpoint | None = None,
    scores: Iterable[Score] = (),
) -> dict[str, str]:
    """Name → version. Reads a local copy of an official release, to hash it.

    `framework`: name and version of what ran the model. `judge`: the one that was named; `scores` tell what it was asked.
    """
    data = benchmark.cache_key(variant) if benchmark.cache_key else ""
    release = benchmark.release_of(variant)
    note = release.note(data) if release else None
    return {
        "benchmark": benchmark.version,
        "data": data,
        **({"release": note} if note else {}),
        "prompt": benchmark.prompt_version,
        "extraction": EXTRACTION_VERSION,
        **judge_versions(judge, scores),
        "cogsight": __version__,
        "framework": framework,
    }


def judge_versions(judge: Endpoint | None, scores: Iterable[Score]) -> dict[str, str]:
    """The judge's part: its name, what served it where that differs, its prompts, its votes."""
    if judge is None:
        return {"judge": NO_JUDGE}
    judgements = [score.judgement for score in scores if score.judgement]
    served = sorted({one.model for one in judgements} - {"", judge.model})
    prompts = sorted({prompt for one in judgements for prompt in one.prompts})
    found = {"judge served by": ", ".join(served), "judge prompt": ", ".join(prompts)}
    return {
        "judge": judge.model,
        **{name: text for name, text in found.items() if text},
        "votes": str(judge.options.votes),
    }


def check_asked(recorded: Mapping[str, str], now: Mapping[str, str], log: object, benchmark: str) -> None:
    """Raise DataError when the model was asked other questions than those its replies would now be scored against."""
    for name, way_out in ASKED.items():
        if recorded.get(name, now[name]) != now[name]:
            raise DataError(
                f"{log}: its {name} version is {recorded[name]}, here it is {now[name]}: the replies answer other questions."
                f" Score them with {way_out.format(variable=official_data_variable(benchmark))}"
            )
