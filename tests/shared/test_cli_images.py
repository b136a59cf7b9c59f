"""`cogsight images`, and `cogsight build --images`: VOILA's pictures from prompt to question, with a painter of ours for SDXL."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import toy
from PIL import Image
from typer.testing import CliRunner

from cogsight.shared.cli import app
from cogsight.shared.dataset import manifest, read
from cogsight.shared.sample import Picture
from cogsight.shared.text_to_image import diffusion
from cogsight.shared.text_to_image.motifs import Recipe
from cogsight.voila import BENCHMARK
from cogsight.voila.images import FolderImages
from cogsight.voila.samples import scenes_of


def load(recipe: Recipe, device: str) -> tuple[Any, dict[str, str]]:
    def paint(prompt: str, seeds: Sequence[int]) -> list[Image.Image]:
        return [Image.new("RGB", (8, 8), tuple(seed.to_bytes(4, "big")[:3])) for seed in seeds]

    return paint, {"device": device}


@pytest.fixture(autouse=True)
def voila_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(diffusion, "load", load)
    with toy.alone(monkeypatch, tmp_path / "cache", BENCHMARK, toy.BENCHMARK):
        yield


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


def test_from_prompts_to_questions(tmp_path: Path) -> None:
    out, clean, data = tmp_path / "made", tmp_path / "clean", tmp_path / "data"
    make = ("images", "make", "voila", "--out", out, "--per-prompt", 3, "--size", 64)
    code, shown, error = run(*make, "--limit", 5)
    assert (code, shown.splitlines()[:1]) == (0, [f"{out}: 5 made, 5 of 2,184 there"]), error
    assert "making pictures: 5" in error
    assert "One cat playing soccer" in (out / "plan.csv").read_text()
    code, shown, _ = run(*make)
    assert shown.splitlines() == [
        f"{out}: 2,179 made, 2,184 of 2,184 there",
        f"clean:  cogsight images page {out}",
    ]
    code, shown, _ = run("images", "page", out, "--only", "fox", "--count", 2)
    assert code == 0
    assert shown.startswith(f"{out}/clean.html: open it in a browser, keep 2 of each prompt")
    assert (out / "clean.html").read_text().count("One fox ") == 13

    kept = tmp_path / "kept.csv"
    files = sorted(path.name for path in out.glob("*_[12].png"))
    kept.write_text("file,prompt\n" + "".join(f"{name},\n" for name in files[1:]))
    code, shown, _ = run("images", "keep", out, kept, "--out", clean, "--count", 2)
    assert code == 1
    assert shown.splitlines() == [
        f"{clean}: 1,455 pictures",
        "1 of 728 prompts have fewer than 2 pictures: Four brown bears carrying something (1)",
    ]
    code, shown, _ = run("build", "voila", "--num-samples", 1, "--tasks", "structure_02", "--out", tmp_path / "drawn")
    assert code == 0, "without --subset its first, WD"
    code, shown, _ = run("build", "voila", "--subset", "nd", "--num-samples", 3, "--images", clean, "--out", data)
    assert code == 0
    samples = list(read(data))
    assert len(samples) == 21
    source = FolderImages(clean)
    for sample in samples:
        for scene, picture in zip(scenes_of(sample), sample.images, strict=True):
            assert picture in {source.picture(scene, n) for n in range(source.variations(scene))}
    assert manifest(data)["options"]["images"] == str(clean)


def test_workers_choose_the_same_pictures(tmp_path: Path) -> None:
    run("images", "make", "voila", "--out", tmp_path / "made", "--per-prompt", 2, "--size", 64)
    pictures = []
    for workers in (1, 2):
        out = tmp_path / f"data{workers}"
        build = ("build", "voila", "--subset", "nd", "--num-samples", 1, "--images", tmp_path / "made", "--out", out)
        code, _, error = run(*build, "--num-proc", workers)
        assert code == 0, error
        pictures.append([sample.images for sample in read(out)])
    assert pictures[0] == pictures[1]
    assert all(isinstance(picture, Picture) for images in pictures[0] for picture in images)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("build", "toy", "--images", "."), "toy makes its own pictures, and takes none"),
        (("build", "voila", "--source", "official", "--images", "."), "only generated questions take pictures"),
        (("build", "voila", "--subset", "nd", "--images", "."), "no picture of a scene"),
        (("build", "voila", "--subset", "nd", "--images", "./{number}_x"), "each once"),
        (("images", "make", "toy"), "toy wants no pictures of a text-to-image model; those that do: voila"),
        (("images", "make", "voilà"), "did you mean voila?"),
        (("images", "make", "voila", "--size", 100), "--size 100: expected a multiple of 8"),
        (("images", "keep", ".", "kept.csv"), "no folder of pictures made by `cogsight images make`"),
    ],
)
def test_what_does_not_work(
    arguments: tuple[object, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, shown, error = run(*arguments, "--out", "out")
    assert (code, shown) == (1, "")
    assert said in error
    assert not Path("out").exists()


def test_what_made_them_is_noted(tmp_path: Path) -> None:
    run("images", "make", "voila", "--out", tmp_path, "--size", 64, "--limit", 1, "--device", "cpu", "--only", "wolf")
    assert [path.name for path in tmp_path.glob("*.png")] == ["one_wolf_playing soccer_0.png"]
    about = json.loads((tmp_path / "PICTURES.json").read_text())
    assert about == {
        "benchmark": "voila",
        "recipe": {
            "model": "stabilityai/stable-diffusion-xl-base-1.0",
            "per_motif": 30,
            "guidance": 8.0,
            "size": 64,
            "steps": 50,
            "seed": 0,
        },
        "device": "cpu",
    }
