"""`cogsight exec`: a script or module runs as `python` would run it, after the import hook has been put in place.

Only this process gets the hook: a fresh interpreter that the script starts (torchrun, multiprocessing by spawn) does not.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from ..errors import CogsightError
from ..import_hook import install


def run(command: Sequence[str]) -> int:
    """`command` is ("run.py", "--data", …) or ("-m", "vlmeval", …). Returns the exit code; what the script exits with goes by."""
    install()
    is_module = command[0] == "-m"
    target, folder = _module(command) if is_module else _script(command)
    sys.argv[:] = command[1:] if is_module else command
    if not getattr(sys.flags, "safe_path", False):  # Python 3.11 on: -P
        sys.path[0] = folder
    try:
        if is_module:
            runpy.run_module(target, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(target, run_name="__main__")
    except Exception:  # noqa: BLE001 - the script's own failure: its traceback and exit code 1, as from python itself
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def _module(command: Sequence[str]) -> tuple[str, str]:
    """Name of the module, and the folder that python would search first."""
    if len(command) < 2:
        raise CogsightError(
            "exec -m: the module's name is missing, as in: cogsight exec -m vlmeval --data LEGO_Puzzles"
        )
    folder, name = str(Path.cwd()), command[1]
    sys.path.insert(0, folder)
    found = find_spec(name.partition(".")[0])
    sys.path.remove(folder)
    if found is None:
        raise CogsightError(f"exec -m {name}: no such module in {folder} or on the path of {sys.executable}")
    return name, folder


def _script(command: Sequence[str]) -> tuple[str, str]:
    script = Path(command[0])
    if not script.exists():
        raise CogsightError(f"exec {script}: no such file in {Path.cwd()}; for a module write: cogsight exec -m MODULE")
    return str(script), str(script.resolve().parent)
