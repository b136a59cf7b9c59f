"""The 11 tasks of LEGO-Puzzles in the paper's order, and its 3 categories (paper section 3.1; option counts from the tasks' forms)."""

from __future__ import annotations

from math import factorial

from cogsight.shared.benchmark import Task

CATEGORIES = {
    "spatial_understanding": "Spatial Understanding",
    "single_step_reasoning": "Single-Step Reasoning",
    "multi_step_reasoning": "Multi-Step Reasoning",
}

SAMPLES_PER_TASK = 100
LITE_PER_TASK = 20


def _task(name: str, title: str, category: str, options: int, answer_type: str = "option") -> Task:
    chance = 1 / (factorial(options) if answer_type == "sequence" else options)
    return Task(name, title, category, answer_type, options, chance)


TASKS = {
    task.name: task
    for task in (
        _task("height", "Height", "spatial_understanding", 3),
        _task("adjacency", "Adjacency", "spatial_understanding", 2),
        _task("rotation", "Rotation", "spatial_understanding", 4),
        _task("multiview", "Multiview", "spatial_understanding", 4),
        _task("next_step", "Next-Step", "single_step_reasoning", 5),
        _task("dependency", "Dependency", "single_step_reasoning", 4),
        _task("rotation_status", "Rotation Status", "single_step_reasoning", 2),
        _task("position", "Position", "single_step_reasoning", 4),
        _task("backwards", "Backwards", "multi_step_reasoning", 4),
        _task("ordering", "Ordering", "multi_step_reasoning", 4, "sequence"),
        _task("outlier", "Outlier", "multi_step_reasoning", 5),
    )
}

PROCEDURAL_TASKS = ("height", "next_step", "ordering")
"""Those that the generated set has; the others come with their generators."""
