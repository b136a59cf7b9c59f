"""What `cogsight doctor` looks at. A check yields findings; none changes anything, and none stops at the first fault."""

from __future__ import annotations

import json
import shutil
import site
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from ..errors import CogsightError
from ..fetch import ALLOW_CHANGED
from ..redact import redact
from ..registry import benchmarks, left_out, variants
from ..settings import NAMES, ldraw_dir, no_hook, official_data_variable, settings, variables_set
from ..variants import lmms_eval_name, vlmeval_name
from .data import release_of

START_UP_FILE = "cogsight.pth"
HOOK = "cogsight.shared.import_hook"
PROBES = Path(__file__).parents[1] / "frameworks" / "probes.py"
PROBE_SECONDS = 180
"""Enough to import a framework, torch and all, from a cold disk."""
LOW_SPACE = 2_000_000_000
"""Bytes; an official release, its download and its dataset take about that."""


class Level(Enum):
    """How a finding counts."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing; nothing that should work is broken."""
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    level: Level
    topic: str
    text: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Framework:
    """One that we join, as the doctor needs to know it."""

    title: str
    module: str
    packages: tuple[str, ...]
    """Distributions that bring the module; the first is the one on PyPI."""
    extra: str
    needs: Mapping[str, str]
    """Module without which runs fail → what then happens."""
    mended: frozenset[str] = frozenset()
    """Those of them that our plug-in makes up for."""


FRAMEWORKS = (
    Framework(
        "lmms-eval",
        "lmms_eval",
        ("lmms-eval",),
        "lmms-eval",
        {"filelock._api": "lmms-eval imports it before every run, and filelock 4.3 and later do not have it"},
        frozenset({"filelock._api"}),
    ),
    Framework(
        "VLMEvalKit",
        "vlmeval",
        ("ms-vlmeval", "vlmeval"),
        "vlmeval",
        dict.fromkeys(("openpyxl", "xlsxwriter"), "without it every dataset ends with: No such file … .xlsx"),
    ),
)


def python() -> Iterator[Finding]:
    """Which interpreter, which cogsight."""
    import cogsight

    yield Finding(Level.OK, "python", f"{sys.version.split()[0]}, {sys.executable}")
    yield Finding(Level.OK, "cogsight", f"{cogsight.__version__}, {Path(__file__).parents[2]}")


def requirements() -> Iterator[Finding]:
    """Core dependencies at the versions that setup.cfg asks for; Pillow's floor decides whether pictures come out the same."""
    from packaging.requirements import Requirement

    for requirement in map(Requirement, requires("cogsight") or ()):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            found = version(requirement.name)
        except PackageNotFoundError:
            found = ""
        if not found or not requirement.specifier.contains(found, prereleases=True):
            text = f"{found or 'not installed'}, expected {requirement.specifier or 'any version'}"
            yield Finding(Level.FAULT, requirement.name, text, f"pip install '{requirement}'")
        elif requirement.specifier:
            yield Finding(Level.OK, requirement.name, found)


def hook_is_active() -> bool:
    """Whether this interpreter joins the frameworks."""
    return HOOK in sys.modules and not no_hook()


def hook() -> Iterator[Finding]:
    """Has the start-up file put the import hook into this interpreter, and if not, why?"""
    if no_hook():
        yield Finding(Level.FAULT, "hook", "switched off by COGSIGHT_NO_HOOK", "unset COGSIGHT_NO_HOOK")
    elif hook_is_active():
        yield Finding(Level.OK, "hook", "active: lmms-eval and VLMEvalKit are joined when they are imported")
    else:
        yield Finding(Level.FAULT, "hook", *_why_inactive())


def _why_inactive() -> tuple[str, str]:
    """What keeps the start-up file from working, and the way out."""
    fallback = "run the frameworks by: cogsight exec run.py … (or: cogsight exec -m lmms_eval …)"
    if sys.flags.no_site:
        return "python -S reads no start-up files", fallback
    folders = [*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])]
    there = [path for folder in folders if (path := Path(folder) / START_UP_FILE).is_file()]
    if not there:
        where = f"no {START_UP_FILE} in {', '.join(folders)} (cogsight comes from {Path(__file__).parents[2]})"
        return where, f"pip install --force-reinstall --no-deps cogsight; where that is no choice, {fallback}"
    return f"{there[0]} is there but did not run", f"look at what this says: python -c 'import {HOOK}'"


def frameworks() -> Iterator[Finding]:
    """Each one: installed, complete, and aware of our names? Asked in processes of their own, side by side."""
    with ThreadPoolExecutor() as pool:
        for framework, answer in zip(FRAMEWORKS, pool.map(probe, FRAMEWORKS), strict=True):
            yield from _findings(framework, answer)
    if all(find_spec(framework.module) for framework in FRAMEWORKS):
        text = "both in one environment: pip then picks a latex2sympy2 that does not import, which other tasks of theirs need"
        yield Finding(Level.NOTE, "environment", text, "keep them in two environments unless you run cogsight alone")


def probe(framework: Framework) -> Mapping[str, Any]:
    """The answer of `probes.py`, or {"error": the last line that it said}."""
    flags = [
        flag
        for name, flag in (("no_site", "-S"), ("isolated", "-I"), ("no_user_site", "-s"))
        if getattr(sys.flags, name)
    ]
    command = [sys.executable, *flags, str(PROBES), framework.module]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        return {"error": f"no answer in {PROBE_SECONDS} s"}
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
        return {"error": " ".join(last) or f"exit code {done.returncode}"}
    return dict(json.loads(done.stdout.splitlines()[-1]))


def _findings(framework: Framework, answer: Mapping[str, Any]) -> Iterator[Finding]:
    if "error" in answer:
        mend = f"all of it: {sys.executable} {PROBES} {framework.module}"
        yield Finding(Level.FAULT, framework.title, f"cannot be imported: {answer['error']}", mend)
        return
    if not answer["installed"]:
        yield Finding(Level.NOTE, framework.title, "not installed", f"pip install 'cogsight[{framework.extra}]'")
        return
    yield Finding(Level.OK, framework.title, f"{_version(framework, Path(answer['path']))}, {answer['path']}")
    yield from _needs(framework)
    ours = our_names(framework.module)
    if missing := [name for name in ours if name not in answer["names"]]:
        text = f"knows {len(ours) - len(missing)} of our {len(ours)} names, not {', '.join(missing[:3])}"
        why = (
            "; ".join(answer["complaints"]) or "mend the hook first, see above; if it is active, this is a bug of ours"
        )
        yield Finding(Level.FAULT, framework.title, text, why)
    else:
        yield Finding(Level.OK, framework.title, f"knows our {len(ours)} names: {', '.join(ours)}")


def our_names(module: str) -> list[str]:
    """The names of every variant in one framework."""
    if module == "lmms_eval":
        return [lmms_eval_name(variant) for _, variant in variants()]
    return [vlmeval_name(variant, benchmark.vlmeval_prefix) for benchmark, variant in variants()]


def _version(framework: Framework, path: Path) -> str:
    for package in framework.packages:
        try:
            found = distribution(package)
        except PackageNotFoundError:
            continue
        if Path(str(found.locate_file(framework.module))).resolve() == path.resolve():
            return found.version
    return "a checkout"


def _needs(framework: Framework) -> Iterator[Finding]:
    for name, consequence in framework.needs.items():
        package = name.partition(".")[0]
        if find_spec(package) is None or find_spec(name) is None:
            mended = name in framework.mended and hook_is_active()
            text = f"no {name}: {consequence}" + ("; cogsight mends that as it joins" if mended else "")
            level = Level.NOTE if mended else Level.FAULT
            yield Finding(level, framework.title, text, f"pip install 'cogsight[{framework.extra}]'")


def cache() -> Iterator[Finding]:
    """Can the cache folder be written, and is there room?"""
    folder = settings().cache
    parent = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with TemporaryFile(dir=parent):
            free = shutil.disk_usage(parent).free
    except OSError as error:
        text = f"{folder} cannot be written: {error.strerror}"
        yield Finding(Level.FAULT, "cache", text, "set COGSIGHT_CACHE to a folder you can write to")
        return
    if free < LOW_SPACE:
        yield Finding(
            Level.NOTE, "cache", f"{folder}: only {free / 1e9:.1f} GB free", "free some, or set COGSIGHT_CACHE"
        )
    else:
        yield Finding(Level.OK, "cache", f"{folder}, {free / 1e9:.0f} GB free")


def registered() -> Iterator[Finding]:
    """Benchmarks, ours and those of other packages: can each be loaded?"""
    for point in left_out():
        mend = f"look at what this says: python -c 'import {point.module}'; or uninstall the package that brings it"
        yield Finding(Level.FAULT, "benchmarks", f"{point.name} cannot be loaded", mend)
    yield Finding(Level.OK, "benchmarks", ", ".join(benchmarks()))


def data() -> Iterator[Finding]:
    """Official releases: there or not, and is it the pinned file?"""
    everything = [(one, release) for one in benchmarks().values() for release in one.all_releases]
    for benchmark, release in everything:
        found = release_of(release)
        if found.state in ("to_download", "not_published"):
            about = f"{benchmark.title}: {release.name} " if found.state == "not_published" else f"{benchmark.title}: "
            yield Finding(Level.NOTE, "official data", about + found.text)
        elif found.path is None or not release.is_at(found.path):
            mend = f"name {release.name} or its folder, or unset the variable to download it"
            yield Finding(Level.FAULT, "official data", f"{benchmark.title}: {found.text}", mend)
        elif problem := release.problem(fingerprint := release.fingerprint(found.path)):
            level = Level.NOTE if settings().allow_changed else Level.FAULT
            yield Finding(level, "official data", f"{benchmark.title}: {found.path} {problem}", ALLOW_CHANGED)
        else:
            yield Finding(
                Level.OK,
                "official data",
                f"{benchmark.title}: {found.text}, {release.note(fingerprint) or 'as released'}",
            )


def ldraw() -> Iterator[Finding]:
    """The LDraw parts library, for brick models that do not bring their parts."""
    folder = ldraw_dir()
    if folder is None:
        yield Finding(Level.OK, "LDRAWDIR", "not set: brick models must bring their parts, or get them by --ldraw-dir")
    elif missing := [name for name in ("parts", "p") if not (folder / name).is_dir()]:
        text = f"{folder} has no folder {' and no '.join(missing)}"
        yield Finding(
            Level.FAULT, "LDRAWDIR", text, "name the folder that holds parts and p of the LDraw library, or unset it"
        )
    else:
        yield Finding(Level.OK, "LDRAWDIR", f"{folder}")


def bad_setting() -> str:
    """What is wrong with the settings; empty when nothing is. Checks that need them cannot be made then."""
    try:
        settings()
    except CogsightError as error:
        return str(error)
    return ""


def environment() -> Iterator[Finding]:
    """The COGSIGHT_* variables: misused, misspelt, in effect, and those that could be set."""
    names = [release.benchmark for benchmark in benchmarks().values() for release in benchmark.all_releases]
    given, known = redact(variables_set()), sorted({*NAMES, *map(official_data_variable, [*benchmarks(), *names])})
    if problem := bad_setting():
        yield Finding(Level.FAULT, "settings", problem, "correct or unset it")
    for name in sorted(given.keys() - known):
        near = get_close_matches(name, known, n=1, cutoff=0.8)  # all begin alike
        mend = f"did you mean {near[0]}?" if near else "see the names below"
        yield Finding(Level.NOTE, "settings", f"{name} is set, but nothing reads it", mend)
    for name in known:
        if name in given:
            yield Finding(Level.OK, "settings", f"{name}={given[name]}")
    if unset := [name for name in known if name not in given]:
        yield Finding(Level.OK, "settings", f"by default: {', '.join(unset)}")


CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    python,
    requirements,
    hook,
    environment,
    frameworks,
    cache,
    registered,
    data,
    ldraw,
)
