"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WITH_EXAMPLES = sorted(
    path.relative_to(ROOT).with_suffix("")
    for room in ROOT.glob("*/__init__.py")
    for path in room.parent.rglob("*.py")
    if re.search(r"^\s*>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
)


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=str)
def test_examples(path: Path) -> None:
    name = ".".join(("cogsight", *path.parts)).removesuffix(".__init__")
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
