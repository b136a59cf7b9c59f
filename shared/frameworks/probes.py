"""Does a framework know our names? `cogsight doctor` runs `python probes.py NAME` to find out.

In a process of its own: importing a framework takes seconds and a gigabyte, may fail in any way, and only a fresh interpreter
shows whether the start-up file does its work. For that reason this imports nothing of ours and is run by its path. The last
line of stdout is the answer, JSON.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Iterable
from importlib.util import find_spec
from types import ModuleType
from typing import Any


def lmms_eval() -> tuple[ModuleType, Iterable[str]]:
    """What lmms-eval knows, as `lmms-eval tasks list` would."""
    import lmms_eval
    from lmms_eval.tasks import TaskManager

    return lmms_eval, TaskManager().all_tasks


def vlmeval() -> tuple[ModuleType, Iterable[str]]:
    """What VLMEvalKit knows, as `vlmutil dlist all` would."""
    import vlmeval
    from vlmeval.dataset import SUPPORTED_DATASETS

    return vlmeval, SUPPORTED_DATASETS


PROBES = {"lmms_eval": lmms_eval, "vlmeval": vlmeval}


def answer(name: str) -> dict[str, Any]:
    """Whether it is installed and where, the names it knows, and what cogsight complained of meanwhile."""
    if find_spec(name) is None:
        return {"installed": False}
    complaints = _overheard()
    framework, names = PROBES[name]()
    return {"installed": True, "path": framework.__path__[0], "names": sorted(set(names)), "complaints": complaints}


def _overheard() -> list[str]:
    """Our warnings from now on: importing lmms-eval brings a filter that keeps every warning from being shown."""
    said: list[str] = []
    usual = warnings.warn

    def warn(message: Any, *args: Any, **kwargs: Any) -> None:
        if str(message).startswith("cogsight"):
            said.append(str(message))
        usual(message, *args, **kwargs)

    warnings.warn = warn
    return said


if __name__ == "__main__":
    sys.path[0] = os.getcwd()  # where a checkout of VLMEvalKit is found, as by its run.py
    found = answer(sys.argv[1])
    print()
    print(json.dumps(found))
