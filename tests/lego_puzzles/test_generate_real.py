"""Questions about real brick models: pieces of LDraw files, runs of their steps, changed parts, and folders that name their authors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from ldraw_models import REAL, at, drawable, faces
from turned_models import fitting_turns, fitting_views
from typer.testing import CliRunner

from cogsight.lego_puzzles.benchmark import build
from cogsight.lego_puzzles.generate import (
    backwards,
    multiview,
    on_files,
    ordering,
    outlier,
    real,
    real_changes,
    rotation,
    views,
)
from cogsight.lego_puzzles.generate.changes import Change, changes
from cogsight.lego_puzzles.generate.growing import Kit
from cogsight.lego_puzzles.generate.pieces import Model, Piece
from cogsight.lego_puzzles.generate.sources import FromFiles, from_files
from cogsight.lego_puzzles.generate.stage import Stage
from cogsight.shared.build import Generator, Puzzle
from cogsight.shared.cli import app
from cogsight.shared.dataset import manifest, read
from cogsight.shared.errors import CogsightError

needs_models = pytest.mark.skipif(not REAL.is_dir(), reason=f"no models in {REAL}")

BLOCK = f"0 FILE block.dat\n0 ~Block  2 x  2\n0 Author: Blocker\n0 !LICENSE Free as air\n0 !LDRAW_ORG Part\n0 BFC CERTIFY CCW\n{faces()}\n"
"""A cube with corners ±1, to be scaled by the line that places it."""


def tower(folder: Path, name: str, steps: int = 8) -> Path:
    """Blocks of two studs side by side and upon each other, one a step, in three colours."""
    scaled = "20 0 0 0 12 0 0 0 20"  # 2 by 2 studs, 3 plates
    places = [(40 * (i % 4) - 10, -12 - 24 * (i // 4), 0) for i in range(steps)]
    lines = [at((4, 14, 1)[i % 3], *place, "block.dat", scaled) for i, place in enumerate(places)]
    path = folder / f"{name}.mpd"
    path.write_text(f"0 FILE {name}.ldr\n0 Tower\n0 Author: Tower Builder\n" + "\n0 STEP\n".join(lines) + "\n" + BLOCK)
    return path


@needs_models
@pytest.mark.parametrize("path", sorted(REAL.glob("*.mpd")), ids=lambda path: path.name[:5])
def test_pieces_stand_as_the_reader_places_them(path: Path) -> None:
    """The meshes of the pieces are those of the reader's own scene, but for its unit and a shift upwards."""
    file = real.read(path)
    pieces = file.assemblies[""].pieces
    assert Model.parse(str(file.assemblies[""])) == file.assemblies[""]
    points = np.concatenate([views.mesh_of(piece).points() for piece in pieces])
    whole = drawable(file.model.scene(file.model.complete)).points() / real.STUD
    whole[:, 2] -= whole[:, 2].min()
    assert points[:, 2].min() == pytest.approx(0, abs=1e-3)
    assert np.abs(points - whole).max() < 2e-3


@needs_models
def test_a_model_that_is_spun_looks_as_if_one_had_gone_round_it() -> None:
    pieces = real.read(min(REAL.glob("4838*"))).assemblies["4838 - car.ldr"].pieces
    spun = tuple(real.spun(piece, 1) for piece in pieces)
    assert tuple(real.spun(piece, 3) for piece in spun) == pieces
    camera = replace(views.CAMERA, azimuth=views.CAMERA.azimuth + 90)
    both = [pieces, spun]
    index = [
        Stage.of(state, camera=view).compose(state)[0] for state, view in zip(both, (views.CAMERA, camera), strict=True)
    ]
    assert (index[0] != index[1]).mean() < 0.01


def test_names_and_colours(tmp_path: Path) -> None:
    first, *_ = real.read(tower(tmp_path, "names")).assemblies[""].pieces
    assert (first.name, first.shape) == ("red Block 2 x 2", "names/block.dat")
    glass = replace(first, color="#aee9ef80")
    assert glass.color_name == "transparent light blue"
    assert Change(first, replace(first, color="#f2cd37")).words == "the red Block 2 x 2 is yellow"
    assert Piece.parse(str(first)) == first
    assert real.takes_color(first)


def test_a_piece_whose_file_is_not_read_says_so() -> None:
    piece = Piece.parse("#c91a09 nowhere%20here/3001.dat 0,0,0 m1,0,0,0,0,1,0,0,0,0,1,0")
    with pytest.raises(
        CogsightError,
        match=r"nowhere here\.mpd or nowhere here\.ldr, which has not been read: give the file by --source",
    ):
        views.mesh_of(piece)


def test_a_part_that_its_file_does_not_have(tmp_path: Path) -> None:
    real.read(tower(tmp_path, "lacking"))
    with pytest.raises(CogsightError, match=r"lacking\.mpd has no part '3001\.dat': it is not the file"):
        real.find("lacking/3001.dat")


def test_two_files_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    one = real.read(tower(tmp_path, "twice"))
    copy = tower(tmp_path / "other", "twice")
    assert real.read(copy) is one, "the same text is the same file"
    different = tmp_path / "twice.ldr"
    different.write_text(copy.read_text() + "0 // more\n")
    with pytest.raises(CogsightError, match=r"twice\.mpd has that name too; rename one"):
        real.read(different)


def test_a_file_that_another_one_is_made_of_is_no_model_of_its_own(tmp_path: Path) -> None:
    """It has a single step, for one, and the whole cannot do without it."""
    tower(tmp_path, "beside")
    (tmp_path / "sub.ldr").write_text(at(4, 0, -12, 0, "Block.DAT", "20 0 0 0 12 0 0 0 20") + "\n")
    placed = [f"1 16 {40 * n} 0 0 1 0 0 0 1 0 0 0 1 SUB.ldr" for n in range(8)]
    (tmp_path / "main.ldr").write_text("\n0 STEP\n".join(placed) + "\n")
    (tmp_path / "block.dat").write_text(BLOCK.partition("\n")[2])
    source = from_files(tmp_path)
    assert source.names == ("beside.mpd", "main.ldr")
    assert [len(file.assemblies[""].steps) for file in source.files()] == [8, 8]
    (tmp_path / "sub.ldr").write_text("1 16 0 0 0 1 0 0 0 1 0 0 0 1 main.ldr\n")
    with pytest.raises(CogsightError, match=r"main\.ldr"):
        from_files(tmp_path).files()


def test_every_file_of_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    tower(tmp_path, "good")
    for name in ("flat", "empty"):
        tower(tmp_path, name, 1)
    with pytest.raises(
        CogsightError, match=r"2 of 3 brick models cannot be used(?s:.*)empty\.mpd(?s:.*)flat\.mpd.*0 STEP"
    ):
        from_files(tmp_path).files()


def test_runs_of_steps(tmp_path: Path) -> None:
    source = from_files(tower(tmp_path, "runs"))
    models = [source.model(Random(i), Kit((5, 6))) for i in range(40)]
    found = [model for model in models if model]
    assert {len(model.steps) for model in found} == {5, 6}
    assert all(len(step) == 1 for model in found for step in model.steps[1:])
    assert len({model.steps[0] for model in found}) > 4, "runs begin anywhere, in four turns"
    assert source.model(Random(0), Kit((9, 12))) is None, "it has eight steps"


@pytest.mark.parametrize("trait", ["color", "place", "turn", "fewer", "more"])
def test_changed_parts_are_clear_of_others(tmp_path: Path, trait: str) -> None:
    """By a second method: no corner, middle of a side or middle of a part lies inside another part."""
    pieces = real.read(tower(tmp_path, f"clear_{trait}")).assemblies[""].pieces
    made = [change for i, piece in enumerate(pieces) for change in changes(Random(i), trait, pieces, piece)]
    assert made or trait == "turn", "a cube that is turned is the same"
    for change in made:
        state = change.on(pieces)
        boxes = [views.box(piece) for piece in state]
        for i, (low, high) in enumerate(boxes):
            inside = low + (high - low) * np.stack(np.meshgrid(*3 * [(0.01, 0.5, 0.99)]), -1).reshape(-1, 3)
            others = boxes[:i] + boxes[i + 1 :]
            assert not any(((inside > a + 0.01) & (inside < b - 0.01)).all(1).any() for a, b in others), change.words


def test_nothing_is_left_alone(tmp_path: Path) -> None:
    """The first three blocks each carry one, which touches nothing else; the last four carry none."""
    pieces = real.read(tower(tmp_path, "alone", 7)).assemblies[""].pieces
    kept = [i for i, piece in enumerate(pieces) if not list(changes(Random(i), "fewer", pieces, piece))]
    assert kept == [0, 1, 2]
    assert len(real_changes.feet(pieces)) == 4


def puzzles_on(generator: Generator[Any, Any], source: FromFiles, level: str, count: int) -> list[Puzzle[Any]]:
    longest = max(len(model.steps) for model in source.assemblies().values())
    config = on_files.on_files(generator, source, longest).levels[level]
    draws = (generator.generate(Random(f"{level}{i}"), config, i % generator.slots) for i in range(12 * count))
    return [puzzle for puzzle in draws if puzzle and len(generator.solve(puzzle.state)) == 1][:count]


def precedes(stage: Stage, earlier: Sequence[Piece], later: Sequence[Piece]) -> bool:
    """From pixels alone: does each show the same surface in the later picture, or a nearer one?"""
    (a, near), (b, nearer) = stage.compose(earlier), stage.compose(later)
    colors = [np.array([*(piece.color for piece in state), ""])[index] for state, index in ((earlier, a), (later, b))]
    same = (colors[0] == colors[1]) & (np.abs(nearer - near) < 1e-3)
    return int((~same & (nearer <= near)).sum()) <= 6


def pictures_of(state: Any) -> tuple[list[Sequence[Piece]], str]:
    """The pictures of a question about steps, and the letters of those that are asked about."""
    shown = state.pictures if isinstance(state, outlier.State) else state.pictures()
    return list(shown), "ABCDE" if isinstance(state, outlier.State) else "ABCD"


def by_pixels(state: Any) -> set[str]:
    """The answers that fit, by a method that knows no parts."""
    shown, letters = pictures_of(state)
    stage = Stage.of([piece for pieces in shown for piece in pieces])
    if isinstance(state, outlier.State):
        rests = {letter: [p for p in shown if p is not shown[i]] for i, letter in enumerate(letters)}
        return {out for out, rest in rests.items() if any(_chain(stage, order) for order in permutations(rest))}
    start, end, *options = shown
    if isinstance(state, ordering.State):
        orders = permutations(letters)
        return {"".join(o) for o in orders if _chain(stage, [start, *(options[letters.index(c)] for c in o), end])}
    return {letter for letter, option in zip(letters, options, strict=True) if _chain(stage, [start, option, end])}


def _chain(stage: Stage, states: Sequence[Sequence[Piece]]) -> bool:
    return all(precedes(stage, one, other) for one, other in pairwise(states))


@needs_models
@pytest.mark.slow
@pytest.mark.parametrize("module", [backwards, ordering, outlier], ids=lambda module: module.GENERATOR.name)
def test_keys_on_real_models(module: Any) -> None:
    source = from_files(REAL)
    for level in module.LEVELS:
        found = puzzles_on(module.GENERATOR, source, level, 1)
        assert len(found) == 1
        for puzzle in found:
            state = puzzle.state
            assert module.State.parse(str(state)) == state
            assert module.GENERATOR.solve(state) == {puzzle.key}
            assert by_pixels(state) == {puzzle.key}
            assert all(why and "#" not in why for why in puzzle.explanation.values())


@needs_models
@pytest.mark.parametrize(
    ("module", "level"),
    [
        pytest.param(module, level, marks=[] if module is rotation and level == "1" else pytest.mark.slow)
        for module in (rotation, multiview)
        for level in module.LEVELS
    ],
    ids=lambda value: value if isinstance(value, str) else value.GENERATOR.name,
)
def test_views_of_real_models(module: Any, level: str) -> None:
    """Against models that are turned in space, pixel by pixel; transparent parts are drawn as such."""
    by_turning = fitting_turns if module is rotation else fitting_views
    for puzzle in puzzles_on(module.GENERATOR, from_files(REAL), level, 1):
        state = puzzle.state
        assert module.State.parse(str(state)) == state
        fits, off = by_turning(state)
        assert fits == module.GENERATOR.solve(state) == {puzzle.key}, off
        assert all(why and "#" not in why for why in puzzle.explanation.values())


def test_transparent_parts_prove_nothing(tmp_path: Path) -> None:
    """A wall of one colour with one end that differs: its side tells how it is turned, but not where glass differs from the rest."""
    wall = [replace(piece, color="#f2cd37") for piece in blocks(tmp_path, "glass", 4)]

    def fits(end: str) -> set[str]:
        pieces = (*wall[:-1], replace(wall[-1], color=end))
        return set(rotation.solve(rotation.State(30, (30, 150, 210, 330), pieces)))

    assert fits("#f2cd37") == {"A", "C"}, "half a circle more gives the same"
    assert fits("#c91a09") == {"A"}
    assert fits("#ffd040") == {"A", "C"}, "another yellow is not told apart"
    assert fits("#c91a0980") == {"A", "C"}


def test_a_part_with_colours_of_its_own_may_look_like_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = blocks(tmp_path, "printed", 4)
    state = rotation.State(30, (30, 150, 210, 330), pieces)
    assert rotation.solve(state) == {"A"}
    monkeypatch.setattr(real, "takes_color", lambda piece: False)
    assert rotation.solve(state) == {"A", "C"}


def blocks(folder: Path, name: str, steps: int) -> tuple[Piece, ...]:
    """Those of a tower."""
    return real.read(tower(folder, name, steps)).assemblies[""].pieces


def test_parts_from_a_library(tmp_path: Path) -> None:
    path = tower(tmp_path, "unpacked")
    model, block = path.read_text().split("0 FILE block.dat\n")
    path.write_text(model)
    (tmp_path / "library" / "parts").mkdir(parents=True)
    (tmp_path / "library" / "parts" / "block.dat").write_text(block)
    with pytest.raises(CogsightError, match=r"unpacked\.mpd:.*'block\.dat' is not in the file"):
        from_files(path).assemblies()
    assert len(from_files(path, tmp_path / "library").model(Random(1), Kit((8, 8))).steps) == 8


def test_a_level_without_a_question_is_left_out_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dull models give none of some levels, and whoever builds wants the others."""
    monkeypatch.setattr(on_files, "ATTEMPTS", 2)
    able = on_files.generators(from_files(tower(tmp_path, "dull", 12)))
    ordered = able["ordering"]
    hard = max(ordered.levels)
    few = replace(
        ordered,
        generate=lambda rng, config, slot: (
            None if config == ordered.levels[hard] else ordered.generate(rng, config, slot)
        ),
    )
    asked = on_files.that_ask({"ordering": few, "rotation": able["rotation"]}, ["ordering"], 0)
    assert list(asked) == ["ordering"]
    assert list(asked["ordering"].levels) == [level for level in ordered.levels if level != hard]
    assert capsys.readouterr().err == (
        f"cogsight: ordering, level {hard}: no question with one answer in 40 draws from these models; left out\n"
    )
    with pytest.raises(CogsightError, match=r"ordering: these models give no question with one answer in 40 draws"):
        on_files.that_ask({"ordering": replace(ordered, generate=lambda *_: None)}, ["ordering"], 0)


def test_a_draw_without_a_proved_key_is_drawn_again(tmp_path: Path) -> None:
    """Parts that stand in one another look otherwise from another side, so that nothing fits: no fault of the generator, and no end of a build."""
    source = from_files(tower(tmp_path, "again", 12))
    able = on_files.on_files(rotation.GENERATOR, source, 12)
    asked: list[object] = []

    def solve(state: rotation.State) -> frozenset[str]:
        asked.append(state)
        return rotation.solve(state) if len(asked) > 3 else frozenset()

    generate = on_files.on_files(replace(rotation.GENERATOR, solve=solve), source, 12).generate
    puzzle = generate(Random(1), next(iter(able.levels.values())), 0)
    assert puzzle and puzzle.key in rotation.solve(puzzle.state) and len(asked) > 3
    nothing = on_files.on_files(replace(rotation.GENERATOR, solve=lambda _: frozenset()), source, 12).generate
    assert nothing(Random(1), next(iter(able.levels.values())), 0) is None


def test_levels_that_a_model_is_too_short_for(tmp_path: Path) -> None:
    able = on_files.generators(from_files(tower(tmp_path, "eight")))
    assert {name: list(generator.levels) for name, generator in able.items()} == {
        "rotation": ["1", "2", "3"],
        "multiview": ["1", "2", "3"],
        "backwards": ["1"],
        "ordering": ["1", "2", "3"],
    }
    with pytest.raises(
        CogsightError, match=r"three\.mpd: 3 building steps in the longest assembly, and questions take 4 or more"
    ):
        on_files.generators(from_files(tower(tmp_path, "three", 3)))


@pytest.mark.slow
def test_a_folder_about_ones_own_model(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    path = tower(tmp_path / "mine", "folder", 10)
    out = tmp_path / "out"
    command = [
        "build",
        "lego_puzzles",
        "--source",
        str(path.parent),
        "--num-samples",
        "3",
        "--num-proc",
        "2",
        "--out",
        str(out),
    ]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    noted = manifest(out)
    assert list(noted["options"]["models"]) == ["folder.mpd"]
    assert "NOTICE" in noted["files"]
    for text in ((out / "NOTICE").read_text(), (out / "README.md").read_text()):
        assert 'folder.mpd, "Tower": Tower Builder. no licence stated' in text
        assert "Parts: Blocker. Free as air" in text
    samples = list(read(out))
    assert {sample.task for sample in samples} == set(on_files.ABLE)
    for text in (*(sample.metadata for sample in samples), json.dumps(noted), (out / "README.md").read_text()):
        assert str(tmp_path) not in text, "where files lie is nobody's business"
    audit = CliRunner().invoke(app, ["audit", str(out), "--models", str(path), "--json", str(tmp_path / "audit.json")])
    found = json.loads((tmp_path / "audit.json").read_text())["findings"]
    assert {f["verdict"] for f in found if f["check"] in ("keys", "redrawing")} == {"ok"}, audit.output
    lost = CliRunner().invoke(app, ["audit", str(out)])
    assert isinstance(lost.exception, (SystemExit, CogsightError))


def test_tasks_that_need_a_grid_are_named(tmp_path: Path) -> None:
    with pytest.raises(
        CogsightError,
        match="height: cannot be generated from this source; tasks that can: rotation, multiview, backwards, ordering",
    ):
        build(tmp_path / "out", source=tower(tmp_path, "grid"), tasks=["height"])


@pytest.mark.parametrize("subset", ["next_k_step", "generation"])
def test_a_subset_without_a_question_about_brick_models(tmp_path: Path, subset: str) -> None:
    with pytest.raises(CogsightError) as caught:
        build(tmp_path / "out", source=(path := tower(tmp_path, "grid")), subset=subset)
    assert str(caught.value) == (
        f"{path}: nothing of subset {subset!r} can be asked about a brick model, but rotation, multiview, backwards, ordering can:"
        " build lego_puzzles, without --subset"
    )
