"""lmms-eval's own command, run as users run it. It exits with 0 whatever happens, so each test looks at what was written.

One process does many runs (`--config` with a list), since starting lmms-eval takes ten seconds.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import fake_lego
import pytest
import tiny_vlm
from PIL import Image
from runs import LMMS_EVAL, OFFLINE, Run, call
from stub_server import Answer, Request, StubServer

from cogsight.lego_puzzles.benchmark import BENCHMARK
from cogsight.lego_puzzles.official import read_release
from cogsight.lego_puzzles.taxonomy import TASKS
from cogsight.shared.baselines import NO_ANSWER
from cogsight.shared.frameworks.lmms import logs
from cogsight.shared.sample import Picture, Sample

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("lmms_eval") is None, reason="lmms-eval is not installed"),
    pytest.mark.filterwarnings("ignore:.*is not the release as published"),
]

OFFICIAL = BENCHMARK.variant("lego_puzzles")
ROOT = Path(__file__).parents[3]
REAL_ROWS = ROOT.parent / "shared" / "data" / "lego_puzzles" / "LEGO.tsv"
"""Three rows of the official release, beside the checkout."""
TINY = "device_map=cpu"
SHORT = {"device": "cpu", "gen_kwargs": "max_new_tokens=8", "limit": 3}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> dict[str, str]:
    """Offline, with an official release of invented rows. The generated set is kept from one test run to the next."""
    home = tmp_path_factory.mktemp("home")
    kept_by_pytest = getattr(pytestconfig, "cache", None)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COGSIGHT_", "HF_"))}
    return kept | {
        **OFFLINE,
        "HF_HOME": str(home),
        "COGSIGHT_CACHE": str(kept_by_pytest.mkdir("cogsight") if kept_by_pytest else home / "cache"),
        "COGSIGHT_ALLOW_CHANGED": "1",
        "COGSIGHT_LEGO_PUZZLES_DATA": str(fake_lego.release(home)),
    }


@pytest.fixture(scope="module")
def asked(environment: Mapping[str, str]) -> dict[str, Sample]:
    """Sample id → the invented samples, one of each task."""
    release = read_release(Path(environment["COGSIGHT_LEGO_PUZZLES_DATA"]), allow_changed=True)
    return {sample.id: sample for sample in release}


def question_number(text: str) -> int:
    found = re.search(r'The ".*" question (\d+)', text)
    assert found, text
    return int(found[1])


def script(request: Request) -> Answer:
    """By the question's number: every fourth request fails, every fourth reply has no content, is cut off, or is plain."""
    replies = (
        Answer("overloaded", status=400),
        Answer(None),
        Answer("First I look at", finish="length", completion_tokens=OFFICIAL.max_new_tokens),
        Answer("The answer is A."),
    )
    return replies[question_number(request.text) % 4]


@dataclass(frozen=True)
class Batch:
    """Many evaluations by one process, and the requests that each sent to the stub."""

    folder: Path
    requests: Mapping[str, Sequence[Request]]

    def __getitem__(self, name: str) -> Run:
        return Run(self.folder / name)


@pytest.fixture(scope="module")
def batch(environment: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Batch]:
    folder = tmp_path_factory.mktemp("batch")
    qwen = f"pretrained={tiny_vlm.build('qwen25', folder / 'tiny_qwen')},{TINY},min_pixels=3136,max_pixels=12544"
    internvl = f"pretrained={tiny_vlm.build('internvl', folder / 'tiny_internvl')},{TINY},max_patches=2"
    with StubServer(script) as server:

        def api(name: str) -> str:
            return f"model={name},base_url={server.url},api_key=x,max_retries=1"

        cache = str(folder / "cache")
        runs: dict[str, dict[str, Any]] = {
            "random": {"model": "cogsight_baseline", "tasks": "lego_puzzles_lite_procedural"},
            "unparsable": {
                "model": "cogsight_baseline",
                "model_args": "policy=unparsable",
                "tasks": "lego_puzzles_lite_procedural",
                "batch_size": "8",
            },
            "simple": {"model": "cogsight_baseline", "model_args": "policy=oracle", "force_simple": True},
            "openai": {"model": "openai", "model_args": f"{api('openai')},num_concurrent=4"},
            "openai_simple": {
                "model": "openai",
                "model_args": f"{api('openai_simple')},num_concurrent=4",
                "force_simple": True,
            },
            "async_openai": {"model": "async_openai", "model_args": f"{api('async_openai')},num_cpus=4"},
            "cache_filled": {"model": "openai", "model_args": api("cached"), "use_cache": cache},
            "cache_read": {"model": "openai", "model_args": api("cached"), "use_cache": cache},
            "internvl": {"model": "internvl_hf", "model_args": internvl, **SHORT},
            "qwen": {"model": "qwen2_5_vl", "model_args": qwen, **SHORT},
            "qwen_simple": {"model": "qwen2_5_vl", "model_args": qwen, "force_simple": True, **SHORT},
        }
        shared = {"tasks": "lego_puzzles", "batch_size": "1", "log_samples": True}
        config = [shared | {"output_path": str(folder / name)} | run for name, run in runs.items()]
        (folder / "config.json").write_text(json.dumps(config))  # JSON is YAML
        printed = call([LMMS_EVAL, "eval", "--config", str(folder / "config.json")], environment)
        assert "Traceback" not in printed, printed
        names = {request.body["model"] for request in server.requests}
        yield Batch(folder, {n: [r for r in server.requests if r.body["model"] == n] for n in names})


def test_oracle_by_the_documented_command(environment: Mapping[str, str], tmp_path: Path) -> None:
    command = "--model cogsight_baseline --model_args policy=oracle --tasks lego_puzzles_lite_procedural --batch_size 1"
    printed = call([LMMS_EVAL, *command.split(), "--log_samples", "--output_path", str(tmp_path)], environment)
    run = Run(tmp_path)
    assert (run.results["accuracy"], run.results["lost"], run.results["unparsed"]) == (100.0, 0.0, 0.0)
    assert run.results["complete"] == 1.0
    assert {name: run.results[name] for name in TASKS} == dict.fromkeys(TASKS, 100.0)
    assert len(run.rows) == 220
    assert "LEGO-Puzzles (lego_puzzles_lite_procedural): 100.0 %" in printed
    assert "did not join" not in printed


def test_random_lands_inside_the_interval_around_chance(batch: Batch) -> None:
    run = batch["random"]
    assert len(run.rows) == 220
    assert run.results["lost"] == run.results["unparsed"] == 0.0
    chance = 100 * sum(task.chance for task in TASKS.values()) / len(TASKS)
    assert abs(run.results["accuracy"] - chance) < 9  # three standard deviations of the mean of 11 × 20 guesses


def test_unparsable_is_all_unparsed(batch: Batch) -> None:
    run = batch["unparsable"]
    assert (run.results["accuracy"], run.results["unparsed"], run.results["lost"]) == (0.0, 100.0, 0.0)
    assert {row.reply.text for row in run.rows.values()} == {NO_ANSWER}


def pixels(data: bytes) -> tuple[tuple[int, int], bytes]:
    image = Image.open(BytesIO(data)).convert("RGB")
    return image.size, image.tobytes()


@pytest.mark.parametrize("backend", ["openai", "async_openai"])
def test_chat_apis_get_text_and_pictures_in_our_order(backend: str, batch: Batch, asked: Mapping[str, Sample]) -> None:
    sent = {question_number(request.text): request for request in batch.requests[backend]}
    assert len(sent) == len(batch.requests[backend]) == len(asked)
    for sample in asked.values():
        messages = BENCHMARK.turn(sample, OFFICIAL, [])
        assert messages is not None
        request = sent[int(sample.id.rpartition("/")[2])]
        expected = [pixels(part.data) if isinstance(part, Picture) else part for part in messages[0].parts]
        assert [pixels(part) if isinstance(part, bytes) else part for part in request.parts] == expected
        assert request.body["max_tokens"] == OFFICIAL.max_new_tokens
        assert request.body["temperature"] == 0


def test_simple_apis_get_one_labelled_collage(batch: Batch, asked: Mapping[str, Sample]) -> None:
    sent = batch.requests["openai_simple"]
    assert len(sent) == len(asked)
    for request in sent:
        assert len(request.images) == 1
        assert "<image" not in request.text
        assert "Image 1" in request.text
    assert {row.view for row in batch["openai_simple"].rows.values()} == {"collage"}


def test_forced_simple_baseline_sees_a_collage_of_each_question(batch: Batch) -> None:
    run = batch["simple"]
    assert run.results["accuracy"] == 100.0
    assert {row.view for row in run.rows.values()} == {"collage"}


@pytest.mark.parametrize("backend", ["openai", "async_openai", "openai_simple"])
def test_what_an_api_may_do_to_us(backend: str, batch: Batch, asked: Mapping[str, Sample]) -> None:
    run = batch[backend]
    verdicts = [(None, "request_failed"), (0.0, "empty"), (0.0, "truncated"), (1.0, "right")]
    for sample_id, sample in asked.items():
        assert sample.answer[0] == "A"
        record = run.records[sample_id]["cogsight"]
        assert (record["points"], record["reason"]) == verdicts[int(sample_id.rpartition("/")[2]) % 4], sample_id
    lost = sum(record["lost"] for record in run.records.values()) / len(asked)
    assert run.results["lost"] == pytest.approx(lost)
    assert 0 < lost < 100


def test_the_cache_keeps_replies_but_no_failures(batch: Batch, asked: Mapping[str, Sample]) -> None:
    sent = [question_number(request.text) for request in batch.requests["cached"]]
    again = {number for number in sent if sent.count(number) == 2}
    assert {number for number in sent if number % 4 == 0} <= again, "a failed request is made again"
    assert {number for number in again if number % 4 in (2, 3)} == set(), "a reply is not paid for twice"
    filled, read = batch["cache_filled"], batch["cache_read"]
    assert {key: row.reply.text for key, row in filled.rows.items()} == {
        key: row.reply.text for key, row in read.rows.items()
    }
    assert read.results["lost"] == filled.results["lost"]


@pytest.mark.parametrize(
    ("name", "view"), [("internvl", "images"), ("qwen", "images"), ("qwen_simple", "collage")], ids=str
)
def test_models_run_on_a_cpu(name: str, view: str, batch: Batch) -> None:
    run = batch[name]
    assert len(run.rows) == 3
    assert {row.view for row in run.rows.values()} == {view}
    assert run.results["lost"] == 0.0
    assert run.results["complete"] == 0.0, "three questions are not the benchmark"
    assert run.results["complete_stderr"] == "N/A"


def test_real_rows_through_python_m(environment: Mapping[str, str], tmp_path: Path) -> None:
    if not REAL_ROWS.exists():
        pytest.skip(f"{REAL_ROWS} is not beside this checkout")
    changed = {
        "COGSIGHT_LEGO_PUZZLES_DATA": str(REAL_ROWS),
        "COGSIGHT_CACHE": str(tmp_path),
        "COGSIGHT_VIEW": "collage",
    }
    env = {**environment, **changed}
    command = (
        "--model cogsight_baseline --model_args policy=oracle --tasks lego_puzzles,lego_puzzles_lite --log_samples"
    )
    printed = call([sys.executable, "-m", "lmms_eval", *command.split(), "--output_path", str(tmp_path)], env)
    (path,) = tmp_path.rglob("*_results.json")
    results = json.loads(path.read_text())["results"]
    assert {name: metrics["accuracy,none"] for name, metrics in results.items()} == {
        "lego_puzzles": 100.0,
        "lego_puzzles_lite": 100.0,
    }
    assert "INCOMPLETE, no score. 1097 of 1100 answers missing" in printed
    assert "is not the release as published" in printed, "lmms-eval silences warnings, but not this one"
    rows = {log.stem.partition("_samples_")[2]: logs.read(log) for log in tmp_path.rglob(logs.PATTERN)}
    assert {name: {(row.variant, row.view) for row in found} for name, found in rows.items()} == {
        "lego_puzzles": {("lego_puzzles", "collage")},
        "lego_puzzles_lite": {("lego_puzzles_lite", "collage")},
    }
    assert {len(found) for found in rows.values()} == {3}


def test_two_ranks_share_the_questions(
    environment: Mapping[str, str], asked: Mapping[str, Sample], tmp_path: Path
) -> None:
    launch = "--nproc_per_node 2 --rdzv_backend c10d --rdzv_endpoint 127.0.0.1:0 -m lmms_eval"
    command = "--model cogsight_baseline --model_args policy=oracle --tasks lego_puzzles --batch_size 1 --log_samples"
    torchrun = [sys.executable, "-m", "torch.distributed.run", *launch.split(), *command.split()]
    call([*torchrun, "--output_path", str(tmp_path)], environment)
    run = Run(tmp_path)
    assert run.results["accuracy"] == 100.0
    assert set(run.rows) == set(asked)
    assert {row.view for row in run.rows.values()} == {"images"}


def test_tasks_list(environment: Mapping[str, str]) -> None:
    listed = call([LMMS_EVAL, "tasks", "list"], environment).split()
    assert {variant.name for variant in BENCHMARK.variants} <= set(listed)


MANAGER = """
import sys
if {broken}:
    sys.modules["cogsight.shared.frameworks.lmms.plugin"] = None
from lmms_eval.tasks import TaskManager
names = TaskManager().all_tasks
import lmms_eval.models
print(len(names) > 1000, "lego_puzzles" in names, "cogsight_baseline" in lmms_eval.models.list_available_models())
"""


@pytest.mark.parametrize(
    ("broken", "switched_off"), [(False, False), (True, False), (False, True)], ids=["whole", "broken", "off"]
)
def test_a_bare_task_manager(broken: bool, switched_off: bool, environment: Mapping[str, str]) -> None:
    env = {**environment, "COGSIGHT_NO_HOOK": "1" if switched_off else "0"}
    printed = call([sys.executable, "-c", MANAGER.format(broken=broken)], env)
    joined = not broken and not switched_off
    assert f"True {joined} {joined}\n" in printed, "lmms-eval's own tasks are always there"
    assert printed.count("UserWarning: cogsight did not join lmms_eval") == int(broken)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("COGSIGHT_LEGO_PUZZLES_DATA", "/nowhere/LEGO.tsv", "COGSIGHT_LEGO_PUZZLES_DATA: no file /nowhere/LEGO.tsv"),
        ("COGSIGHT_ALLOW_CHANGED", "yes", "COGSIGHT_ALLOW_CHANGED=yes: expected 0 or 1"),
    ],
    ids=["data", "setting"],
)
def test_what_cannot_be_used_ends_the_program_with_one_message(
    name: str, value: str, message: str, environment: Mapping[str, str]
) -> None:
    env = {**environment, name: value}
    command = [LMMS_EVAL, "--model", "cogsight_baseline", "--tasks", "lego_puzzles"]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"cogsight: {message}")
    assert "Traceback" not in done.stderr and "did not join" not in done.stderr


def test_a_misspelt_argument_of_the_baseline_is_told(environment: Mapping[str, str]) -> None:
    command = "--model cogsight_baseline --model_args polcy=first --tasks lego_puzzles"
    printed = call([LMMS_EVAL, *command.split()], environment)
    assert "polcy: cogsight_baseline takes policy and seed only" in printed
