"""Does a framework know our names? `cogsight doctor` runs `python probes.py NAME` to find out.

In a process of its own: importing a framework takes seconds and a gigabyte, may fail in any way, and only a fresh interpreter
shows whether the start-up file does its work. For that reason this imports nothing of ours and is run by its path. The last
line of stdout is the answer, JSON.
"""

from __future__ import annotations

import json
import os
import sys
from importlib.util import find_spec
from typing import Any

ABSENT: dict[str, Any] = {"installed": False}


def lmms_eval() -> dict[str, Any]:
    """What lmms-eval knows, as `lmms-eval tasks list` would."""
    if find_spec("lmms_eval") is None:
        return ABSENT
    import lmms_eval
    from lmms_eval.tasks import TaskManager

    return _answer(lmms_eval, TaskManager().all_tasks)


def vlmeval() -> dict[str, Any]:
    """What VLMEvalKit knows, as `vlmutil dlist all` would."""
    if find_spec("vlmeval") is None:
        return ABSENT
    import vlmeval
    from vlmeval.dataset import SUPPORTED_DATASETS

    return _answer(vlmeval, SUPPORTED_DATASETS)


def _answer(framework: Any, names: Any) -> dict[str, Any]:
    return {"installed": True, "path": str(framework.__path__[0]), "names": sorted(names)}


PROBES = {"lmms_eval": lmms_eval, "vlmeval": vlmeval}

if __name__ == "__main__":
    sys.path[0] = os.getcwd()  # where a checkout of VLMEvalKit is found, as by its run.py
    answer = PROBES[sys.argv[1]]()
    print()
    print(json.dumps(answer))
