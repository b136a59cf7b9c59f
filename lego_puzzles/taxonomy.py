"""The tasks of LEGO-Puzzles: the 11 of its overall score in the paper's order, in 3 categories (section 3.1; option counts from the
tasks' forms); and those that stand apart, Next-k-Step (section 4.4, Table 4) and the five in which a picture is made (Table 3)."""

from __future__ import annotations

from dataclasses import dataclass
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

NEXT_K_STEP = "next_k_step"
PER_K = 20
"""Questions of each k."""
STEPS = tuple(map(str, range(1, 8)))
"""The k that are generated, which are the task's levels; Table 4 has the first five."""

GENERATION = {
    task.name: task
    for task in (
        Task("rotation_image", "Rotation*", "generation", "picture", 0, 0.0),
        Task("multiview_image", "Multiview*", "generation", "picture", 0, 0.0),
        Task("position_image", "Position*", "generation", "picture", 0, 0.0),
        Task("dependency_image", "Dependency*", "generation", "picture", 0, 0.0),
        Task("next_step_image", "Next-Step*", "generation", "picture", 0, 0.0),
    )
}
"""The tasks in which the model makes a picture; the paper marks them with a star."""

APART = {NEXT_K_STEP: _task(NEXT_K_STEP, "Next-k-Step", NEXT_K_STEP, 4), **GENERATION}
"""Tasks that are not in the overall score of the 11."""
CATEGORIES_APART = {NEXT_K_STEP: "Next-k-Step", "generation": "Image Generation"}


@dataclass(frozen=True, slots=True)
class Subset:
    """Which tasks a variant asks, and how many questions of each there are."""

    tasks: tuple[str, ...]
    per_task: int


SUBSETS = {
    "full": Subset(tuple(TASKS), SAMPLES_PER_TASK),
    "lite": Subset(tuple(TASKS), LITE_PER_TASK),
    NEXT_K_STEP: Subset((NEXT_K_STEP,), PER_K * len(STEPS)),
    "generation": Subset(tuple(GENERATION), 20),
}


MISSPELT = {"<iamge2>": "<image 2>"}
"""A placeholder as the published Position* question writes it → what it means. The question keeps it; the prompt has the picture there."""
