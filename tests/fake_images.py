"""Stand-ins for what the generation tasks need: generators of plain tiles, a file in the published layout, pictures that a model made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import fake_lego
from PIL import Image

from cogsight.lego_puzzles.taxonomy import GENERATION
from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.sample import Picture

INPUTS = {"rotation_image": 1, "multiview_image": 1, "position_image": 3, "dependency_image": 2, "next_step_image": 2}
"""Task → pictures that its question shows."""


@dataclass(frozen=True)
class Tiles:
    """Colours of the pictures, the true one last."""

    task: str
    colors: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.task} {' '.join(map(str, self.colors))}"


def generators() -> dict[str, Generator[Any, Any]]:
    """One for each generation task."""
    return {task: _generator(task) for task in GENERATION}


def rows() -> list[dict[str, str]]:
    """A question of each task in the published layout; Position* with the published spelling of its placeholders."""
    return [_row(n, task.title, INPUTS[name]) for n, (name, task) in enumerate(GENERATION.items(), 1)]


def write(path: Path, rows: list[dict[str, str]]) -> Path:
    return fake_lego.write(path, rows, ("index", "category", "question", "image_path", "image"))


def figure(color: str | tuple[int, int, int], size: int = 96) -> Picture:
    """A bar on white."""
    image = Image.new("RGB", (size, size), "white")
    image.paste(color, (size // 4, size // 3, size // 2, size * 2 // 3))
    return Picture.from_image(image)


SPELLINGS = ("<image1>", "<iamge2>", "<image 3>")


def _row(index: int, label: str, shown: int) -> dict[str, str]:
    spelt = SPELLINGS if shown == 3 else [f"<image {n}>" for n in range(1, shown + 1)]
    return {
        "index": str(index),
        "category": label.lower(),
        "question": f"Based on {' and '.join(spelt)}, make picture {index}.",
        "image_path": repr([f"{index}_{n}.png" for n in range(shown)]),
        "image": fake_lego.image_cell(fake_lego.jpeg(index * 16 + n) for n in range(shown)),
    }


@dataclass(frozen=True)
class Config:
    task: str


def _generate(rng: Random, config: Config, slot: int) -> Puzzle[Tiles]:
    return Puzzle(Tiles(config.task, tuple(rng.sample(range(200), INPUTS[config.task] + 1))), "", {})


def _solve(state: Tiles) -> frozenset[str]:
    return frozenset({""})


def _ask(state: Tiles) -> tuple[str, Mapping[str, str]]:
    return f"Make a picture from {', '.join(f'<image {n}>' for n in range(1, len(state.colors)))}.", {}


def _draw(state: Tiles) -> tuple[Picture, ...]:
    return tuple(figure((color, 255 - color, 40 + 7 * n)) for n, color in enumerate(state.colors))


def _alt(state: Tiles) -> tuple[str, ...]:
    return tuple(map(str, state.colors))


def _parse(text: str) -> Tiles:
    task, *colors = text.split()
    return Tiles(task, tuple(map(int, colors)))


def _generator(task: str) -> Generator[Config, Tiles]:
    levels = {"1": Config(task)}
    functions = (_generate, _solve, _ask, _draw, _alt, _parse)
    return Generator(task, "generation", "picture", levels, 1, *functions, truth=True)
