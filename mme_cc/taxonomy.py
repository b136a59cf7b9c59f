"""The 11 subtasks of MME-CC and its 3 categories (paper section 2 and Appendix A), and what kind of answer each asks for.

Not published: the sizes of the subtasks, the rule of Gomoku's "hybrid pieces", what Finding Wrong Answer asks, and what 06 and 10
mean in the names of the two maze files.
"""

from __future__ import annotations

from collections.abc import Mapping

from cogsight.shared.benchmark import Task

CATEGORIES = {
    "spatial_reasoning": "Spatial Reasoning",
    "geometric_reasoning": "Geometric Reasoning",
    "visual_knowledge_reasoning": "Visual Knowledge Reasoning",
}

CATEGORY_SIZES: Mapping[str, int] = {
    "spatial_reasoning": 319,
    "geometric_reasoning": 605,
    "visual_knowledge_reasoning": 249,
}
"""Questions of the official release (alphaxiv.org/benchmarks/nanjing-university/mme-cc); those of each subtask are not published."""

SIZE = sum(CATEGORY_SIZES.values())
"""1,173: the abstract's number."""


def _task(name: str, title: str, category: str, answer_type: str, chance: float = 0.0) -> Task:
    return Task(name, title, category, answer_type, options=0, chance=chance)


TASKS = {
    task.name: task
    for task in (
        # Two of seven places, in order (Appendix A.1.1: 2.4 %).
        _task("satellite_image_matching", "Satellite Image Matching", "spatial_reasoning", "mapping", 1 / 42),
        _task("indoor_directional_reasoning", "Indoor Directional Reasoning", "spatial_reasoning", "text"),
        _task("indoor_deduplication_counting", "Indoor Deduplication Counting", "spatial_reasoning", "counts"),
        _task("gomoku_variation", "Gomoku Variation", "geometric_reasoning", "coordinates"),
        _task("unblock_me", "Unblock Me", "geometric_reasoning", "moves"),
        _task("maze", "Maze", "geometric_reasoning", "numbers"),
        _task("jigsaw_puzzle", "Jigsaw Puzzle", "geometric_reasoning", "mapping"),
        _task("chart_modification", "Chart Modification", "geometric_reasoning", "table"),
        _task("sandbagging", "Sandbagging", "visual_knowledge_reasoning", "sandbagging"),
        _task("counterfactual_instruction", "Counterfactual Instruction", "visual_knowledge_reasoning", "text"),
        _task("finding_wrong_answer", "Finding Wrong Answer", "visual_knowledge_reasoning", "text"),
    )
}

DESCRIBE_FIRST_EXCLUDES = (
    "chart_modification",
    *(name for name, task in TASKS.items() if task.category == "visual_knowledge_reasoning"),
)
"""Subtasks whose instructions clash with "describe the picture first" (section 4.2)."""

DESCRIBE_FIRST_TASKS = tuple(name for name in TASKS if name not in DESCRIBE_FIRST_EXCLUDES)

SUBSETS: Mapping[str, tuple[str, ...]] = {
    "full": tuple(TASKS),
    "describe_first": DESCRIBE_FIRST_TASKS,
    **{name: (name,) for name in TASKS},
}
"""Name → subtasks."""

PROCEDURAL_PER_TASK = 20
"""Generated questions per subtask that the frameworks ask."""
