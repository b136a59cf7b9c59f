"""Called by the import hook right after `vlmeval.dataset` has run: puts our datasets into VLMEvalKit's registry.

At that moment `vlmeval`, `vlmeval.config` and `vlmeval.api` are half imported, so this module and `dataset.py` import, at module
level, only `vlmeval.dataset.*` and `vlmeval.smp`. Nothing is read or built before a dataset is asked for by name.
"""

from __future__ import annotations

from types import ModuleType

from ...registry import benchmarks
from .dataset import dataset_class


def register(module: ModuleType) -> None:
    """Add one class per benchmark to `vlmeval.dataset`, in place: other modules of the kit hold these very lists already."""
    known = {cls.__name__ for cls in module.DATASET_CLASSES}
    for benchmark in benchmarks().values():
        cls = dataset_class(benchmark, module.__name__)
        if cls.__name__ in known:
            continue
        module.DATASET_CLASSES.insert(0, cls)
        module.SUPPORTED_DATASETS.extend(cls.supported_datasets())
        module.__all__.append(cls.__name__)
        setattr(module, cls.__name__, cls)  # for {"class": …} in --config and --data-config, and for pickle
