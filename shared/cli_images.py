"""The commands `cogsight images …` and `cogsight draw`: options are read here, the work is in `shared/commands/`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .text_to_image.motifs import SDXL

images = typer.Typer(
    name="images",
    help="Make pictures by a model, and clean them by hand.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Only = Annotated[
    list[str] | None,
    typer.Option(metavar="PATTERN", help='A group, or file names, such as fox or "two_*_reading*"; may be repeated.'),
]
Count = Annotated[int, typer.Option(min=1, help="Pictures to keep of each prompt.")]


@images.command()
def make(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="Such as voila.")],
    out: Annotated[Path, typer.Option(help="Folder for the pictures; what is there is not made again.")],
    model: Annotated[str, typer.Option(help="An SDXL model: its name on the Hub, or a folder.")] = SDXL,
    per_prompt: Annotated[int, typer.Option(min=1, help="Pictures of each prompt.")] = 30,
    guidance: Annotated[float, typer.Option(help="How closely to keep to the prompt.")] = 8.0,
    size: Annotated[int, typer.Option(min=64, help="Of each side, px; a multiple of 8.")] = 1024,
    steps: Annotated[int, typer.Option(min=1, help="Of denoising.")] = 50,
    seed: Annotated[int, typer.Option(help="The same seed gives each picture the same noise.")] = 0,
    only: Only = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Make so many at most, now.")] = None,
    device: Annotated[str, typer.Option(help="Such as cuda:1; the best there is when not given.")] = "",
    batch: Annotated[int, typer.Option(min=1, help="Pictures of a prompt at a time.")] = 1,
) -> int:
    """Make the pictures.

    Needs pip install 'cogsight[sdxl]' and a GPU. Each picture is written as it comes, and a run that was stopped goes on. Several
    GPUs work on one folder with an --only of their own.
    """
    from .commands import images as command
    from .text_to_image.motifs import Recipe

    recipe = Recipe(model, per_prompt, guidance, size, steps, seed)
    return command.run_make(benchmark, out, recipe, only=only or (), limit=limit, device=device, batch=batch)


@images.command()
def page(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What `cogsight images make` has made.")],
    count: Count = 10,
    only: Only = None,
    name: Annotated[str, typer.Option(help="Of the page, which must lie in the folder.")] = "clean.html",
    judge: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A vision model whose findings stand beside the pictures.")
    ] = None,
    judge_base_url: Annotated[str | None, typer.Option(help="As for `cogsight score`.")] = None,
    judge_key: Annotated[str | None, typer.Option(help="As for `cogsight score`.")] = None,
) -> int:
    """Write a page on which somebody keeps the good pictures.

    It works by keyboard, refers to the pictures beside it, and saves the choice as CSV. With --only several people share the work.
    """
    from .commands import images as command
    from .frameworks.judges import JudgeOptions, Judges

    judges = Judges(JudgeOptions(judge, judge_base_url, judge_key)) if judge else None
    return command.run_page(folder, count, only or (), name, judges)


@images.command()
def keep(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What `cogsight images make` has made.")],
    selections: Annotated[list[Path], typer.Argument(metavar="CSV...", help="What pages have saved.")],
    out: Annotated[Path, typer.Option(help="Folder for the kept pictures.")],
    count: Count = 10,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace such a folder.")] = False,
) -> int:
    """Put the kept pictures into a folder of their own.

    Prompts of which more or fewer than --count are kept are named, and then the exit code is 1.
    """
    from .commands import images as command

    return command.run_keep(folder, selections, out, count, overwrite)


def draw(
    source: Annotated[
        str,
        typer.Argument(
            metavar="RUN|VARIANT", help="A folder that `cogsight score` made, or a variant that asks for pictures."
        ),
    ],
    model: Annotated[str, typer.Option(help="What draws, such as gpt-image-1.")],
    out: Annotated[Path, typer.Option(help="Folder for pictures and scores; what is there is not drawn again.")],
    base_url: Annotated[
        str, typer.Option(help="An OpenAI-compatible address; OPENAI_BASE_URL, else OpenAI when not given.")
    ] = "",
    key: Annotated[str, typer.Option(help="Its key; OPENAI_API_KEY when neither is given.")] = "",
    size: Annotated[str, typer.Option(help="Of a picture, px.")] = "1024x1024",
    quality: Annotated[str, typer.Option(help="Such as low; the model's own when not given.")] = "",
    concurrency: Annotated[int, typer.Option(min=1, help="Requests at a time.")] = 8,
    right_only: Annotated[
        bool, typer.Option("--right-only", help="Draw right answers only: a wrong one scores 0 whatever the picture.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Draw so many at most, now.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how many pictures and what money it would take; ask nothing.")
    ] = False,
    judge: Annotated[
        str | None, typer.Option(metavar="MODEL", help="A vision model that looks at the pictures; as for `score`.")
    ] = None,
    judge_base_url: Annotated[str | None, typer.Option(help="As for `cogsight score`.")] = None,
    judge_key: Annotated[str | None, typer.Option(help="As for `cogsight score`.")] = None,
) -> int:
    """Have a model draw what answers say, or questions ask for.

    RUN is for models that answer in text: each last answer goes to the images interface of a text-to-image model. VARIANT, such as
    lego_puzzles_generation_procedural, is for a model of that interface itself: it gets each question with its pictures. A vision judge
    looks at what comes back. Run it again with another judge, or after a stop, and nothing is drawn twice. The exit code is 1 while a
    picture or a verdict is missing.
    """
    from .commands import drawing
    from .frameworks.judges import JudgeOptions, Judges
    from .text_to_image.endpoint import Options

    judges = Judges(JudgeOptions(judge, judge_base_url, judge_key))
    options = Options(model, base_url, key, size, quality)
    return drawing.run(
        source, out, options, judges, right_only=right_only, limit=limit, concurrency=concurrency, dry_run=dry_run
    )
