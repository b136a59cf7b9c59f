"""Quality gates for any data set that `cogsight build` writes: a table of checks, each a pure function over measured samples.

`measure` reduces each sample's pictures to a few numbers; a check (`finding.Check`) gives one finding for each task. A new check is a
file like `explanations.py` and a row here. This package is imported only by its command.
"""

from __future__ import annotations

from . import balance, duplicates, explanations, options, proofs, shortcuts
from .finding import Check

CHECKS = (
    Check(duplicates.NAME, duplicates.duplicates),
    Check(duplicates.NEAR_NAME, duplicates.near_duplicates),
    Check(balance.NAME, balance.balance),
    Check(options.NAME, options.look_alikes),
    Check(options.SIZE_NAME, options.option_sizes),
    *(Check(clue.name, clue.run) for clue in shortcuts.CLUES),
    Check(proofs.NAME, proofs.keys),
    Check(proofs.REDRAW_NAME, proofs.redrawing),
    Check(explanations.NAME, explanations.explanations),
)
"""In the order of the table."""
