"""A benchmark of six small questions for tests of the adapters: no data to build, and every awkward thing in it once.

`install(folder)` makes it known to other processes, which have the folder on PYTHONPATH, by an entry point, as another package would.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from cogsight.shared.benchmark import Benchmark, Task
from cogsight.shared.messages import user_turn
from cogsight.shared.sample import Messages, Picture, Reply, Sample, Score
from cogsight.shared.scoring import score_single_turn
from cogsight.shared.summary import Summary
from cogsight.shared.summary import summarise as add_up
from cogsight.shared.variants import Variant

COLORS = ("red", "green", "blue")
TASKS = {"color": Task("color", "Colour", "seeing", "option", 3, 1 / 3)}
VARIANTS = (Variant("stand_in", size=6), Variant("stand_in", ("collage",), view="collage", size=6))


def picture(color: str, form: str = "PNG") -> Picture:
    """A plain tile."""
    buffer = io.BytesIO()
    Image.new("RGB", (40, 30), color).save(buffer, form)
    return Picture(buffer.getvalue())


def sample(n: int) -> Sample:
    """Two pictures named in the text, one that nothing names; a choice that tables take for a missing value."""
    own = COLORS[n % 3]
    return Sample(
        id=f"stand_in/official/color/0/{n}",
        task="color",
        category="seeing",
        level="0",
        images=(picture(own), picture("white", "JPEG"), picture(f"#{n}{n}{n}")),
        question="<image 1>color<image 2>. Which of them is not white?",
        choices={"A": "red", "B": "green", "C": "NA"},
        answer="ABC"[n % 3],
        answer_type="option",
    )


def samples(variant: Variant) -> list[Sample]:
    """The same six in every variant."""
    return [sample(n) for n in range(6)]


def turn(sample: Sample, variant: Variant, replies: Sequence[Reply]) -> Messages | None:
    """Question and lettered choices."""
    choices = "\n".join(f"{letter}. {text}" for letter, text in sample.choices.items())
    return None if replies else user_turn(f"{sample.question}\n{choices}", sample.images, variant.view)


def summarise(scores: Sequence[Score], variant: Variant) -> Summary:
    """One task, so all averages are the same."""
    categories, expected = {"seeing": "Seeing"}, {"color": 6}
    return add_up(
        scores, variant, title="Stand-in", tasks=TASKS, categories=categories, expected=expected, average="tasks"
    )


def build(out: Path, **options: object) -> Path:
    """Not part of what adapters use."""
    raise NotImplementedError


BENCHMARK = Benchmark(
    name="stand_in",
    title="Stand-in",
    vlmeval_prefix="Stand_In",
    version="1-A",
    paper="",
    tasks=TASKS,
    variants=VARIANTS,
    samples=samples,  # type: ignore[arg-type]  # a list does what Samples does here
    turn=turn,
    score=score_single_turn,
    summarise=summarise,
    build=build,
)


def install(folder: Path, module: str = __file__) -> None:
    """Put this module, or another that has a BENCHMARK, and an entry point for it into `folder`."""
    name = Path(module).stem
    (folder / f"{name}.py").write_text(Path(module).read_text())
    about = folder / f"{name}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[cogsight.benchmarks]\n{name} = {name}:BENCHMARK\n")
