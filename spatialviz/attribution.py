"""The six classes of errors that the paper tells apart (its Figure 5), as a question to people who read a wrong reply."""

from __future__ import annotations

from cogsight.shared.judge.prompts.grading import ERROR_CLASSES
from cogsight.shared.report.labelling_page import Question

ERRORS = Question(
    name="error",
    title="What went wrong first?",
    options={
        "perceptual": "Perception",
        "transformation": "Spatial transformation",
        "memorisation": "Spatial memory",
        "instruction": "Following the instruction",
        "methodological": "Method",
        "calculation": "Calculation and reasoning",
    },
    hints={name: f"{meaning[0].upper()}{meaning[1:]}." for name, meaning in ERROR_CLASSES.items()},
)
"""People are told the same as a judge that suggests a class."""
