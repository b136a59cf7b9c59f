"""Joins lmms-eval and VLMEvalKit without a flag or a fork (DESIGN 3.5).

`cogsight.pth` imports this at every interpreter start, so it imports only `sys` and does almost nothing: it puts a finder on
`sys.meta_path` that waits for the module where a framework keeps its task list, and calls our plug-in right after that module
has run. Whatever goes wrong in there is one warning; the framework runs on without us.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # true for type checkers alone: `typing` would cost ten times what this file does
    from typing import Any

PLUGINS = {
    "lmms_eval.tasks": "cogsight.shared.frameworks.lmms.plugin",
    "vlmeval.dataset": "cogsight.shared.frameworks.vlmevalkit.plugin",
    "vlmeval.config": "cogsight.shared.frameworks.vlmevalkit.baseline",
}


class Finder:
    """Acts on the names in PLUGINS alone; for every other import it is one dictionary look-up."""

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "Any":
        """The other finders' spec, with a loader that registers us once the module has run."""
        if name not in PLUGINS or _switched_off():
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find and finder is not self else None
            if spec is not None:
                break
        else:
            return None
        run = getattr(spec.loader, "exec_module", None)
        if run is not None:

            def exec_module(module: "Any") -> None:
                run(module)
                register(module)

            spec.loader.exec_module = exec_module
        return spec


def register(module: "Any") -> None:
    """Call the plug-in that belongs to this framework module; a failure becomes one warning."""
    try:
        from importlib import import_module

        import_module(PLUGINS[module.__name__]).register(module)
    except Exception as error:  # noqa: BLE001 - the framework must run on, whatever we did wrong
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("always")  # lmms_eval.utils silences all warnings
            warnings.warn(
                f"cogsight did not join {module.__name__.split('.')[0]}: {error!r}; run: cogsight doctor", stacklevel=2
            )


def _switched_off() -> bool:
    from os import environ

    return environ.get("COGSIGHT_NO_HOOK", "0") not in ("", "0")


def install() -> None:
    """Put the finder first, once. A framework that is loaded already is joined at once."""
    if any(isinstance(finder, Finder) for finder in sys.meta_path):
        return
    sys.meta_path.insert(0, Finder())
    for name in PLUGINS:
        if name in sys.modules and not _switched_off():
            register(sys.modules[name])


install()
