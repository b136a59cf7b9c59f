"""The true picture of a question that a picture answers: kept with the question, and never shown to the model.

Where a sample's metadata say `{"truth": "last image"}`, the last of its pictures is what the model's own is held against.
"""

from __future__ import annotations

import json

from .sample import Picture, Sample

PICTURE = "picture"
"""The answer type of such a question."""
TRUTH, LAST = "truth", "last image"
"""Field of the metadata, and what it says."""


def has_truth(sample: Sample) -> bool:
    """Whether its last picture is the true one.

    >>> has_truth(Sample("a", "b", "c", "1", (), "?", {}, "", "picture", metadata='{"truth": "last image"}'))
    True
    """
    return TRUTH in sample.metadata and json.loads(sample.metadata).get(TRUTH) == LAST


def truth_of(sample: Sample) -> Picture | None:
    """The true picture; None where it is not known."""
    return sample.images[-1] if has_truth(sample) and sample.images else None


def shown(sample: Sample) -> tuple[Picture, ...]:
    """The pictures that a model may see."""
    return sample.images[:-1] if has_truth(sample) else sample.images
