"""The builder, with puzzles so small that one sees what must come out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from cogsight.lego_puzzles.generate import GENERATORS
from cogsight.shared import build
from cogsight.shared.build import Generator, Puzzle, generate_samples, is_proved, look_alike
from cogsight.shared.errors import GenerationError, UnprovedKey
from cogsight.shared.sample import Picture, Sample

LETTERS = "ABC"


@dataclass(frozen=True, slots=True)
class Config:
    shades: int = 200


@dataclass(frozen=True, slots=True)
class State:
    """Three grey squares; the darkest is the answer."""

    shades: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.shades))

    @classmethod
    def parse(cls, text: str) -> State:
        return cls(tuple(map(int, text.split())))


def generate(rng: Random, config: Config, slot: int) -> Puzzle[State]:
    dark, *others = sorted(rng.randrange(config.shades) for _ in LETTERS)
    others.insert(slot, dark)
    return Puzzle(State(tuple(others)), LETTERS[slot], dict.fromkeys(LETTERS, "why"))


def solve(state: State) -> frozenset[str]:
    return frozenset(letter for letter, shade in zip(LETTERS, state.shades, strict=True) if shade == min(state.shades))


def ask(state: State) -> tuple[str, dict[str, str]]:
    return "Which is darkest?", {letter: f"<image {n}>" for n, letter in enumerate(LETTERS, 1)}


def draw(state: State) -> tuple[Picture, ...]:
    return tuple(Picture.from_image(Image.new("RGB", (8, 8), (shade, shade, shade))) for shade in state.shades)


def alt(state: State) -> tuple[str, ...]:
    return tuple(f"grey {shade}" for shade in state.shades)


DARKEST: Generator[Config, State] = Generator(
    "darkest", "seeing", "option", {"1": Config(), "2": Config(250)}, 3, generate, solve, ask, draw, alt, State.parse
)


def make_all(
    generator: Generator[Config, State] = DARKEST, num_samples: int = 12, seed: int = 0, **changes: object
) -> list[Sample]:
    generator = replace(generator, **changes)  # type: ignore[arg-type]
    return list(
        generate_samples(
            [generator], benchmark="toy", versions={"data_version": "1"}, seed=seed, num_samples=num_samples
        )
    )


def attempts(samples: list[Sample]) -> list[int]:
    return [json.loads(sample.metadata)["attempt"] for sample in samples]


def test_a_sample_says_where_it_comes_from() -> None:
    samples = make_all(num_samples=5)
    assert [sample.id for sample in samples] == [
        f"toy/procedural/darkest/{n}" for n in ("1/0", "2/0", "1/1", "2/1", "1/2")
    ]
    first = samples[0]
    assert (first.task, first.category, first.level, first.answer_type) == ("darkest", "seeing", "1", "option")
    assert first.explanation == dict.fromkeys(LETTERS, "why")
    metadata = json.loads(first.metadata)
    assert {**metadata, "attempt": 0, "state": ""} == {
        "state": "", "config": {"shades": 200}, "seed": 0, "index": 0, "attempt": 0, "data_version": "1",
    }  # fmt: skip
    assert first.metadata == json.dumps(metadata, sort_keys=True, separators=(",", ":"))
    assert solve(State.parse(metadata["state"])) == {first.answer}


def test_positions_are_balanced_in_every_block() -> None:
    samples = make_all(num_samples=60)
    for level in DARKEST.levels:
        keys = [sample.answer for sample in samples if sample.level == level]
        blocks = ["".join(keys[start : start + 3]) for start in range(0, len(keys), 3)]
        assert {"".join(sorted(block)) for block in blocks} == {LETTERS}
        assert len(set(blocks)) > 2, "every block in the same order"


def test_more_samples_do_not_change_the_first() -> None:
    assert make_all(num_samples=30)[:8] == make_all(num_samples=8)


def test_seeds_share_nothing() -> None:
    one, other = ({json.loads(s.metadata)["state"] for s in make_all(seed=seed)} for seed in (0, 1))
    assert one.isdisjoint(other)


def test_an_ambiguous_puzzle_is_made_again() -> None:
    samples = make_all(num_samples=6, generate=_often_ambiguous)
    assert max(attempts(samples)) > 0
    assert all(solve(State.parse(json.loads(s.metadata)["state"])) == {s.answer} for s in samples)


def _often_ambiguous(rng: Random, config: Config, slot: int) -> Puzzle[State]:
    puzzle = generate(rng, config, slot)
    same = State((min(puzzle.state.shades),) * 3)
    return puzzle if rng.random() < 0.3 else replace(puzzle, state=same)


def _nothing(rng: Random, config: Config, slot: int) -> None:
    return None


def _wrong_key(rng: Random, config: Config, slot: int) -> Puzzle[State]:
    puzzle = generate(rng, config, slot)
    return replace(puzzle, key=LETTERS[(slot + 1) % 3])


def test_tries_are_bounded_and_the_error_says_which_sample() -> None:
    with pytest.raises(GenerationError, match=r"darkest level 1: no unique sample in 60 tries \(seed 5, index 0\)"):
        make_all(generate=_nothing, seed=5)


def test_a_key_that_does_not_fit_is_a_bug_and_stops() -> None:
    with pytest.raises(UnprovedKey, match=r"darkest \d+ \d+ \d+: the key is .*bug"):
        make_all(generate=_wrong_key)


def test_is_proved_tells_ambiguous_from_wrong() -> None:
    assert is_proved(DARKEST, State((1, 2, 3)), "A")
    assert not is_proved(DARKEST, State((1, 1, 3)), "A")
    with pytest.raises(UnprovedKey, match="but A, B fits"):
        is_proved(DARKEST, State((1, 1, 3)), "C")


def _few(rng: Random, config: Config, slot: int) -> Puzzle[State]:
    """Three questions in all, whichever key is asked for."""
    shade = rng.choice((50, 100, 150))
    others = [shade + 40, shade + 80]
    others.insert(slot, shade)
    return Puzzle(State(tuple(others)), LETTERS[slot], {})


def test_duplicates_are_made_again_by_the_next_attempt() -> None:
    """The same pictures in another order are the same question."""
    one_level, redrawn = {"1": Config()}, 0
    for seed in range(4):
        samples = make_all(generate=_few, levels=one_level, num_samples=3, seed=seed)
        assert {min(json.loads(sample.metadata)["state"].split(), key=int) for sample in samples} == {
            "50",
            "100",
            "150",
        }
        redrawn += sum(attempts(samples))
        with pytest.raises(GenerationError, match="index 3"):
            make_all(generate=_few, levels=one_level, num_samples=4, seed=seed)
    assert redrawn > 0


def _pale(rng: Random, config: Config, slot: int) -> Puzzle[State]:
    """Squares that a solver tells apart and an eye does not."""
    puzzle = generate(rng, Config(3), slot)
    return puzzle if rng.random() < 0.9 else generate(rng, config, slot)


def test_pictures_that_look_alike_are_not_asked_about() -> None:
    for sample in make_all(generate=_pale, num_samples=3):
        assert not look_alike(sample.images)
        shades = sorted(json.loads(sample.metadata)["state"].split(), key=int)
        assert all(int(b) - int(a) >= build.NOTICEABLE for a, b in pairwise(shades))


def test_look_alike() -> None:
    white = Image.new("RGB", (100, 100), "white")
    dot, block = white.copy(), white.copy()
    dot.paste((0, 0, 0), (0, 0, 4, 3))
    block.paste((255, 255, 200), (0, 0, 4, 4))
    pictures = {name: Picture.from_image(image) for name, image in {"white": white, "dot": dot, "block": block}.items()}
    assert look_alike([pictures["white"], pictures["dot"]])
    assert not look_alike([pictures["white"], pictures["block"]]), "a change in blue alone counts"
    assert not look_alike([pictures["white"], Picture.from_image(white.resize((50, 50)))])


def test_workers_must_be_some() -> None:
    with pytest.raises(ValueError, match="num_proc=0"):
        list(generate_samples([DARKEST], benchmark="toy", versions={}, seed=0, num_samples=1, num_proc=0))


def test_the_same_on_any_number_of_workers() -> None:
    def run(num_proc: int) -> list[Sample]:
        tasks = list(GENERATORS.values())
        return list(generate_samples(tasks, benchmark="b", versions={}, seed=3, num_samples=2, num_proc=num_proc))

    alone = run(1)
    assert run(2) == alone
    assert Counter(sample.task for sample in alone) == dict.fromkeys(GENERATORS, 2)


SCRIPT = """
import time
from cogsight.lego_puzzles.generate import GENERATORS
from cogsight.shared.build import generate_samples
print("imported", flush=True)
for sample in generate_samples(list(GENERATORS.values()), benchmark="b", versions={}, seed=0, num_samples=NUM, num_proc=2):
    print(sample.id, flush=True)
    time.sleep(PAUSE)
"""


def script(num: int, pause: int = 0) -> str:
    return SCRIPT.replace("NUM", str(num)).replace("PAUSE", str(pause))


def test_a_script_without_a_main_guard_can_use_workers(tmp_path: Path) -> None:
    """Worker processes must not run the caller's script again."""
    path = tmp_path / "script.py"
    path.write_text(script(1))
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["imported", *(f"b/procedural/{task}/1/0" for task in GENERATORS)]


@pytest.mark.slow
@pytest.mark.parametrize(("num", "pause"), [(500, 0), (1, 60)], ids=["busy workers", "idle workers"])
def test_ctrl_c_ends_it_soon_and_leaves_no_worker(num: int, pause: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", script(num, pause)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    while "procedural" not in process.stdout.readline():
        assert process.poll() is None
    time.sleep(3 if pause else 0)  # until they have nothing left to do
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    start = time.monotonic()
    _, errors = process.communicate(timeout=60)
    assert time.monotonic() - start < 20
    assert process.returncode != 0
    assert errors.strip().splitlines()[-1] == "KeyboardInterrupt"
    assert errors.count("Traceback") == 1, "the workers complain too"
    assert any(_is_gone(process.pid) for _ in range(100)), "a worker is still there after 10 seconds"


@pytest.mark.slow
def test_workers_end_when_their_parent_is_killed() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", script(1, 60)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert process.stdout is not None
    while b"procedural" not in process.stdout.readline():
        assert process.poll() is None
    process.kill()
    process.wait()
    gone = any(_is_gone(process.pid) for _ in range(100))
    if not gone:
        os.killpg(process.pid, signal.SIGKILL)
    assert gone, "a worker is still there after 10 seconds"


class Deadly:
    """Ends the process that unpickles it."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (1,)


def test_a_killed_worker_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "make", Deadly())
    with pytest.raises(GenerationError, match=r"a worker process was killed, .* take fewer than 2"):
        list(
            generate_samples(list(GENERATORS.values()), benchmark="toy", versions={}, seed=0, num_samples=1, num_proc=2)
        )


def _is_gone(group: int) -> bool:
    time.sleep(0.1)
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False
