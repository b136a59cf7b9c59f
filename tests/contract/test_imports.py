"""Who may import what (DESIGN 1), and what the cheap imports cost."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = tuple(sorted(path.parent.name for path in ROOT.glob("*/benchmark.py") if path.parent.name != "shared"))
FILES = sorted(path for room in (*ROOMS, "shared", "cogsight") for path in (ROOT / room).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Absolute names of all modules that a file imports, wherever in it."""
    package = ("cogsight", *path.relative_to(ROOT).parent.parts)
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            names |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_import_rule(path: Path) -> None:
    room, names = path.relative_to(ROOT).parts[0], imported(path)
    others = {f"cogsight.{other}" for other in ROOMS if other != room}
    assert not {name for name in names if name.startswith(tuple(others))}, "benchmarks meet in shared/ only"
    if path.relative_to(ROOT).parts[:2] != ("shared", "frameworks"):
        assert not {name for name in names if name.split(".")[0] in ("lmms_eval", "vlmeval")}


def test_the_rule_sees_relative_imports() -> None:
    assert "cogsight.shared.variants" in imported(ROOT / "shared" / "benchmark.py")


def test_the_hook_imports_only_sys_at_start() -> None:
    tree = ast.parse((ROOT / "shared" / "import_hook.py").read_text())
    top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(node) for node in top] == ["import sys"]


@pytest.mark.parametrize("module", ["cogsight", "cogsight.shared.import_hook", *(f"cogsight.{r}" for r in ROOMS)])
def test_loads_the_standard_library_only(module: str) -> None:
    code = f"import sys; before = set(sys.modules); import {module}; print(*{{m.split('.')[0] for m in set(sys.modules) - before}})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set(loaded) <= {"cogsight"} | set(sys.stdlib_module_names)


def test_public_names_exist() -> None:
    import cogsight

    assert [name for name in cogsight.__all__ if not hasattr(cogsight, name)] == []
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = cogsight.nothing
