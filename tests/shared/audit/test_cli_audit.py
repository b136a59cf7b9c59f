"""`cogsight audit`: what it prints and writes, its exit code, and what it says of bad input."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import toy
from audit_samples import GENERATOR, TASK, changed, clean
from typer.testing import CliRunner

from cogsight.shared import cli
from cogsight.shared.audit import CHECKS
from cogsight.shared.audit.finding import Finding, Verdict
from cogsight.shared.card import About
from cogsight.shared.commands.auditing import details, merged, verdict
from cogsight.shared.dataset import write
from cogsight.shared.sample import Sample

ABOUT = About("toy", "Toy", "", "1-A", "toy_procedural", "procedural")


@pytest.fixture(autouse=True)
def the_toy_has_a_generator(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with toy.alone(monkeypatch, tmp_path / "cache", toy.made(generators=lambda: {TASK: GENERATOR})):
        yield


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    result = CliRunner().invoke(cli.app, ["audit", *map(str, arguments)], prog_name="cogsight")
    return result.exit_code, result.stdout, result.stderr


def test_a_clean_folder(tmp_path: Path) -> None:
    folder = write(clean(), tmp_path / "clean", ABOUT)
    code, shown, progress = run(folder, "--json", tmp_path / "found.json", "--redraw", 2)
    assert (code, shown.splitlines()[-1]) == (0, f"audit: nothing fails in 40 questions ({len(CHECKS)} findings)")
    assert "redrawing\tmatch\tok\t0 of 2 drawn again with other pixels\tthe same pixels" in shown.splitlines()
    assert "measuring clean: 40" in progress
    kept = json.loads((tmp_path / "found.json").read_text())
    assert (kept["ok"], kept["questions"], len(kept["findings"])) == (True, 40, len(CHECKS))
    assert kept["findings"][0]["verdict"] == "ok"


def test_what_fails_stands_in_the_last_line_and_what_to_do_above_it(tmp_path: Path) -> None:
    def broken(sample: Sample, i: int) -> Sample:
        sample = replace(sample, explanation={}) if i == 2 else sample
        return replace(sample, answer="A" if sample.answer != "A" else "B") if i == 3 else sample

    code, shown, _ = run(write(changed(broken, 40), tmp_path / "broken", ABOUT))
    *_, last = lines = shown.splitlines()
    assert code == 1
    assert last == f"audit: 3 of {len(CHECKS)} findings fail: balance (match); keys (match); explanations (match)"
    where = lines.index("explanations, match: fails: 2 of 40 are not explained (limit: each option)")
    assert lines[where + 1] == f"    {clean(40)[2].id}: nothing is said of A, B, C, D"
    assert lines[where + 3].startswith('    to mend it: write "Right: …"')


def test_chosen_tasks(tmp_path: Path) -> None:
    other = [replace(sample, id=f"other/{sample.id}", task="other") for sample in clean(8)]
    folder = write([*clean(8), *other], tmp_path / "two", ABOUT)
    shown = run(folder, "--tasks", "other")[1]
    assert "\tother\t" in shown
    assert "\tmatch\t" not in shown
    assert run(folder, "--task", ",")[::2] == (
        1,
        "cogsight: --tasks ',': no task is named; leave it out for all tasks\n",
    )
    code, _, said = run(folder, "--tasks", "mach")
    assert code == 1
    assert said.endswith(f"no task 'mach' in {folder}; did you mean match? known: match, other\n")


def test_no_folder_and_a_folder_that_is_none_of_ours(tmp_path: Path) -> None:
    code, _, said = run(tmp_path / "absent")
    assert (code, said) == (
        1,
        f"cogsight: {tmp_path}/absent: no such folder; make one with: cogsight build BENCHMARK --out {tmp_path}/absent\n",
    )
    code, _, said = run(tmp_path)
    assert code == 1
    assert f"{tmp_path}: no cogsight dataset" in said


def test_a_folder_that_is_not_as_it_was_written(tmp_path: Path) -> None:
    """Another task and answer type in its rows would pass, for no check knows them."""
    folder = write(clean(20), tmp_path / "data", ABOUT)
    other = write([replace(one, task="nope", answer_type="foo") for one in clean(20)], tmp_path / "other", ABOUT)
    (data,) = (folder / "data").iterdir()
    data.write_bytes((other / "data" / data.name).read_bytes())
    code, shown, said = run(folder)
    assert (code, shown) == (1, "")
    assert f"{folder} is not as it was written: data/{data.name} has SHA-256" in said
    data.write_bytes(b"cut")
    assert f"data/{data.name} has SHA-256" in run(folder)[2]


def test_without_scikit_learn_nothing_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(clean(4), tmp_path / "data", ABOUT)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    assert run(folder) == (1, "", "cogsight: scikit-learn is not installed; run: pip install 'cogsight[audit]'\n")


def test_a_benchmark_that_is_not_installed_is_audited_without_proofs(tmp_path: Path) -> None:
    folder = write(clean(20), tmp_path / "data", replace(ABOUT, benchmark="gone"))
    code, shown, _ = run(folder)
    assert code == 0
    assert "keys\tmatch\tdoes not apply\tits benchmark makes these without a table of generators" in shown


NONE = Finding("sizes", "a", Verdict.NONE, "no pictures")


def test_lines_that_say_the_same() -> None:
    two = [
        NONE,
        replace(NONE, task="b"),
        Finding("sizes", "c", Verdict.OK, "fine"),
        Finding("sizes", "d", Verdict.OK, "fine"),
    ]
    assert [finding.task for finding in merged(two)] == ["a, b", "c", "d"]
    assert [finding.task for finding in merged(two[:2])] == ["all 2"]


def test_what_cannot_be_said_is_said() -> None:
    few = replace(NONE, verdict=Verdict.TOO_FEW)
    assert (
        verdict([few, NONE], 3) == "\naudit: nothing fails in 3 questions (2 findings; 1 have too few questions to say)"
    )
    assert list(details([few, NONE])) == []


@pytest.mark.slow
def test_generated_bricks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from cogsight.lego_puzzles import BENCHMARK

    with toy.alone(monkeypatch, tmp_path / "cache", BENCHMARK):
        BENCHMARK.build(tmp_path / "bricks", tasks=["next_step"], num_samples=20)
        code, shown, _ = run(tmp_path / "bricks", "--redraw", 1)
    assert (code, shown.splitlines()[-1]) == (0, f"audit: nothing fails in 20 questions ({len(CHECKS)} findings)")
    assert "keys\tnext_step\tok\t0 of 20 not proved from their state\texactly the key fits" in shown
