"""What VOILA's questions are made of: subjects, actions, numbers, and the 19 structures (paper sections 3.1, A.1 and A.4). Tables, no logic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from cogsight.shared.benchmark import Task

SUBJECTS: Mapping[str, str] = {
    "cat": "cats",
    "dog": "dogs",
    "fox": "foxes",
    "hamster": "hamsters",
    "rabbit": "rabbits",
    "wolf": "wolves",
    "bear": "bears",
    "monkey": "monkeys",
    "male child": "male children",
    "female child": "female children",
    "man": "men",
    "woman": "women",
    "senior man": "senior men",
    "senior woman": "senior women",
}
"""Singular, which names the subject everywhere, → plural; in the paper's order (A.1)."""

ACTIONS = (
    "playing soccer",
    "driving a car",
    "ice-skating",
    "walking",
    "swimming",
    "jumping",
    "typing",
    "writing",
    "digging a hole",
    "carrying something",
    "reading",
    "running",
    "eating food",
)
"""In the paper's order (A.1)."""

NUMBERS = (1, 2, 3, 4)

VALUES: Mapping[str, tuple[int | str, ...]] = {"number": NUMBERS, "subject": tuple(SUBJECTS), "action": ACTIONS}
"""Property → what it can be. The order of the properties is the one in which answers name them."""


class Rule(str, Enum):
    """What a property does over the images of a question (paper section 3.1)."""

    STABLE = "stable"
    CHANGE = "change"
    ARITHMETIC = "arithmetic"
    DISTRACTION = "distraction"


@dataclass(frozen=True, slots=True)
class Structure:
    """One row of the paper's Table 5: a rule for each property."""

    rule_id: int
    """1 to 19, the column "Rule" of Table 5; the release's CSV files use it for VOILA-ND, too."""
    action: Rule
    subject: Rule
    number: Rule

    @property
    def name(self) -> str:
        """The task's name: "structure_01"."""
        return f"structure_{self.rule_id:02d}"

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Property → rule, in the order of `VALUES`."""
        return {"number": self.number, "subject": self.subject, "action": self.action}

    @property
    def distracts(self) -> bool:
        """Whether a property is a distraction: then the question is in VOILA-WD only."""
        return Rule.DISTRACTION in self.rules.values()


S, C, A, D = Rule

STRUCTURES: tuple[Structure, ...] = (
    Structure(1, C, S, S),
    Structure(2, C, S, D),
    Structure(3, C, D, S),
    Structure(4, C, D, D),
    Structure(5, S, C, S),
    Structure(6, S, C, D),
    Structure(7, D, C, S),
    Structure(8, D, C, D),
    Structure(9, S, S, A),
    Structure(10, S, D, A),
    Structure(11, D, S, A),
    Structure(12, D, D, A),
    Structure(13, C, C, S),
    Structure(14, C, C, D),
    Structure(15, S, C, A),
    Structure(16, D, C, A),
    Structure(17, C, S, A),
    Structure(18, C, D, A),
    Structure(19, C, C, A),
)
"""Table 5: action, subject, number."""

SUBSETS: Mapping[str, tuple[Structure, ...]] = {
    "wd": STRUCTURES,
    "nd": tuple(structure for structure in STRUCTURES if not structure.distracts),
}
"""VOILA-WD and VOILA-ND. The seven of ND are Table 6, which numbers them 1 to 7 in this order (so does Figure 7)."""

STRICT = "_strict"
"""Ends the name of a subset that leaves out what "increase or decrease rate" makes ambiguous (`rules.Flags`): "wd_strict"."""

PER_STRUCTURE = 527
"""Questions of each structure in both official sets: 19 x 527 = 10,013 and 7 x 527 = 3,689."""

CATEGORIES = {
    "one_property": "One property changes",
    "two_properties": "Two properties change",
    "three_properties": "Three properties change",
}
"""The paper's three configurations (section 3.1): by the number of properties under Change or Arithmetic."""

ANSWERS = 5 * 15 * 14
"""Different answers there are: numbers, subjects and actions, each with "any"."""


def base(subset: str) -> str:
    """The set behind a subset: "wd" for "wd_strict"."""
    return subset.removesuffix(STRICT)


def _task(structure: Structure) -> Task:
    changing = sum(rule in (C, A) for rule in structure.rules.values())
    title = f"{structure.rule_id} {structure.action.value}/{structure.subject.value}/{structure.number.value}"
    category = tuple(CATEGORIES)[changing - 1]
    return Task(structure.name, title, category, "properties", ANSWERS, 1 / ANSWERS)


TASKS: Mapping[str, Task] = {structure.name: _task(structure) for structure in STRUCTURES}
"""One task per structure; its title gives the rules of action/subject/number, as Table 5 does."""
