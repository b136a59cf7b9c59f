"""The paper's diagnosis of a run: by ability, task and level, how scores drop with difficulty, and what the extraction rule changes."""

from __future__ import annotations

from cogsight.shared.diagnosis import Answered, Section, accuracy, gradient, groups

from .published_rules import RULES
from .scoring import published
from .taxonomy import CATEGORIES, KINDS, TASKS

OURS = "ours"


def diagnose(run: Answered) -> tuple[Section, ...]:
    """All sections on one run."""
    graded = {name: task for name, task in TASKS.items() if name not in KINDS}
    rows = groups(run.samples.values(), TASKS, CATEGORIES, levels=True)
    asked = people() if run.variant.source == "official" else {}
    sections = (accuracy(run, rows, asked), gradient(run, graded, notes(run)), rules(run))
    return tuple(section for section in sections if section.rows)


def people() -> dict[str, float]:
    """Title of a row → per cent of the paper's human study (8 graduate students, 72 questions of the release)."""
    (row,) = (row for row in published()["tables"]["main"]["rows"] if row["kind"] == "human")
    return {"Overall": row["overall"]} | {CATEGORIES[name]: score for name, score in row["scores"].items()}


def notes(run: Answered) -> tuple[str, ...]:
    """What to hold the gradient against."""
    rows = published()["tables"]["steps_by_model"]["rows"]
    spread = ", ".join(f"{row['models']} with {row['steps']}" for row in rows)
    return (
        f"Figure 4 of the paper counts tasks with a drop for 27 models ({spread}); it does not name its test.",
        f"{', '.join(TASKS[name].title for name in KINDS)}: two kinds of picture, no levels of difficulty.",
    )


def rules(run: Answered) -> Section:
    """The same replies under the paper's two rules and ours: each over all replies that came back."""
    replies = {name: run.replies[name].text or "" for name in run.measured if name in run.replies}
    keys = {name: run.samples[name].answer for name in replies}
    style = run.variant.style
    read = {rule: {name: letter(text, style) for name, text in replies.items()} for rule, letter in RULES.items()}
    ours = {name: _letter_of(run, name) for name in replies}
    right = {rule: sum(found[name] == keys[name] for name in replies) for rule, found in (read | {OURS: ours}).items()}
    rows = [
        (
            rule,
            str(sum(letter is not None for letter in found.values())),
            str(right[rule]),
            f"{100 * right[rule] / len(replies):.2f}",
            f"{100 * (right[rule] - right[OURS]) / len(replies):+.2f}",
            str(sum(found[name] != ours[name] for name in replies)),
        )
        for rule, found in (read | {OURS: ours}).items()
        if replies
    ]
    gap = abs(right["A"] - right["B"]) / max(1, len(replies))
    return Section(
        "The same replies under the extraction rules of the paper and ours",
        ("Rule", "read", "right", "per cent", "to ours", "read otherwise"),
        tuple(rows),
        (
            f"A and B differ by {100 * gap:.2f} points here; the paper says less than 1.2 for its models.",
            "A, then B: as the released script scores while it runs; with the tail: as it counts a finished file.",
        ),
    )


def _letter_of(run: Answered, name: str) -> str | None:
    extraction = run.scores[name].extraction
    return extraction.value if extraction else None
